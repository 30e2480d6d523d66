import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { newFolder } from '../../sandbox/setup/caches.mjs';

/** The programs of the Node.js versions this package is tested with, by version: test/run.mjs sets them up. */
const NODES = Object.entries(JSON.parse(process.env['PARCEL_NODES'] ?? '{}') as Record<string, string>);
const PROJECT = join(__dirname, '..', '..');

jest.setTimeout(300_000);

let folder: string;
beforeAll(async () => (folder = await newFolder('builds-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Surroundings {
	node: string;
	/** Below the folder of this test. */
	place: string;
	umask: string;
	env: Record<string, string>;
}

/** What npm packs of the files git knows, checked out, built and packed there. */
async function packedIn({ node, place, umask, env }: Surroundings): Promise<string> {
	const source = join(folder, place);
	mkdirSync(source, { recursive: true });
	const script = `
		umask ${umask}
		git ls-files -z --cached --others --exclude-standard | xargs -0 cp --no-preserve=mode --parents --target-directory "$0"
		for packages in node_modules service/node_modules; do
			# Links to the same files, where the file system has them.
			cp -a --link --parents $packages "$0" 2>/dev/null || cp -a --parents $packages "$0"
		done
		cd "$0" && npm run build && npm pack`;
	const path = [dirname(node), process.env['PATH']].join(delimiter);
	const kept = Object.entries(process.env).filter(([name]) => !/^(npm_|TZ$|LANG$|LC_)/i.test(name));
	await promisify(execFile)('bash', ['-e', '-c', script, source], {
		...{ cwd: PROJECT, env: { ...Object.fromEntries(kept), ...env, PATH: path } },
	});
	return join(source, readdirSync(source).find((name) => name.endsWith('.tgz')) ?? '');
}

const sha256 = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

const ODD: Omit<Surroundings, 'node'>[] = [
	{ place: 'a', umask: '022', env: { TZ: 'UTC', LANG: 'C' } },
	{ place: 'Ä folder/with spaces', umask: '077', env: { TZ: 'Asia/Kathmandu', LANG: 'tr_TR.UTF-8' } },
	{ place: 'node_modules/of/another', umask: '002', env: { TZ: 'America/St_Johns', SOURCE_DATE_EPOCH: '1' } },
];

it('the package is the same, byte for byte, from every Node.js, folder, time zone, language and umask', async () => {
	expect(NODES.length).toBe(ODD.length);
	const hashes: Record<string, string> = {};
	for (const [i, [version, node]] of NODES.entries()) {
		const tarball = await packedIn({ node, ...ODD[i]! });
		hashes[version] = sha256(tarball);
		cpSync(tarball, join(folder, 'packed.tgz'));
	}
	expect(new Set(Object.values(hashes)).size).toBe(1);
	expect(Object.keys(hashes)).toEqual(NODES.map(([version]) => version));
});

it('"npm run verify" knows the package of a commit, which it builds with the packages of the lock file', async () => {
	const checkout = join(folder, ODD[0]!.place);
	const run = (program: string, ...args: string[]) => promisify(execFile)(program, args, { cwd: checkout });
	await run('git', 'init', '--quiet');
	await run('git', 'add', '.');
	await run('git', '-c', 'user.name=Test', '-c', 'user.email=test@example.com', 'commit', '-qm', 'one');
	const verify = () => run('npm', 'run', '--silent', 'verify', '--', join(folder, 'packed.tgz'));
	// What differs stands on its output, which an error does not show.
	const { stdout } = await verify().catch((error: { stdout: string }) => error);
	expect(stdout).toContain('It is what this source builds, byte for byte.');
	appendFileSync(join(checkout, 'README.md'), 'changed');
	await expect(verify()).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('not committed') });
});
