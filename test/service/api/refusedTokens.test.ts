import { DOCUMENT, SET, errorOf, pdfBytes, readAll, startBench } from '../../support/apiAccount';
import { reply } from '../../support/fakeService';

/** Services that refuse a token that has ended, in words and numbers of their own. */

const OK = [{ customerId: 'a', customerName: 'A' }];

async function refusing(status: number, body: unknown, isForGood = false) {
	return await startBench({
		calls: ({ headers }) =>
			isForGood || headers.authorization === 'Bearer token-1' ? reply(status, body) : reply(200, OK),
	});
}

const REFUSALS: [number, unknown][] = [
	[401, ''],
	[403, ''],
	[419, ''],
	[440, ''],
	[498, { message: 'Invalid Token' }],
	[499, ''],
	[400, { error: 'invalid_token' }],
	[400, { message: 'jwt expired' }],
	[400, { errorMessage: 'The access token has expired' }],
	[422, { message: 'Session is no longer valid' }],
	[500, { message: 'io.jsonwebtoken.ExpiredJwtException: JWT expired at 2026-11-20T09:48:00Z' }],
	[500, 'TokenExpiredError'],
];

it.each(REFUSALS)('HTTP %i with %j is answered with one fresh login', async (status, body) => {
	const { client, service } = await refusing(status, body);
	expect(await client.counterparties()).toEqual(OK);
	expect(service.logins).toHaveLength(2);
});

it.each(REFUSALS)(
	'and when it stays, HTTP %i with %j costs one login, and not one each time',
	async (status, body) => {
		const { client, service } = await refusing(status, body, true);
		for (let call = 0; call < 5; call++) await errorOf(client.counterparties());
		expect(service.logins.length).toBeLessThanOrEqual(2);
	},
);

it.each<[number, unknown]>([
	[400, { message: 'The shipment has expired' }],
	[404, { message: 'token of the set' }],
	[409, { message: 'The session of the signer is open' }],
	[500, { message: 'invalid index' }],
])('HTTP %i with %j is about something else', async (status, body) => {
	const { client, service } = await refusing(status, body, true);
	await errorOf(client.counterparties());
	expect(service.logins).toHaveLength(1);
});

describe('a token that has ended, refused under HTTP 200', () => {
	const TOLD: unknown[] = [
		{ code: 401, status: 'UNAUTHORIZED', data: null },
		{ code: 200, status: 'OK', data: { code: 401, message: 'Expired' } },
		{ error: 'invalid_token' },
		{ status: 'ERROR', errorMessage: 'Token has expired' },
		{ success: false, message: 'JWT expired' },
		{ message: 'The session is no longer valid: session expired' },
		'Session expired',
	];
	const calls: [
		string,
		unknown,
		(client: Awaited<ReturnType<typeof refusing>>['client']) => Promise<unknown>,
	][] = [
		['a list', OK, (client) => client.counterparties()],
		['a PDF', pdfBytes(2_000), (client) => client.pdf(SET, DOCUMENT, readAll)],
	];
	const cases = calls.flatMap((call) => TOLD.map((told) => [...call, told] as const));

	it.each(cases)('in place of %s is answered with one fresh login', async (_what, ok, call, told) => {
		const { client, service } = await startBench({
			calls: ({ headers }) => reply(200, headers.authorization === 'Bearer token-1' ? told : ok),
		});
		await call(client);
		expect(service.logins).toHaveLength(2);
	});

	it.each(cases)('in place of %s, and when it stays, costs one login', async (_what, _ok, call, told) => {
		const { client, service } = await refusing(200, told, true);
		for (let time = 0; time < 5; time++) await errorOf(call(client));
		expect(service.logins.length).toBeLessThanOrEqual(2);
	});
});
