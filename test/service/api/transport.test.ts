import { getEventListeners } from 'node:events';
import { waitUntil } from '../../../sandbox/process/waitUntil';
import { sharedSignal } from '../../../service/cancel';
import { DOCUMENT, SET, errorOf, pdfBytes, readAll, startBench } from '../../support/apiAccount';
import { raw, reply, tokenReply, type Answer, type SeenRequest } from '../../support/fakeService';

const ok = [{ customerId: 'c' }];

const until = (isSo: () => boolean) => waitUntil('it is so', isSo, { deadlineMs: 5_000, everyMs: 5 });

describe('silence', () => {
	it.each<[string, Answer]>([
		['before the headers', 'silence'],
		['within the body', 'stalledBody'],
	])('%s ends a call at the deadline', async (_label, answer) => {
		const { client, service } = await startBench({ calls: () => answer }, { timeoutMs: 60, tries: 2 });
		const started = Date.now();
		const error = await errorOf(client.customers());
		expect(error).toMatchObject({ code: 'timeout', remedy: expect.stringContaining('Timeout') });
		expect(service.calls).toHaveLength(2);
		// undici looks at its clock twice a second.
		expect(Date.now() - started).toBeLessThan(15_000);
	});

	it('of the login ends a call at the deadline', async () => {
		const { client, service } = await startBench({ logins: () => 'silence' }, { timeoutMs: 60, tries: 2 });
		expect(await errorOf(client.customers())).toMatchObject({ code: 'timeout' });
		expect(service.logins).toHaveLength(2);
		expect(service.calls).toHaveLength(0);
	});

	it('of a login that stops in its body ends a call at the deadline', async () => {
		const { client } = await startBench({ logins: () => 'stalledBody' }, { timeoutMs: 60, tries: 1 });
		expect(await errorOf(client.customers())).toMatchObject({ code: 'timeout' });
	});

	it('is not needed: a body that drips for half an hour is ended', async () => {
		const { service, open } = await startBench({ calls: () => 'stalledBody' });
		const late: (() => void)[] = [];
		const clock = {
			now: () => 0,
			after: (_ms: number, end: () => void) => (late.push(end), () => undefined),
		};
		const outcome = errorOf(open({}, { clock, timeoutMs: 60_000, tries: 1 }).customers());
		while (service.calls.length === 0 || late.length < 2)
			await new Promise((resolve) => setImmediate(resolve));
		late.forEach((end) => end());
		expect(await outcome).toMatchObject({
			code: 'timeout',
			message: `The answer of ${new URL(service.baseUrl).host} took more than half an hour.`,
		});
	});

	it('does not count while a call waits for a free connection', async () => {
		const slow: Answer = ({ response }) => void setTimeout(() => response.end(JSON.stringify(ok)), 60);
		const { client } = await startBench({ calls: () => slow }, { timeoutMs: 150, connections: 1 });
		await client.customers();
		const all = await Promise.all(Array.from({ length: 6 }, () => client.customers()));
		expect(all).toHaveLength(6);
	});
});

