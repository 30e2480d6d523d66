import { waitUntil } from '../../../sandbox/process/waitUntil';
import { openClient } from '../../../service/api/client';
import { tokensOf } from '../../../service/api/tokens';
import { systemClock } from '../../../service/surroundings';
import { SET, DOCUMENT, apiAccount, errorOf, pdfBytes, readAll, startBench } from '../../support/apiAccount';
import { reply, tokenReply, type SeenRequest, type Answer } from '../../support/fakeService';
import { steppedClock } from '../../support/steppedClock';

const ok = [{ customerId: 'c' }];

/** A token in the signed form, which names its own end. */
function signedToken(claims: object, serial = 1): string {
	const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
	return `${part({ alg: 'HS256' })}.${part({ ...claims, serial })}.c2lnbmF0dXJl`;
}

const bearer = ({ headers }: SeenRequest) => headers.authorization?.replace('Bearer ', '');

describe('a token', () => {
	it('is fetched once, before the first call and not before', async () => {
		const { client, service } = await startBench({ ok });
		expect(service.connections()).toBe(0);
		await Promise.all([client.customers(), client.counterparties(), client.customers()]);
		await client.customers();
		expect(service.logins).toHaveLength(1);
		expect(service.calls.map(bearer)).toEqual(['token-1', 'token-1', 'token-1', 'token-1']);
	});

	it('is shared by all clients of one account', async () => {
		const { client, open, service } = await startBench({ ok });
		await Promise.all([client.customers(), open().customers(), open({ caCertificate: ' ' }).customers()]);
		expect(service.logins).toHaveLength(1);
	});

	it('is fetched once more after a 401, and the call is made once more with it', async () => {
		const { client, service } = await startBench({ calls: ['ok', 'unauthorized', 'ok'], ok });
		await client.customers();
		expect(await client.customers()).toEqual(ok);
		expect(service.calls.map(bearer)).toEqual(['token-1', 'token-1', 'token-2']);
	});

	it('that expires under 50 calls costs one login', async () => {
		let valid = 'token-1';
		const { client, service } = await startBench({
			calls: (seen) => (bearer(seen) === valid ? reply(200, ok) : 'unauthorized'),
		});
		await client.customers();
		valid = 'token-2';
		const answers = await Promise.all(Array.from({ length: 50 }, () => client.customers()));
		expect(answers).toEqual(Array(50).fill(ok));
		expect(service.logins).toHaveLength(2);
	});

	it('that another call has renewed meanwhile is taken, not fetched again', async () => {
		let refuseLate = () => {};
		const { client, open, service } = await startBench({
			calls: [(exchange) => void (refuseLate = () => reply(401)(exchange)), 'unauthorized', 'ok', 'ok'],
			ok,
		});
		const late = client.customers();
		while (service.calls.length === 0) await new Promise((resolve) => setImmediate(resolve));
		await open().customers();
		refuseLate();
		expect(await late).toEqual(ok);
		expect(service.logins).toHaveLength(2);
	});

	it.each<[string, Answer]>([
		['as HTTP 401', 'unauthorized'],
		['in an envelope under HTTP 200', reply(200, { code: 401, status: 'UNAUTHORIZED' })],
	])('is not fetched again and again when a fresh one is refused too, %s', async (_, refusal) => {
		const { client, service } = await startBench({ calls: () => refusal });
		for (let item = 0; item < 20; item++) {
			expect(await errorOf(client.customers())).toMatchObject({ code: 'unauthorized', httpStatus: 401 });
		}
		expect(service.logins).toHaveLength(2);
		expect((await errorOf(client.customers())).message).toContain('although the login worked');
	});

	it('is fetched once more for calls that are refused among others that work, whatever the words', async () => {
		const { client, service } = await startBench({
			calls: ({ path }) => {
				if (path.endsWith('counterparties')) return 'ok';
				return path.endsWith('customers') ? 'unauthorized' : 'forbidden';
			},
			ok,
		});
		for (let item = 0; item < 50; item++) {
			await client.counterparties();
			await errorOf(client.customers());
			await errorOf(client.pdf(SET, DOCUMENT, readAll));
		}
		// One for each way of refusing.
		expect(service.logins.length).toBeLessThanOrEqual(3);
	});

	it.each<Answer>(['unauthorized', 'forbidden'])(
		'is fetched once more where a login gives the same one until it ends, and some calls are %s for good',
		async (refusal) => {
			const { client, service } = await startBench({
				logins: () => tokenReply('token-of-the-day'),
				calls: ({ path }) => (path.endsWith('counterparties') ? 'ok' : refusal),
				ok,
			});
			for (let item = 0; item < 50; item++) {
				await client.counterparties();
				await errorOf(client.customers());
			}
			expect(service.logins).toHaveLength(2);
		},
	);

	it('is renewed before its end, when that is counted in milliseconds', async () => {
		const now = Date.UTC(2026, 10, 20, 9, 48, 18);
		const { client, clock, service } = await startBench({
			logins: () => tokenReply(signedToken({ iat: now, exp: now + 3_600_000 })),
			ok,
		});
		await client.customers();
		clock.advance(3_590_000);
		await client.customers();
		expect(service.logins).toHaveLength(2);
	});

	it('is renewed before its end, when it names one', async () => {
		const now = Date.UTC(2026, 10, 20, 9, 48, 18) / 1000;
		let serial = 0;
		const { client, clock, service } = await startBench({
			logins: () => tokenReply(signedToken({ exp: now + 3600 * ++serial }, serial)),
			ok,
		});
		await client.customers();
		clock.advance(3_500_000);
		await client.customers();
		expect(service.logins).toHaveLength(1);
		clock.advance(75_000);
		await client.customers();
		expect(service.logins).toHaveLength(2);
		expect(service.calls.map(({ headers }) => headers.authorization)).not.toContain(undefined);
	});

	it.each([
		['its clock is an hour ahead of ours', 3600],
		['its clock is an hour behind ours', -3600],
	])('is kept for its lifetime although %s', async (_label, ahead) => {
		const issued = Date.UTC(2026, 10, 20, 9, 48, 18) / 1000 + ahead;
		const { client, clock, service } = await startBench({
			logins: () => tokenReply(signedToken({ iat: issued, exp: issued + 600 })),
			ok,
		});
		await client.customers();
		clock.advance(500_000);
		await client.customers();
		expect(service.logins).toHaveLength(1);
		clock.advance(95_000);
		await client.customers();
		expect(service.logins).toHaveLength(2);
	});

	it.each([
		['is past its end when it comes', signedToken({ exp: 1 })],
		['has a text for its end', signedToken({ exp: 'soon' })],
		['is not in the signed form', 'opaque-token_1234'],
		['has three parts that are no JSON', 'a.b.c'],
	])('is kept until it is refused when it %s', async (_label, token) => {
		const { client, clock, service } = await startBench({ logins: () => tokenReply(token), ok });
		await client.customers();
		clock.advance(86_400_000);
		await client.customers();
		expect(service.logins).toHaveLength(1);
	});

	it('renewed in the middle of a run leaves no PDF out', async () => {
		const pdf = pdfBytes(5_000);
		let valid = 'token-1';
		const { client, service } = await startBench({
			calls: (seen) => {
				if (service.calls.length === 20) valid = 'token-2';
				return bearer(seen) === valid ? reply(200, pdf) : 'unauthorized';
			},
		});
		const all = await Promise.all(
			Array.from({ length: 50 }, async () => await client.pdf(SET, DOCUMENT, readAll)),
		);
		expect(all.filter(({ stored }) => stored.equals(pdf))).toHaveLength(50);
		expect(service.logins).toHaveLength(2);
	});
});

