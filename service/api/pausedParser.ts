import type { Duplex } from 'node:stream';

/** What of undici's HTTP/1 parser is used here (undici 7: lib/dispatcher/client-h1.js). */
interface Parser {
	/** The reader of the body is slow: nothing more is parsed until it goes on. */
	paused: boolean;
	ptr: unknown;
	socket: { read(): Buffer | null };
	llhttp: { llhttp_resume(ptr: unknown): void };
	execute(data: Buffer): void;
	/** Called when the connection has ended. */
	finish(): Error | null;
}

const mended = new WeakSet<object>();

/**
 * undici 7 does not see the end of an answer that is read slowly when the connection ends meanwhile, though all of it has
 * come: it ends the process with an assertion that nobody can catch, or, where keep-alive was promised, says that the
 * answer was lost. Mended in undici 8 (nodejs/undici#5360, #5474), which needs Node 22; n8n 1 runs under Node 20. So the
 * same is done here: a parser that is paused at the end goes on with what has come, which only fills the buffer of the
 * body, and then ends.
 *
 * @param client one of undici's, connected
 */
export function mendPausedParser(client: object): void {
	const socket = inside(client, 'socket') as Duplex | undefined;
	const parser = inside(socket, 'parser') as Parser | undefined;
	if (!socket || !parser) return;
	// In front of undici's own listener, which gives up what is not parsed by then.
	socket.prependListener('end', () => toTheEnd(parser));
	const prototype = Object.getPrototypeOf(parser) as Parser;
	if (mended.has(prototype)) return;
	mended.add(prototype);
	const finish = prototype.finish;
	prototype.finish = function (this: Parser) {
		toTheEnd(this);
		return finish.call(this);
	};
}

function toTheEnd(parser: Parser): void {
	for (let more = true; parser.paused && more;) {
		goOn(parser);
		const data = parser.socket.read();
		more = data !== null;
		parser.execute(data ?? Buffer.alloc(0));
	}
	// A body without a length stays paused: its end is the end of the connection.
	if (parser.paused) goOn(parser);
}

function goOn(parser: Parser): void {
	parser.llhttp.llhttp_resume(parser.ptr);
	parser.paused = false;
}

/** The property under a symbol that undici keeps to itself. */
function inside(object: unknown, description: string): unknown {
	if (typeof object !== 'object' || object === null) return undefined;
	const symbol = Object.getOwnPropertySymbols(object).find((one) => one.description === description);
	return symbol && (object as Record<symbol, unknown>)[symbol];
}
