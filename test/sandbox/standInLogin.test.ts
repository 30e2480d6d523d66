import { defaultUser, startService } from '../../sandbox/service';
import { basic, bytes, logIn, startCaller, type Caller } from './caller';

const { username, password } = defaultUser;
let caller: Caller;
beforeAll(async () => {
	caller = await startCaller();
});
afterAll(() => caller.close());

test.each([
	['Basic with UTF-8', { authorization: basic(username, password) }, 200],
	['the two headers with UTF-8 bytes', { username: bytes(username), password: bytes(password) }, 200],
	['a wrong password', { authorization: basic(username, 'wrong') }, 401],
	['a wrong user name', { username: 'nobody', password: bytes(password) }, 401],
	['a password in Latin-1', { username, password }, 401],
	['Basic without a colon', { authorization: 'Basic bm9jb2xvbg==' }, 401],
	['a user name and no password', { username }, 401],
	['no credentials', {}, 401],
] as Array<[string, Record<string, string>, number]>)('login by %s', async (_label, headers, status) => {
	const response = await logIn(caller.service, headers);
	expect(response.status).toBe(status);
	const body = (await response.json()) as object;
	expect(body).toEqual(status === 200 ? { token: expect.any(String) } : { errorMessage: expect.any(String) });
});

test('a signed token says until when it is good', () => {
	const [header, claims] = caller.token.split('.').map((part) => Buffer.from(part, 'base64url').toString());
	expect(JSON.parse(header ?? '')).toEqual({ alg: 'HS256', typ: 'JWT' });
	const { exp, iat } = JSON.parse(claims ?? '') as { exp: number; iat: number };
	expect(exp - iat).toBe(3600);
});

test.each([
	['no token', {}],
	['a token of nobody', { authorization: 'Bearer nonsense' }],
	['a token in the wrong scheme', { authorization: basic(username, password) }],
])('every other call refuses %s with 401 and a message', async (_label, headers: Record<string, string>) => {
	for (const path of ['/v3/common/counterparties', '/v3/exchange/customers']) {
		const response = await fetch(caller.service.baseUrl + path, { headers });
		expect(response.status).toBe(401);
		expect(await response.json()).toEqual({ errorMessage: expect.any(String) });
	}
});

test('a token whose claims were changed is refused', async () => {
	const [header, , signature] = caller.token.split('.');
	const claims = Buffer.from(JSON.stringify({ sub: username, exp: 9e9 })).toString('base64url');
	const authorization = `Bearer ${header}.${claims}.${signature}`;
	const response = await fetch(`${caller.service.baseUrl}/v3/exchange/customers`, {
		headers: { authorization },
	});
	expect(response.status).toBe(401);
});

test.each([
	['signed', false],
	['opaque', true],
])('a %s token ends with its lifetime, and when the service forgets it', async (_label, opaqueTokens) => {
	let now = Date.UTC(2026, 10, 20);
	const short = await startCaller({ opaqueTokens, tokenLifetimeSeconds: 60, clock: () => now });
	try {
		const status = async () => (await short.ask('/v3/exchange/customers')).status;
		expect(short.token.includes('.')).toBe(!opaqueTokens);
		expect(await status()).toBe(200);
		now += 60_000;
		expect(await status()).toBe(401);
		now -= 1;
		expect(await status()).toBe(200);
		short.service.forgetTokens();
		expect(await status()).toBe(401);
	} finally {
		await short.close();
	}
});

test('several users each have their own password', async () => {
	const users = [
		{ username: 'one', password: 'a:b' },
		{ username: 'two', password: ' ' },
	];
	const service = await startService({ users });
	try {
		expect((await logIn(service, { authorization: basic('one', 'a:b') })).status).toBe(200);
		expect((await logIn(service, { authorization: basic('two', ' ') })).status).toBe(200);
		expect((await logIn(service, { authorization: basic('two', 'a:b') })).status).toBe(401);
	} finally {
		await service.close();
	}
});