it.each<[string, Answer, number]>([
	['HTTP 401', 'unauthorized', 30_000],
	['HTTP 422', reply(422), 30_000],
	['HTTP 404', 'missing', 30_000],
	['an answer without a token', reply(200, {}), 30_000],
	['HTTP 503', 'unavailable', 5_000],
	['HTTP 429', 'rateLimited', 5_000],
	['HTTP 404 with a page', reply(404, '<html><title>Away</title></html>'), 5_000],
])(
	'a login that failed is tried again when its time is over, and not before: %s',
	async (_, login, keptMs) => {
		const { client, clock, service } = await startBench({ logins: () => login }, { tries: 1 });
		await errorOf(client.customers());
		clock.advance(keptMs - 1);
		await errorOf(client.customers());
		expect(service.logins).toHaveLength(1);
		clock.advance(1);
		await errorOf(client.customers());
		expect(service.logins).toHaveLength(2);
	},
);

it.each<[string, Answer]>([
	['a lost connection', 'closedBeforeHeaders'],
	['silence', 'silence'],
])('a login that the way to the service spoils is tried again at once: %s', async (_, login) => {
	const { client, service } = await startBench({ logins: [login, 'ok'], ok }, { tries: 1, timeoutMs: 400 });
	await errorOf(client.customers());
	expect(await client.customers()).toEqual(ok);
	expect(service.logins).toHaveLength(2);
});

