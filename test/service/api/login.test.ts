import { Readable } from 'node:stream';
import { apiAccount, errorOf, startBench } from '../../support/apiAccount';
import { logIn, loginKey, secretsOf, tokenSecrets, type LoginRequest } from '../../../service/api/login';
import { reply, type Answer } from '../../support/fakeService';

const ok: unknown[] = [];

/** The bytes of a header as they came over the wire. */
function header(rawHeaders: string[] | undefined, name: string): string | undefined {
	const index = rawHeaders?.findIndex((text) => text.toLowerCase() === name) ?? -1;
	const value = rawHeaders?.[index + 1];
	return index < 0 || value === undefined ? undefined : Buffer.from(value, 'latin1').toString('utf8');
}

const HARD = ['Quay 7: Göteborg', 'pässwörd à', '密码', '🚢', 'colon:', '"quoted"', 'a%20b', 'naïve\u00a0'];

describe('the Basic style', () => {
	it.each(HARD)('sends a password as UTF-8: %p', async (password) => {
		const { open, service } = await startBench({ ok });
		await open({ password }).customers();
		const sent = header(service.logins[0]?.rawHeaders, 'authorization') ?? '';
		expect(Buffer.from(sent.replace('Basic ', ''), 'base64').toString('utf8')).toBe(`jörg.desk:${password}`);
	});

	it('takes spaces and control characters', async () => {
		const { open, service } = await startBench({ ok });
		await open({ password: ' a\n\tb ' }).customers();
		expect(service.logins).toHaveLength(1);
	});

	it('refuses a colon in the user name before anything is sent, and names the other style', async () => {
		const { open, service } = await startBench({ ok });
		const error = await errorOf(open({ username: 'desk:7' }).customers());
		expect(error).toMatchObject({ code: 'invalidInput', remedy: expect.stringContaining('"Headers"') });
		expect(service.connections()).toBe(0);
	});
});

it.each(['basic', 'headers'] as const)('the login asks for JSON: %s', async (loginStyle) => {
	const { open, service } = await startBench({ ok });
	await open({ loginStyle }).customers();
	expect(service.logins[0]?.headers.accept).toBe('application/json');
});

describe('the Headers style', () => {
	it.each(HARD)('sends user name and password as bytes of UTF-8: %p', async (text) => {
		const { open, service } = await startBench({ ok });
		await open({ loginStyle: 'headers', username: text, password: text }).customers();
		const [login] = service.logins;
		expect(header(login?.rawHeaders, 'username')).toBe(text);
		expect(header(login?.rawHeaders, 'password')).toBe(text);
		expect(login?.headers.authorization).toBeUndefined();
	});

	it.each([' outer', 'outer ', '\touter', 'line\nbreak', 'line\r\nInjected: yes', 'nul\0', 'del\x7f'])(
		'refuses %j before anything is sent, and names the other style',
		async (text) => {
			const { open, service } = await startBench({ ok });
			for (const change of [{ username: text }, { password: text }]) {
				const error = await errorOf(open({ loginStyle: 'headers', ...change }).customers());
				expect(error).toMatchObject({ code: 'invalidInput', remedy: expect.stringContaining('"Basic"') });
				expect(error.message).not.toContain(text);
			}
			expect(service.connections()).toBe(0);
		},
	);
});

describe('the answer to a login', () => {
	it.each<[string, Answer, string]>([
		['no JSON', reply(200, 'Welcome'), 'It said: "Welcome"'],
		['a web page', reply(200, '<!doctype html><title>Sign in &amp; go</title>'), 'It said: "Sign in & go"'],
		['empty', reply(200, ''), 'no field "token"'],
		['null', reply(200, 'null'), 'no field "token"'],
		['a list', reply(200, []), 'no field "token"'],
		['without a token', reply(200, { access_token: 'abc-secret' }), 'no field "token"'],
		['with a number for a token', reply(200, { token: 5 }), 'no field "token"'],
		['with an empty token', reply(200, { token: '' }), 'no field "token"'],
		['with a token that no header can carry', reply(200, { token: 'a\nb' }), 'no field "token"'],
	])('that is %s is said to be another service', async (_label, login, text) => {
		const { client } = await startBench({ logins: () => login, ok });
		const error = await errorOf(client.customers());
		expect(error).toMatchObject({ code: 'unexpectedResponse', remedy: expect.stringContaining('base URL') });
		expect(error.message).toContain(text);
		expect(error.message).not.toContain('abc-secret');
	});

	it('that sends us to another address is not followed', async () => {
		const { client, service } = await startBench({
			logins: () => reply(302, '', { location: 'https://elsewhere.example/v3?password=x' }),
		});
		const error = await errorOf(client.customers());
		expect(error.message).toContain('https://elsewhere.example,');
		expect(error.message).not.toContain('password=x');
		expect(service.logins).toHaveLength(1);
	});
});

