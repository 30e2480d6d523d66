import type { IncomingMessage } from 'node:http';
import { Refusal } from './refusal';

const mostBytes = 1024 * 1024;

/** The request's JSON body, at most 1 MB. Throws a Refusal: 400, 413 or 415. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
	if (!/^application\/json\b/i.test(request.headers['content-type'] ?? '')) {
		throw new Refusal(415, 'The Content-Type of the request must be application/json');
	}
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of request as AsyncIterable<Buffer>) {
		bytes += chunk.length;
		if (bytes > mostBytes)
			throw new Refusal(413, 'The request body is larger than 1 MB', { connection: 'close' });
		chunks.push(chunk);
	}
	try {
		return JSON.parse(Buffer.concat(chunks).toString('utf8'));
	} catch {
		throw new Refusal(400, 'The request body is not JSON');
	}
}
