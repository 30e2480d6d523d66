import { median, type Growth } from '../report';
import { downloads, OURS, RAW, THEIRS } from './pdfRows';
import { searches } from './setRows';
import type { World } from './world';

const KB = 1024;
const MB = 1024 * KB;

/**
 * Time and memory of Return All. Ours first, from small to large: what a run leaves to the garbage collector is room for
 * the next one, and would hide its growth.
 */
export async function growthOfSets(world: World, sizes: readonly number[]): Promise<Growth[]> {
	const ours: number[] = [];
	const theirs: number[] = [];
	const memory: number[] = [];
	const places = [];
	for (const sets of sizes) {
		const place = await world.place({ sets, pdfBytes: 0, latencyMs: 20 });
		places.push({ place, sets });
		const { ms, peakMb, beforeMb } = await searches(world, place, sets).ours();
		memory.push(peakMb - beforeMb);
		ours.push(ms);
	}
	for (const { place, sets } of places) {
		theirs.push((await searches(world, place, sets).theirs()).ms);
		await place.close();
	}
	const points = sizes.map((size) => ({ label: size.toLocaleString('en'), size }));
	return [
		{
			title: 'Return All, 20 ms latency',
			along: 'sets',
			unit: 'ms',
			points,
			lines: [
				{ by: OURS, values: ours },
				{ by: THEIRS, values: theirs },
			],
		},
		{
			title: "Return All: n8n's memory above before",
			along: 'sets',
			unit: 'MB',
			points,
			lines: [{ by: OURS, values: memory }],
			note: "The whole run: the node's work, its items, and n8n saving them.",
		},
	];
}

/** More and more documents of 10 kB. */
export async function growthOfDocuments(world: World, sizes: readonly number[]): Promise<Growth> {
	const pdfBytes = 10 * KB;
	const most = Math.max(...sizes);
	const place = await world.place({ sets: Math.ceil(most / 5), documentsPerSet: 5, pdfBytes });
	const taken: { ours: number; theirs: number | undefined; raw: number }[] = [];
	for (const size of sizes) {
		const work = downloads(world, place, await place.documents(size), pdfBytes);
		taken.push({
			raw: await work.raw(),
			ours: (await work.ours()).ms,
			theirs: await work.theirs().then(
				({ ms }) => ms,
				() => undefined,
			),
		});
	}
	await place.close();
	return {
		title: 'PDFs of 10 kB, plain HTTP, 8 connections',
		along: 'documents',
		unit: 'ms',
		points: sizes.map((size) => ({ label: size.toLocaleString('en'), size })),
		lines: [
			{ by: OURS, values: taken.map(({ ours }) => ours) },
			{ by: THEIRS, values: taken.map(({ theirs }) => theirs) },
			{ by: RAW, values: taken.map(({ raw }) => raw) },
		],
		note: 'A dash: HTTP Request, which sends all requests at once, did not get all documents.',
	};
}

/** Larger and larger files, four at a time. */
export async function growthOfFiles(world: World, sizes: readonly number[]): Promise<Growth> {
	const taken: { ours: number; theirs: number; raw: number }[] = [];
	for (const pdfBytes of sizes) {
		const place = await world.place({ sets: 4, documentsPerSet: 1, pdfBytes });
		const work = downloads(world, place, await place.documents(4), pdfBytes);
		const rounds = pdfBytes < 50 * MB ? 3 : 1;
		const ours: number[] = [];
		const theirs: number[] = [];
		const raw: number[] = [];
		await work.raw(4);
		for (let round = 0; round < rounds; round += 1) {
			raw.push(await work.raw(4));
			ours.push((await work.ours()).ms);
			theirs.push((await work.theirs()).ms);
		}
		taken.push({ ours: median(ours), theirs: median(theirs), raw: median(raw) });
		await place.close();
	}
	return {
		title: '4 PDFs side by side, plain HTTP',
		along: 'size of each',
		unit: 'ms',
		points: sizes.map((size) => ({ label: size < MB ? `${size / KB} kB` : `${size / MB} MB`, size })),
		lines: [
			{ by: OURS, values: taken.map(({ ours }) => ours) },
			{ by: THEIRS, values: taken.map(({ theirs }) => theirs) },
			{ by: RAW, values: taken.map(({ raw }) => raw) },
		],
	};
}
