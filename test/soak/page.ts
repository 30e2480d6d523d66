import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { document, fixed, line, text } from '../../bench/svg';
import { shown } from '../../bench/report';
import { GAUGES, type Gauge, type Reading } from './gauges';

/** Something that was made to fail, in milliseconds since the start. */
export interface Fault {
	name: string;
	from: number;
	to: number;
}

/** What came out of a soak test. */
interface Result {
	minutes: number;
	sent: number;
	runs: number;
	/** PDFs. */
	files: number;
	faults: readonly Fault[];
	readings: readonly Reading[];
	/** The middle of the first fifth after the warm-up, and of the last. */
	memory: { from: number; to: number };
	handles: { from: number; to: number };
}

const PROJECT = join(__dirname, '..', '..');
const DOCS = join(PROJECT, 'docs');
const WIDTH = 960;
const MARGIN = 32;
const LEFT = 76;
const HEIGHT = 96;
const MINUTE = 60_000;

/** Writes docs/soak.md and its picture. */
export async function writePage(result: Result): Promise<void> {
	await writeFile(join(DOCS, 'soak.svg'), pictureOf(result));
	const page = join(DOCS, 'soak.md');
	await writeFile(page, pageOf(result));
	const prettier = join(PROJECT, 'node_modules', 'prettier', 'bin', 'prettier.cjs');
	await promisify(execFile)(process.execPath, [prettier, '--write', page]);
}

function pageOf({ minutes, sent, runs, files, faults, memory, handles }: Result): string {
	const count = new Map<string, number>();
	for (const { name } of faults) count.set(name, (count.get(name) ?? 0) + 1);
	const list = [...count].map(([name, times]) => `${name} (${times === 1 ? 'once' : `${times} times`})`);
	return [
		'# A long run with faults',
		`![Memory, open files, connections and waiting events over ${minutes} minutes](soak.svg)`,
		`Made by \`npm run test:soak -- --minutes ${minutes} --page\`: n8n 2.41.1, RabbitMQ and the stand-in of the service on one machine; three workflows on two queues, one for every event, one that gets the PDFs of signed sets, one in batches of 20. Two events a second, some of them sent twice, some unreadable, some whose first run fails. Now and then something breaks (the bands of the picture): ${list.join(', ')}.`,
		`${shown(sent)} events were sent and ${shown(runs)} runs ended well, with ${shown(files)} PDFs: every event ran in each workflow that asked for it, once, and every PDF was the right one.`,
		`Memory of n8n, after its first minutes and at the end: ${shown(memory.from)} and ${shown(memory.to)} MB. Open files and sockets: ${shown(handles.from)} and ${shown(handles.to)}. One connection to the message queue for each queue, at most eight to the service.`,
		'',
	].join('\n\n');
}

function pictureOf({ minutes, faults, readings }: Result): string {
	const title = `${minutes} minutes with faults`;
	const parts = [text(MARGIN, 46, title, 'title')];
	const end = minutes * MINUTE;
	const x = (at: number) => LEFT + (Math.min(at, end) / end) * (WIDTH - MARGIN - LEFT);
	let top = 92;
	const panels = Object.entries(GAUGES) as [Gauge, string][];
	const bottom = top + panels.length * (HEIGHT + 44);
	for (const { name, from, to } of faults) {
		const width = Math.max(x(to) - x(from), 2);
		parts.push(
			`<rect class="fill-1" opacity="0.25" x="${fixed(x(from))}" y="${top - 18}" width="${fixed(width)}" height="${bottom - top}"><title>${name}</title></rect>`,
		);
	}
	for (const [gauge, label] of panels) {
		parts.push(text(MARGIN, top, label, 'work'));
		parts.push(panelOf(readings, gauge, x, top + 12));
		top += HEIGHT + 44;
	}
	const step = minutes > 20 ? 10 : minutes > 5 ? 2 : 1;
	for (let minute = 0; minute <= minutes; minute += step) {
		parts.push(text(x(minute * MINUTE), bottom - 6, `${minute}`, 'faint', 'middle'));
	}
	parts.push(text(WIDTH - MARGIN, bottom + 12, 'minutes; shaded: something is broken', 'faint', 'end'));
	return document(title, WIDTH, bottom + 28, parts);
}

/** One gauge over time, from zero up; a gap where it could not be read. */
function panelOf(readings: readonly Reading[], gauge: Gauge, x: (at: number) => number, top: number): string {
	const most = Math.max(1, ...readings.map((one) => one[gauge] ?? 0));
	const y = (value: number) => top + HEIGHT - (value / most) * HEIGHT;
	const right = WIDTH - MARGIN;
	const parts = [line(LEFT, y(0), right, y(0)), line(LEFT, y(most), right, y(most))];
	for (const value of [0, most]) parts.push(text(LEFT - 8, y(value) + 4, shown(value), 'faint', 'end'));
	let points: string[] = [];
	const flush = () => {
		if (points.length > 0) parts.push(`<polyline class="line line-0" points="${points.join(' ')}"/>`);
		points = [];
	};
	for (const one of readings) {
		const value = one[gauge];
		if (value === undefined) flush();
		else points.push(`${fixed(x(one.at))},${fixed(y(value))}`);
	}
	flush();
	return parts.join('\n');
}