it.each([
	['a fifth of a short life', 60, 48_000],
	['half a minute of a long one', 3_600, 3_570_000],
])('a token is renewed before its end by %s', async (_, seconds, renewedAfterMs) => {
	const now = Date.UTC(2026, 10, 20, 9, 48, 18) / 1000;
	const { client, clock, service } = await startBench({
		logins: () => tokenReply(signedToken({ iat: now, exp: now + seconds })),
		ok,
	});
	await client.customers();
	clock.advance(renewedAfterMs - 1);
	await client.customers();
	expect(service.logins).toHaveLength(1);
	clock.advance(1);
	await client.customers();
	expect(service.logins).toHaveLength(2);
});

it('a login that the service cannot answer now is not tried anew for each item, and is a moment later', async () => {
	const { client, clock, service } = await startBench({ logins: () => 'unavailable', ok });
	for (let item = 0; item < 20; item++) {
		expect(await errorOf(client.customers())).toMatchObject({ code: 'unavailable' });
	}
	expect(service.logins).toHaveLength(4);
	clock.advance(5_001);
	await errorOf(client.customers());
	expect(service.logins).toHaveLength(8);
});

describe('a token that is refused with anything but HTTP 401', () => {
	const refusals: [string, Answer][] = [
		['HTTP 403', 'forbidden'],
		['a redirect to another server', reply(302, '', { location: 'https://login.example/' })],
		['the words of OAuth', reply(400, { error: 'invalid_token' })],
		[
			'the words of OAuth in a header',
			reply(400, '', { 'www-authenticate': 'Bearer error="invalid_token"' }),
		],
		['an envelope', reply(200, { code: '403', status: 'FORBIDDEN', data: [] })],
		['a login page under HTTP 200', reply(200, '\n<!doctype html><title>Sign in</title>')],
		['the same behind a comment', reply(200, '<!-- 7 -->\n<html><title>Sign in</title></html>')],
	];

	it.each(refusals)('is renewed once: %s', async (_label, refusal) => {
		const { client, service } = await startBench({
			calls: (seen) => (bearer(seen) === 'token-1' && service.calls.length > 1 ? refusal : 'ok'),
			ok,
		});
		await client.customers();
		expect(await client.customers()).toEqual(ok);
		expect(await client.customers()).toEqual(ok);
		expect(service.logins).toHaveLength(2);
	});

	it.each<[string, Answer]>([
		['a login page', reply(200, '<html><title>Sign in</title></html>')],
		['a page that is not there', 'missing'],
		['a page that takes no token', reply(405)],
	])('is renewed once: a redirect to %s of its own', async (_label, login) => {
		const { client, service } = await startBench({
			calls: (seen) => {
				if (seen.path === '/login') return login;
				return bearer(seen) === 'token-1' ? reply(302, '', { location: '/login' }) : 'ok';
			},
			ok,
		});
		expect(await client.customers()).toEqual(ok);
		expect(service.logins).toHaveLength(2);
	});

	it('is renewed once where a login page comes in place of a PDF', async () => {
		const { client, service } = await startBench({
			calls: (seen) =>
				reply(200, bearer(seen) === 'token-1' ? '<html><title>Sign in</title>' : '%PDF-1.7\n%%EOF'),
		});
		expect(await client.pdf(SET, DOCUMENT, readAll)).toMatchObject({ complete: true });
		expect(service.logins).toHaveLength(2);
	});

	it.each(refusals)('is believed when a fresh one is refused too, 500 times: %s', async (_label, refusal) => {
		const { client, service } = await startBench({
			calls: ({ path }) => (path.endsWith('customers') ? refusal : 'ok'),
			ok,
		});
		await client.counterparties();
		for (let item = 0; item < 50; item++) {
			// What is allowed works beside it, and is no reason to ask again.
			await client.counterparties();
			await Promise.all(Array.from({ length: 10 }, () => errorOf(client.customers())));
		}
		expect(service.logins).toHaveLength(2);
	});

	it.each(refusals)('is renewed each time that the fresh one worked: %s', async (_label, refusal) => {
		let valid = 1;
		const { client, clock, service } = await startBench({
			logins: () => tokenReply(signedToken({ exp: 4_000_000_000 }, valid)),
			calls: (seen) => (bearer(seen) === signedToken({ exp: 4_000_000_000 }, valid) ? 'ok' : refusal),
			ok,
		});
		for (let ended = 0; ended < 5; ended++) {
			expect(await client.customers()).toEqual(ok);
			clock.advance(30_000);
			valid++;
		}
		expect(service.logins).toHaveLength(5);
	});

	it('is renewed within a minute where other calls are forbidden for good, and the token is forgotten', async () => {
		let forgotten = '';
		const { client, clock, service } = await startBench({
			calls: (seen) => (seen.path.includes('sets') || bearer(seen) === forgotten ? 'forbidden' : 'ok'),
			ok,
		});
		await client.customers();
		await errorOf(client.pdf(SET, DOCUMENT, readAll));
		expect(await client.customers()).toEqual(ok);
		forgotten = `token-${service.logins.length}`;
		await errorOf(client.customers());
		clock.advance(61_000);
		expect(await client.customers()).toEqual(ok);
		expect(service.logins).toHaveLength(3);
	});

	it('is renewed again when its believed refusal has lasted, whatever end the token names', async () => {
		const inMilliseconds = signedToken({ exp: Date.UTC(2027, 0, 1) });
		const { client, clock, service } = await startBench({
			logins: () => tokenReply(inMilliseconds),
			calls: () => 'forbidden',
		});
		await errorOf(client.customers());
		clock.advance(601_000);
		await errorOf(client.customers());
		expect(service.logins).toHaveLength(3);
	});

	it('is renewed again when its believed refusal has lasted', async () => {
		let closed = false;
		const { client, clock, service } = await startBench({ calls: () => (closed ? 'forbidden' : 'ok'), ok });
		closed = true;
		await errorOf(client.customers());
		expect(service.logins).toHaveLength(2);
		clock.advance(601_000);
		await errorOf(client.customers());
		expect(service.logins).toHaveLength(3);
	});
});

