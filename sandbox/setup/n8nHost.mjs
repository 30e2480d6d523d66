import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cachesFolder, needCachesFolder } from './caches.mjs';
import { runCommand } from './command.mjs';
import { needDebianPackages } from './debianPackages.mjs';
import { npm, withoutNpm } from './npm.mjs';
import { PROJECT } from './projectPackages.mjs';
import { describe, SetupProblem, step } from './steps.mjs';

export const NEWEST = '2.41.1';

const HOSTS = join(PROJECT, 'sandbox', 'hosts');

/** n8n's compiled packages, needed at its start where a version has them. Their own install scripts would download; these are built from source. */
const COMPILED = ['isolated-vm', 'sqlite3'];

/** node-gyp and make take such a path apart. */
const UNBUILDABLE = /[\s"'`$&();<>\\|*?#:%]/;

/** The n8n versions there is a lock file for, oldest first. */
export async function knownVersions() {
	const byNumber = (a, b) => a.localeCompare(b, 'en', { numeric: true });
	return (await readdir(HOSTS)).sort(byNumber);
}

/**
 * An n8n of that very version with the Node.js it needs, from the cache folder or installed into it (2.5 GB, about 4 minutes).
 * @returns `{ version, folder, node, n8n }`: the program files
 */
export async function needN8n(version = NEWEST) {
	const known = await knownVersions();
	if (!known.includes(version)) {
		throw new SetupProblem(`n8n ${version} is not prepared here: choose one of ${known.join(', ')}.`);
	}
	const folder = await hostFolder(version);
	if (!existsSync(folder)) {
		if (UNBUILDABLE.test(folder)) {
			throw new SetupProblem(
				`n8n cannot be compiled in ${dirname(folder)}, for the space or the sign in this path: ` +
					'choose another place with XDG_CACHE_HOME=/a/folder and run the command again.',
			);
		}
		await needDebianPackages('build-essential', 'python3');
		await step(`n8n ${version} (once; 2.5 GB in ${dirname(folder)})`, (progress) =>
			install(version, folder, progress),
		);
	}
	return { version, folder, node: nodeOf(folder), n8n: join(folder, 'node_modules', 'n8n', 'bin', 'n8n') };
}

/** Named after everything that decides what is inside: a changed lock file means another folder. */
async function hostFolder(version) {
	const hash = createHash('sha256').update(`${process.platform}-${process.arch}\n`);
	for (const file of ['package.json', 'package-lock.json'])
		hash.update(await readFile(join(HOSTS, version, file)));
	return join(cachesFolder(), `${version}-${hash.digest('hex').slice(0, 12)}`);
}

const nodeOf = (folder) => join(nodePackageOf(folder), 'bin', 'node');
const nodePackageOf = (folder) => join(folder, 'node_modules', `node-${process.platform}-${process.arch}`);

/** Into a folder of its own, renamed when all is there: an interrupted install is never taken for a whole one. */
async function install(version, folder, progress) {
	await removeAbandoned(await needCachesFolder());
	const unfinished = `${folder}.unfinished-${process.pid}-${randomBytes(3).toString('hex')}`;
	await mkdir(unfinished, { recursive: true });
	try {
		for (const file of ['package.json', 'package-lock.json']) {
			await copyFile(join(HOSTS, version, file), join(unfinished, file));
		}
		const wanted = Object.keys(
			JSON.parse(await readFile(join(unfinished, 'package-lock.json'), 'utf8')).packages,
		).length;
		// Not `npm ci`: it refuses a lock file that leaves out optional packages of other systems.
		await npm(
			[
				'install',
				'--legacy-peer-deps',
				'--ignore-scripts',
				'--no-audit',
				'--no-fund',
				'--engine-strict=false',
			],
			{
				cwd: unfinished,
				onFetched: (count) =>
					progress(count < wanted ? `fetched ${count} of ${wanted} packages` : 'unpacking'),
			},
		);
		for (const name of COMPILED) await needCompiled(unfinished, name, progress);
		await rename(unfinished, folder);
	} catch (error) {
		await rm(unfinished, { recursive: true, force: true });
		// Another run was faster: its folder is as good as ours.
		if (!['ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error;
	}
}

async function removeAbandoned(parent) {
	for (const name of await readdir(parent)) {
		const processId = Number(/\.unfinished-(\d+)-/.exec(name)?.[1]);
		if (processId && !existsSync(`/proc/${processId}`))
			await rm(join(parent, name), { recursive: true, force: true });
	}
}

async function needCompiled(folder, name, progress) {
	const node = nodeOf(folder);
	const cwd = join(folder, 'node_modules', name);
	if (!existsSync(cwd)) return; // This version of n8n does without.
	const loads = async () => (await runCommand(node, ['-e', `require(${JSON.stringify(cwd)})`])).code === 0;
	if (await loads()) return;
	progress(`compiling ${name}`);
	const nodeGyp = join(folder, 'node_modules', 'node-gyp', 'bin', 'node-gyp.js');
	const args = [nodeGyp, 'rebuild', '--release', '--jobs=max', `--nodedir=${nodePackageOf(folder)}`];
	const { code, output } = await runCommand(node, args, { cwd, env: withoutNpm() });
	if (code !== 0 || !(await loads())) {
		throw new SetupProblem(
			`${basename(cwd)} could not be compiled; the compiler's last words:\n${output.slice(-2000)}`,
		);
	}
	for (const left of ['obj.target', 'obj']) {
		await rm(join(cwd, 'build', 'Release', left), { recursive: true, force: true });
	}
}

// `node sandbox/setup/n8nHost.mjs [version]` prints what needN8n returns, for callers that are no ES modules.
if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
	const print = (host) => process.stdout.write(`${JSON.stringify(host)}\n`);
	needN8n(process.argv[2]).then(print, (error) => {
		process.stderr.write(`\n${describe(error)}\n`);
		process.exitCode = 1;
	});
}
