import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { figureOf, median, type Row } from '../report';
import { ourPdfs, ourPdfsOfEvents, theirPdfs } from './nodes';
import { atLeast, atMost, inTurn, ratioOf } from './rounds';
import type { DocumentAddress } from './standIn';
import { mayBeRemoved, type Measured, type Place, type World } from './world';

export const OURS = 'This package';
export const THEIRS = 'HTTP Request';
export const RAW = 'Raw undici, sha256';

const MB = 1024 * 1024;

/** Downloads with one node or with none; a file that is missing or short is an error. */
export function downloads(world: World, place: Place, documents: DocumentAddress[], pdfBytes: number) {
	const checked = (run: Measured): Measured => {
		const whole = run.items.filter(({ binary }) => (binary?.['data']?.bytes ?? 0) >= pdfBytes);
		if (whole.length !== documents.length) {
			throw new Error(`${whole.length} of ${documents.length} PDFs came whole`);
		}
		return run;
	};
	const sameBytes = async (run: Measured) => {
		const [first] = documents;
		if (first && run.items[0]?.json['sha256'] !== (await place.sha256(first))) {
			throw new Error('The sha256 of the first PDF is not that of the file sent');
		}
		return run;
	};
	return {
		ours: async (connections = 8) =>
			sameBytes(checked(await world.run(ourPdfs(place, connections), documents))),
		theirs: async () => checked(await world.run(theirPdfs(place), documents)),
		raw: async (connections = 8, process = world.raw) => {
			const { baseUrl, ca, token } = place;
			const folder = join(world.folder, `raw-${randomUUID()}`);
			const remove = mayBeRemoved(documents.length);
			const work = { baseUrl, ca, token, documents, connections, folder, remove };
			const { ms, bytes } = await process.download(work);
			if (bytes < pdfBytes * documents.length) throw new Error('Raw undici missed bytes');
			return ms;
		},
	};
}

/** 500 PDFs of 100 kB over plain HTTP. */
export async function plainRow(world: World, rounds: number): Promise<Row> {
	const pdfBytes = 100_000;
	const place = await world.place({ sets: 300, pdfBytes });
	const work = downloads(world, place, await place.documents(500), pdfBytes);
	const opened = { ours: 0, theirs: 0 };
	const counting = async (by: keyof typeof opened, run: () => Promise<Measured>) => {
		const before = (await place.counters()).connections;
		const { ms } = await run();
		opened[by] = Math.max(opened[by], (await place.counters()).connections - before);
		return ms;
	};
	const { ours, theirs, raw } = await inTurn(
		{
			ours: () => counting('ours', work.ours),
			theirs: () => counting('theirs', work.theirs),
			raw: () => work.raw(),
		},
		rounds,
	);
	await place.close();
	return {
		work: '500 PDFs of 100 kB, plain HTTP, 8 connections',
		unit: 'ms',
		figures: [figureOf(OURS, ours), figureOf(THEIRS, theirs), figureOf(RAW, raw)],
		targets: [
			atLeast('at least 3 times as fast as HTTP Request', 3, ratioOf(theirs, ours)),
			atMost(
				'over at most 8 connections',
				8,
				opened.ours,
				`opened in a run (HTTP Request: ${opened.theirs})`,
			),
			atMost('at most 2.2 times raw', 2.2, ratioOf(ours, raw)),
		],
		note: "Where the time goes, by a profile of n8n's process in such runs: a quarter of its work is n8n storing the files (each, and its description, is written beside its place and renamed), an eighth the garbage collector, a twelfth sending the requests; the code of this package and undici together are a sixteenth. HTTP Request pays the same for storing.",
	};
}

