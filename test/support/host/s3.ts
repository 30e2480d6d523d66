import { readdir, readFile, rm, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';

/** An S3 of our own, which refuses a request whose signature is wrong. */
export interface Storage {
	bucket: string;
	/** For n8n's credential of type `s3`. */
	account: Record<string, unknown>;
	/** Everything stored, by key. */
	objects(): Promise<Map<string, Buffer>>;
	close(): Promise<void>;
}

const OBJECT = '._S3rver_object';
/** The only account it knows. */
const KEY = 'S3RVER';

export async function startS3(): Promise<Storage> {
	const [directory, bucket] = [await mkdtemp(join(tmpdir(), 'parcel-s3-')), 'documents'];
	const settings = { address: '127.0.0.1', port: 0, silent: true, directory };
	const server = new S3rver({ ...settings, configureBuckets: [{ name: bucket }] });
	const { port } = await server.run();
	const account = { accessKeyId: KEY, secretAccessKey: KEY, region: 'us-east-1', forcePathStyle: true };
	return {
		bucket,
		account: { endpoint: `http://127.0.0.1:${port}`, ...account },
		objects: async () => {
			const folder = join(directory, bucket);
			const files = await readdir(folder, { recursive: true });
			const keys = files.filter((file) => file.endsWith(OBJECT));
			const read = async (key: string) =>
				[key.slice(0, -OBJECT.length), await readFile(join(folder, key))] as const;
			return new Map(await Promise.all(keys.map(read)));
		},
		close: async () => {
			await server.close();
			await rm(directory, { recursive: true, force: true });
		},
	};
}
