import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { makeCertificates } from '../../../sandbox/tls/certificates';
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

const cannotBeReached = (host: string) => ({
	code: 'network',
	message: `The proxy ${host}, which n8n goes through, cannot be reached.`,
});

async function errorThrough(proxy: string) {
	process.env.HTTPS_PROXY = proxy;
	const client = openClient(apiAccount('https://service.invalid'), {
		...{ logger, clock: steppedClock(), timeoutMs: 2_000 },
	});
	return await errorOf(client.customers());
}

it.each<[string, (socket: Socket) => void]>([
	['closes each connection', (socket) => socket.end()],
	['closes it where TLS to the service is asked for', (socket) => socket.once('data', () => socket.end())],
	['closes it within its answer', (socket) => socket.once('data', () => socket.end('HTTP/1.1 200 Conn'))],
	['says to go on', (socket) => socket.once('data', () => socket.write('HTTP/1.1 100 Continue\r\n\r\n'))],
	['resets it', (socket) => socket.once('data', () => socket.resetAndDestroy())],
	['does not speak HTTP', (socket) => socket.once('data', () => socket.write('SSH-2.0-OpenSSH_9.2\r\n'))],
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
		expect(await errorThrough(`http://user:geheim@${proxy.host}`)).toMatchObject(cannotBeReached(proxy.host));
		expect(proxy.connections()).toBe(4);
	} finally {
		proxy.close();
	}
});

it('a certificate of the proxy, or its want of TLS, is none of the service', async () => {
	const folder = await mkdtemp(join(tmpdir(), 'proxy-'));
	const { key, certificate } = (await makeCertificates(folder)).server;
	const server = createTlsServer({ key, cert: certificate }, (socket) => socket.on('error', () => undefined));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const plain = await proxyThat((socket) =>
		socket.once('data', () => socket.write('HTTP/1.1 400 Bad\r\n\r\n')),
	);
	try {
		const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
		expect(await errorThrough(`https://${host}`)).toMatchObject(cannotBeReached(host));
		expect(await errorThrough(`https://${plain.host}`)).toMatchObject(cannotBeReached(plain.host));
	} finally {
		server.close();
		plain.close();
		await rm(folder, { recursive: true });
	}
});