/** The same over TLS with 20 ms latency, with 16 and with 32 connections. */
export async function tlsRow(world: World, rounds: number): Promise<Row> {
	const pdfBytes = 100_000;
	const place = await world.place({ sets: 300, pdfBytes, tls: true, latencyMs: 20 });
	const work = downloads(world, place, await place.documents(500), pdfBytes);
	const taken = await inTurn(
		{
			sixteen: async () => (await work.ours(16)).ms,
			theirs: async () => (await work.theirs()).ms,
			thirtyTwo: async () => (await work.ours(32)).ms,
			raw: () => work.raw(16),
		},
		rounds,
	);
	await place.close();
	return {
		work: '500 PDFs of 100 kB, TLS, 20 ms latency',
		unit: 'ms',
		figures: [
			figureOf(`${OURS}, 16`, taken.sixteen),
			figureOf(THEIRS, taken.theirs),
			figureOf(`${RAW}, 16`, taken.raw),
			figureOf(`${OURS}, 32`, taken.thirtyTwo),
		],
		targets: [
			atLeast('at least 1.8 times as fast with 16 connections', 1.8, ratioOf(taken.theirs, taken.sixteen)),
			atLeast('at least 2.2 times as fast with 32 connections', 2.2, ratioOf(taken.theirs, taken.thirtyTwo)),
		],
	};
}

/** 4 PDFs of 300 MB side by side: time, and what n8n's memory grows by. */
export async function largeRow(world: World, rounds: number): Promise<Row> {
	const pdfBytes = 300 * MB;
	const place = await world.place({ sets: 4, documentsPerSet: 1, pdfBytes });
	const work = downloads(world, place, await place.documents(4), pdfBytes);
	const grown: number[] = [];
	// Loads what is loaded at first use; small, so that it leaves nothing behind that would hide a growth.
	const small = await world.place({ sets: 4, documentsPerSet: 1, pdfBytes: 0 });
	await downloads(world, small, await small.documents(4), 0).ours();
	await small.close();
	const { ours, theirs, raw, besideHeap } = await inTurn(
		{
			ours: async () => {
				const { ms, peakMb, beforeMb } = await work.ours();
				grown.push(peakMb - beforeMb);
				return ms;
			},
			theirs: async () => (await work.theirs()).ms,
			raw: () => work.raw(4),
			besideHeap: () => work.raw(4, world.rawBesideHeap),
		},
		rounds,
	);
	await place.close();
	return {
		work: '4 PDFs of 300 MB side by side, plain HTTP',
		unit: 'ms',
		figures: [
			figureOf(OURS, ours),
			figureOf(THEIRS, theirs),
			figureOf(RAW, raw),
			figureOf('Raw, with the heap of n8n', besideHeap),
		],
		targets: [
			atMost("n8n's memory grows by at most 64 MB", 64, Math.max(...grown), 'MB at most'),
			atMost('at most 1.2 times raw', 1.2, ratioOf(ours, raw)),
		],
		note: `Most of the difference to raw is the garbage collector: 1.2 GB of buffers pass through the process, and V8 goes through all that n8n holds again and again meanwhile. Raw undici in a process that holds as much takes ${ratioOf(besideHeap, raw).toFixed(1)} times as long as in an empty one. n8n's memory above what it was before the run, round by round: ${grown.map((mb) => `${Math.round(mb)} MB`).join(', ')}; what goes beyond the files' own buffers is garbage that was not collected yet.`,
	};
}

/** From events to PDFs in one node: how many searches it takes. */
export async function eventsRow(world: World, rounds: number): Promise<Row> {
	const place = await world.place({ sets: 10_000, documentsPerSet: 3, pdfBytes: 10_000 });
	const { events, pages, pdfs } = await place.events(100);
	const searches: number[] = [];
	const taken: number[] = [];
	for (let round = 0; round < rounds; round += 1) {
		const before = (await place.counters()).byRoute['search'] ?? 0;
		const { ms, items } = await world.run(ourPdfsOfEvents(place), events);
		if (items.length !== pdfs) throw new Error(`${items.length} of ${pdfs} PDFs came`);
		searches.push(((await place.counters()).byRoute['search'] ?? 0) - before);
		taken.push(ms);
	}
	await place.close();
	return {
		work: `100 events → their sets among 10,000 → ${pdfs} PDFs, one node`,
		unit: 'searches',
		figures: [
			figureOf(OURS, searches),
			{ by: 'Pages of the customers', value: pages },
			{ by: 'Events × pages', value: events.length * 100 },
		],
		targets: [
			{
				promise: `at most the ${pages} pages of the customers concerned`,
				measured: `${Math.max(...searches)} searches`,
				held: Math.max(...searches) <= pages,
			},
		],
		note: `The run took ${Math.round(median(taken))} ms. Each page begins with the last row of the one before, by which both are known to be of one list: that takes a page more for every 99. HTTP Request has no such step: it would search for each event.`,
	};
}