it.each(['Bearer abc', 'bearer  abc\n', ' abc '])(
	'a token that comes as %p is sent as it is meant',
	async (token) => {
		const { client, service } = await startBench({ logins: () => tokenReply(token), ok });
		await client.customers();
		expect(service.calls[0]?.headers.authorization).toBe('Bearer abc');
	},
);

describe('a refused password', () => {
	const refusing = { logins: () => 'unauthorized' as const };

	it('is asked once, not once per item', async () => {
		const { client, service } = await startBench(refusing);
		const errors = [];
		for (let item = 0; item < 500; item++) errors.push(await errorOf(client.customers()));
		expect(service.logins).toHaveLength(1);
		expect(service.calls).toHaveLength(0);
		expect(new Set(errors.map(({ message }) => message))).toEqual(
			new Set([
				'The service refused the user name or the password (HTTP 401). It said: "The token is not valid"',
			]),
		);
		// Each its own: n8n adds the item's number to the error it is given.
		expect(new Set(errors).size).toBe(500);
	});

	it.each<[string, Answer]>([
		['in the words of OAuth', reply(400, { error: 'invalid_grant' })],
		['in an envelope', reply(200, { code: 401, status: 'UNAUTHORIZED', errorMessage: 'No' })],
		['in an envelope with a text for its code', reply(200, { code: '403', message: 'No' })],
		['as no success', reply(200, { success: false, errorMessage: 'No' })],
		['without a token', reply(200, { token: null })],
		['as a page', reply(200, '<html><title>Sign in</title></html>')],
		['as HTTP 400', reply(400, 'No')],
		['as HTTP 403', 'forbidden'],
		['as HTTP 422', reply(422, { message: 'No' })],
		['as HTTP 423', reply(423, { message: 'Locked' })],
		['as no page', 'missing'],
		['as a redirect', reply(302, '', { location: 'https://login.example/' })],
	])('is asked once, not once per item, however it is refused: %s', async (_label, refusal) => {
		const { client, service, clock } = await startBench({ logins: () => refusal });
		for (let item = 0; item < 20; item++) {
			expect((await errorOf(client.customers())).login).toBe(true);
		}
		expect(service.logins).toHaveLength(1);
		clock.advance(31_000);
		await errorOf(client.customers());
		expect(service.logins).toHaveLength(2);
	});

	it.each<[string, Answer]>([
		['in the words of OAuth', reply(400, { error: 'invalid_grant', error_description: 'No' })],
		['in an envelope', reply(200, { code: 401, status: 'UNAUTHORIZED', errorMessage: 'No' })],
	])('is called that: %s', async (_label, refusal) => {
		const { client } = await startBench({ logins: () => refusal });
		const error = await errorOf(client.customers());
		expect(error).toMatchObject({ code: 'unauthorized', remedy: expect.stringMatching(/^Check both/) });
		expect(error.message).toContain('refused the user name or the password');
	});

	it('is asked once by 50 calls at a time', async () => {
		const { client, service } = await startBench(refusing);
		await Promise.all(Array.from({ length: 50 }, () => errorOf(client.customers())));
		expect(service.logins).toHaveLength(1);
	});

	it('is asked again after half a minute', async () => {
		const { client, clock, service } = await startBench({ logins: ['unauthorized', 'ok'], ok });
		await errorOf(client.customers());
		clock.advance(31_000);
		expect(await client.customers()).toEqual(ok);
		expect(service.logins).toHaveLength(2);
	});

	it.each<[string, Answer]>([
		['a page', reply(200, '<!DOCTYPE html><title>We are back soon</title>')],
		['a page of a gateway', reply(404, '<html><head><title>404 Not Found</title></head></html>')],
		['HTTP 503', 'unavailable'],
	])('is not what %s is: the login is tried again a moment later', async (_label, maintenance) => {
		const { client, clock, service } = await startBench({ logins: [maintenance, 'ok'], ok }, { tries: 1 });
		for (let item = 0; item < 20; item++) await errorOf(client.customers());
		expect(service.logins).toHaveLength(1);
		clock.advance(6_000);
		expect(await client.customers()).toEqual(ok);
	});

	it('that is corrected in the credential works at once', async () => {
		const right = Buffer.from('jörg.desk:right').toString('base64');
		const { client, open } = await startBench({
			logins: ({ headers }) => (headers.authorization === `Basic ${right}` ? 'ok' : 'unauthorized'),
			ok,
		});
		await errorOf(client.customers());
		expect(await open({ password: 'right' }).customers()).toEqual(ok);
	});
});