describe('a run that is stopped', () => {
	const pdf = pdfBytes(100_000);

	it.each<[string, Answer, Answer?]>([
		['while it waits for the headers', 'silence'],
		['within a body', 'stalledBody'],
		['while it logs in', 'ok', 'silence'],
		['while it waits to try again', reply(503, '', { 'retry-after': '50' })],
	])('%s ends at once', async (_label, call, login = 'ok') => {
		const stop = new AbortController();
		const { service, open } = await startBench({ calls: () => call, logins: () => login });
		// The real clock: the pauses of the other one are over at once.
		const client = open({}, { signal: stop.signal, clock: undefined, timeoutMs: 30_000 });
		const outcome = errorOf(client.pdf(SET, DOCUMENT, readAll));
		while (service.calls.length + (login === 'ok' ? 0 : service.logins.length) === 0) {
			await new Promise((resolve) => setImmediate(resolve));
		}
		await new Promise((resolve) => setTimeout(resolve, 20));
		const stopped = Date.now();
		stop.abort();
		expect(await outcome).toMatchObject({ code: 'cancelled', message: 'The run was stopped.' });
		expect(Date.now() - stopped).toBeLessThan(5_000);
	});

	it('ends the calls that wait for a connection as well, and lets all of them go', async () => {
		const stop = new AbortController();
		const { service, open } = await startBench({ calls: () => 'silence' });
		const client = open({}, { signal: stop.signal, connections: 2, timeoutMs: 30_000 });
		const outcomes = Array.from({ length: 20 }, () => errorOf(client.customers()));
		while (service.calls.length < 2) await new Promise((resolve) => setImmediate(resolve));
		stop.abort();
		const codes = (await Promise.all(outcomes)).map(({ code }) => code);
		expect(codes).toEqual(Array(20).fill('cancelled'));
		expect(service.calls).toHaveLength(2);
	});

	it('ends at once although other runs hold all connections', async () => {
		const stop = new AbortController();
		const { service, open } = await startBench({ calls: ['ok', 'silence'], ok });
		const settings = { connections: 1, timeoutMs: 30_000 };
		const other = open({}, settings);
		await other.customers();
		const holding = other.customers().catch(() => undefined);
		while (service.calls.length < 2) await new Promise((resolve) => setImmediate(resolve));
		const outcome = errorOf(open({}, { ...settings, signal: stop.signal }).customers());
		setTimeout(() => stop.abort(), 20);
		expect(await outcome).toMatchObject({ code: 'cancelled' });
		expect(service.calls).toHaveLength(2);
		await service.close();
		await holding;
	});

	it('has one listener of ours, however many calls there are: Node warns of more than ten', async () => {
		const { signal } = new AbortController();
		const { open } = await startBench({ ok });
		const all = Array.from({ length: 40 }, () => open({}, { signal }).customers());
		await new Promise((resolve) => setImmediate(resolve));
		expect(getEventListeners(signal, 'abort')).toHaveLength(1);
		await Promise.all(all);
		// Nothing of a call that is over is left.
		expect(getEventListeners(sharedSignal(signal) ?? signal, 'abort')).toHaveLength(0);
	});

	it('sends nothing any more', async () => {
		const stop = new AbortController();
		stop.abort();
		const { service, open } = await startBench({ ok });
		const client = open({}, { signal: stop.signal });
		expect(await errorOf(client.customers())).toMatchObject({ code: 'cancelled' });
		expect(await errorOf(client.pdf(SET, DOCUMENT, readAll))).toMatchObject({ code: 'cancelled' });
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect(service.connections()).toBe(0);
	});

	it('does not stop the other runs of the process', async () => {
		const stop = new AbortController();
		const { open } = await startBench({
			calls: ({ path }) => (path.endsWith(DOCUMENT) ? reply(200, pdf) : 'silence'),
		});
		const stopped = errorOf(open({}, { signal: stop.signal }).pdf(SET, SET, readAll));
		const other = open().pdf(SET, DOCUMENT, readAll);
		setTimeout(() => stop.abort(), 30);
		expect(await stopped).toMatchObject({ code: 'cancelled' });
		expect((await other).bytes).toBe(100_000);
	});
});

