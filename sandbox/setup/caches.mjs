import { constants } from 'node:fs';
import { access, mkdir, mkdtemp } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { SetupProblem } from './steps.mjs';

/** Where this person's programs keep what they can make again. */
export const cachesFolder = () =>
	resolve(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'n8n-nodes-parcel-document-exchange');

/**
 * Makes it where it is missing.
 * @throws SetupProblem where nothing can be written there
 */
export async function needCachesFolder() {
	const folder = cachesFolder();
	try {
		await mkdir(folder, { recursive: true });
		await access(folder, constants.W_OK);
	} catch ({ code }) {
		throw new SetupProblem(
			`Nothing can be written into ${folder} (${code}): give it to this user, ` +
				'or choose another place with XDG_CACHE_HOME=/a/folder, and run the command again.',
		);
	}
	return folder;
}

/**
 * A new folder for npm or n8n to work in. Not below the system's temporary one, where any user may put a node_modules or an
 * .npmrc: npm runs the programs, Node.js loads the optional packages, and npm obeys the settings of each that lies above.
 */
export async function newFolder(prefix) {
	return mkdtemp(join(await needCachesFolder(), prefix));
}
