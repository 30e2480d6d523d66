import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';

const PROJECT = join(__dirname, '..', '..');
const NODES = 'nodes/ParcelDocumentExchange';

/** A room, and what nothing in it may import; a package, or a file of the project. */
const CROSSED: [room: string, files: string[]][] = [
	['service/api', ['n8n-workflow', 'n8n-core', 'amqplib', 'service/queue/hub', 'service/changes/look']],
	['service/queue', ['n8n-workflow', 'undici', 'service/api/client', 'service/changes/look']],
	['service/changes', ['n8n-workflow', 'undici', 'amqplib', 'service/queue/hub']],
	['service/model', ['n8n-workflow', 'undici', 'amqplib', 'service/api/client', 'service/queue/hub']],
	[
		'service',
		[
			...['n8n-workflow', 'undici', 'amqplib', `${NODES}/adapters/errors`, 'credentials/hostRequest'],
			...['sandbox/service/listener', 'service/api/client', 'service/queue/hub', 'service/model/set'],
		],
	],
	['credentials', ['undici', 'amqplib', 'service/queue/hub', `${NODES}/adapters/errors`]],
	[
		`${NODES}/actions`,
		[
			...['undici', 'amqplib', 'zod', 'fast-check', 'credentials/hostRequest', 'service/changes/look'],
			...[`${NODES}/trigger/listen`, `${NODES}/poll/poll`, `${NODES}/pickers/pickers`],
			...['sandbox/service/listener', 'test/support/panel', `${NODES}/ParcelDocumentExchange.node`],
		],
	],
	[`${NODES}/pickers`, ['undici', `${NODES}/trigger/listen`, `${NODES}/poll/poll`]],
	[`${NODES}/trigger`, ['amqplib', `${NODES}/poll/poll`, `${NODES}/actions/run`, `${NODES}/pickers/pickers`]],
	[`${NODES}/poll`, ['undici', `${NODES}/trigger/listen`, `${NODES}/actions/run`]],
	[`${NODES}/parameters`, [`${NODES}/actions/run`, `${NODES}/search/setFilters`]],
	[`${NODES}/search`, [`${NODES}/actions/run`, `${NODES}/poll/poll`]],
	[
		`${NODES}/adapters`,
		[
			...['amqplib', `${NODES}/actions/run`, `${NODES}/trigger/listen`, `${NODES}/parameters/values`],
			`${NODES}/descriptions/defaults`,
		],
	],
	[
		`${NODES}/descriptions`,
		[`${NODES}/actions/run`, `${NODES}/trigger/listen`, `${NODES}/adapters/errors`, 'service/errors'],
	],
	[`${NODES}/events`, [`${NODES}/actions/run`, `${NODES}/adapters/errors`, 'service/queue/hub']],
	[NODES, ['n8n-core', 'amqplib', 'service/api/client', `${NODES}/parameters/values`]],
];

/** Every way in which a file can name another. */
const WAYS: Record<string, (file: string) => string> = {
	'a static import': (file) => `import * as it from '${file}';\nexport const same = it;\n`,
	'an import of types': (file) => `import type * as it from '${file}';\nexport type Same = typeof it;\n`,
	'a re-export': (file) => `export * from '${file}';\n`,
	'a dynamic import': (file) => `export const later = async () => await import('${file}');\n`,
	'an import by a text in back quotes': (file) =>
		`export const later = async () => await import(\`${file}\`);\n`,
	'the type of an import': (file) => `export type Same = typeof import('${file}');\n`,
};

/** What a room may import: the guard does not refuse whatever it is shown. */
const ALLOWED: [room: string, files: string[]][] = [
	['service/api', ['undici', 'service/model/set']],
	['service/queue', ['amqplib', 'service/model/event']],
	['service/changes', ['service/api/page']],
	['service/model', ['zod']],
	[`${NODES}/pickers`, [`${NODES}/actions/setFinder`]],
	[`${NODES}/poll`, [`${NODES}/search/comparedHere`]],
	[`${NODES}/actions`, ['n8n-workflow', `${NODES}/events/samples`, 'service/api/client']],
	[`${NODES}/trigger`, ['service/queue/hub', `${NODES}/events/eventItem`]],
];

function asNamed(room: string, file: string): string {
	if (!file.includes('/')) return file;
	const path = relative(join(PROJECT, room), join(PROJECT, file));
	return path.startsWith('.') ? path : `./${path}`;
}

/** Each planted file, and what the linter says of the lines of the house in it. */
async function said(rooms: typeof CROSSED): Promise<{ planted: string; words: string[] }[]> {
	const planted = rooms.flatMap(([room, files]) =>
		files.flatMap((file) =>
			Object.entries(WAYS).map(([way, write]) => ({
				planted: `${room}: ${way} of ${file}`,
				filePath: join(PROJECT, room, 'planted.ts'),
				code: write(asNamed(room, file)),
			})),
		),
	);
	const linter = spawn(process.execPath, [join(__dirname, 'lintTexts.mjs')], {
		cwd: PROJECT,
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	linter.stdin.end(JSON.stringify(planted));
	const all = JSON.parse(await text(linter.stdout)) as string[][];
	return planted.map(({ planted: what }, index) => ({
		planted: what,
		words: all[index]!.filter((words) => /no-restricted-(paths|syntax)|consistent-type-imports/.test(words)),
	}));
}

/** One start of the linter for both: it reads the whole project first. */
let crossed: Awaited<ReturnType<typeof said>>;
let allowed: typeof crossed;

beforeAll(async () => {
	const all = await said([...CROSSED, ...ALLOWED]);
	const first = CROSSED.flatMap(([, files]) => files).length * Object.keys(WAYS).length;
	[crossed, allowed] = [all.slice(0, first), all.slice(first)];
}, 300_000);

it('no file crosses a line of the house, in whatever way it names another', () => {
	const through = crossed.filter(({ words }) => words.length === 0);
	expect(through.map(({ planted }) => planted)).toEqual([]);
});

it('what a room may import is not refused, but in the two ways that no file needs', () => {
	const refused = allowed.filter(({ words }) => words.length > 0);
	expect(refused.filter(({ planted }) => !/type of an import|back quotes/.test(planted))).toEqual([]);
	expect(refused.flatMap(({ words }) => words).join()).not.toContain('no-restricted-paths');
});

it('each room of the product has lines', () => {
	const page = readFileSync(join(PROJECT, 'docs', 'map.md'), 'utf8');
	const rooms = [...page.matchAll(/^\| `((?:nodes|service|credentials)(?:\/\w+)*)` +\|/gm)].map(
		([, room]) => room!,
	);
	expect(rooms.length).toBeGreaterThan(10);
	const without = rooms.filter((room) => !CROSSED.some(([other]) => other === room));
	// Say in eslint.config.mjs what it may import, and here what it may not.
	expect(without.filter((room) => !room.endsWith('__schema__'))).toEqual([]);
});

it('what this test plants is there', () => {
	const named = [...CROSSED, ...ALLOWED].flatMap(([, files]) => files);
	expect(
		named.filter((file) => {
			try {
				return !require.resolve(file.includes('/') ? join(PROJECT, `${file}.ts`) : file);
			} catch {
				return true;
			}
		}),
	).toEqual([]);
});
