import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cachesFolder, needCachesFolder } from './caches.mjs';
import { npm } from './npm.mjs';
import { step } from './steps.mjs';

const PLATFORM = `node-${process.platform}-${process.arch}`;

/** The program of that very Node.js, from the cache folder or installed into it (100 MB). */
export async function needNode(version) {
	const folder = join(cachesFolder(), `node-${version}`);
	if (!existsSync(folder)) await step(`Node.js ${version} (once)`, () => install(version, folder));
	return join(folder, 'node_modules', PLATFORM, 'bin', 'node');
}

/** Into a folder of its own, renamed when all is there: an interrupted install is never taken for a whole one. */
async function install(version, folder) {
	await needCachesFolder();
	const unfinished = `${folder}.unfinished-${process.pid}-0`;
	await rm(unfinished, { recursive: true, force: true });
	await mkdir(unfinished, { recursive: true });
	try {
		await writeFile(
			join(unfinished, 'package.json'),
			JSON.stringify({ dependencies: { [PLATFORM]: version } }),
		);
		await npm(['install', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: unfinished });
		await rename(unfinished, folder);
	} catch (error) {
		await rm(unfinished, { recursive: true, force: true });
		if (!['ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error;
	}
}
