import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refuse } from './refuse';

/** What the person who started the sandbox has, and no other user of this machine. */
interface Keys {
	/** Sees everything and does everything. Told to the person alone, by the terminal. */
	key: string;
	/**
	 * Opens what is asked for by an address, where nothing else can be sent along: a file, a message, the live
	 * connection. Addresses are shown and kept by a browser, so it neither gives orders nor tells the password. Not a
	 * cookie: a browser sends those to every port of this machine, also to one where another user listens.
	 */
	pass: string;
}

export function newKeys(): Keys {
	const [key = '', pass = ''] = [1, 2].map(() => randomBytes(18).toString('base64url'));
	return { key, pass };
}

/** Refuses, at each route added to `app`, whoever shows neither. */
export function needKey(app: FastifyInstance, keys: Keys): void {
	app.addHook('onRequest', async (request) => {
		const { pass } = request.query as { pass?: unknown };
		const isLook = request.method === 'GET' && isSame(pass, keys.pass);
		if (!isLook && !hasKey(request, keys))
			refuse(403, 'Open this page at the address that the terminal shows');
	});
}

export const hasKey = ({ headers }: FastifyRequest, { key }: Keys) => isSame(headers['x-key'], key);

/** Equal or not, in a time that does not tell how much of it was equal. */
function isSame(given: unknown, wanted: string): boolean {
	const [one, other] = [Buffer.from(String(given)), Buffer.from(wanted)];
	return one.length === other.length && timingSafeEqual(one, other);
}
