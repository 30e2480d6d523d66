import { figureOf, type Row } from '../report';
import { ourSets, theirSets } from './nodes';
import { OURS, THEIRS } from './pdfRows';
import { atLeast, atMost, inTurn, ratioOf } from './rounds';
import type { Measured, Place, World } from './world';

/** Every set of the stand-in; one that is missing or comes twice is an error. */
export function searches(world: World, place: Place, sets: number) {
	const checked = (run: Measured, ids: unknown[]): Measured => {
		if (ids.length !== sets || new Set(ids).size !== sets) {
			throw new Error(`${ids.length} sets came, ${new Set(ids).size} different ones, of ${sets}`);
		}
		return run;
	};
	return {
		ours: async () => {
			const run = await world.run(ourSets(place), [{}]);
			return checked(
				run,
				run.items.map(({ json }) => json['setId']),
			);
		},
		theirs: async () => {
			const run = await world.run(theirSets(place), [{}]);
			return checked(
				run,
				run.items.flatMap(({ json }) =>
					(json as { data: { results: { setId: string }[] } }).data.results.map(({ setId }) => setId),
				),
			);
		},
	};
}

/** Sets with a large document in each, of which Simplify leaves nothing: what n8n's memory grows by. */
export async function contentsRow(world: World, rounds: number): Promise<Row> {
	const sets = 800;
	const place = await world.place({ sets, pdfBytes: 0, xmlCharacters: 1_000_000 });
	const grown: number[] = [];
	for (let round = 0; round < rounds; round += 1) {
		const { peakMb, beforeMb } = await searches(world, place, sets).ours();
		grown.push(peakMb - beforeMb);
	}
	await place.close();
	return {
		work: '800 sets with 1 MB of xmlContent each, simplified',
		unit: 'MB',
		figures: [figureOf(`${OURS}, above before`, grown)],
		targets: [atMost("at most 150 MB more of n8n's memory", 150, Math.max(...grown), 'MB')],
	};
}

/** 20,000 sets with Return All and 20 ms latency. */
export async function setsRow(
	world: World,
	{ sets, rounds }: { sets: number; rounds: number },
): Promise<Row> {
	const place = await world.place({ sets, pdfBytes: 0, latencyMs: 20 });
	const work = searches(world, place, sets);
	const { ours, theirs } = await inTurn(
		{ ours: async () => (await work.ours()).ms, theirs: async () => (await work.theirs()).ms },
		rounds,
	);
	await place.close();
	return {
		work: `${sets.toLocaleString('en')} sets, Return All, 20 ms latency`,
		unit: 'ms',
		figures: [figureOf(OURS, ours), figureOf(THEIRS, theirs)],
		targets: [
			atLeast("at least 3 times as fast as HTTP Request's pagination, same sets", 3, ratioOf(theirs, ours)),
		],
		note: 'HTTP Request gives an item for each page of 100, which a further node has to split; that is not counted.',
	};
}
