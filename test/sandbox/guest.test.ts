import { once } from 'node:events';
import { readdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { addressOf, visit } from '../../sandbox/n8n/guest';
import { UnusableN8n } from '../../sandbox/n8n/publicApi';
import { makeCertificates } from '../../sandbox/tls/certificates';
import { opening } from '../support/closing';
import { makeOddCertificates } from '../support/oddCertificates';

const KEY = 'n8n_api_key_of_somebody';
let folder = '';
beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'guest-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Answers each path of n8n's public API with a status; then what else was asked. */
async function n8nThat(answers: (call: string) => number | [number, unknown]) {
	const calls: string[] = [];
	const server = createServer(({ method, url = '' }, response) => {
		const call = `${method} ${url.replace('/api/v1/', '')}`;
		calls.push(call);
		const [status, body] = [answers(call)].flat() as [number, unknown?];
		const text = typeof body === 'string' ? body : JSON.stringify(body ?? {});
		response.writeHead(status, { 'content-type': 'application/json' }).end(text);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const close = async () => {
		server.closeAllConnections();
		server.close();
	};
	await opening(Promise.resolve({ close }));
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, calls };
}
const at = (url: string) => visit({ url, apiKey: KEY }, folder);
const refusal = async (visiting: Promise<unknown>) => {
	const error = await visiting.then(
		() => new Error('It was let in'),
		(reason: Error) => reason,
	);
	expect(error).toBeInstanceOf(UnusableN8n);
	expect(error.message).not.toContain(KEY);
	return error.message;
};

describe('an n8n that cannot be used', () => {
	it.each([
		['http://n8n.example.com', /takes an n8n on this machine.*n8n\.example\.com could not reach/],
		['http://192.168.1.4:5678', /takes an n8n on this machine/],
		['http://localhost.example.com', /takes an n8n on this machine/],
		['localhost:5678', /takes an address such as http:\/\/127\.0\.0\.1:5678/],
		['ftp://localhost', /takes an address such as/],
		['http://me:secret@localhost:5678', /without a user, a password/],
		['http://me@localhost:5678', /without a user, a password/],
		['http://localhost:5678/?a=secret', /without a user, a password/],
		['http://localhost:5678/#secret', /without a user, a password/],
	])('%s is none of this machine: it is asked nothing', async (url, words) => {
		expect(() => addressOf(url)).toThrow(words);
		const said = await refusal(at(url));
		expect(said).toMatch(words);
		expect(said).not.toContain('secret');
	});

	it.each(['…', 'two words', 'a\nb', 'Schlüssel', ''])('is given a key that is none: %j', async (apiKey) => {
		const { url, calls } = await n8nThat(() => 200);
		const said = await refusal(visit({ url, apiKey }, folder));
		expect(said).toMatch(/copy the whole key/);
		expect(calls).toEqual([]);
	});

	it.each(['<!doctype html><p>The editor', '', 'null', '"yes"'])(
		'answers everywhere with %j, as n8n does below an address of its editor: nothing is made',
		async (text) => {
			const { url, calls } = await n8nThat(() => [200, text]);
			expect(await refusal(at(`${url}/home/workflows`))).toMatch(/no public API of n8n \(it said 200\)/);
			expect(calls.filter((call) => !call.startsWith('GET'))).toEqual([]);
		},
	);

	it('has a certificate that is not trusted here: it is said, and how to have it trusted', async () => {
		const tls = await makeCertificates(join(folder, 'tls'));
		const odd = await makeOddCertificates(join(folder, 'odd'), tls);
		const signed = [tls.server, tls.otherServer].map(({ certificate: cert, key }) => ({ cert, key }));
		for (const pair of [...signed, ...Object.values(odd)]) {
			const server = createTlsServer(pair).listen(0, '127.0.0.1');
			await once(server, 'listening');
			const said = await refusal(at(`https://127.0.0.1:${(server.address() as AddressInfo).port}`));
			server.close();
			expect(said).toMatch(/certificate of n8n at .* is not trusted here \([A-Z_]+\).*NODE_EXTRA_CA_CERTS/);
		}
	});

	it.each(['http://localhost:5678', 'http://127.0.0.1:5678/n8n', 'https://[::1]:5678'])(
		'%s is one of this machine',
		(url) => expect(addressOf(url)).toBeInstanceOf(URL),
	);

	it('is not there', async () => {
		expect(await refusal(at('http://127.0.0.1:1'))).toMatch(/Nothing answers at .*start n8n first/);
	});

	it.each<[string, (call: string) => number, RegExp]>([
		['refuses the key', () => 401, /refused the API key: make one/],
		['is something else', () => 404, /no public API of n8n \(it said 404\)/],
		['sends on to another place', () => 302, /no public API of n8n \(it said 302\)/],
		[
			'has no package',
			(call) => (call.endsWith('httpBasicAuth') ? 200 : 404),
			/does not have the package: install n8n-nodes-parcel-document-exchange there/,
		],
	])('%s: it says what to do, and makes nothing', async (_, answers, words) => {
		const { url, calls } = await n8nThat(answers);
		expect(await refusal(at(url))).toMatch(words);
		expect(calls.filter((call) => !call.startsWith('GET'))).toEqual([]);
	});

	it('does not let the key remove what would be made there: it names what, and makes nothing', async () => {
		const { url, calls } = await n8nThat((call) => {
			if (call.startsWith('GET')) return 200;
			return call.startsWith('DELETE') || call.endsWith('/deactivate') ? 403 : 404;
		});
		expect(await refusal(at(url))).toMatch(
			/may not do "workflow:deactivate", "workflow:delete", "credential:delete": give it credential:create/,
		);
		const made = calls.filter((call) => !call.startsWith('GET') && !/\/none(\/|$)/.test(call));
		expect(made).toEqual([]);
		expect(await readdir(folder)).toEqual([]);
	});

	it('does not let the key do something: it names what, and remembers what was made before', async () => {
		const { url } = await n8nThat((call) => {
			if (call === 'POST credentials') return [200, { id: 'account-1' }];
			return call.startsWith('GET') || call.includes('/none') ? 200 : 403;
		});
		const guest = await at(url);
		await guest.credential('smtp', 'Stand-in mail server', {});
		const workflow = { name: 'Papers', nodes: [], connections: {} };
		expect(await refusal(guest.publish(workflow))).toMatch(
			/may not do "workflow:create": give it credential:create, credential:delete, workflow:create/,
		);
		expect(await refusal(guest.leave())).toMatch(/may not do "credential:delete"/);
		expect(await readdir(folder)).toEqual(['made-in-n8n.json']);
	});
});

it('takes away what it made, also what an earlier one had to leave', async () => {
	let isAway = false;
	const { url, calls } = await n8nThat((call) => {
		if (call.startsWith('POST')) return [200, { id: `${call.split(' ')[1]!.replace(/s$/, '')}-1` }];
		return call.startsWith('DELETE') && isAway ? 500 : 200;
	});
	const first = await at(url);
	await first.credential('smtp', 'Stand-in mail server', {});
	await first.publish({ name: 'Papers', nodes: [], connections: {} });
	isAway = true;
	expect(await refusal(first.leave())).toMatch(/answered 500 to DELETE workflows/);
	isAway = false;
	calls.length = 0;
	await at(url);
	const removed = calls.filter((call) => call.startsWith('DELETE') && !call.endsWith('/none'));
	expect([...new Set(removed)]).toEqual(['DELETE workflows/workflow-1', 'DELETE credentials/credential-1']);
	expect(await readdir(folder)).toEqual([]);
});

it('waits while n8n still unpublishes its workflow', async () => {
	let asked = 0;
	const { url } = await n8nThat((call) => {
		if (call.startsWith('POST')) return [200, { id: 'made' }];
		return call === 'DELETE workflows/made' && asked++ < 2 ? 409 : 200;
	});
	const guest = await at(url);
	await guest.publish({ name: 'Papers', nodes: [], connections: {} });
	await guest.leave();
	expect(asked).toBeGreaterThan(2);
});
