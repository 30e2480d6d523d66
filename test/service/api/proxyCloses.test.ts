import { createServer, type AddressInfo, type Socket } from 'node:net';
import { openClient } from '../../../service/api/client';
import { apiAccount, errorOf } from '../../support/apiAccount';
import { steppedClock } from '../../support/steppedClock';

const logger = { debug() {}, info() {}, warn() {}, error() {} };

const before = process.env.HTTPS_PROXY;
afterEach(() => {
	if (before === undefined) delete process.env.HTTPS_PROXY;
	else process.env.HTTPS_PROXY = before;
});

/** A proxy that does this with each connection. Past so many it takes no more of them, so that a test ends. */
async function proxyThat(treat: (socket: Socket) => void) {
	const sockets = new Set<Socket>();
	let connections = 0;
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on('error', () => undefined);
		if (++connections < 100) treat(socket);
		else socket.resetAndDestroy();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
		connections: () => connections,
		close: () => {
			server.close();
			for (const socket of sockets) socket.destroy();
		},
	};
}

it.each<[string, (socket: Socket) => void]>([
	['closes each connection', (socket) => socket.end()],
	['closes it where TLS to the service is asked for', (socket) => socket.once('data', () => socket.end())],
	['closes it within its answer', (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 Conn'))],
	['says to go on', (socket) => socket.once('data', () => socket.write('HTTP/1.1 100 Continue\r\n\r\n'))],
	[
		'changes to another protocol',
		(socket) =>
			socket.once('data', () =>
				socket.write('HTTP/1.1 101 Switching\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n'),
			),
	],
])('a proxy that %s is asked as often as a call is tried, and named', async (_what, treat) => {
	const proxy = await proxyThat(treat);
	try {
		process.env.HTTPS_PROXY = `http://user:geheim@${proxy.host}`;
		const client = openClient(apiAccount('https://service.invalid'), {
			...{ logger, clock: steppedClock(), timeoutMs: 2_000 },
		});
		const error = await errorOf(client.customers());
		expect(error).toMatchObject({
			code: 'network',
			message: `The proxy ${proxy.host}, which n8n goes through, cannot be reached.`,
		});
		expect(proxy.connections()).toBe(4);
	} finally {
		proxy.close();
	}
});
