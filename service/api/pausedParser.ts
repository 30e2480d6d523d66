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
 * undici 7 ends the process with an assertion that nobody can catch when a connection ends while its parser is paused:
 * the end of an answer without keep-alive, read slowly. Mended in undici 8 (nodejs/undici#5360, #5474), which needs
 * Node 22; n8n 1 runs under Node 20. So the same is done here: a parser that is paused at the end goes on with what has
 * come, which only fills the buffer of the body, and then ends.
 *
 * @param client one of undici's, connected
 */
export function mendPausedParser(client: object): void {
	const parser = inside(inside(client, 'socket'), 'parser') as Parser | undefined;
	const prototype = parser && (Object.getPrototypeOf(parser) as Parser);
	if (!prototype || mended.has(prototype)) return;
	mended.add(prototype);
	const finish = prototype.finish;
	prototype.finish = function (this: Parser) {
		for (let more = true; this.paused && more;) {
			goOn(this);
			const data = this.socket.read();
			more = data !== null;
			this.execute(data ?? Buffer.alloc(0));
		}
		// A body without a length stays paused: its end is the end of the connection.
		if (this.paused) goOn(this);
		return finish.call(this);
	};
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