describe('a redirect', () => {
	it('of a GET within the service is followed', async () => {
		const { client, service } = await startBench({
			calls: [reply(307, '', { location: '/moved/customers?x=1' }), 'ok'],
			ok,
		});
		expect(await client.customers()).toEqual(ok);
		expect(service.calls.map(({ path }) => path)).toEqual(['/v3/exchange/customers', '/moved/customers?x=1']);
	});

	it.each([
		['another host', 'http://elsewhere.example/v3/x?token=secret'],
		['another port', 'http://127.0.0.1:1/v3/x'],
		['another scheme', 'https://127.0.0.1/v3/x'],
		['nowhere', 'http://['],
		['a script', 'javascript:alert(1)'],
	])('to %s is not followed', async (_label, location) => {
		const { client, service } = await startBench({ calls: () => reply(302, '', { location }) });
		const error = await errorOf(client.customers());
		expect(error).toMatchObject({
			code: 'rejected',
			httpStatus: 302,
			remedy: expect.stringContaining('base URL'),
		});
		expect(error.message).not.toContain('secret');
		// Once more with a fresh token: a service may send there who has to log in again.
		expect(service.calls).toHaveLength(2);
	});

	it('without a target is an error', async () => {
		const { client } = await startBench({ calls: () => reply(302) });
		expect(await errorOf(client.customers())).toMatchObject({ code: 'rejected' });
	});

	it.each([307, 308])('of a search that keeps what is sent is followed: HTTP %i', async (status) => {
		const data = { offset: 0, limit: 10, total: 0, count: 0, results: [] };
		const { client, service } = await startBench({
			calls: ({ path }) =>
				path.startsWith('/moved') ? 'ok' : reply(status, '', { location: `/moved${path}` }),
			ok: { code: 200, status: 'OK', data },
		});
		const pages = client.searchSets({ status: 'ACTIVE' }, { style: 'query', pageSize: 10 });
		expect(await pages[Symbol.asyncIterator]().next()).toMatchObject({ done: true });
		const [first, second] = service.calls;
		expect(second).toMatchObject({ method: 'POST', body: first?.body, path: `/moved${first?.path}` });
		expect(second?.body).toBe('{"status":"ACTIVE"}');
	});

	it.each([307, 308])('of a search to another server is not followed: HTTP %i', async (status) => {
		const location = 'http://127.0.0.1:1/v3/common/sets/search';
		const { client } = await startBench({ calls: () => reply(status, '', { location }) });
		const pages = client.searchSets({}, { style: 'query', pageSize: 10 })[Symbol.asyncIterator]();
		expect(await errorOf(pages.next())).toMatchObject({ code: 'rejected', httpStatus: status });
	});

	it.each([301, 302, 303])(
		'of a search that would make it a GET is not followed: HTTP %i',
		async (status) => {
			const { client, service } = await startBench({
				calls: () => reply(status, '', { location: '/elsewhere' }),
			});
			const pages = client.searchSets({}, { style: 'query', pageSize: 10 })[Symbol.asyncIterator]();
			expect(await errorOf(pages.next())).toMatchObject({ code: 'rejected' });
			// Once more with a fresh token: a service may send there who has to log in again.
			expect(service.calls).toHaveLength(2);
		},
	);

	it('with two targets goes to the first', async () => {
		const twice: Answer = ({ response }) =>
			response.writeHead(302, ['location', '/first', 'location', '/second']).end();
		const { client, service } = await startBench({ calls: [twice, 'ok'], ok });
		expect(await client.customers()).toEqual(ok);
		expect(service.calls[1]?.path).toBe('/first');
	});

	it('is told of like each request that is sent', async () => {
		const { open } = await startBench({ calls: [reply(302, '', { location: '/moved' }), 'ok', 'ok'], ok });
		const methods: string[] = [];
		const client = open({}, { sent: (method) => void methods.push(method) });
		await client.customers();
		expect(methods).toEqual(['GET', 'GET', 'GET']);
		await errorOf(client.searchSets({}, { style: 'query', pageSize: 10 })[Symbol.asyncIterator]().next());
		expect(methods.slice(3)).toEqual(['POST']);
	});

	it('in a circle ends', async () => {
		const { client, service } = await startBench({ calls: () => reply(302, '', { location: '/again' }) });
		expect(await errorOf(client.customers())).toMatchObject({ code: 'rejected' });
		expect(service.calls).toHaveLength(12);
	});
});