describe('two accounts', () => {
	it('of one service never mix, not even when their names and passwords join to the same text', async () => {
		const { service, open } = await startBench({
			logins: ({ headers }) => tokenReply(`of-${String(headers.username)}`),
			ok,
		});
		const style = { loginStyle: 'headers' as const };
		const accounts = [
			{ username: 'a', password: 'bc' },
			{ username: 'ab', password: 'c' },
			{ username: 'a|b', password: 'c' },
		];
		await Promise.all(
			accounts.flatMap((account) =>
				Array.from({ length: 10 }, () => open({ ...style, ...account }).customers()),
			),
		);
		expect(service.logins).toHaveLength(3);
		for (const { username } of accounts) {
			expect(service.calls.filter((seen) => bearer(seen) === `of-${username}`)).toHaveLength(10);
		}
	});

	it('of an edited credential are two: the old token is never sent for the new one', async () => {
		const { client, open, service } = await startBench({ ok });
		await client.customers();
		await open({ loginStyle: 'headers' }).customers();
		expect(service.calls.map(bearer)).toEqual(['token-1', 'token-2']);
	});
});

it('the accounts that are remembered are bounded: the one used longest ago is forgotten', async () => {
	const { service, open } = await startBench({ ok });
	const call = (number: number) => open({ username: `desk-${number}` }).customers();
	for (let number = 0; number < 100; number++) await call(number);
	await call(0);
	expect(service.logins).toHaveLength(100);
	await call(100);
	await call(0);
	expect(service.logins).toHaveLength(101);
	await call(1);
	expect(service.logins).toHaveLength(102);
});

