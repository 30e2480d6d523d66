import { mkdtemp, rm } from 'node:fs/promises';
import { lookup as dnsLookup } from 'node:dns';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeCertificates, type Certificates } from '../../../sandbox/tls/certificates';
import type { LookupFunction } from 'node:net';
import { systemClock } from '../../../service/surroundings';
import { errorOf, startBench } from '../../support/apiAccount';
import { startFakeProxy, type FakeProxy } from '../../support/fakeProxy';

/** Moves the clock by which undici ends a wait. */
const { tick } = jest.requireActual<{ tick(milliseconds: number): void }>('undici/lib/util/timers.js');

const ok = [{ customerId: 'c' }];

let folder: string;
let certificates: Certificates;
let tls: { key: string; cert: string };

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'guards-'));
	certificates = await makeCertificates(folder);
	tls = { key: certificates.server.key, cert: certificates.server.certificate };
});

afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the certificate of the service', () => {
	it('of a private authority is refused as it is', async () => {
		const { client, service } = await startBench({ tls, ok });
		const error = await errorOf(client.customers());
		expect(error).toMatchObject({ code: 'certificate', remedy: expect.stringContaining('CA certificate') });
		expect(service.logins).toHaveLength(0);
		expect(service.connections()).toBe(1);
	});

	it.each([
		['as it is', (pem: string) => pem],
		['as one line', (pem: string) => pem.replace(/\n/g, ' ')],
		['with its line breaks written out', (pem: string) => pem.replace(/\n/g, '\\n')],
		['with Windows line ends and text around it', (pem: string) => `CA:\r\n${pem.replace(/\n/g, '\r\n')}bye`],
	])('is taken with the CA certificate pasted %s', async (_label, pasted) => {
		const { open } = await startBench({ tls, ok });
		expect(await open({ caCertificate: pasted(certificates.ca) }).customers()).toEqual(ok);
	});

	it('is taken when told to ignore it, and only then: the two never share a connection', async () => {
		const { open } = await startBench({ tls, ok });
		expect(await open({ ignoreSslIssues: true }).customers()).toEqual(ok);
		expect(await errorOf(open({ ignoreSslIssues: false }).customers())).toMatchObject({
			code: 'certificate',
		});
	});

	it('for another host name is refused, and said so', async () => {
		const { open, service } = await startBench({ tls, ok, host: '127.0.0.2' });
		const error = await errorOf(open({ caCertificate: certificates.ca }).customers());
		expect(error.message).toContain('is for another host name');
		expect(await open({ ignoreSslIssues: true }).customers()).toEqual(ok);
		expect(service.logins).toHaveLength(1);
	});

	it.each([
		['nonsense', 'hello'],
		['a cut certificate', '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----'],
		['a key', '-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----'],
	])(
		'a pasted CA certificate that is %s is said to be unreadable, before anything is sent',
		async (_label, pem) => {
			const { open, service } = await startBench({ tls, ok });
			expect(await errorOf(open({ caCertificate: pem }).customers())).toMatchObject({
				code: 'invalidInput',
				remedy: expect.stringContaining('BEGIN CERTIFICATE'),
			});
			expect(service.connections()).toBe(0);
		},
	);

	it('missing where https:// was typed is explained', async () => {
		const { open, service } = await startBench({ ok });
		const error = await errorOf(open({ baseUrl: service.baseUrl.replace('http:', 'https:') }).customers());
		expect(error).toMatchObject({ code: 'network', remedy: expect.stringContaining('http://') });
	});
});