describe('connections', () => {
	it('are kept: 200 calls one after the other use two at most', async () => {
		const { client, service } = await startBench({ ok });
		for (let call = 0; call < 200; call++) await client.customers();
		expect(service.connections()).toBeLessThanOrEqual(2);
	});

	it.each([
		[undefined, 8],
		[3, 3],
		[32, 32],
		[1_000, 32],
		[0, 1],
	])('are never more than asked for: %p', async (connections, most) => {
		const { service, open } = await startBench({
			calls:
				() =>
				({ response }) =>
					void setTimeout(() => response.end(JSON.stringify(ok)), 5),
		});
		const client = open({}, { connections });
		await Promise.all(Array.from({ length: 100 }, () => client.customers()));
		expect(service.connections()).toBe(most);
	});

	it('are let go with the pool used longest ago, when there are more than 50, and not before their calls are done', async () => {
		let release = () => {};
		const { service, open } = await startBench({
			calls: ({ path }) =>
				path.endsWith(DOCUMENT)
					? (exchange) => void (release = () => reply(200, pdfBytes(5_000))(exchange))
					: 'ok',
			ok,
		});
		// Each of its own pool: connections, and what is checked of certificates, tell them apart.
		const clients = [true, false].flatMap((ignoreSslIssues) =>
			Array.from({ length: 32 }, (_unused, index) => open({ ignoreSslIssues }, { connections: index + 1 })),
		);
		const [first, second, ...others] = clients;
		const inFlight = first!.pdf(SET, DOCUMENT, readAll);
		await second!.customers();
		while (service.calls.length < 2) await new Promise((resolve) => setImmediate(resolve));
		for (const client of others.slice(0, 48)) await client.customers();
		expect(service.open()).toBe(50);
		await others[48]!.customers();
		await others[49]!.customers();
		// The second pool is gone; the first waits for its call.
		await until(() => service.open() === 51);
		release();
		expect((await inFlight).bytes).toBe(5_000);
		await until(() => service.open() === 50);
		// What was let go is made again.
		expect(await second!.customers()).toEqual(ok);
	});

	it('that the service closed meanwhile are made again', async () => {
		const { client, service } = await startBench({
			calls:
				() =>
				({ response, socket }) =>
					response.end(JSON.stringify(ok), () => setImmediate(() => socket.destroy())),
		});
		for (let call = 0; call < 10; call++) {
			expect(await client.customers()).toEqual(ok);
			await new Promise((resolve) => setTimeout(resolve, 5));
		}
		expect(service.connections()).toBeGreaterThan(5);
	});

	it('are free again after errors, half-read bodies and stopped runs', async () => {
		const { service, open } = await startBench({
			calls: (seen) => (service.calls.indexOf(seen) < 30 ? reply(404, 'x'.repeat(200_000)) : 'ok'),
			ok,
		});
		const client = open({}, { connections: 1 });
		for (let call = 0; call < 30; call++) await errorOf(client.customers());
		expect(await client.customers()).toEqual(ok);
	});

	it('to a service that is gone: every call of many ends, none hangs', async () => {
		const { client, service } = await startBench({ ok });
		await client.customers();
		await service.close();
		const all = await Promise.all(Array.from({ length: 50 }, () => errorOf(client.customers())));
		expect(new Set(all.map(({ code }) => code))).toEqual(new Set(['network']));
	});
});

