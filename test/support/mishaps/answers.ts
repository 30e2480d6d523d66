import { reply, type Reaction } from '../fakeService';
import type { Mishaps } from '../mishap';

/** Sends and sends until the other side has had enough. */
export function endless(beginning: string): Reaction {
	const piece = Buffer.alloc(1024 * 1024, ' ');
	return ({ response }) => {
		response.writeHead(200).write(beginning);
		const goOn = () => {
			while (!response.destroyed && response.write(piece));
			response.once('drain', goOn);
		};
		goOn();
	};
}

/** What the service can answer in place of what was asked for. */
export const ANSWERS: Mishaps = {
	'something the service does not have': {
		instead: () => ({ calls: () => 'missing' }),
		says: 'The service does not know what was asked for (HTTP 404). It said: "No such document"',
		remedy: 'Check the IDs, and the base URL in the credential.',
	},
	'a request that came too slowly': {
		instead: () => ({ calls: () => reply(408) }),
		says: 'The service waited too long for the request (HTTP 408).',
		remedy: 'Try again in a moment.',
	},
	'a request that the service refuses': {
		instead: () => ({ calls: () => reply(422, { errorMessage: 'status is unknown' }) }),
		parameters: () => ({
			...{ resource: 'set', operation: 'search' },
			filters: { status: { __rl: true, mode: 'value', value: 'AKTIVE' } },
		}),
		says: 'The service refused the request (HTTP 422). It said: "status is unknown"',
		remedy: 'Check what was asked for: the filters, the IDs and the options.',
	},
	'an empty answer': {
		instead: () => ({ calls: () => reply(200) }),
		says: 'The answer is empty.',
		remedy: 'Check the base URL in the credential: a gateway or another service may be answering there.',
	},
	'a web page': {
		instead: () => ({ calls: () => reply(200, '<html><title>Sign in</title></html>') }),
		says: 'The answer is no JSON. It says: "Sign in"',
		remedy: 'Check the base URL in the credential: a gateway or another service may be answering there.',
	},
	'an answer without end': {
		instead: () => ({ calls: () => endless('[') }),
		says: 'The answer is larger than 32 MB, which is more than is read of one.',
		remedy: 'lower Page Size in the options',
	},
	'an answer packed in another way': {
		instead: () => ({ calls: () => reply(200, 'packed', { 'content-encoding': 'zstd' }) }),
		says: 'The answer is packed in a way we cannot read.',
		remedy: 'A gateway between n8n and the service may do this. Ask who runs it.',
	},
	'an answer packed wrongly': {
		instead: () => ({ calls: () => reply(200, 'not packed at all', { 'content-encoding': 'gzip' }) }),
		says: 'The compressed answer cannot be read.',
		remedy: 'A gateway between n8n and the service may do this. Ask who runs it.',
	},
};
