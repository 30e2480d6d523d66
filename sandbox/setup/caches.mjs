import { mkdir, mkdtemp } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where this person's programs keep what they can make again. */
export const cachesFolder = () =>
	join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-parcel-document-exchange');

/**
 * A new folder for npm to work in. Not below the system's temporary one, where any user may put a node_modules or an
 * .npmrc: npm runs the programs, Node.js loads the optional packages, and npm obeys the settings of each that lies above.
 */
export async function newFolder(prefix) {
	const parent = cachesFolder();
	await mkdir(parent, { recursive: true });
	return mkdtemp(join(parent, prefix));
}
