import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startN8n } from '../../sandbox/n8n/n8n';

/** What it keeps is written by n8n, whose older versions let all users of the machine read its key. */

let root: string;
beforeEach(async () => (root = await mkdtemp(join(tmpdir(), 'parcel-own-'))));
afterEach(() => rm(root, { recursive: true, force: true }));

const rightsOfOthers = async (path: string) => (await stat(path)).mode & 0o077;

it.each([
	['a new one', []],
	['one kept from an earlier start', ['n8n']],
	['one kept from an earlier start, with what n8n wrote', ['n8n', 'n8n/.n8n']],
])('the folder of an n8n of our own is shut to other users: %s', async (_, kept) => {
	for (const folder of kept) await mkdir(join(root, folder), { mode: 0o755 });
	const folder = join(root, 'n8n');
	// It ends before n8n begins: there is no such package.
	const packageTarball = join(root, 'none.tgz');
	await expect(startN8n({ folder, packageTarball })).rejects.toThrow('none.tgz');
	expect(await rightsOfOthers(folder)).toBe(0);
});
