import { readFileSync, rmSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import type { StoredCredential } from '../../sandbox/n8n/credentials';
import { startN8n, type N8n } from '../../sandbox/n8n/n8n';
import { chain, type NodeSketch } from '../../sandbox/n8n/workflows';
import { newFolder } from '../../sandbox/setup/caches.mjs';
import {
	reply,
	startFakeService,
	type FakeService,
	type FakeServiceOptions,
	type Reaction,
} from '../support/fakeService';
import { PACKED_PACKAGE } from '../support/host/start';
import { ACTION, START, using } from '../support/host/world';

/** Answers that would end an n8n, or stop it for a while: in a run, and from the credential's Test button. */

jest.setTimeout(180_000);

const MB = 1024 * 1024;
/** Within so long n8n answers others meanwhile. */
const ALIVE_MS = 2_000;

let folder: string;
let n8n: N8n;
const services: FakeService[] = [];

beforeAll(async () => {
	folder = await newFolder('hostile-');
	n8n = await startN8n({
		folder,
		packageTarball: PACKED_PACKAGE,
		version: process.env['PARCEL_N8N_VERSION'] || undefined,
		// So that what is held is measured, and not what is not yet collected.
		env: { NODE_OPTIONS: '--max-old-space-size=640' },
	});
	// What n8n itself loads at its first run and its first test is no answer's doing.
	const service = await startFakeService({ calls: () => reply(200, wrongEnvelope) });
	services.push(service);
	const credential = await credentialOf(service);
	await run(search(credential));
	await n8n.credentials.test(credential);
}, 150_000);

afterAll(async () => {
	await n8n?.kill();
	await Promise.all(services.map((service) => service.close()));
	rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

/** A byte now and then, for ever: never silent, never done. */
const drip: Reaction = ({ response }) => {
	response.writeHead(200, { 'content-type': 'application/json' });
	response.write('{"token":"');
	const timer = setInterval(() => response.write('a'), 200);
	response.on('close', () => clearInterval(timer));
};
const gzipBomb = gzipSync(`[${'[],'.repeat(44_000_000)}[]]`);
const deep = '['.repeat(1_000_000) + ']'.repeat(1_000_000);
const wrongEnvelope = {
	code: 500,
	status: 'ERROR',
	errorMessage: 'index not available',
	data: { total: 0, results: [] },
};

const ANSWERS: [string, Reaction][] = [
	['a gzip bomb', reply(200, gzipBomb, { 'content-encoding': 'gzip' })],
	['JSON of a million levels', reply(200, deep)],
	['bytes that never end', drip],
	['an error in an envelope of success', reply(200, wrongEnvelope)],
];

const WHERE: [string, (answer: Reaction) => FakeServiceOptions][] = [
	['in place of a token', (answer) => ({ logins: () => answer })],
	['in place of an answer', (answer) => ({ calls: () => answer })],
];

function residentBytes(): number {
	const status = readFileSync(`/proc/${n8n.processId}/status`, 'utf8');
	return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

/** How long n8n took at most to answer somebody else meanwhile, and by how much its memory grew. */
async function meanwhile<T>(work: () => Promise<T>): Promise<{ told: T; slowestMs: number; grown: number }> {
	const before = residentBytes();
	let [slowestMs, most, isDone] = [0, before, false];
	const asking = (async () => {
		while (!isDone) {
			const began = Date.now();
			await fetch(`${n8n.url}/healthz`);
			slowestMs = Math.max(slowestMs, Date.now() - began);
			most = Math.max(most, residentBytes());
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
	})();
	const told = await work().finally(() => (isDone = true));
	await asking;
	return { told, slowestMs, grown: most - before };
}

const credentialOf = ({ baseUrl }: FakeService): Promise<StoredCredential> =>
	n8n.credentials.create(baseUrl, 'parcelDocumentExchangeApi', {
		...{ baseUrl, loginStyle: 'basic', username: 'clerk', password: 'Quay 7' },
		...{ ignoreSslIssues: false, caCertificate: '' },
	});

const search = (credential: StoredCredential): NodeSketch => ({
	...{ name: 'Work', type: ACTION, credentials: using(credential) },
	parameters: {
		...{ resource: 'set', operation: 'search', returnAll: true, filters: {}, options: { timeout: 3 } },
	},
});

/** n8n's HTTP Request logs in by the credential alone. */
const httpRequest = (credential: StoredCredential, url: string): NodeSketch => ({
	...{ name: 'Work', type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, credentials: using(credential) },
	parameters: {
		...{ authentication: 'predefinedCredentialType', nodeCredentialType: credential.type },
		...{ url, options: {} },
	},
});

async function run(work: NodeSketch): Promise<string> {
	const { id } = await n8n.workflows.create(chain('Work', [START, work]));
	const { error } = await n8n.executions.finished(await n8n.workflows.run(id, 'Start'), 120_000);
	return String(error?.message);
}

describe.each(ANSWERS)('%s', (_answer, answer) => {
	it.each(WHERE)('%s is an error in a run and from Test, and n8n goes on', async (where, options) => {
		const service = await startFakeService(options(answer));
		services.push(service);
		const credential = await credentialOf(service);
		// A drip is waited for in it as long as a login may take: a minute.
		const isOfLogin = where === 'in place of a token' && answer !== drip;
		for (const task of [
			async () => await run(search(credential)),
			async () => {
				const { status, message } = await n8n.credentials.test(credential);
				expect(status).toBe('Error');
				return message;
			},
			...(isOfLogin ? [async () => await run(httpRequest(credential, `${service.baseUrl}/v3/x`))] : []),
		]) {
			const { told, slowestMs, grown } = await meanwhile(task);
			expect(told).toMatch(/service|answer|HTTP|too large to read|silent for too long/i);
			expect(told).not.toMatch(/RangeError|stack|heap|undefined/i);
			expect({ slowestMs, isAlive: slowestMs < ALIVE_MS }).toEqual({ slowestMs, isAlive: true });
			// A few bytes cannot fill it; what n8n does by itself in that long time would be measured.
			if (answer !== drip) expect(grown).toBeLessThan(150 * MB);
		}
	});
});
