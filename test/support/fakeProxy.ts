import { createServer, request as httpRequest } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

export interface FakeProxy {
	url: string;
	/** The requests that came through, by method and target. */
	seen: string[];
	/** What came in the header Proxy-Authorization, decoded. */
	logins: string[];
	/** Connections made so far. */
	connections(): number;
	close(): Promise<void>;
}

interface FakeProxyOptions {
	/** The status with which it refuses to go to a host and port; undefined where it goes. */
	refusal?: (target: string) => number | undefined;
	/** Takes a CONNECT and never answers it. */
	silent?: boolean;
}

/** A proxy as companies run them: CONNECT for TLS only, plain http as whole requests. */
export async function startFakeProxy({
	refusal = () => undefined,
	silent = false,
}: FakeProxyOptions = {}): Promise<FakeProxy> {
	const seen: string[] = [];
	const logins: string[] = [];
	const sockets = new Set<Socket>();
	const note = (method: string, target: string, authorization?: string) => {
		seen.push(`${method} ${target}`);
		if (authorization)
			logins.push(Buffer.from(authorization.replace('Basic ', ''), 'base64').toString('utf8'));
	};
	const server = createServer((incoming, outgoing) => {
		const { method = '', url = '', headers } = incoming;
		note(method, url, headers['proxy-authorization']);
		const refused = refusal(new URL(url).host);
		if (refused !== undefined) {
			outgoing.writeHead(refused).end();
			return;
		}
		const onward = httpRequest(url, { method, headers }, (answer) => {
			outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
			answer.pipe(outgoing);
		});
		onward.on('error', () => outgoing.destroy());
		incoming.pipe(onward);
	});
	server.on('connect', (incoming, socket: Socket) => {
		const target = incoming.url ?? '';
		note('CONNECT', target, incoming.headers['proxy-authorization']);
		if (silent) return;
		const refused = refusal(target);
		if (refused !== undefined) {
			socket.end(`HTTP/1.1 ${refused} Refused\r\ncontent-length: 0\r\n\r\n`);
			return;
		}
		const [host, port] = target.split(':');
		const onward = connect(Number(port), host, () => {
			socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
			onward.pipe(socket).pipe(onward);
		});
		onward.on('error', () => socket.destroy());
		socket.on('error', () => onward.destroy());
	});
	let connections = 0;
	server.on('connection', (socket) => {
		connections++;
		sockets.add(socket);
		socket.once('close', () => sockets.delete(socket));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		seen,
		logins,
		connections: () => connections,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				for (const socket of sockets) socket.destroy();
			}),
	};
}
