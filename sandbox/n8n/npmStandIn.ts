import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';

/** A packed package (`npm pack`) that n8n shall install. */
interface PackedPackage {
	name: string;
	version: string;
	tarball: string;
}

/** Reads what a tarball made by `npm pack` holds. */
export async function readPackage(tarball: string): Promise<PackedPackage> {
	const { stdout } = await promisify(execFile)('tar', ['-xzOf', tarball, 'package/package.json'], {
		timeout: 20_000,
	});
	const { name, version } = JSON.parse(stdout) as { name: string; version: string };
	return { name, version, tarball };
}

/**
 * Writes a program `npm` into `folder` that knows one package which is on no registry, and hands everything else to the real
 * npm. n8n installs community packages by calling `npm` (and takes another registry only with a licence), so with this
 * folder first in its PATH it installs ours by its very own steps.
 */
export async function writeNpmStandIn(
	folder: string,
	{ name, version, tarball }: PackedPackage,
): Promise<void> {
	await mkdir(folder, { recursive: true });
	const copy = join(folder, basename(tarball));
	await copyFile(tarball, copy);
	const program = join(folder, 'npm');
	await writeFile(
		program,
		`#!/bin/sh
# Stands before npm for the one package that is on no registry. n8n calls: npm view, npm pack, npm install, npm outdated.
real() {
	PATH="\${PATH#*:}" exec npm "$@"
}
case "$1 $2" in
"view ${name}@"*) echo '"${version}"' ;;
"pack ${name}@"*) real pack '${copy}' --quiet ;;
"outdated "*) echo '{}' ;;
*) real "$@" ;;
esac
`,
	);
	await chmod(program, 0o755);
}
