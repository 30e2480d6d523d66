import { inspect } from 'node:util';
import { DOCUMENT, SET, apiAccount, readAll, startBench } from '../../support/apiAccount';
import { reply, startFakeService, tokenReply, type Answer } from '../../support/fakeService';
import { silent } from '../../support/silent';
import { testAccount } from '../../../service/api/accountTest';
import { openTransport } from '../../../service/api/transport';

const PASSWORD = 'Sesam "öffne" dich/7';
const TOKEN = 'opaque-0123456789-abcdef';

const codedToken = [
	Buffer.from(TOKEN).toString('base64'),
	Buffer.from(TOKEN).toString('hex'),
	[...TOKEN].reverse().join(''),
];

const forms = [
	PASSWORD,
	TOKEN,
	...codedToken,
	JSON.stringify(PASSWORD).slice(1, -1),
	encodeURIComponent(PASSWORD),
	Buffer.from(PASSWORD, 'utf8').toString('latin1'),
	Buffer.from(`jörg.desk:${PASSWORD}`).toString('base64'),
	Buffer.from(PASSWORD).toString('base64'),
];

/** A service that repeats everything it was sent. */
const echo =
	(status: number): Answer =>
	(exchange) => {
		const { headers, rawHeaders } = exchange.seen;
		const coded = headers.authorization?.includes(TOKEN) ? codedToken.join(' ') : '';
		const text = `${coded} ${PASSWORD} ${encodeURIComponent(PASSWORD)} ${headers.authorization} ${JSON.stringify(headers)} ${rawHeaders.join(' ')}`;
		reply(status, { errorMessage: text, echoed: { headers } }, { 'retry-after': '0' })(exchange);
	};

describe('neither a password nor a token is repeated', () => {
	it.each<[string, Answer, Answer]>([
		['when the login is refused', echo(401), 'ok'],
		['when the login fails', echo(500), 'ok'],
		['when the login answers something else', echo(200), 'ok'],
		['when a call is refused', tokenReply(TOKEN), echo(401)],
		['when a call is forbidden', tokenReply(TOKEN), echo(403)],
		['when the service is busy', tokenReply(TOKEN), echo(503)],
		['when an answer has another shape', tokenReply(TOKEN), echo(200)],
		['when a connection is lost', tokenReply(TOKEN), 'resetAfterHeaders'],
		[
			'when the answer is no HTTP',
			tokenReply(TOKEN),
			({ socket, seen }) => socket.end(`${seen.headers.authorization} ${TOKEN}\r\n`),
		],
		[
			'when a redirect carries them',
			tokenReply(TOKEN),
			reply(302, '', { location: `https://x:${TOKEN}@elsewhere.example/${TOKEN}` }),
		],
	])('%s', async (_label, login, call) => {
		for (const loginStyle of ['basic', 'headers'] as const) {
			const bench = await startBench(
				{ logins: () => login, calls: () => call },
				{},
				{ password: PASSWORD, loginStyle },
			);
			const { client, service, lines } = bench;
			const work = [
				client.customers(),
				client.pdf(SET, DOCUMENT, readAll),
				client.searchSets({}, { style: 'auto', pageSize: 5 })[Symbol.asyncIterator]().next(),
				testAccount(apiAccount(service.baseUrl, { password: PASSWORD, loginStyle }), {
					logger: { debug: (line) => lines.push(line), info() {}, warn() {}, error() {} },
					timeoutMs: 2_000,
				}),
			];
			for (const outcome of await Promise.allSettled(work)) {
				if (outcome.status === 'fulfilled') continue;
				const error: unknown = outcome.reason;
				const everything = [
					inspect(error, { depth: Infinity, showHidden: true, getters: true }),
					JSON.stringify(error),
					String((error as Error).stack),
				].join('\n');
				for (const secret of forms) expect(everything).not.toContain(secret);
			}
			for (const secret of forms) expect(lines.join('\n')).not.toContain(secret);
		}
	});
});

it('what must not be repeated is gathered once for all answers to a token, and anew for another one', async () => {
	const service = await startFakeService({ calls: () => reply(200, {}) });
	try {
		const send = openTransport(apiAccount(service.baseUrl, { password: PASSWORD }), {
			logger: silent,
			timeoutMs: 2_000,
		});
		const secretsOf = async (token?: string) => {
			const request = token === undefined ? {} : { token: () => Promise.resolve(token) };
			const { body, secrets } = await send({ method: 'GET', path: '/v3/x', ...request });
			await readAll(body);
			return secrets;
		};
		const first = await secretsOf(TOKEN);
		expect(first).toEqual(expect.arrayContaining([TOKEN, ...codedToken, PASSWORD]));
		expect(await secretsOf(TOKEN)).toBe(first);
		const login = await secretsOf();
		expect(login).toContain(PASSWORD);
		expect(login).not.toContain(TOKEN);
		const other = await secretsOf('another-0123456789');
		expect(other).toEqual(expect.arrayContaining(['another-0123456789', PASSWORD]));
	} finally {
		await service.close();
	}
});

it('a sentence that goes out holds neither the password nor a token that was used, and is bounded', async () => {
	const { client } = await startBench(
		{ logins: () => tokenReply(TOKEN), ok: [] },
		{},
		{ password: PASSWORD },
	);
	await client.customers();
	expect(client.masked(`of ${TOKEN}, ${codedToken[0]} and ${PASSWORD}.`)).toBe('of ***, *** and ***.');
	const long = 'Set ABC is late. '.repeat(300);
	expect(client.masked(long.slice(0, 4_000))).toBe(long.slice(0, 4_000));
	expect(client.masked(long.slice(0, 4_001))).toBe(`${long.slice(0, 4_000)}…`);
});
