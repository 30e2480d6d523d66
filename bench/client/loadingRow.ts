import { execFile } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { n8nFolder } from '../../sandbox/n8n/folders';
import { findHost } from '../../sandbox/n8n/host';
import { startN8n } from '../../sandbox/n8n/n8n';
import { figureOf, median, type Row } from '../report';
import { atMost } from './rounds';

const PACKAGE = 'n8n-nodes-parcel-document-exchange';

interface Loaded {
	ms: number;
	rssMb: number;
}

/**
 * What n8n pays at its start for having the package: alone in a process that holds n8n-workflow, and in n8n itself, whose
 * loader is watched. To be measured when no other n8n runs on the folder.
 */
export async function loadingRow(
	n8nUserFolder: string,
	rounds: { alone: number; inN8n: number },
): Promise<Row> {
	const installed = join(n8nFolder(n8nUserFolder), 'nodes', 'node_modules', PACKAGE);
	const alone: Loaded[] = [];
	for (let round = 0; round < rounds.alone; round += 1) alone.push(await loadAlone(installed));
	const inN8n: Loaded[] = [];
	for (let round = 0; round < rounds.inN8n; round += 1) inN8n.push(await loadInN8n(n8nUserFolder));
	const both = [...alone, ...inN8n];
	const of = (loads: Loaded[], field: keyof Loaded) => loads.map((loaded) => loaded[field]);
	return {
		work: 'Loading both nodes and both credentials',
		unit: 'ms',
		figures: [figureOf('In a plain process', of(alone, 'ms')), figureOf("In n8n's start", of(inN8n, 'ms'))],
		targets: [
			atMost('under 60 ms', 60, Math.max(median(of(alone, 'ms')), median(of(inN8n, 'ms'))), 'ms'),
			atMost('under 20 MB', 20, Math.max(median(of(alone, 'rssMb')), median(of(inN8n, 'rssMb'))), 'MB'),
		],
		note: `Resident memory, median of ${both.length} loads: ${median(of(alone, 'rssMb')).toFixed(1)} MB alone, ${median(of(inN8n, 'rssMb')).toFixed(1)} MB in n8n.`,
	};
}

async function loadAlone(installed: string): Promise<Loaded> {
	const { node, n8n } = await findHost();
	const env = { ...process.env, NODE_PATH: join(dirname(n8n), '..', '..') };
	const script = join(__dirname, 'loadAlone.cjs');
	const { stdout } = await promisify(execFile)(node, [script, installed], { env, timeout: 60_000 });
	return JSON.parse(stdout) as Loaded;
}

async function loadInN8n(folder: string): Promise<Loaded> {
	const file = join(folder, 'loaded.jsonl');
	await rm(file, { force: true });
	const n8n = await startN8n({
		folder,
		env: {
			NODE_OPTIONS: `--require ${join(__dirname, 'loadProbe.cjs')}`,
			BENCH_LOADED_FILE: file,
			BENCH_LOADED_PACKAGE: PACKAGE,
		},
	});
	await n8n.kill();
	const lines = (await readFile(file, 'utf8')).trim().split('\n');
	const loads = lines.map((line) => JSON.parse(line) as Loaded);
	return {
		ms: loads.reduce((sum, { ms }) => sum + ms, 0),
		rssMb: loads.reduce((sum, { rssMb }) => sum + rssMb, 0),
	};
}