describe("the host's rules for addresses", () => {
	it('stop a call before anything is sent, with their reason', async () => {
		const asked: string[] = [];
		const { open, service } = await startBench({ ok });
		const refuseUrl = async (url: string) => {
			asked.push(url);
			return 'addresses of this network are closed';
		};
		const client = open({}, { refuseUrl });
		const error = await errorOf(client.customers());
		expect(error.code).toBe('invalidInput');
		expect(error.message).toContain('addresses of this network are closed');
		await errorOf(client.customers());
		expect(service.connections()).toBe(0);
		expect(new Set(asked)).toEqual(new Set([`${service.baseUrl}/`]));
	});

	it('let a call through', async () => {
		const { open } = await startBench({ ok });
		expect(await open({}, { refuseUrl: async () => undefined }).customers()).toEqual(ok);
	});

	it('are asked once for all calls, and again when they could not be asked', async () => {
		const { open } = await startBench({ ok });
		let asked = 0;
		const refuseUrl = async () => {
			if (++asked === 1) throw Object.assign(new Error('getaddrinfo'), { code: 'EAI_AGAIN' });
			return undefined;
		};
		const client = open({}, { refuseUrl });
		expect(await client.customers()).toEqual(ok);
		await client.customers();
		// Once in vain, then once for the login and once for the calls.
		expect(asked).toBe(3);
	});

	it.each([['without a token'], ['with a token']])(
		'that never answer end with the run, %s',
		async (token) => {
			const { open } = await startBench({ ok });
			const real = { clock: systemClock };
			if (token === 'with a token') await open({}, real).customers();
			const stop = new AbortController();
			const refuseUrl = () => new Promise<undefined>(() => undefined);
			const outcome = errorOf(open({}, { ...real, signal: stop.signal, refuseUrl }).customers());
			setTimeout(() => stop.abort(), 20);
			expect(await outcome).toMatchObject({ code: 'cancelled' });
		},
	);

	it('that never answer are waited for no longer than the service itself', async () => {
		const { open } = await startBench({ ok });
		const refuseUrl = () => new Promise<undefined>(() => undefined);
		const error = await errorOf(open({}, { refuseUrl, tries: 1 }).customers());
		expect(error).toMatchObject({
			code: 'timeout',
			message: expect.stringContaining('check of the address'),
		});
	});

	it('hold for the socket too: the lookup refuses what a name turns out to be', async () => {
		const { open, service } = await startBench({ ok });
		const baseUrl = service.baseUrl.replace('127.0.0.1', 'localhost');
		const refusing: LookupFunction = (_host, _options, done) =>
			done(new Error('127.0.0.1 is blocked'), '', 4);
		const error = await errorOf(open({ baseUrl }, { lookup: refusing }).customers());
		expect(error.code).toBe('invalidInput');
		expect(error.message).toContain('127.0.0.1 is blocked');
		expect(service.connections()).toBe(0);

		const looked: string[] = [];
		const passing: LookupFunction = (host, options, done) => {
			looked.push(host);
			dnsLookup(host, { ...options, family: 4 }, done as never);
		};
		expect(await open({ baseUrl }, { lookup: passing }).customers()).toEqual(ok);
		expect(looked).toContain('localhost');
	});
});