describe('the path of the login', () => {
	it.each([
		['https://service.example.com', 'https://service.example.com/v3/common/oauth2/token'],
		['https://service.example.com/', 'https://service.example.com/v3/common/oauth2/token'],
		[' https://gate.example.com/pde/ ', 'https://gate.example.com/pde/v3/common/oauth2/token'],
	])('is appended to %p', async (baseUrl, url) => {
		const sent: LoginRequest[] = [];
		await logIn(apiAccount(baseUrl), async (request) => {
			sent.push(request);
			const body = Readable.from([Buffer.from('{"token":"t"}')]);
			return {
				status: 200,
				headers: {},
				body,
				redirected: false,
				timeoutMs: 1_000,
				secrets: [],
				asError: () => neverAsked(),
			};
		});
		expect(sent.map((request) => request.url)).toEqual([url]);
	});
});

function neverAsked(): never {
	throw new Error('nothing broke');
}

describe('what must not be repeated of a login', () => {
	it('is nothing where there is no password', () => {
		expect(secretsOf(apiAccount('https://x', { password: '' }))).toEqual([]);
	});

	it('is the password, and what it looks like to who has it in another code', () => {
		expect(secretsOf(apiAccount('https://x', { username: 'desk', password: ' quay 7ö' }))).toEqual([
			...[' quay 7ö', 'quay 7ö', ' quay 7Ã¶'],
			Buffer.from('desk: quay 7ö').toString('base64').replace(/=/g, ''),
			...['IHF1YXkgN8O2', 'IHF1YXkgN/Y', 'IHF1YXkgN_Y'],
			...[Buffer.from(' quay 7ö').toString('hex'), 'ö7 yauq '],
		]);
	});

	it('is no form that could stand within a word', () => {
		expect(tokenSecrets('abcdef')).toEqual(['abcdef', 'YWJjZGVm', '616263646566']);
		expect(tokenSecrets('abcde')).toEqual(['abcde', '6162636465']);
		expect(tokenSecrets('>>>???')).toEqual(['>>>???', 'Pj4+Pz8/', 'Pj4-Pz8_', '3e3e3e3f3f3f']);
	});
});

it('tokens are kept apart by address, style, user and password, and not by how an address is typed', () => {
	const key = (baseUrl: string, changes: object = {}) => loginKey(apiAccount(baseUrl, changes));
	const keys = [
		...[key('https://x'), key('https://x/v'), key('https://x', { loginStyle: 'headers' })],
		...[key('https://x', { username: 'a' }), key('https://x', { password: 'a' })],
	];
	expect(new Set(keys).size).toBe(5);
	expect(key(' https://X/ ')).toBe(keys[0]);
	expect(keys[0]).toMatch(/^[0-9a-f]{64}$/);
});

it.each<[object, string, string]>([
	[{ username: '' }, 'The user name in the credential is empty.', 'Type it.'],
	[
		{ username: 'a:b' },
		'A user name with a colon cannot be sent in the Basic style.',
		'Choose the login style "Headers" in the credential.',
	],
	[
		{ username: 'a\n', loginStyle: 'headers' },
		'A user name with a control character, or with a space at an end, cannot be sent in the Headers style.',
		'Choose the login style "Basic" in the credential.',
	],
	[
		{ password: ' a', loginStyle: 'headers' },
		'A password with a control character, or with a space at an end, cannot be sent in the Headers style.',
		'Choose the login style "Basic" in the credential.',
	],
])('what cannot be sent is told, with what to do: %j', async (changes, message, remedy) => {
	const { open } = await startBench({ ok });
	expect(await errorOf(open(changes).customers())).toMatchObject({ code: 'invalidInput', message, remedy });
});
