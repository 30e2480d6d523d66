import { randomBytes } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startPostgres, type Postgres } from './postgres';
import { startRedis, type Redis } from './redis';

/** What n8n's processes share in queue mode. */
export interface QueueMode {
	readonly postgres: Postgres;
	readonly redis: Redis;
	/** The variables that make an n8n, main or worker, one of those that share them. */
	readonly env: Record<string, string>;
	close(): Promise<void>;
}

/**
 * Starts a database and a Redis: nobody else's, and nothing of the machine's own. They are kept apart from n8n, in the system's
 * temporary folder: the server may run as another user, who does not get into a home folder.
 */
export async function startQueueMode(): Promise<QueueMode> {
	const folder = await mkdtemp(join(tmpdir(), 'parcel-queue-mode-'));
	const folderOfPostgres = join(folder, 'postgres');
	await mkdir(folderOfPostgres, { recursive: true });
	// Through to its data.
	for (const path of [folder, folderOfPostgres]) await chmod(path, 0o711);
	const [postgres, redis] = await Promise.all([
		startPostgres(folderOfPostgres),
		startRedis(join(folder, 'redis')),
	]);
	return {
		postgres,
		redis,
		env: {
			EXECUTIONS_MODE: 'queue',
			N8N_ENCRYPTION_KEY: randomBytes(24).toString('hex'),
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: '127.0.0.1',
			DB_POSTGRESDB_PORT: String(postgres.port),
			DB_POSTGRESDB_USER: postgres.user,
			DB_POSTGRESDB_PASSWORD: postgres.password,
			DB_POSTGRESDB_DATABASE: postgres.database,
			QUEUE_BULL_REDIS_HOST: '127.0.0.1',
			QUEUE_BULL_REDIS_PORT: String(redis.port),
			QUEUE_BULL_REDIS_PASSWORD: redis.password,
		},
		close: async () => {
			await Promise.all([postgres.close(), redis.kill()]);
			await rm(folder, { recursive: true, force: true, maxRetries: 5 });
		},
	};
}
