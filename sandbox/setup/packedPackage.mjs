import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { npm } from './npm.mjs';
import { PROJECT } from './projectPackages.mjs';
import { SetupProblem } from './steps.mjs';
import { inTurn } from './turn.mjs';

/** The package as `npm publish` would send it. */
export const PACKED_PACKAGE = join(PROJECT, '.sandbox', 'package.tgz');

/** Builds the package and packs it into {@link PACKED_PACKAGE}; of several commands at once, one after the other. */
export async function packPackage(progress = () => {}) {
	progress('waiting for another command that builds it');
	await inTurn(PACKED_PACKAGE, () => buildAndPack(progress));
}

async function buildAndPack(progress) {
	progress('building');
	await npm(['run', 'build'], { cwd: PROJECT });
	progress('packing');
	// A command that was killed may have left it.
	const folder = join(PROJECT, '.sandbox', 'packing');
	await rm(folder, { recursive: true, force: true });
	await mkdir(folder, { recursive: true });
	try {
		await npm(['pack', '--pack-destination', folder], { cwd: PROJECT });
		const [tarball] = await readdir(folder);
		if (tarball === undefined || !existsSync(join(PROJECT, 'dist'))) {
			throw new SetupProblem('The build made nothing to pack: run "npm run build" and see what it says.');
		}
		await rename(join(folder, tarball), PACKED_PACKAGE);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
