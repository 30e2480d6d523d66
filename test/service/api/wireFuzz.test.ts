import fc from 'fast-check';
import { gzipSync } from 'node:zlib';
import { ServiceError } from '../../../service/errors';
import { DOCUMENT, SET, pdfBytes, readAll, startBench } from '../../support/apiAccount';
import type { Answer } from '../../support/fakeService';
import { cases } from '../../support/fuzz';

/** An answer put together at random, and sent as it is. */
interface Wire {
	size: number;
	packed: boolean;
	saysPacked: 'gzip' | 'identity' | 'GZIP ' | 'br' | undefined;
	/** `chunked`, or what stands in content-length against the truth; undefined for none. */
	length: 'chunked' | number | 'much' | '' | undefined;
	interim: string;
	status: string;
	contentType: string | undefined;
	/** How much of all of it is sent, in thousandths. */
	sent: number;
	/** Sent behind it. */
	behind: Uint8Array;
	reset: boolean;
}

const wire = fc.record<Wire>({
	size: fc.constantFrom(30, 2_000, 70_000, 600_000),
	packed: fc.boolean(),
	saysPacked: fc.constantFrom('gzip', 'identity', 'GZIP ', 'br', undefined),
	length: fc.constantFrom<Wire['length']>('chunked', 0, 0, -1, 1, -9, -500, 500, 'much', undefined),
	interim: fc.constantFrom('', '', 'HTTP/1.1 103 Early Hints\r\n\r\n', 'HTTP/1.1 100 Continue\r\n\r\n'),
	status: fc.constantFrom('200 OK', '200 OK', '206 Partial Content', '200', '500 No', '204 None', 'OK'),
	contentType: fc.constantFrom('application/pdf', 'text/html', 'x\u00ff', undefined),
	sent: fc.oneof(fc.constant(1_000), fc.constant(1_000), fc.nat(1_000)),
	behind: fc.oneof(fc.constant(new Uint8Array()), fc.uint8Array({ maxLength: 50 })),
	reset: fc.boolean(),
});

const PLAIN: Wire = {
	...{ size: 2_000, packed: false, saysPacked: undefined, length: 0, interim: '', status: '200 OK' },
	...{ contentType: 'application/pdf', sent: 1_000, behind: new Uint8Array(), reset: false },
};

/** A file as it should be; one whose end is missing where nothing tells how long it is; one that is cut short of its length. */
const ONE_OF_EACH: Wire[] = [PLAIN, { ...PLAIN, length: undefined, sent: 500 }, { ...PLAIN, sent: 500 }];

function bytesOf(how: Wire, file: Buffer): Buffer {
	const body = how.packed ? gzipSync(file) : file;
	const chunked = how.length === 'chunked';
	const length = typeof how.length === 'number' ? String(Math.max(0, body.length + how.length)) : how.length;
	const head = [
		`HTTP/1.1 ${how.status}`,
		...(how.contentType === undefined ? [] : [`content-type: ${how.contentType}`]),
		...(how.saysPacked === undefined ? [] : [`content-encoding: ${how.saysPacked}`]),
		...(chunked ? ['transfer-encoding: chunked'] : []),
		...(chunked || length === undefined ? [] : [`content-length: ${length}`]),
		'\r\n',
	].join('\r\n');
	const half = body.length >> 1;
	const chunk = (piece: Buffer) => [`${piece.length.toString(16)}\r\n`, piece, '\r\n'];
	const framed = chunked
		? [...chunk(body.subarray(0, half)), ...chunk(body.subarray(half)), '0\r\n\r\n']
		: [body];
	const whole = Buffer.concat([how.interim, head, ...framed, how.behind].map((part) => Buffer.from(part)));
	return whole.subarray(0, Math.ceil((whole.length * how.sent) / 1_000));
}

it('of any answer on the wire comes the very file, or one that is said to be incomplete, or an error, and soon', async () => {
	const outcomes = { whole: 0, incomplete: 0, error: 0 };
	let next: Answer = 'missing';
	const { client } = await startBench({ calls: () => next }, { timeoutMs: 1_000, tries: 2 });
	const one = async (how: Wire) => {
		const file = pdfBytes(how.size, how.size);
		const bytes = bytesOf(how, file);
		next = ({ socket }) =>
			how.reset ? socket.write(bytes, () => socket.resetAndDestroy()) : socket.end(bytes);
		const began = Date.now();
		try {
			const { stored, complete } = await client.pdf(SET, DOCUMENT, readAll);
			if (!complete) outcomes.incomplete++;
			else {
				// The line break behind the end-of-file mark is the one byte that a service can cut off unseen.
				const needed = file.length - 1;
				expect(stored.subarray(0, needed).equals(file.subarray(0, needed))).toBe(true);
				// What comes behind the file within the answer cannot be told from it.
				if (how.behind.length === 0) expect(stored.length).toBeLessThanOrEqual(file.length);
				outcomes.whole++;
			}
		} catch (error) {
			expect(error).toBeInstanceOf(ServiceError);
			outcomes.error++;
		}
		expect(Date.now() - began).toBeLessThan(20_000);
	};
	await fc.assert(fc.asyncProperty(wire, one), {
		numRuns: cases(150),
		examples: ONE_OF_EACH.map((how) => [how]),
	});
	// Not all of one kind: that would prove little.
	expect(Math.min(...Object.values(outcomes))).toBeGreaterThan(0);
});
