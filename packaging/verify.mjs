#!/usr/bin/env node
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createGunzip } from 'node:zlib';
import { runCommand } from '../sandbox/setup/command.mjs';
import { npm } from '../sandbox/setup/npm.mjs';
import { PROJECT } from '../sandbox/setup/projectPackages.mjs';
import { describe, SetupProblem, step } from '../sandbox/setup/steps.mjs';
import { copyOfSource } from './source.mjs';

const HELP = `npm run verify -- FILE.tgz                        says whether a packed package is what this source builds
npm run verify -- FILE.tgz --against OTHER.tgz    compares it with one that was built already

Builds the commit that is checked out, in a folder of its own, with the packages of the lock file: about a minute.
"npm pack n8n-nodes-parcel-document-exchange@VERSION" fetches what was published; check out the tag vVERSION for it.
`;

const hash = async (file, algorithm, encoding) => {
	const sum = createHash(algorithm);
	await pipeline(createReadStream(file), sum);
	return sum.digest(encoding);
};

/** Runs a program. @throws SetupProblem with what it says */
async function run(program, args, cwd = PROJECT) {
	const { code, output } = await runCommand(program, args, { cwd });
	if (code !== 0) throw new SetupProblem(`"${program} ${args.join(' ')}" failed:\n${output}`);
	return output;
}

async function builtTarball(folder) {
	if (await run('git', ['status', '--porcelain'])) {
		throw new SetupProblem('There are changes that are not committed: only a commit can be verified.');
	}
	const source = join(folder, 'source');
	await step('The source of this commit', () => copyOfSource(source));
	await step('Its packages, by the lock file', () => npm(['ci', '--no-audit', '--no-fund'], { cwd: source }));
	await step('The package, built and packed', async () => {
		await npm(['run', 'build'], { cwd: source });
		await npm(['pack', '--pack-destination', folder], { cwd: source });
	});
	const [packed] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
	return join(folder, packed);
}

/** Many times what a package of this source unpacks to: a file made to fill a disk does not. */
const MOST_BYTES = 100 * 1024 * 1024;

/** Unpacks the outer layer, as far as it may go. */
async function unzipped(tarball, file) {
	let bytes = 0;
	const bounded = async function* (chunks) {
		for await (const chunk of chunks) {
			bytes += chunk.length;
			if (bytes > MOST_BYTES) {
				throw new SetupProblem(`${tarball} unpacks to more than 100 MB: no package of this source does.`);
			}
			yield chunk;
		}
	};
	const outer = createGunzip();
	try {
		await pipeline(createReadStream(tarball), outer, bounded, createWriteStream(file));
	} catch (error) {
		if (error instanceof SetupProblem) throw error;
		throw new SetupProblem(`${tarball} cannot be unpacked (${error.message}).`);
	}
	// Node.js stops where zeros follow, and says nothing of them.
	if (outer.bytesWritten !== (await stat(tarball)).size) {
		throw new SetupProblem(`${tarball} holds more behind its end: npm packs nothing there.`);
	}
}

/** Path and content of everything in an archive; links and other things that are no files are named as such. */
async function contentsOf(archive, folder) {
	await mkdir(folder);
	await run('tar', ['-xf', archive, '-C', folder, '--no-same-owner', '--no-same-permissions']);
	const entries = await readdir(folder, { recursive: true, withFileTypes: true });
	const files = entries
		.filter((entry) => !entry.isDirectory())
		.map(async (entry) => {
			const path = join(entry.parentPath, entry.name);
			const content = entry.isFile() ? await hash(path, 'sha256', 'hex') : 'no file';
			return [relative(folder, path), content];
		});
	return new Map(await Promise.all(files));
}

/** One line for each file that is not the same in both. */
function differences(theirs, ours) {
	const paths = [...new Set([...theirs.keys(), ...ours.keys()])].sort();
	return paths.flatMap((path) => {
		const [given, built] = [theirs.get(path), ours.get(path)];
		if (given === built) return [];
		if (built === undefined) return [`  only in the file: ${path}`];
		return [given === undefined ? `  missing in the file: ${path}` : `  not the same: ${path}`];
	});
}

async function versionIn(folder) {
	const text = await readFile(join(folder, 'package', 'package.json'), 'utf8').catch(() => '{}');
	try {
		return JSON.parse(text).version;
	} catch {
		return undefined;
	}
}

/** @returns the exit status: 0 when the files are the same, 1 when they are not */
async function verify(file, against) {
	const folder = await mkdtemp(join(tmpdir(), 'verify-'));
	const say = (text) => process.stdout.write(`${text}\n`);
	try {
		const [given, built] = [join(folder, 'given.tar'), join(folder, 'built.tar')];
		await unzipped(file, given);
		const theirs = await contentsOf(given, join(folder, 'given'));
		const packed = against ?? (await builtTarball(folder));
		await unzipped(packed, built);
		const ours = await contentsOf(built, join(folder, 'built'));
		say(`\n${file}\n  integrity: sha512-${await hash(file, 'sha512', 'base64')}`);
		const different = differences(theirs, ours);
		if (different.length > 0) {
			const [version, here] = await Promise.all(
				['given', 'built'].map((name) => versionIn(join(folder, name))),
			);
			const hint =
				version === here ? '' : ` It is version ${version}, this source is ${here}: check out v${version}.`;
			say(`It is not what this source builds.${hint}\n${different.join('\n')}`);
			return 1;
		}
		const areSame = async (one, other) =>
			(await hash(one, 'sha256', 'hex')) === (await hash(other, 'sha256', 'hex'));
		if (!(await areSame(given, built))) {
			say(
				'It is not what this source builds: its files are the same, and the archive is not. Their rights or their order are others, one stands in it twice, or something stands between them.',
			);
			return 1;
		}
		const how = (await areSame(file, packed))
			? 'byte for byte'
			: 'in every byte of its archive; it was compressed in another way';
		say(`It is what this source builds, ${how}.`);
		return 0;
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}

async function main() {
	const { values, positionals } = parseArgs({
		options: { against: { type: 'string' }, help: { type: 'boolean' } },
		allowPositionals: true,
	});
	const [file] = positionals;
	if (values.help || file === undefined) {
		process.stdout.write(HELP);
		return values.help ? 0 : 2;
	}
	return verify(resolve(file), values.against === undefined ? undefined : resolve(values.against));
}

main().then(
	(status) => (process.exitCode = status),
	(error) => {
		process.stderr.write(`\n${describe(error)}\n`);
		process.exitCode = 2;
	},
);