describe('a token that ends while calls wait for a connection', () => {
	/** Tokens are good for as long as the service has answered so few calls. */
	async function lasting(calls: number, status: number) {
		const given = new Map<string, number>();
		let begun = 0;
		return await startBench(
			{
				logins: () => {
					const token = `token ${given.size}`.replace(' ', '-');
					given.set(token, begun);
					return tokenReply(token);
				},
				calls: ({ headers }) => {
					const since = given.get(String(headers.authorization).slice('Bearer '.length)) ?? -Infinity;
					if (begun - since >= calls) return reply(status, { message: 'It has ended' });
					begun++;
					return ({ response }) => void setTimeout(() => response.end(JSON.stringify(ok)), 20);
				},
			},
			{ connections: 2 },
		);
	}

	it.each([401, 403])(
		'is renewed when their turn has come, as often as it takes: HTTP %i',
		async (status) => {
			for (const calls of [3, 5, 8]) {
				const { open, service } = await lasting(calls, status);
				const answers = await Promise.all(Array.from({ length: 24 }, () => open().customers()));
				expect(answers).toEqual(answers.map(() => ok));
				expect(service.logins.length).toBeLessThanOrEqual(24 / calls + 2);
			}
		},
	);

	it('and a call waits for its connection alone while another logs in over the last one', async () => {
		const { service, open } = await startBench({ calls: ['unauthorized'], ok }, { connections: 1 });
		expect(await Promise.all([open().customers(), open().customers()])).toEqual([ok, ok]);
		expect(service.logins).toHaveLength(2);
	});
});

describe('a run that is stopped while it logs in', () => {
	it('does not end the login that another run waits for', async () => {
		let answerLogin = () => {};
		const loginArrived = new Promise<void>((arrived) => {
			void arrived;
			answerLogin = arrived;
		});
		let release = () => {};
		const { open, service } = await startBench({
			logins: () => (exchange) => {
				answerLogin();
				release = () => tokenReply('late')(exchange);
			},
			ok,
		});
		const stop = new AbortController();
		const stopped = errorOf(open({}, { signal: stop.signal }).customers());
		await loginArrived;
		const other = open().customers();
		// Until it waits for it, too.
		await new Promise((resolve) => setImmediate(resolve));
		stop.abort();
		expect(await stopped).toMatchObject({ code: 'cancelled' });
		release();
		expect(await other).toEqual(ok);
		expect(service.logins).toHaveLength(1);
	});

	it('ends the login that nobody else waits for, and the next call logs in anew', async () => {
		const { open, service } = await startBench({ logins: ['silence', 'ok'], ok });
		const [first, second] = [new AbortController(), new AbortController()];
		const outcomes = [first, second].map(({ signal }) => errorOf(open({}, { signal }).customers()));
		while (service.logins.length === 0) await new Promise((resolve) => setImmediate(resolve));
		first.abort();
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect(service.unanswered()).toBe(1);
		second.abort();
		for (const outcome of outcomes) expect(await outcome).toMatchObject({ code: 'cancelled' });
		await waitUntil('the login is over', () => service.unanswered() === 0, { deadlineMs: 1_000, everyMs: 5 });
		expect(await open().customers()).toEqual(ok);
		expect(service.logins).toHaveLength(2);
	});
});

