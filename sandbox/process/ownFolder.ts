import { chmod, mkdir } from 'node:fs/promises';

/**
 * Makes a folder that no other user of this machine can look into, or shuts the one that is there: what is written inside
 * may be readable to all. Who has the key and the data of an n8n is its owner, and it runs programs for its owner.
 */
export async function makeOwnFolder(folder: string): Promise<void> {
	await mkdir(folder, { recursive: true });
	await chmod(folder, 0o700);
}
