import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { npm } from './npm.mjs';
import { step } from './steps.mjs';
import { inTurn } from './turn.mjs';

export const PROJECT = join(import.meta.dirname, '..', '..');

/** Installs the project's own packages (`npm ci`) unless node_modules already holds what the lock file names. */
export async function needProjectPackages(folder = PROJECT) {
	if (await isInstalled(folder)) return;
	const wanted = Object.keys((await packages(join(folder, 'package-lock.json'))) ?? {}).length;
	await step('Packages of this project', (progress) =>
		inTurn(join(folder, 'node_modules'), async () => {
			// By another command, for whose end we waited.
			if (await isInstalled(folder)) return;
			await npm(['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'], {
				cwd: folder,
				onFetched: (count) => progress(`${count} of about ${wanted}`),
			});
		}),
	);
}

async function isInstalled(folder) {
	const wanted = await packages(join(folder, 'package-lock.json'));
	const present = await packages(join(folder, 'node_modules', '.package-lock.json'));
	if (wanted === undefined || present === undefined) return false;
	// Optional ones are for other systems as well.
	return Object.entries(wanted).every(
		([path, { version, optional }]) => path === '' || optional || present[path]?.version === version,
	);
}

async function packages(lockFile) {
	try {
		return JSON.parse(await readFile(lockFile, 'utf8')).packages;
	} catch {
		return undefined;
	}
}
