import type { IncomingHttpHeaders } from 'node:http';
import { pipeline, type Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { ServiceError } from '../errors';

/** A body as it was before it was compressed. We ask for none (`accept-encoding: identity`), and some gateways do it all the same. */
export function decoded(body: Readable, headers: IncomingHttpHeaders, what: string): Readable {
	const encoding = String(headers['content-encoding'] ?? '')
		.trim()
		.toLowerCase();
	if (encoding === '' || encoding === 'identity') return body;
	const decoder = decoderOf(encoding);
	if (decoder === undefined) {
		body.destroy();
		throw new ServiceError('unexpectedResponse', `${what}: the answer is packed in a way we cannot read.`, {
			remedy: 'A gateway between n8n and the service may do this. Ask who runs it.',
		});
	}
	// pipeline hands an error of the body on to the decoder, where the reader sees it.
	pipeline(body, decoder, () => undefined);
	return decoder;
}

function decoderOf(encoding: string) {
	if (encoding === 'gzip' || encoding === 'x-gzip') return createGunzip();
	if (encoding === 'deflate') return createInflate();
	if (encoding === 'br') return createBrotliDecompress();
	return undefined;
}

export interface BodyText {
	text: string;
	/** True when there was more than the bound. */
	cut: boolean;
}

/** Reads a body as UTF-8, up to so many bytes; the connection is given up when there is more. */
export async function readText(body: Readable, mostBytes: number): Promise<BodyText> {
	const pieces: Buffer[] = [];
	let bytes = 0;
	for await (const piece of body as AsyncIterable<Buffer>) {
		pieces.push(piece);
		bytes += piece.length;
		// Leaving the loop destroys the body.
		if (bytes > mostBytes) return { text: textOf(pieces).slice(0, mostBytes), cut: true };
	}
	return { text: textOf(pieces), cut: false };
}

function textOf(pieces: Buffer[]): string {
	const text = Buffer.concat(pieces).toString('utf8');
	return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
