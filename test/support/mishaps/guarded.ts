import { chain } from '../../../sandbox/n8n/workflows';
import { waitUntil } from '../../../sandbox/process/waitUntil';
import type { Stage } from '../../host/support/stage';
import { eventBody } from '../events';
import type { ListMishap, Mishaps, ReportMishap } from '../mishap';
import { TRIGGER_TYPE } from '../triggerHost';

/** Nothing listens there: they are refused before that matters. */
const PORT = 8443;

/** What an n8n that protects its network, behind a proxy that wants a login, does not let through. */
export const GUARDED: Mishaps = {
	'an address that n8n forbids': {
		account: { baseUrl: `https://127.0.0.2:${PORT}` },
		says: `The address https://127.0.0.2:${PORT} may not be used: …restricted IP address…`,
		remedy: 'ask the administrator of n8n',
	},
	'a name that moves to an address that n8n forbids': {
		account: { baseUrl: `https://moves.example:${PORT}` },
		says: 'n8n does not allow this address: …restricted IP address…',
		remedy: 'Ask the administrator of n8n to allow the host, or check the base URL in the credential.',
	},
	'a name that is looked up without end': {
		account: { baseUrl: `https://slow.example:${PORT}` },
		says: `The check of the address https://slow.example:${PORT} took too long.`,
		remedy: 'ask the administrator of n8n whether its machine can look up this host name',
	},
	'a proxy that wants a login, to http': {
		account: { baseUrl: `http://127.0.0.3:${PORT}` },
		says: 'The proxy on the way asks for a login (HTTP 407).',
		remedy: 'Put a user name and a password into the proxy settings of n8n (HTTPS_PROXY or HTTP_PROXY).',
	},
	'a proxy that does not go to a host': {
		account: { baseUrl: `https://127.0.0.4:${PORT}` },
		says: `The proxy on the way makes no connection to 127.0.0.4:${PORT} (HTTP 403).`,
		remedy: 'Ask who runs the proxy whether n8n may reach this host, or name the host in NO_PROXY.',
	},
	'a proxy that wants a login, to https': {
		account: { baseUrl: `https://127.0.0.3:${PORT}` },
		says: 'The proxy on the way asks for a login (HTTP 407).',
		remedy: 'Put a user name and a password into the proxy settings of n8n (HTTPS_PROXY or HTTP_PROXY).',
	},
};

const GET_SET = { resource: 'set', operation: 'get', setId: { __rl: true, mode: 'list', value: '' } };

/** The same where a list is opened. */
export const GUARDED_LISTS: Mishaps<ListMishap> = {
	'sets at an address that n8n forbids': {
		account: { baseUrl: `https://127.0.0.2:${PORT}` },
		parameters: () => GET_SET,
		parameter: 'setId',
		says: `The address https://127.0.0.2:${PORT} may not be used: …restricted IP address…`,
		remedy: 'ask the administrator of n8n',
	},
};

/** The same for the trigger. */
export const GUARDED_TRIGGER: Mishaps = {
	'a queue at an address that n8n forbids': {
		account: { host: '127.0.0.2' },
		says: 'n8n does not allow connections to the host of the message queue',
		remedy: 'Ask the administrator of n8n to allow this host (N8N_SSRF_ALLOWED_HOSTNAMES).',
	},
};

/** Takes the one place that this n8n has for runs, and keeps it. */
async function keepBusy({ n8n, broker, vhost, newQueue, publishOn, send, serve }: Stage): Promise<void> {
	const queue = await newQueue('slow work');
	const silent = await serve({ calls: () => 'silence' });
	const account = { host: '127.0.0.1', port: broker.port, vhost, username: 'admin', password: 'admin' };
	const { id, name, type } = await n8n.credentials.create('Busy', 'parcelDocumentExchangeQueueApi', account);
	const trigger = {
		...{ name: 'Event', type: TRIGGER_TYPE, parameters: { queue }, credentials: { [type]: { id, name } } },
	};
	const call = {
		...{ name: 'Call', type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 },
		parameters: { url: `${silent.baseUrl}/slow`, options: { timeout: 300_000 } },
	};
	await publishOn(queue, chain('Slow work', [trigger, call]));
	await send(queue, eventBody(1));
	await waitUntil('the place is taken', () => silent.calls.length > 0);
}

/** What the trigger reports in an n8n that has one place for runs. */
export const BUSY: Mishaps<ReportMishap> = {
	'a run that n8n does not come to': {
		settings: { executionTimeout: 1 },
		happens: async (stage, queue) => {
			await keepBusy(stage);
			await stage.send(queue, eventBody(3));
		},
		says: 'n8n did not say how the run for the event ISSUED of PRC-3 ended',
		remedy: 'Look the run up in the executions. The event was removed from the queue and is not run again',
	},
};
