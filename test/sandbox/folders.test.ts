import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeFolders } from '../../sandbox/n8n/folders';

let root: string;
beforeEach(async () => (root = await realpath(await mkdtemp(join(tmpdir(), 'parcel-folders-')))));
afterEach(() => rm(root, { recursive: true, force: true }));

async function write(path: string): Promise<string> {
	await mkdir(dirname(path), { recursive: true });
	await writeFile(path, '');
	return path;
}

it('what is installed in n8n gets the n8n-workflow of that n8n, below a checkout with another one, and of the one it is started with next', async () => {
	await write(join(root, 'checkout', 'node_modules', 'n8n-workflow', 'index.js'));
	const folder = join(root, 'checkout', '.sandbox', 'data', '5678');
	const installed = join(folder, '.n8n', 'nodes', 'node_modules', 'a-package', 'index.js');
	for (const version of ['1', '2']) {
		const host = { folder: join(root, `n8n-${version}`) };
		const wanted = await write(join(host.folder, 'node_modules', 'n8n-workflow', 'index.js'));
		await makeFolders(folder, host);
		await write(installed);
		const asked = ['-p', "require.resolve('n8n-workflow')"];
		const found = execFileSync(process.execPath, asked, { cwd: dirname(installed), encoding: 'utf8' });
		expect(found.trim()).toBe(wanted);
	}
});

it('the folder for files is named without links: n8n would refuse to write into a linked one', async () => {
	await mkdir(join(root, 'disk'));
	await symlink(join(root, 'disk'), join(root, 'home'));
	const folder = join(root, 'home', 'n8n');
	const host = { folder: join(root, 'host') };
	expect((await makeFolders(folder, host)).filesFolder).toBe(join(root, 'disk', 'n8n', 'files'));
	expect((await makeFolders(folder, host, join(root, 'home', 'papers'))).filesFolder).toBe(
		join(root, 'disk', 'papers'),
	);
});