describe('the proxy variables', () => {
	const NAMES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [
		name,
		name.toLowerCase(),
	]);
	const before = Object.fromEntries(NAMES.map((name) => [name, process.env[name]]));
	let proxy: FakeProxy;

	beforeEach(async () => {
		for (const name of NAMES) delete process.env[name];
		proxy = await startFakeProxy();
	});

	afterEach(async () => {
		await proxy.close();
		for (const name of NAMES) {
			if (before[name] === undefined) delete process.env[name];
			else process.env[name] = before[name];
		}
	});

	it.each(['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'all_proxy'])(
		'%s leads plain calls over the proxy',
		async (name) => {
			process.env[name] = proxy.url;
			const { client, service } = await startBench({ ok });
			expect(await client.customers()).toEqual(ok);
			expect(proxy.seen).toEqual([
				`GET ${service.baseUrl}/v3/common/oauth2/token`,
				`GET ${service.baseUrl}/v3/exchange/customers`,
			]);
		},
	);

	it.each(['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY'])(
		'%s leads TLS through the proxy, its certificate checked inside',
		async (name) => {
			process.env[name] = proxy.url.replace('//', '//user:p%40ss@');
			const { open, service } = await startBench({ tls, ok });
			expect(await open({ caCertificate: certificates.ca }).customers()).toEqual(ok);
			expect(await errorOf(open().customers())).toMatchObject({ code: 'certificate' });
			const target = service.baseUrl.replace('https://', '');
			expect(new Set(proxy.seen)).toEqual(new Set([`CONNECT ${target}`]));
			expect(proxy.logins).toContain('user:p@ss');
		},
	);

	it.each<[string, number, string, number, string]>([
		['HTTP', 407, 'rejected', 1, 'The proxy on the way asks for a login'],
		['HTTPS', 407, 'rejected', 1, 'The proxy on the way asks for a login'],
		['HTTPS', 403, 'rejected', 1, 'The proxy on the way makes no connection'],
		['HTTPS', 502, 'network', 4, 'The proxy on the way makes no connection'],
	])(
		'%s through a proxy that answers %i is an error that names it',
		async (kind, status, code, tries, text) => {
			const strict = await startFakeProxy({ refusal: () => status });
			try {
				process.env[`${kind}_PROXY`] = strict.url;
				const { client } = await startBench(kind === 'HTTPS' ? { tls, ok } : { ok });
				expect(await errorOf(client.customers())).toMatchObject({
					...{ code, message: expect.stringContaining(text), remedy: expect.stringMatching(/proxy/) },
				});
				expect(strict.seen).toHaveLength(tries);
			} finally {
				await strict.close();
			}
		},
	);

	it.each([
		['HTTPS_PROXY', 'NO_PROXY', '127.0.0.1'],
		['HTTPS_PROXY', 'no_proxy', 'example.com,127.0.0.1'],
		['HTTPS_PROXY', 'NO_PROXY', '*'],
		['HTTP_PROXY', 'UNUSED', ''],
	])('%s with %s=%s leaves TLS to this host alone', async (name, exception, hosts) => {
		process.env[name] = proxy.url;
		if (exception !== 'UNUSED') process.env[exception] = hosts;
		const { open } = await startBench({ tls, ok });
		expect(await open({ caCertificate: certificates.ca }).customers()).toEqual(ok);
		expect(proxy.seen).toEqual([]);
	});

	it('keep to the number of connections', async () => {
		process.env.HTTP_PROXY = proxy.url;
		const { open, service } = await startBench({
			calls:
				() =>
				({ response }) =>
					void setTimeout(() => response.end(JSON.stringify(ok)), 5),
		});
		await Promise.all(Array.from({ length: 40 }, () => open({}, { connections: 3 }).customers()));
		expect(service.calls).toHaveLength(40);
		expect(proxy.connections()).toBe(3);
	});

	it('naming a proxy that never answers are waited for no longer than any connection', async () => {
		const silent = await startFakeProxy({ silent: true });
		try {
			process.env.HTTPS_PROXY = silent.url;
			const { client } = await startBench({ tls, ok }, { tries: 1 });
			const failed = errorOf(client.customers());
			while (silent.seen.length === 0) await new Promise(setImmediate);
			tick(500);
			tick(11_000);
			expect(await failed).toMatchObject({
				code: 'timeout',
				message: expect.stringContaining('Nothing answers at'),
			});
		} finally {
			await silent.close();
		}
	});

	it.each(['HTTP', 'HTTPS'])(
		'naming a proxy that is not there give an error that says so (%s)',
		async (kind) => {
			for (const proxy of ['127.0.0.1:1', 'proxy.invalid:3128', 'proxy.invalid']) {
				process.env[`${kind}_PROXY`] = `http://user:geheim@${proxy}`;
				const { client } = await startBench(kind === 'HTTPS' ? { tls, ok } : { ok });
				expect(await errorOf(client.customers())).toMatchObject({
					code: 'network',
					message: `The proxy ${proxy}, which n8n goes through, cannot be reached.`,
					remedy: expect.stringContaining('HTTPS_PROXY or HTTP_PROXY'),
				});
			}
		},
	);

	it('speak of the service where it is the service that is not there', async () => {
		process.env.HTTP_PROXY = 'http://127.0.0.1:2';
		process.env.NO_PROXY = '127.0.0.1,service.invalid';
		const { open } = await startBench({ ok });
		const gone = await errorOf(open({ baseUrl: 'http://127.0.0.1:1' }).customers());
		expect(gone.message).toBe('Nothing listens at 127.0.0.1:1.');
		const unknown = await errorOf(open({ baseUrl: 'http://service.invalid' }).customers());
		expect(unknown.message).toBe('There is no host called service.invalid.');
	});

	it.each([
		'http://user:geheim@proxy:99999',
		'http://us er:geheim@',
		'http://[geheim',
		'http://user:geheim%@proxy',
		'http://us%er:geheim@proxy',
	])('naming no address are an error that says so, and do not show it: %s', async (address) => {
		process.env.HTTP_PROXY = address;
		const { client, service } = await startBench({ ok });
		const error = await errorOf(client.customers());
		expect(error).toMatchObject({
			code: 'invalidInput',
			message: 'The proxy that n8n was told to use has no address that can be used.',
			remedy: expect.stringContaining('HTTP_PROXY'),
		});
		expect(`${error.message} ${String(error.cause)}`).not.toContain('geheim');
		expect(service.connections()).toBe(0);
	});
});
