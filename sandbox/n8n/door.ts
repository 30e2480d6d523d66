import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';

/** What keeps everybody else out of an n8n that has no owner yet: see doorkeeper.js, which it loads. */
export interface Door {
	/** For the Node.js that runs n8n. Not by NODE_OPTIONS, which takes paths apart and is there for whatever n8n starts. */
	args: string[];
	env: NodeJS.ProcessEnv;
	/** The headers that n8n answers to; undefined until n8n has its port. */
	headers(): Promise<Record<string, string> | undefined>;
	/** From now on n8n answers everybody. */
	open(): Promise<void>;
}

const KEY = /^[0-9a-f]{64}$/;

/** A door for an n8n that is started next. `folder` is one that nobody else can look into. */
export async function shutDoor(folder: string): Promise<Door> {
	const keyFile = join(folder, 'door.key');
	const open = () => rm(keyFile, { force: true });
	// That of an n8n that was killed behind it.
	await open();
	return {
		args: ['--require', join(__dirname, 'doorkeeper.js')],
		env: { PARCEL_DOOR_KEY_FILE: keyFile },
		headers: async () => {
			const key = await readFile(keyFile, 'utf8').catch(() => '');
			return KEY.test(key) ? { 'x-door-key': key } : undefined;
		},
		open,
	};
}
