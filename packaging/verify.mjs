#!/usr/bin/env node
import { createHash } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync, inflateRawSync } from 'node:zlib';
import { newFolder } from '../sandbox/setup/caches.mjs';
import { runCommand } from '../sandbox/setup/command.mjs';
import { npm } from '../sandbox/setup/npm.mjs';
import { PROJECT } from '../sandbox/setup/projectPackages.mjs';
import { describe, SetupProblem, step } from '../sandbox/setup/steps.mjs';
import { differences, filesIn } from './archive.mjs';
import { copyOfSource } from './source.mjs';

const HELP = `npm run verify -- FILE.tgz                        says whether a packed package is what this source builds
npm run verify -- FILE.tgz --against OTHER.tgz    compares it with one that was built already

Builds the commit that is checked out, in a folder of its own, with the packages of the lock file: about a minute.
"npm pack n8n-nodes-parcel-document-exchange@VERSION" fetches what was published; check out the tag vVERSION for it.
`;

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
	await step('Its packages, by the lock file', () =>
		npm(['ci', '--include=dev', '--include=optional', '--no-audit', '--no-fund'], { cwd: source }),
	);
	await step('The package, built and packed', async () => {
		await npm(['run', 'build'], { cwd: source });
		await npm(['pack', '--pack-destination', folder], { cwd: source });
	});
	const [packed] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
	return join(folder, packed);
}

/** Many times what a package of this source unpacks to: a file made to fill memory does not. */
const MOST_BYTES = 100 * 1024 * 1024;
/** Of a gzip file that tells nothing but how it is packed, as npm's do: what stands before the packed bytes, and behind. */
const [HEAD, TAIL] = [10, 8];

/** A packed package: `{ packed, archive }`, its bytes and those of the archive inside. */
async function read(tarball) {
	try {
		if ((await stat(tarball)).size > MOST_BYTES) throw Object.assign(new Error(), { code: TOO_LARGE });
		const packed = await readFile(tarball);
		const { buffer, engine } = gunzipSync(packed, { maxOutputLength: MOST_BYTES, info: true });
		if (engine.bytesWritten === packed.length) return { packed, archive: buffer };
	} catch (error) {
		if (error.code !== TOO_LARGE) throw new SetupProblem(`${tarball} cannot be unpacked (${error.message}).`);
		throw new SetupProblem(`${tarball} unpacks to more than 100 MB: no package of this source does.`);
	}
	// Node.js stops where zeros follow, and says nothing of them.
	throw new SetupProblem(`${tarball} holds more behind its end: npm packs nothing there.`);
}
const TOO_LARGE = 'ERR_BUFFER_TOO_LARGE';

/** Whether it is one gzip file, which holds no text of its own, and not several in a row: some programs unpack the first alone. */
function isOnePiece(packed) {
	if (packed[3] !== 0) return false;
	const { engine } = inflateRawSync(packed.subarray(HEAD), { info: true });
	return HEAD + engine.bytesWritten + TAIL === packed.length;
}

/** The version in the package.json of an archive, where it is one. */
function versionIn(files) {
	try {
		const { version } = JSON.parse(files.get('package/package.json'));
		return /^[\w.+-]{1,99}$/.test(version) ? version : undefined;
	} catch {
		return undefined;
	}
}

/** What to say of an archive that is not the one that this source builds. */
function refusalOf(given, built) {
	const [theirs, ours] = [filesIn(given), filesIn(built)];
	const different = differences(theirs.files, ours.files);
	if (different.length === 0) {
		return 'It is not what this source builds: its files are the same, and the archive is not. Their rights or their order are others, one stands in it twice, or something stands between them.';
	}
	const [version, here] = [versionIn(theirs.files), versionIn(ours.files)];
	const other =
		version === undefined || version === here
			? ''
			: ` It is version ${version}, this source is ${here}: check out v${version}.`;
	const more = different.splice(MOST_LINES).length;
	const rest = [
		...(more > 0 ? [`  and ${more} more`] : []),
		...(theirs.readable ? [] : ['  and what follows cannot be read']),
	];
	return [`It is not what this source builds.${other}`, ...different, ...rest].join('\n');
}
const MOST_LINES = 100;

/** @returns the exit status: 0 when it is what this source builds, 1 when it is not */
async function verify(file, against) {
	const folder = await newFolder('verify-');
	const say = (text) => process.stdout.write(`${text}\n`);
	try {
		const given = await read(file);
		const built = await read(against ?? (await builtTarball(folder)));
		say(`\n${file}\n  integrity: sha512-${createHash('sha512').update(given.packed).digest('base64')}`);
		if (!given.archive.equals(built.archive)) {
			say(refusalOf(given.archive, built.archive));
			return 1;
		}
		if (!isOnePiece(given.packed)) {
			say(
				'It is not what this source builds: its archive is the same, and it was compressed in several pieces, or with a text of its own.',
			);
			return 1;
		}
		const how = given.packed.equals(built.packed)
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
