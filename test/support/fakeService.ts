import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

/** A request as it came in. */
export interface SeenRequest {
	method: string;
	/** With its query. */
	path: string;
	headers: IncomingMessage['headers'];
	/** Names and values in turn, as they came over the wire, one character per byte. */
	rawHeaders: string[];
	body: string;
}

interface Exchange {
	seen: SeenRequest;
	response: ServerResponse;
	/** For what no HTTP server would do. */
	socket: Socket;
}

/** How the service behaves towards one request. */
export type Reaction = (exchange: Exchange) => void;

/** Reactions for which a test needs no more than their name. */
export type Answer = keyof typeof named | Reaction;

export interface FakeServiceOptions {
	/** PEM texts; the service then speaks HTTPS. */
	tls?: { key: string; cert: string };
	/** 127.0.0.1 unless told. */
	host?: string;
	/** What calls are answered with, in turn; then `ok`. Or a function of the request. */
	calls?: Answer[] | ((seen: SeenRequest) => Answer);
	/** What logins are answered with, in turn; then a token. */
	logins?: Answer[] | ((seen: SeenRequest) => Answer);
	/** What `ok` sends: JSON, or bytes as they are. */
	ok?: unknown;
}

export interface FakeService {
	baseUrl: string;
	/** Every request but the logins, in order. */
	calls: SeenRequest[];
	logins: SeenRequest[];
	/** Connections made so far. */
	connections(): number;
	/** Connections that are open. */
	open(): number;
	/** Requests whose connection is open and that were not answered to the end. */
	unanswered(): number;
	close(): Promise<void>;
}

/** Headers of an answer; of a list, each in a line of its own. */
export type Headers = Record<string, string | string[]>;

/** Sends a status with a body: bytes and text as they are, anything else as JSON. */
export function reply(status: number, body: unknown = '', headers: Headers = {}): Reaction {
	const raw = typeof body === 'string' || Buffer.isBuffer(body);
	const bytes = raw ? body : JSON.stringify(body);
	const type: Headers = raw ? {} : { 'content-type': 'application/json' };
	return ({ response }) => response.writeHead(status, { ...type, ...headers }).end(bytes);
}

/** Writes to the socket as it is and keeps it open. */
export function raw(...pieces: (string | Buffer)[]): Reaction {
	return ({ socket }) => pieces.forEach((piece) => socket.write(piece));
}

/** Writes to the socket as it is and resets the connection as soon as that has left. */
export function rawThenReset(...pieces: (string | Buffer)[]): Reaction {
	return ({ socket }) =>
		socket.write(Buffer.concat(pieces.map((piece) => Buffer.from(piece))), () => reset(socket));
}

/** A body announced with its full length and cut after so many bytes. */
export function cutAfter(bytes: number, body: Buffer): Reaction {
	const head = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`;
	return rawThenReset(head, body.subarray(0, bytes));
}

/** A body in pieces, one at a time. */
export function pieces(...parts: Buffer[]): Reaction {
	return ({ response }) => {
		const next = (index: number) => {
			const part = parts[index];
			if (part === undefined) response.end();
			else response.write(part, () => setImmediate(next, index + 1));
		};
		next(0);
	};
}

/** A login that gives this token. */
export function tokenReply(token: string): Reaction {
	return reply(200, { token });
}

/** Half a second at a time is too long for a test: linger waits until both sides have let go. */
function reset(socket: Socket): void {
	socket.resetAndDestroy();
}

const named = {
	ok: reply(200),
	unauthorized: reply(401, { errorMessage: 'The token is not valid' }),
	forbidden: reply(403, { message: 'Not for this account' }),
	missing: reply(404, { errorMessage: 'No such document' }),
	rateLimited: reply(429, { message: 'Slow down' }),
	failed: reply(500, { errorMessage: 'Out of order' }),
	badGateway: reply(502, '<html><head><title>502 Bad Gateway</title></head></html>'),
	unavailable: reply(503, 'Back in a minute'),
	gatewayTimeout: reply(504, ''),
	resetBeforeHeaders: ({ socket }: Exchange) => reset(socket),
	resetDuringHeaders: rawThenReset('HTTP/1.1 200 OK\r\ncontent-ty'),
	resetAfterHeaders: rawThenReset('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n'),
	closedBeforeHeaders: ({ socket }: Exchange) => socket.end(),
	silence: () => undefined,
	stalledBody: raw('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n%PDF-1.7\n'),
	noHttp: ({ socket }: Exchange) => socket.end('220 mail.example.com ready\r\n'),
} satisfies Record<string, Reaction>;

const LOGIN = '/v3/common/oauth2/token';

/** A real HTTP(S) server on a free port that does as it is told, request by request. */
export async function startFakeService(options: FakeServiceOptions = {}): Promise<FakeService> {
	const { tls, host = '127.0.0.1', ok = {} } = options;
	const calls: SeenRequest[] = [];
	const logins: SeenRequest[] = [];
	const sockets = new Set<Socket>();
	let connections = 0;
	let unanswered = 0;

	const reactionTo = (seen: SeenRequest): Reaction => {
		const isLogin = seen.path.endsWith(LOGIN);
		const list = isLogin ? logins : calls;
		list.push(seen);
		const script = isLogin ? options.logins : options.calls;
		const answer = typeof script === 'function' ? script(seen) : (script?.[list.length - 1] ?? 'ok');
		if (typeof answer === 'function') return answer;
		if (answer !== 'ok') return named[answer];
		return isLogin ? tokenReply(`token-${logins.length}`) : reply(200, ok);
	};
	const listener = (request: IncomingMessage, response: ServerResponse) => {
		const { method = '', url: path = '', headers, socket } = request;
		const rawHeaders = [...request.rawHeaders];
		const body: Buffer[] = [];
		unanswered++;
		response.once('close', () => unanswered--);
		request.on('data', (piece: Buffer) => body.push(piece));
		request.on('end', () => {
			const seen = { method, path, headers, rawHeaders, body: Buffer.concat(body).toString('utf8') };
			reactionTo(seen)({ seen, response, socket });
		});
	};
	const server = tls ? createTlsServer(tls, listener) : createServer(listener);
	server.on('connection', (socket: Socket) => {
		connections++;
		sockets.add(socket);
		socket.on('error', () => undefined);
		socket.once('close', () => sockets.delete(socket));
	});
	await new Promise<void>((resolve) => server.listen(0, host, resolve));
	const { port } = server.address() as AddressInfo;
	return {
		baseUrl: `${tls ? 'https' : 'http'}://${host}:${port}`,
		calls,
		logins,
		connections: () => connections,
		open: () => sockets.size,
		unanswered: () => unanswered,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				for (const socket of sockets) socket.destroy();
			}),
	};
}
