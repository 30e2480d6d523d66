import { execFile } from 'node:child_process';
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT } from '../sandbox/setup/projectPackages.mjs';

/** Copies the files that git knows in this checkout, as they are now, into a new folder. */
export async function copyOfSource(folder) {
	const { stdout } = await promisify(execFile)('git', ['ls-files', '-z'], {
		...{ cwd: PROJECT, maxBuffer: 64 * 1024 * 1024 },
	});
	for (const file of stdout.split('\0').filter(Boolean)) {
		await mkdir(dirname(join(folder, file)), { recursive: true });
		await copyFile(join(PROJECT, file), join(folder, file));
	}
}