it.each<[Answer, number]>([
	['unauthorized', 5_000],
	['forbidden', 60_000],
])('that a fresh token is %s is believed for its time, and no longer', async (refusal, believedMs) => {
	const { client, clock, service } = await startBench({ calls: () => refusal });
	await errorOf(client.customers());
	clock.advance(believedMs - 1);
	await errorOf(client.customers());
	expect(service.logins).toHaveLength(2);
	clock.advance(1);
	await errorOf(client.customers());
	expect(service.logins).toHaveLength(3);
});

it('two copies of this package in one process log in once', async () => {
	const { open, service } = await startBench({ ok });
	await open({}, { clock: systemClock }).customers();
	await jest.isolateModulesAsync(async () => {
		const another = await import('../../../service/api/client');
		const account = apiAccount(service.baseUrl);
		const quiet = () => undefined;
		const logger = { debug: quiet, info: quiet, warn: quiet, error: quiet };
		expect(await another.openClient(account, { logger, timeoutMs: 2_000 }).customers()).toEqual(ok);
		expect(another.openClient).not.toBe(openClient);
	});
	expect(service.logins).toHaveLength(1);
});

it('a late success of an old token says nothing of the one in its place', async () => {
	const tokens = tokensOf(steppedClock());
	let logins = 0;
	const logIn = async () => `token-${++logins}`;
	await tokens.current('account', logIn);
	await tokens.renew({ key: 'account', refused: 'token-1', kind: 'forbidden' }, logIn);
	tokens.worked('account', 'token-1');
	const refused = { key: 'account', refused: 'token-2', kind: 'forbidden' } as const;
	expect(await tokens.renew(refused, logIn)).toBe('token-2');
});

it('an account that was forgotten while a call was under way logs in anew', async () => {
	const tokens = tokensOf(steppedClock());
	let logins = 0;
	const logIn = async () => `token-${++logins}`;
	await tokens.current('account', logIn);
	tokens.forget('account');
	tokens.worked('account', 'token-1');
	tokens.refusedAgain('account', 'token-1', 'forbidden');
	expect(tokens.holds('account')).toBe(false);
	expect(await tokens.current('account', logIn)).toBe('token-2');
});

it('a call that is refused while another logs in waits for that login, whatever was believed before', async () => {
	const tokens = tokensOf(steppedClock());
	await tokens.current('account', async () => 'token-1');
	tokens.refusedAgain('account', 'token-1', 'forbidden');
	const one = { key: 'account', refused: 'token-1', kind: 'unauthorized' } as const;
	const logIn = async () => {
		await new Promise((resolve) => setImmediate(resolve));
		return 'token-2';
	};
	const tokensOfBoth = [tokens.renew(one, logIn), tokens.renew({ ...one, kind: 'forbidden' }, logIn)];
	expect(await Promise.all(tokensOfBoth)).toEqual(['token-2', 'token-2']);
});

it('a late refusal of an old token says nothing of the one in its place', async () => {
	const tokens = tokensOf(steppedClock());
	let logins = 0;
	const logIn = async () => `token-${++logins}`;
	await tokens.current('account', logIn);
	await tokens.renew({ key: 'account', refused: 'token-1', kind: 'unauthorized' }, logIn);
	tokens.worked('account', 'token-2');
	tokens.refusedAgain('account', 'token-1', 'unauthorized');
	const refused = { key: 'account', refused: 'token-2', kind: 'unauthorized' } as const;
	expect(await tokens.renew(refused, logIn)).toBe('token-3');
});
