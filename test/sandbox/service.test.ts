import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defaultUser, makeData, startService } from '../../sandbox/service';
import { makeCertificates } from '../../sandbox/tls/certificates';
import { basic, startCaller, type Caller } from './caller';

let caller: Caller;
beforeAll(async () => {
	caller = await startCaller();
});
afterAll(() => caller.close());

test('gives the counterparties', async () => {
	const parties = (await (await caller.ask('/v3/common/counterparties')).json()) as object[];
	expect(parties.length).toBeGreaterThan(10);
	for (const party of parties) {
		expect(party).toEqual({ customerId: expect.any(String), customerName: expect.any(String) });
	}
});

test('gives the customers, each with the default signature template first', async () => {
	const customers = (await (await caller.ask('/v3/exchange/customers')).json()) as Array<{
		signatures: Array<{ signatureText: string }>;
	}>;
	expect(customers).toHaveLength(3);
	for (const customer of customers) {
		expect(customer).toEqual({
			customerId: expect.any(String),
			customerName: expect.any(String),
			signatures: expect.any(Array),
			bdt: expect.any(Boolean),
		});
		const template = {
			signatureId: '00000000',
			signatureText: expect.stringContaining('${signedByEmployeeName}\n'),
		};
		expect(customer.signatures[0]).toEqual(template);
	}
	const texts = customers.flatMap((customer) => customer.signatures.map((one) => one.signatureText)).join();
	for (const marker of ['${user fullname}', '${signedByEmployeeName}', '${signingDate}']) {
		expect(texts).toContain(marker);
	}
});

test.each([
	['its address', '127.0.0.1', 200],
	['localhost', 'LOCALHOST:80', 200],
	['an address of IPv6', '[::1]:80', 200],
	['a name that another site has resolved to this machine', 'rebound.example', 403],
	['a name with an address in front', '127.0.0.1.rebound.example:80', 403],
	['a name that ends in localhost', 'not-localhost', 403],
])('called by %s it answers as it should', async (_label, host, status) => {
	const path = `${caller.service.baseUrl}/v3/common/oauth2/token`;
	const { username, password } = defaultUser;
	const headers = { host, authorization: basic(username, password) };
	const answered = await new Promise((resolve, reject) => {
		request(path, { headers }, (response) => resolve(response.resume().statusCode))
			.on('error', reject)
			.end();
	});
	expect(answered).toBe(status);
});

test.each([
	['an unknown path', 'GET', '/v4/common/counterparties', {}, undefined, 404],
	['a wrong method', 'POST', '/v3/common/counterparties', {}, undefined, 405],
	['a search that is not JSON', 'POST', '/v3/common/sets/search', {}, '{"status":', 400],
	['a search of another type', 'POST', '/v3/common/sets/search', { 'content-type': 'text/plain' }, '{}', 415],
	['a search larger than 1 MB', 'POST', '/v3/common/sets/search', {}, `"${'x'.repeat(1_100_000)}"`, 413],
] as const)('%s is refused with a message', async (_label, method, path, headers, body, status) => {
	const json = { 'content-type': 'application/json', ...headers };
	const response = await caller.ask(path, { method, headers: json, ...(body && { body }) });
	expect(response.status).toBe(status);
	expect(await response.json()).toEqual({ errorMessage: expect.any(String) });
});

test('an address that cannot be read is refused, and the service goes on', async () => {
	const status = await new Promise((resolve, reject) => {
		const { port } = new URL(caller.service.baseUrl);
		request({ host: '127.0.0.1', port, path: '//' }, (response) => resolve(response.resume().statusCode))
			.on('error', reject)
			.end();
	});
	expect(status).toBe(400);
	expect((await caller.ask('/v3/exchange/customers')).status).toBe(200);
});

test('counts calls and connections, and keeps the newest 1,000 without a credential', async () => {
	const counted = await startCaller({ latencyMs: 5, data: makeData({ sets: 3 }) });
	try {
		await Promise.all(Array.from({ length: 1010 }, () => counted.ask('/v3/exchange/customers')));
		await counted.search({ status: 'nonsense' });
		const { counters, requests } = counted.service;
		expect(counters).toMatchObject({
			requests: 1012,
			byRoute: { token: 1, customers: 1010, search: 1 },
			byStatus: { 200: 1011, 400: 1 },
		});
		expect(counters.connections).toBeGreaterThanOrEqual(counters.mostConnections);
		expect(counters.mostRequests).toBeGreaterThan(1);
		expect(requests).toHaveLength(1000);
		expect(requests.at(-1)).toMatchObject({ method: 'POST', path: '/v3/common/sets/search', status: 400 });
		expect(JSON.stringify(requests)).not.toContain(counted.token);
	} finally {
		await counted.close();
	}
});

test('waits before each answer when told to', async () => {
	const slow = await startCaller({ latencyMs: 30 });
	try {
		expect(slow.service.requests[0]?.ms).toBeGreaterThanOrEqual(29);
	} finally {
		await slow.close();
	}
});

test('speaks HTTPS with a certificate', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'parcel-service-'));
	const { ca, server } = await makeCertificates(folder);
	const service = await startService({ tls: { key: server.key, cert: server.certificate } });
	try {
		expect(service.baseUrl).toMatch(/^https:/);
		const status = await new Promise((resolve, reject) => {
			get(`${service.baseUrl}/v3/common/oauth2/token`, { ca }, (response) =>
				resolve(response.resume().statusCode),
			).on('error', reject);
		});
		expect(status).toBe(401);
	} finally {
		await service.close();
		await rm(folder, { recursive: true, force: true });
	}
});

test('a port that is taken is said at once', async () => {
	const port = Number(new URL(caller.service.baseUrl).port);
	await expect(startService({ port })).rejects.toThrow('EADDRINUSE');
});
