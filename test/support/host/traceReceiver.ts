import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Receives traces as OpenTelemetry sends them: OTLP over HTTP, in protobuf. */
export interface TraceReceiver {
	readonly url: string;
	/** All that has come. */
	received(): Buffer;
	/** Attributes whose value is a text, of all spans; the last one of each name. */
	attributes(): Map<string, string>;
	close(): Promise<void>;
}

export async function startTraceReceiver(): Promise<TraceReceiver> {
	const bodies: Buffer[] = [];
	const server = createServer((request, response) => {
		void buffer(request).then((body) => {
			bodies.push(body);
			response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const received = () => Buffer.concat(bodies);
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		received,
		attributes: () => textAttributes(received()),
		close: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

const NAME = /n8n\.[a-z._]+/g;

/** KeyValue is `key = 1`, `value = 2`; AnyValue has its text as 1. All are shorter than 128 bytes: one byte tells a length. */
function textAttributes(bytes: Buffer): Map<string, string> {
	const found = new Map<string, string>();
	const text = bytes.toString('latin1');
	for (const { 0: match, index } of text.matchAll(NAME)) {
		const length = bytes[index - 1] ?? 0;
		const key = match.slice(0, length);
		const value = index + length;
		const isText = bytes[value] === 0x12 && bytes[value + 2] === 0x0a;
		const size = bytes[value + 3] ?? 0;
		if (isText && key.length === length) {
			found.set(key, bytes.toString('utf8', value + 4, value + 4 + size));
		}
	}
	return found;
}
