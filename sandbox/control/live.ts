import type { ServerResponse } from 'node:http';

const mostClients = 20;
const heartbeatMs = 15_000;

/** A part of the page: a name, and its present content. */
export type Source = [name: string, read: () => unknown];

/**
 * Server-sent events: each open page gets every part once, and again whenever it has changed. The parts are looked
 * at every `everyMs` while a page is open, since files and calls do not announce themselves.
 */
export function createLive(sources: Source[], everyMs: number) {
	const clients = new Map<ServerResponse, Map<string, string>>();
	let timer: NodeJS.Timeout | undefined;
	let looking: Promise<void> | undefined;
	let spokenAt = 0;

	const look = async () => {
		for (const [name, read] of sources) {
			const text = JSON.stringify(await read());
			for (const [client, known] of clients) {
				if (known.get(name) === text) continue;
				known.set(name, text);
				client.write(`event: ${name}\ndata: ${text}\n\n`);
			}
		}
		// A silent connection is dropped by proxies, and a page that is gone would not be noticed.
		if (Date.now() - spokenAt < heartbeatMs) return;
		spokenAt = Date.now();
		for (const client of clients.keys()) client.write(': still here\n\n');
	};
	/** One look at a time; a press of a button does not wait for the clock. */
	const refresh = (): Promise<void> => {
		looking ??= look()
			.catch(() => undefined)
			.finally(() => (looking = undefined));
		return looking;
	};

	return {
		refresh,
		/** Takes over a response. False when there are too many pages open. */
		add(response: ServerResponse): boolean {
			if (clients.size >= mostClients) return false;
			response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
			response.write('retry: 1000\n\n');
			clients.set(response, new Map());
			response.once('close', () => {
				clients.delete(response);
				if (clients.size > 0) return;
				clearInterval(timer);
				timer = undefined;
			});
			timer ??= setInterval(() => void refresh(), everyMs);
			void refresh();
			return true;
		},
		/** Stops looking; the connections end with the server. */
		close() {
			clearInterval(timer);
		},
	};
}

export type Live = ReturnType<typeof createLive>;
