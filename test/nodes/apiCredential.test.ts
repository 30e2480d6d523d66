import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { ParcelDocumentExchangeApi } from '../../credentials/ParcelDocumentExchangeApi.credentials';
import { ParcelDocumentExchangeQueueApi } from '../../credentials/ParcelDocumentExchangeQueueApi.credentials';
import { makeCertificates, type Certificates } from '../../sandbox/tls/certificates';
import { storeCredential } from '../support/credentialStore';
import {
	reply,
	startFakeService,
	type Answer,
	type FakeService,
	type FakeServiceOptions,
} from '../support/fakeService';

const PASSWORD = 'Quay 7: Göteborg à';
const ok = [{ customerId: 'c' }];
const CUSTOMERS = '/v3/exchange/customers';

/** n8n holds all of what it is to hand on as a text. */
const endless: Answer = ({ response }) => {
	response.writeHead(200).write('{"token":"');
	const more = () => void response.write('x'.repeat(100_000), (error) => !error && setTimeout(more, 1));
	more();
};
const wronglyPacked = reply(200, 'token', { 'content-encoding': 'gzip' });

const services: FakeService[] = [];

async function start(options: FakeServiceOptions = {}, changes: object = {}) {
	const service = await startFakeService({ ok, ...options });
	services.push(service);
	const credential = await storeCredential(new ParcelDocumentExchangeApi(), {
		baseUrl: service.baseUrl,
		loginStyle: 'basic',
		username: 'jörg.desk',
		password: PASSWORD,
		ignoreSslIssues: false,
		caCertificate: '',
		token: '',
		...changes,
	});
	const url = service.baseUrl + CUSTOMERS;
	return {
		service,
		credential,
		url,
		bearers: () => service.calls.map(({ headers }) => headers.authorization),
		call: () => credential.call({ url, method: 'GET', json: true }),
		callOldStyle: () => credential.callOldStyle({ uri: url, method: 'GET', json: true }),
	};
}

afterEach(async () => {
	await Promise.all(services.splice(0).map((service) => service.close()));
});

it("shows the editor how it signs a call: n8n's copy of the type has own properties alone", () => {
	expect({ ...new ParcelDocumentExchangeApi() }.authenticate).toBeInstanceOf(Function);
	expect({ ...new ParcelDocumentExchangeQueueApi() }).not.toHaveProperty('authenticate');
});

