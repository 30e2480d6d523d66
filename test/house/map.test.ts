import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';

const PROJECT = join(__dirname, '..', '..');
const page = readFileSync(join(PROJECT, 'docs', 'map.md'), 'utf8');
const named = [...page.matchAll(/`([^`\s]+)`/g)]
	.map(([, path]) => path!)
	.filter((path) => path.includes('/'));
/** A blank line ends a table: what stands behind it is text. */
const tableOfRooms = /## Rooms\n\n([^]*?)\n\n/.exec(page)?.[1] ?? '';
/** What stands on the map as a room: the first cell of its table. */
const rooms = [...tableOfRooms.matchAll(/^\| `([^`]+)` +\|/gm)].map(([, room]) => room!);

it('names nothing that is not there', () => {
	expect(named.length).toBeGreaterThan(40);
	expect(named.filter((path) => !existsSync(join(PROJECT, path)))).toEqual([]);
});

it('has every folder that holds the product, and every other one at the top, as a room', () => {
	const files = execFileSync('git', ['ls-files'], { cwd: PROJECT, encoding: 'utf8' }).split('\n');
	const folders = files.map(dirname).filter((folder) => !folder.startsWith('.'));
	const wanted = new Set(
		folders.map((folder) =>
			/^(nodes|service|credentials)(\/|$)/.test(folder)
				? folder.replace(/(__schema__).*/, '$1')
				: folder.split('/')[0]!,
		),
	);
	const without = [...wanted].filter((folder) => !rooms.includes(folder)).sort();
	// A folder that stands here is to be written into the table "Rooms" of docs/map.md.
	expect(without).toEqual([]);
	expect(rooms.filter((room) => !statSync(join(PROJECT, room)).isDirectory())).toEqual([]);
});

it('is drawn from the imports as they are', () => {
	const { stdout } = spawnSync(process.execPath, [join('docs', 'map.mjs'), '--check'], {
		cwd: PROJECT,
		encoding: 'utf8',
	});
	// What is printed says what to do.
	expect(stdout).toBe('');
});
