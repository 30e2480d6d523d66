import type { Row } from '../report';
import { ourOneSet } from './nodes';
import { atMost } from './rounds';
import type { World } from './world';

/** Where the set stands in a list of so many, and how many searches it may take to find it. */
const PLACES = {
	'The first of the list': { place: () => 0, most: () => 3 },
	'The middle one': { place: (sets: number) => sets / 2, most: (sets: number) => sets / 100 / 2 },
	'The last of the list': { place: (sets: number) => sets - 1, most: () => 3 },
};

/** Searches that find one set by its ID, whichever way the service sorts. */
export async function oneSetRow(world: World, { sets }: { sets: number }): Promise<Row> {
	const row: Row = {
		work: `One set by its ID among ${sets.toLocaleString('en')}, the newest first or the oldest first`,
		unit: 'searches',
		figures: [],
		targets: [],
	};
	const orders = { 'newest first': false, 'oldest first': true };
	for (const [order, oldestFirst] of Object.entries(orders)) {
		const place = await world.place({ sets, oldestFirst, pdfBytes: 0 });
		const setIds = await place.setIds();
		const asked = async () => (await place.counters()).byRoute['search'] ?? 0;
		for (const [which, { place: at, most }] of Object.entries(PLACES)) {
			const before = await asked();
			const setId = setIds[at(sets)];
			const { items } = await world.run(ourOneSet(place), [{ setId }]);
			if (items[0]?.json['setId'] !== setId) throw new Error(`Set ${setId} did not come`);
			const value = (await asked()) - before;
			row.figures.push({ by: `${which}, ${order}`, value });
			row.targets.push(atMost(`${which}, ${order}: at most ${most(sets)}`, most(sets), value, 'searches'));
		}
		await place.close();
	}
	return row;
}
