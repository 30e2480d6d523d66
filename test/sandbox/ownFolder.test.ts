import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { environmentFor } from '../../sandbox/n8n/environment';
import { startN8n } from '../../sandbox/n8n/n8n';
import { newFolder } from '../../sandbox/setup/caches.mjs';

/** What it keeps is written by n8n, whose older versions let all users of the machine read its key. */

let root: string;
beforeEach(async () => (root = await newFolder('own-')));
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

const environment = () => {
	const host = { version: '2.41.1', folder: '/n8n', node: '/n8n/node', n8n: '/n8n/n8n' };
	const ports = { port: 1, taskBrokerPort: 2 };
	return environmentFor({ host, folder: root, ...ports, programs: '/programs', filesFolder: '/files' });
};

it('what n8n keeps for a while, it keeps there, too', () => {
	expect(environment()['TMPDIR']?.startsWith(join(root, '/'))).toBe(true);
});

describe('behind the proxy of a company', () => {
	const before = { ...process.env };
	afterEach(() => (process.env = { ...before }));

	it.each([
		['no host is named that it is not for', {}, '127.0.0.1,localhost'],
		['hosts are named', { NO_PROXY: 'intranet.example' }, 'intranet.example,127.0.0.1,localhost'],
		['hosts are named in lower case', { no_proxy: '.example' }, '.example,127.0.0.1,localhost'],
	])('n8n reaches the stand-ins without it: %s', (_, named, wanted) => {
		process.env = { ...before, HTTP_PROXY: 'http://proxy.example:3128', ...named };
		const { HTTP_PROXY, NO_PROXY, no_proxy } = environment();
		expect({ HTTP_PROXY, NO_PROXY, no_proxy }).toEqual({
			HTTP_PROXY: 'http://proxy.example:3128',
			NO_PROXY: wanted,
			no_proxy: undefined,
		});
	});
});
