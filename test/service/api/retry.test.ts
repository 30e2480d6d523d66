import { startBench, errorOf } from '../../support/apiAccount';
import { reply, type Answer, type Reaction } from '../../support/fakeService';

const ok = [{ customerId: 'c', customerName: 'Northlight Shipping' }];

describe('a call that fails is sent again', () => {
	it.each<[string, Answer[], number]>([
		['after HTTP 429', ['rateLimited', 'ok'], 2],
		['after HTTP 502', ['badGateway', 'ok'], 2],
		['after HTTP 503', ['unavailable', 'ok'], 2],
		['after HTTP 504', ['gatewayTimeout', 'ok'], 2],
		['after HTTP 408', [reply(408), 'ok'], 2],
		['after a reset before the headers', ['resetBeforeHeaders', 'ok'], 2],
		['after a reset within the headers', ['resetDuringHeaders', 'ok'], 2],
		['after a reset behind the headers', ['resetAfterHeaders', 'ok'], 2],
		['after a connection that was closed without an answer', ['closedBeforeHeaders', 'ok'], 2],
		['up to three times', ['unavailable', 'resetBeforeHeaders', 'rateLimited', 'ok'], 4],
	])('%s', async (_label, calls, sent) => {
		const { client, service, clock } = await startBench({ calls, ok });
		expect(await client.counterparties()).toEqual(ok);
		expect(service.calls).toHaveLength(sent);
		expect(clock.pauses).toHaveLength(sent - 1);
	});

	it.each<[string, Answer, string, number]>([
		['HTTP 429', 'rateLimited', 'rateLimited', 4],
		['HTTP 503', 'unavailable', 'unavailable', 4],
		['lost connections', 'resetBeforeHeaders', 'network', 4],
		['HTTP 500, once', 'failed', 'unavailable', 1],
		['HTTP 404, once', 'missing', 'notFound', 1],
		['HTTP 403, once more with a fresh token', 'forbidden', 'unauthorized', 2],
		['HTTP 418, once', reply(418), 'rejected', 1],
		['what is no HTTP where a login came', 'noHttp', 'network', 4],
	])('and given up in the end: %s', async (_label, answer, code, sent) => {
		const { client, service } = await startBench({ calls: () => answer });
		expect(await errorOf(client.customers())).toMatchObject({ code });
		expect(service.calls).toHaveLength(sent);
	});

	it('and not where the login is no HTTP', async () => {
		const { client, service } = await startBench({ logins: () => 'noHttp' });
		expect(await errorOf(client.customers())).toMatchObject({ code: 'unexpectedResponse' });
		expect(service.logins).toHaveLength(1);
	});

	it('also when it is the search, which only reads', async () => {
		const { client, service } = await startBench({
			calls: ['unavailable', 'resetAfterHeaders', reply(200, { data: { offset: 0, total: 0, results: [] } })],
		});
		for await (const page of client.searchSets({}, { style: 'query', pageSize: 10 }))
			expect(page).toEqual([]);
		expect(service.calls.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST']);
	});

	it('also when it is the login', async () => {
		const { client, service } = await startBench({ logins: ['unavailable', 'resetBeforeHeaders', 'ok'], ok });
		expect(await client.counterparties()).toEqual(ok);
		expect(service.logins).toHaveLength(3);
	});
});

describe('the pause before the next try', () => {
	it('grows, and is never the same for all', async () => {
		const { client, clock, lines } = await startBench({ calls: () => 'unavailable' });
		await errorOf(client.customers());
		expect(lines.filter((line) => line.includes('again'))).toEqual(
			clock.pauses.map((ms, index) =>
				expect.stringContaining(`"Back in a minute" Trying again in ${ms} ms (${index + 2} of 4).`),
			),
		);
		const [first = NaN, second = NaN, third = NaN] = clock.pauses;
		expect(first).toBeLessThanOrEqual(1_000);
		expect(second).toBeLessThanOrEqual(2_000);
		expect(third).toBeLessThanOrEqual(4_000);
		expect(new Set(clock.pauses).size).toBeGreaterThan(1);
	});

	it.each([
		['in seconds', () => ({ 'retry-after': '7' })],
		[
			'as a date, read against the clock of the service',
			() => ({ date: 'Fri, 20 Nov 2026 05:00:00 GMT', 'retry-after': 'Fri, 20 Nov 2026 05:00:07 GMT' }),
		],
	])('is never shorter than what the service asks for %s', async (_label, headers) => {
		const { client, clock } = await startBench({ calls: [reply(429, '', headers()), 'ok'], ok });
		await client.counterparties();
		expect(clock.pauses).toHaveLength(1);
		expect(clock.pauses[0]).toBeGreaterThanOrEqual(7_000);
		expect(clock.pauses[0]).toBeLessThanOrEqual(8_000);
	});

	it('is what the first of two headers asks for, where a gateway puts in its own', async () => {
		const twice: Reaction = ({ response }) =>
			response.writeHead(503, ['retry-after', '7', 'retry-after', '30']).end();
		const { client, clock } = await startBench({ calls: [twice, 'ok'], ok });
		await client.counterparties();
		expect(clock.pauses).toHaveLength(1);
		expect(clock.pauses[0]).toBeGreaterThanOrEqual(7_000);
		expect(clock.pauses[0]).toBeLessThanOrEqual(8_000);
	});

	it('is not waited for when the service asks for more than a minute: the error says how long', async () => {
		const { client, service, clock } = await startBench({
			calls: [reply(503, 'Closed for the night', { 'retry-after': '3600' })],
		});
		const error = await errorOf(client.customers());
		expect(error).toMatchObject({ code: 'unavailable', retryAfterMs: 3_600_000 });
		expect(error.message).toContain('It asks to wait 3600 seconds. It said: "Closed for the night"');
		expect(clock.pauses).toEqual([]);
		expect(service.calls).toHaveLength(1);
	});

	it.each(['soon', '-5', '', '99999999999999999999', 'Fri, 99 Nov 2026'])(
		'is the usual one when the service asks for nonsense: %p',
		async (nonsense) => {
			const { client, clock } = await startBench({
				calls: [reply(429, '', { 'retry-after': nonsense }), 'ok'],
				ok,
			});
			await client.counterparties();
			expect(clock.pauses[0]).toBeLessThanOrEqual(1_000);
		},
	);
});
