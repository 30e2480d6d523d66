import { apiAccount, errorOf, startBench } from '../../support/apiAccount';
import { reply, type FakeServiceOptions } from '../../support/fakeService';
import { testAccount } from '../../../service/api/accountTest';
import { steppedClock } from '../../support/steppedClock';
import { silent } from '../../support/silent';

async function tried(options: FakeServiceOptions, changes = {}) {
	const { service } = await startBench(options);
	const clock = steppedClock();
	const account = apiAccount(service.baseUrl, changes);
	return { service, clock, ask: () => testAccount(account, { logger: silent, clock, timeoutMs: 200 }) };
}

describe('the test of a credential', () => {
	it('logs in and reads one list', async () => {
		const { ask, service } = await tried({ ok: [] });
		await ask();
		expect(service.logins).toHaveLength(1);
		expect(service.calls.map(({ path }) => path)).toEqual(['/v3/common/counterparties']);
	});

	it('logs in again each time, whatever is remembered', async () => {
		const { ask, service } = await tried({ logins: ['unauthorized', 'ok', 'ok'], ok: [] });
		await errorOf(ask());
		await ask();
		await ask();
		expect(service.logins).toHaveLength(3);
	});

	it('reads the other list when the account may not read the first', async () => {
		const { ask, service } = await tried({ calls: ['forbidden', 'forbidden', reply(200, [])] });
		await ask();
		expect(service.calls.map(({ path }) => path)).toEqual([
			'/v3/common/counterparties',
			// Once more with a fresh token.
			'/v3/common/counterparties',
			'/v3/exchange/customers',
		]);
	});

	it('is not content with the other list when the first fails for another reason', async () => {
		const { ask, service } = await tried({
			calls: ({ path }) => (path.endsWith('counterparties') ? 'unavailable' : 'ok'),
			ok: [],
		});
		expect(await errorOf(ask())).toMatchObject({ code: 'unavailable' });
		expect(service.calls.map(({ path }) => path)).toEqual(['/v3/common/counterparties']);
	});

	it('is not content where the account may read neither', async () => {
		const { ask } = await tried({ calls: () => 'forbidden' });
		expect(await errorOf(ask())).toMatchObject({ code: 'unauthorized', httpStatus: 403 });
	});

	it.each<[string, FakeServiceOptions, object, string, RegExp]>([
		['a wrong password', { logins: () => 'unauthorized' }, {}, 'unauthorized', /user name or the password/],
		['another path', { logins: () => 'missing' }, {}, 'notFound', /no login at this address/],
		[
			'a web server',
			{ logins: () => reply(200, '<html><title>It works!</title></html>') },
			{},
			'unexpectedResponse',
			/It works!/,
		],
		['a mail server', { logins: () => 'noHttp' }, {}, 'unexpectedResponse', /does not speak HTTP/],
		[
			'a port where nothing listens',
			{},
			{ baseUrl: 'http://127.0.0.1:1' },
			'network',
			/Nothing listens at 127\.0\.0\.1:1/,
		],
		[
			'a host that does not exist',
			{},
			{ baseUrl: 'http://service.invalid' },
			'network',
			/no host called service\.invalid/,
		],
		['a silent host', { logins: () => 'silence' }, {}, 'timeout', /silent/],
		['a service that is down', { logins: () => 'unavailable' }, {}, 'unavailable', /problem of its own/],
		['a login without rights', { calls: () => 'forbidden' }, {}, 'unauthorized', /does not let this account/],
		['no base URL', {}, { baseUrl: '' }, 'invalidInput', /base URL .* is empty/],
		['no user name', {}, { username: '' }, 'invalidInput', /user name .* is empty/],
	])('tells %s, once and with what to do', async (_label, options, changes, code, message) => {
		const { ask, service, clock } = await tried(options, changes);
		const error = await errorOf(ask());
		expect(error).toMatchObject({ code, remedy: expect.any(String) });
		expect(error.message).toMatch(message);
		// A refusal that can be about the token is tried with a fresh one.
		expect(service.logins.length).toBeLessThanOrEqual(code === 'unauthorized' && options.calls ? 2 : 1);
		expect(clock.pauses).toEqual([]);
	});

	it('points at a version that was copied into the base URL', async () => {
		const { service } = await startBench({ logins: () => 'unauthorized' });
		const account = apiAccount(`${service.baseUrl}/v3`);
		const error = await errorOf(
			testAccount(account, { logger: silent, clock: steppedClock(), timeoutMs: 200 }),
		);
		expect(error.remedy).toContain('leave that out');
	});
});

it.each<[string, boolean]>([
	['/v3', true],
	['/v3/', true],
	['/gate/v12/ ', true],
	['/v3x', false],
	['/v', false],
	['/dev3', false],
	['/v3/gate', false],
])('a base URL that ends with %j is said to end with a version: %s', async (end, isSaid) => {
	const { service } = await startBench({ logins: () => 'unauthorized' });
	const surroundings = { logger: silent, clock: steppedClock(), timeoutMs: 200 };
	const { remedy } = await errorOf(testAccount(apiAccount(`${service.baseUrl}${end}`), surroundings));
	const usual = 'Check both in the credential.';
	expect(
		remedy?.startsWith(
			isSaid ? `The base URL ends with a version such as /v3: leave that out. ${usual}` : usual,
		),
	).toBe(true);
});

it('a version in the base URL is nothing where no answer came', async () => {
	const surroundings = { logger: silent, clock: steppedClock(), timeoutMs: 200 };
	const error = await errorOf(testAccount(apiAccount('http://127.0.0.1:1/v3'), surroundings));
	expect(error.remedy).not.toContain('version');
});

it('a list that says it is a part does for a test, and so does one that is not there beside the other', async () => {
	const part = reply(200, [{ customerId: 'c' }], { 'x-total-count': '3' });
	const { ask } = await tried({ calls: ({ path }) => (path.endsWith('customers') ? part : 'missing') });
	await ask();
	const { ask: other } = await tried({ calls: () => part });
	await other();
});
