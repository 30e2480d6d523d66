import { mkdir, realpath, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { N8nHost } from './host';

/** Where n8n's own files are, given its N8N_USER_FOLDER. */
export const n8nFolder = (folder: string): string => join(folder, '.n8n');

/** Where n8n's passing files are, given its N8N_USER_FOLDER. */
export const temporaryFolder = (folder: string): string => join(folder, 'temporary');

/** What a package that is installed in n8n takes from n8n. */
const OF_N8N = 'n8n-workflow';

export interface Folders {
	/** Searched for programs before everything else. */
	programs: string;
	/** Where n8n's file nodes may read and write. */
	filesFolder: string;
}

/** Makes all that an n8n needs below its N8N_USER_FOLDER. `filesFolder`: `files` there, unless told. */
export async function makeFolders(
	folder: string,
	host: Pick<N8nHost, 'folder'>,
	filesFolder = join(folder, 'files'),
): Promise<Folders> {
	const programs = join(folder, 'programs');
	const modules = join(folder, 'node_modules');
	for (const path of [n8nFolder(folder), temporaryFolder(folder), filesFolder, programs, modules]) {
		await mkdir(path, { recursive: true });
	}
	// Node.js looks into n8n's own packages last: below a checkout it would come upon those of the checkout, of another version.
	const link = join(modules, OF_N8N);
	await rm(link, { force: true });
	await symlink(join(host.folder, 'node_modules', OF_N8N), link);
	// n8n follows the links in the path of a file, and not those in the path of the folder that it may lie in.
	return { programs, filesFolder: await realpath(filesFolder) };
}
