import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Pool } from 'undici';

/**
 * The limit that downloads are held against: nothing but undici, sha256 and a file. Runs under n8n's own Node.js, stays
 * for all rounds (so it is as warm as n8n), and ends with the process that started it.
 */
const pools = new Map();

/**
 * Objects beside the work, in the number given as the argument: the garbage collector goes through them again and again
 * while buffers come and go, as it goes through those of n8n.
 */
export const heap = Array.from({ length: Number(process.argv[2] ?? 0) }, (_, index) => ({
	...{ index, name: `object ${index}`, list: [index, index + 1], inner: { index } },
}));

function poolOf({ baseUrl, connections, ca }) {
	const key = `${baseUrl} ${connections}`;
	if (!pools.has(key))
		pools.set(key, new Pool(baseUrl, { connections, connect: { ca }, keepAliveTimeout: 30_000 }));
	return pools.get(key);
}

async function download({ token, documents, connections, folder, remove, ...more }) {
	const pool = poolOf({ connections, ...more });
	await mkdir(folder, { recursive: true });
	const started = performance.now();
	const rest = documents.values();
	let bytes = 0;
	const worker = async () => {
		for (const { setId, documentId } of rest) {
			const path = `/v3/common/sets/${setId}/get-single-pdf/${documentId}`;
			const { statusCode, body } = await pool.request({
				method: 'GET',
				path,
				headers: { authorization: `Bearer ${token}` },
			});
			if (statusCode !== 200) throw new Error(`The stand-in answered ${statusCode}`);
			const hash = createHash('sha256');
			const counted = async function* (pieces) {
				for await (const piece of pieces) {
					hash.update(piece);
					bytes += piece.length;
					yield piece;
				}
			};
			await pipeline(body, counted, createWriteStream(join(folder, documentId)));
			hash.digest('hex');
		}
	};
	await Promise.all(Array.from({ length: connections }, worker));
	const ms = performance.now() - started;
	if (remove) await rm(folder, { recursive: true });
	return { ms, bytes };
}

process.once('disconnect', () => process.exit());
process.on('message', ({ id, work }) => {
	download(work).then(
		(value) => process.send({ id, value }),
		(error) => process.send({ id, error: String(error) }),
	);
});