describe('an interim answer that nobody asked for', () => {
	const pdf = pdfBytes(20_000);
	const final = Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${pdf.length}\r\n\r\n`), pdf]);

	it.each([
		['102', 'HTTP/1.1 102 Processing\r\n\r\n'],
		['103', 'HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload\r\n\r\n'],
		['103, twice', 'HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n'],
	])('HTTP %s is read over, in one piece with the final one or before it', async (_label, interim) => {
		const together: Answer = ({ socket }) => socket.end(Buffer.concat([Buffer.from(interim), final]));
		const apart: Answer = ({ socket }) =>
			socket.write(interim, () => setTimeout(() => socket.end(final), 20));
		const { client, service } = await startBench({ calls: [together, apart] });
		for (let call = 0; call < 2; call++) {
			expect((await client.pdf(SET, DOCUMENT, readAll)).stored.equals(pdf)).toBe(true);
		}
		expect(service.calls).toHaveLength(2);
	});

	it.each([
		['100', 'HTTP/1.1 100 Continue\r\n\r\n'],
		['101', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n'],
		['101 to nowhere', 'HTTP/1.1 101 Switching Protocols\r\n\r\n'],
	])('HTTP %s ends the try, not the call', async (_label, interim) => {
		const { client } = await startBench({ calls: [raw(interim, final), reply(200, pdf)] });
		expect((await client.pdf(SET, DOCUMENT, readAll)).stored.equals(pdf)).toBe(true);

		const { client: always, service } = await startBench({ calls: () => raw(interim, final) });
		const error = await errorOf(always.pdf(SET, DOCUMENT, readAll));
		expect(error).toMatchObject({ code: 'network', remedy: expect.stringContaining('gateway') });
		expect(error.message).toContain('HTTP 100 or 101 that nobody asked for');
		expect(service.calls).toHaveLength(4);
	});
});

it.each(['099 Odd', '000 None'])(
	'an HTTP status that there is none of is an error in one line: %s',
	async (status) => {
		const answer = raw(`HTTP/1.1 ${status}\r\ncontent-length: 2\r\n\r\n[]`);
		const { client } = await startBench({ logins: () => answer });
		const error = await errorOf(client.customers());
		expect(error).toMatchObject({ code: 'unexpectedResponse' });
		expect(error.message).toMatch(/^What answers at .* does not speak HTTP\.$/);
	},
);

it('what a service sends too much of behind an answer costs the next call a try, and not its answer', async () => {
	const calls: Answer[] = [raw('HTTP/1.1 204 No Content\r\n\r\n'), raw('{"message":"Not ready"}'), 'ok'];
	const { client, service } = await startBench({ calls, ok }, { connections: 1 });
	const outcomes = [errorOf(client.customers()), client.customers()];
	expect(await Promise.all(outcomes)).toEqual([expect.objectContaining({ code: 'notFound' }), ok]);
	expect(service.calls).toHaveLength(3);
});

it('a gateway that keeps answers is asked for those of now: for the token, the paper and what is listed', async () => {
	const [draft, issued] = [pdfBytes(100, 1), pdfBytes(100, 2)];
	const now =
		(fresh: Answer, kept: Answer) =>
		({ headers }: SeenRequest) =>
			headers['cache-control'] === 'no-cache' ? fresh : kept;
	const { client } = await startBench({
		logins: now(tokenReply('ours'), tokenReply('theirs')),
		calls: (seen) =>
			seen.headers.authorization === 'Bearer ours'
				? now(seen.path.includes('pdf') ? reply(200, issued) : 'ok', reply(200, draft))(seen)
				: 'unauthorized',
		ok,
	});
	expect((await client.pdf(SET, DOCUMENT, readAll)).stored.equals(issued)).toBe(true);
	expect(await client.customers()).toEqual(ok);
});

describe('a path in the base URL', () => {
	it('comes before every path of the service', async () => {
		const { service, open } = await startBench({ ok, calls: ['ok', reply(200, pdfBytes(100))] });
		const client = open({ baseUrl: `${service.baseUrl}/gate/pde/` });
		await client.customers();
		await client.pdf(SET, DOCUMENT, readAll);
		expect([...service.logins, ...service.calls].map(({ path }) => path)).toEqual([
			'/gate/pde/v3/common/oauth2/token',
			'/gate/pde/v3/exchange/customers',
			`/gate/pde/v3/common/sets/${SET}/get-single-pdf/${DOCUMENT}`,
		]);
	});
});
