import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExampleHost } from '../exampleWorkflow';
import { openPublicApi, UnusableN8n } from './publicApi';

/** Somebody's n8n, which runs already, on this machine. */
export interface OtherN8n {
	url: string;
	apiKey: string;
}

/** What the sandbox made in somebody's n8n. */
interface Made {
	workflows: string[];
	credentials: string[];
}

/** Where a sandbox remembers it, below its folder. */
export const MADE_IN_N8N = 'made-in-n8n.json';

const API_CREDENTIAL = 'parcelDocumentExchangeApi';
const DOMAINS = 'allowedHttpRequestDomains';
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/** The sandbox as a guest in an n8n: it takes along what it brought. */
interface Guest extends ExampleHost {
	/** Removes from n8n what was made there. */
	leave(): Promise<void>;
}

/**
 * The address of an n8n the stand-ins can serve.
 *
 * @throws UnusableN8n for one on another machine, and for what is no address
 */
export function addressOf(text: string): URL {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (!url || !['http:', 'https:'].includes(url.protocol)) {
		throw new UnusableN8n(`--n8n takes an address such as http://127.0.0.1:5678, not "${text}".`);
	}
	if (url.username || url.password || url.search || url.hash) {
		throw new UnusableN8n(
			'--n8n takes an address such as http://127.0.0.1:5678 alone: without a user, a password, "?" and "#".',
		);
	}
	// The name leads to ::1 and to 127.0.0.1, and any user of this machine may listen where n8n does not. With https, a certificate tells them apart.
	if (url.hostname === 'localhost' && url.protocol === 'http:') {
		const at = (host: string) => url.href.replace('localhost', host).replace(/\/$/, '');
		throw new UnusableN8n(
			`--n8n takes a number, since by the name "localhost" another program than n8n may get the key: --n8n ${at('127.0.0.1')} (or, where n8n listens there alone, ${at('[::1]')}).`,
		);
	}
	if (LOOPBACK.test(url.hostname)) return url;
	throw new UnusableN8n(
		`--n8n takes an n8n on this machine, such as http://127.0.0.1:5678: the stand-ins listen on 127.0.0.1 alone, and ${url.hostname} could not reach them.`,
	);
}

/**
 * Asks an n8n in. What a start that was cut off left there is removed first: `folder` remembers it.
 *
 * @throws UnusableN8n when it cannot be used as it is, without having changed anything in it
 */
export async function visit({ url, apiKey }: OtherN8n, folder: string): Promise<Guest> {
	addressOf(url);
	const api = await openPublicApi(url, apiKey);
	if ((await api.fieldsOf(API_CREDENTIAL)) === undefined) {
		throw new UnusableN8n(
			`n8n at ${url} does not have the package: install n8n-nodes-parcel-document-exchange there, under Settings → Community nodes, or pack this one with "npm run build && npm pack" and install the file in ~/.n8n/nodes.`,
		);
	}
	await api.needRights();
	const file = join(folder, MADE_IN_N8N);
	await mkdir(folder, { recursive: true });
	const left = await readFile(file, 'utf8').then(
		(text) => JSON.parse(text) as Made,
		() => undefined,
	);
	const made: Made = left ?? { workflows: [], credentials: [] };
	const remember = async () => {
		// All or nothing: what is cut off here would never be removed there.
		await writeFile(`${file}.new`, JSON.stringify(made), { mode: 0o600 });
		await rename(`${file}.new`, file);
	};
	const leave = async () => {
		for (const id of made.workflows) await api.deleteWorkflow(id);
		for (const id of made.credentials) await api.deleteCredential(id);
		Object.assign(made, { workflows: [], credentials: [] });
		await rm(file, { force: true });
	};
	await leave();
	return {
		credential: async (type, name, values) => {
			const fields = (await api.fieldsOf(type)) ?? [];
			// n8n's own, and where it is there, n8n 1 takes an account without it for one that is restricted.
			const domains = fields.includes(DOMAINS) && { [DOMAINS]: 'all' };
			const { id } = await api.createCredential(name, type, { ...values, ...domains });
			made.credentials.push(id);
			await remember();
			return { id, name };
		},
		publish: async (workflow) => {
			const { id } = await api.createWorkflow(workflow);
			made.workflows.push(id);
			await remember();
			await api.publishWorkflow(id);
			return { id };
		},
		leave,
	};
}
