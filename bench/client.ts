import { readFile, writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { growthOfDocuments, growthOfFiles, growthOfSets } from './client/growths';
import { loadingRow } from './client/loadingRow';
import { growthOfLooks } from './client/looks';
import { oneSetRow } from './client/oneSet';
import { eventsRow, largeRow, plainRow, tlsRow } from './client/pdfRows';
import { contentsRow, setsRow } from './client/setRows';
import { openWorld, type World } from './client/world';
import type { Growth, Report, Row } from './report';

interface BenchOptions {
	quick: boolean;
	/** Only the pieces of work with one of these names, separated by commas; the others are as they were measured last. */
	only: string | undefined;
	folder: string;
	/** Where figures are kept for that. */
	keptFolder: string;
	packageTarball: string;
	step: <T>(title: string, work: () => Promise<T>) => Promise<T>;
}

const KB = 1024;
const MB = 1024 * KB;

type Piece = Row | Growth | Growth[];

/** This package's action node beside n8n's HTTP Request node, in one n8n, against one stand-in of the service. */
export async function bench(options: BenchOptions): Promise<Report> {
	const { quick, only, folder, packageTarball, step } = options;
	const rounds = quick ? 2 : 7;
	const keptFile = join(options.keptFolder, 'bench-client.json');
	const pieces: Record<string, Piece> = only === undefined ? {} : await kept(keptFile);
	/** In this order: what needs a process with little garbage comes first. */
	const works: Record<string, (world: World) => Promise<Piece>> = {
		large: (here) => largeRow(here, quick ? 1 : 3),
		contents: (here) => contentsRow(here, quick ? 1 : 3),
		setsGrowth: (here) => growthOfSets(here, quick ? [1_000, 5_000] : [1_000, 10_000, 50_000]),
		plain: (here) => plainRow(here, rounds),
		tls: (here) => tlsRow(here, rounds),
		sets: (here) => setsRow(here, quick ? { sets: 5_000, rounds } : { sets: 20_000, rounds: 3 }),
		oneSet: (here) => oneSetRow(here, { sets: 10_000 }),
		events: (here) => eventsRow(here, quick ? 1 : 3),
		documentsGrowth: (here) => growthOfDocuments(here, quick ? [10, 100] : [10, 100, 1_000, 10_000]),
		looks: (here) => growthOfLooks(here, quick ? [100, 10_000] : [100, 10_000, 100_000]),
		filesGrowth: (here) =>
			growthOfFiles(here, quick ? [10 * KB, MB] : [10 * KB, 100 * KB, MB, 10 * MB, 100 * MB, 300 * MB]),
	};
	const names = [...Object.keys(works), 'loading'];
	const chosen = only?.split(',') ?? names;
	const unknown = chosen.filter((name) => !names.includes(name));
	if (unknown.length > 0)
		throw new Error(`No such work: ${unknown.join(', ')}. There is: ${names.join(', ')}`);

	const world = await step('n8n with the package', () => openWorld({ folder, packageTarball }));
	try {
		for (const [name, work] of Object.entries(works)) {
			if (chosen.includes(name)) pieces[name] = await step(name, () => work(world));
		}
	} finally {
		await world.close();
	}
	if (chosen.includes('loading')) {
		const loads = quick ? { alone: 5, inN8n: 1 } : { alone: 15, inN8n: 3 };
		pieces['loading'] = await step('loading', () => loadingRow(join(folder, 'n8n'), loads));
	}
	if (!quick) await writeFile(keptFile, JSON.stringify(pieces));

	const measured = names.flatMap((name) => pieces[name] ?? []);
	return {
		title: 'The action node beside HTTP Request',
		method: method(world, rounds),
		rows: measured.filter((piece): piece is Row => 'work' in piece),
		growths: measured.filter((piece): piece is Growth => 'along' in piece),
		missing: names.filter((name) => !(name in pieces)),
	};
}

async function kept(file: string): Promise<Record<string, Piece>> {
	const text = await readFile(file, 'utf8').catch(() => '{}');
	return JSON.parse(text) as Record<string, Piece>;
}

function method({ n8n }: World, rounds: number): string[] {
	return [
		`n8n ${n8n.version} with SQLite, in one process, with the packed package in it; the stand-in of the service in a second process, raw undici in a third, all on one machine (${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}). Times are n8n's own of the one node, from its run data. The ways take turns, ${rounds} rounds after one to get warm; ratios are medians of the ratios within a round.`,
		'HTTP Request has its defaults and a "Header Auth" with a token that is good for the whole time; this package logs in. Raw undici is the limit: the same files over as many connections to disk, with a sha256 of each, and nothing of n8n.',
		'Where a round leaves many files, they stay until the end: for minutes after many files were removed, Linux (ext4) looks past each of them before it makes a new one, which slowed the next rounds of every way, up to twice.',
		'Made by `npm run bench -- client`. On another machine, and beside other work, the times differ and the ratios hold roughly.',
	];
}