describe.each(['call', 'callOldStyle'] as const)("the API credential in n8n's own requests (%s)", (way) => {
	it('logs in at the first call and keeps the token with the credential', async () => {
		const bench = await start();
		expect(await bench[way]()).toEqual(ok);
		expect(await bench[way]()).toEqual(ok);
		expect(bench.service.logins).toHaveLength(1);
		expect(bench.bearers()).toEqual(['Bearer token-1', 'Bearer token-1']);
	});

	it('logs in once when 30 calls find no token', async () => {
		const bench = await start();
		await Promise.all(Array.from({ length: 30 }, () => bench[way]()));
		expect(bench.service.logins).toHaveLength(1);
	});

	it('logs in again when the token is refused, and makes the call again', async () => {
		let valid = 'Bearer token-1';
		const bench = await start({
			calls: ({ headers }) => (headers.authorization === valid ? 'ok' : 'unauthorized'),
		});
		await bench[way]();
		valid = 'Bearer token-2';
		expect(await bench[way]()).toEqual(ok);
		expect(await bench[way]()).toEqual(ok);
		expect(bench.service.logins).toHaveLength(2);
	});

	it('asks a wrong password once, however often it is tried', async () => {
		const bench = await start({ logins: () => 'unauthorized' });
		for (let item = 0; item < 5; item++) {
			await expect(bench[way]()).rejects.toThrow(/refused the user name or the password/);
		}
		expect(bench.service.logins).toHaveLength(1);
		expect(bench.service.calls).toHaveLength(0);
	});

	it('never calls with the token of earlier values: an edited credential logs in anew', async () => {
		const bench = await start({
			calls: ({ headers }) => (headers.authorization === undefined ? 'unauthorized' : 'ok'),
		});
		await bench[way]();
		bench.credential.data = { ...bench.credential.data, username: 'someone.else' };
		expect(await bench[way]()).toEqual(ok);
		expect(bench.bearers()).toEqual(['Bearer token-1', undefined, 'Bearer token-2']);
		const [, login] = bench.service.logins;
		expect(Buffer.from(login?.headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString()).toBe(
			`someone.else:${PASSWORD}`,
		);
	});

	it('asks for a token of now, where a gateway keeps answers', async () => {
		const bench = await start();
		await bench[way]();
		expect(bench.service.logins.map(({ headers }) => headers['cache-control'])).toEqual(['no-cache']);
	});

	it('does not log in for every call that fails for good', async () => {
		const bench = await start({ calls: () => 'unauthorized' });
		for (let item = 0; item < 10; item++) await expect(bench[way]()).rejects.toThrow();
		expect(bench.service.logins.length).toBeLessThanOrEqual(2);
	});

	it('calls the server of its base URL alone, whatever the address says: any other hears nothing', async () => {
		const elsewhere = await start();
		const bench = await start();
		await bench[way]();
		const { port, hostname } = new URL(elsewhere.url);
		const addresses = [
			elsewhere.url,
			`http://${hostname}:${port}`,
			`//${hostname}:${port}/x`,
			`http://127.0.0.1@${hostname}:${port}/`,
			bench.url.replace('http:', 'https:'),
		];
		for (const url of addresses) {
			for (const options of [{ url }, { url, baseURL: bench.service.baseUrl }, { url: '/x', baseURL: url }]) {
				const call = way === 'call' ? bench.credential.call : bench.credential.callOldStyle;
				const { url: uri, ...rest } = options;
				const sent = way === 'call' ? { ...options, method: 'GET' } : { ...rest, uri, method: 'GET' };
				const error = await call(sent as never).catch((reason: unknown) => reason);
				const isComplete = [url, options.baseURL].some((address) => /^https?:/.test(address ?? ''));
				expect(inspect(error)).toMatch(
					isComplete
						? /This account is for .*, and the call goes to .*: it was not made\./
						: /The URL of this call is not complete\./,
				);
			}
		}
		expect(elsewhere.service.calls).toEqual([]);
		expect(elsewhere.service.connections()).toBe(0);
	});

	it('sends the Headers style as bytes of UTF-8', async () => {
		const bench = await start({}, { loginStyle: 'headers' });
		await bench[way]();
		const { rawHeaders = [] } = bench.service.logins[0] ?? {};
		const sent = (name: string) => {
			const index = rawHeaders.findIndex((text) => text.toLowerCase() === name);
			return Buffer.from(rawHeaders[index + 1] ?? '', 'latin1').toString('utf8');
		};
		expect([sent('username'), sent('password')]).toEqual(['jörg.desk', PASSWORD]);
	});

	it('does not follow a login elsewhere, and sends no token along a redirect elsewhere', async () => {
		const elsewhere = await start();
		const bench = await start({
			calls: () => reply(302, '', { location: `${elsewhere.service.baseUrl}/x` }),
		});
		await bench[way]().catch(() => undefined);
		expect(elsewhere.bearers().every((bearer) => bearer === undefined)).toBe(true);

		const astray = await start({
			logins: () => reply(302, '', { location: `${elsewhere.service.baseUrl}/x` }),
		});
		const before = elsewhere.service.calls.length;
		await expect(astray[way]()).rejects.toThrow(/sends us to another address/);
		expect(elsewhere.service.calls).toHaveLength(before);
	});

	it.each([
		['a bad base URL', {}, { baseUrl: 'service.example.com' }, /https:\/\//],
		['a colon in the user name', {}, { username: 'a:b' }, /"Headers"/],
		['a port where nothing listens', {}, { baseUrl: 'http://127.0.0.1:1' }, /Nothing listens/],
		['an answer without a token', { logins: () => reply(200, {}) }, {}, /no field "token"/],
		['a login that fails', { logins: () => 'failed' as const }, {}, /problem of its own/],
		['a login that never ends its answer', { logins: () => endless }, {}, /no field "token"/],
		['a login whose packed answer cannot be read', { logins: () => wronglyPacked }, {}, /compressed answer/],
	])('says what is wrong: %s', async (_label, options, changes, text) => {
		const bench = await start(options, changes);
		const error = await bench[way]().catch((reason: unknown) => reason);
		expect(inspect(error)).toMatch(text);
		const everything = inspect(error, { depth: Infinity, showHidden: true });
		expect(everything).not.toContain(PASSWORD);
		expect(everything).not.toContain(Buffer.from(`jörg.desk:${PASSWORD}`).toString('base64'));
	});
});

describe.each(['call', 'callOldStyle'] as const)('the TLS settings of the credential (%s)', (way) => {
	let folder: string;
	let certificates: Certificates;

	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), 'credential-'));
		certificates = await makeCertificates(folder);
	});

	afterAll(() => rm(folder, { recursive: true, force: true }));

	const startTls = (changes: object) =>
		start({ tls: { key: certificates.server.key, cert: certificates.server.certificate } }, changes);

	it('refuse a certificate that nobody vouches for', async () => {
		const bench = await startTls({});
		await expect(bench[way]()).rejects.toThrow(/certificate/);
		expect(bench.service.logins).toHaveLength(0);
	});

	it('take it with the CA certificate, for the login and for the call', async () => {
		const bench = await startTls({ caCertificate: certificates.ca.replace(/\n/g, ' ') });
		expect(await bench[way]()).toEqual(ok);
	});

	it('take it when told to ignore it, for the login and for the call', async () => {
		const bench = await startTls({ ignoreSslIssues: true });
		expect(await bench[way]()).toEqual(ok);
	});
});
