import { isServiceError } from '../errors';
import { idKey, isSet, shownText } from '../model/set';
import type { AskPage, Row, SetFilters } from './page';

/** Services that count no further than to a number, and do not say so, count to such a one. */
const ROUND = 500;

/** Rows of the end of a narrower search. */
const PAGE = 100;

/** Different references or statuses that are counted. */
const MOST_COUNTED = 10_000;

/** Customers that are asked for one by one. */
const MOST_CUSTOMERS = 3;

/** The two kinds of instances (interface, 1). */
const INSTANCES = ['HUB', 'EXCHANGE'];

/** Whether a service may count no further than to so many sets. */
export function isRoundCount(count: number): boolean {
	return count > 0 && count % ROUND === 0;
}

/**
 * What a search of a round number of sets is compared with: the ends of narrower ones. All that they show, the whole list
 * has shown, unless it is cut. Of a list that is cut, they reach further down, whichever way it is sorted.
 */
export class Narrower {
	private readonly references = new Map<string, number>();
	private readonly statuses = new Map<string, number>();

	/**
	 * @param ask the pages of a search by other filters
	 */
	constructor(
		private readonly filters: SetFilters,
		private readonly ask: (filters: SetFilters) => AskPage,
	) {}

	/** To be told of the rows of the whole list. */
	saw(rows: readonly Row[]): void {
		for (const { value } of rows) {
			if (!isSet(value)) continue;
			count(this.references, shownText(value.shipmentRef));
			count(this.statuses, shownText(value.status));
		}
	}

	/**
	 * Whether one of them shows a set that is not among the known ones, though the whole list still has the same total: a
	 * set that came meanwhile would be counted. One that fails shows nothing.
	 */
	async showMore(total: number, isKnown: (id: string) => boolean): Promise<boolean> {
		const ends = await Promise.all(this.searches().map((filters) => this.end(filters)));
		const isNews = ({ value }: Row) => isSet(value) && !isKnown(idKey(value.setId));
		if (!ends.flat().some(isNews)) return false;
		const again = await settled(this.ask(this.filters)(0, 1));
		return again?.total === total;
	}

	private searches(): SetFilters[] {
		const { filters } = this;
		const { customerIds = [], status, instance, shipmentRef } = filters;
		const [reference, seenStatus] = [this.references, this.statuses].map(mostFrequent);
		const searches: SetFilters[] = [];
		if (customerIds.length > 1)
			for (const id of customerIds.slice(0, MOST_CUSTOMERS)) searches.push({ ...filters, customerIds: [id] });
		if (instance === undefined) for (const kind of INSTANCES) searches.push({ ...filters, instance: kind });
		if (status === undefined && seenStatus !== undefined)
			searches.push({ ...filters, status: seenStatus.toUpperCase() });
		if (shipmentRef === undefined && reference !== undefined)
			searches.push({ ...filters, shipmentRef: reference });
		return searches;
	}

	/** The last rows of a search. */
	private async end(filters: SetFilters): Promise<readonly Row[]> {
		const ask = this.ask(filters);
		const first = await settled(ask(0, 1));
		if (!first) return [];
		const last = await settled(ask(Math.max(0, first.total - PAGE), PAGE));
		return last?.rows ?? [];
	}
}

async function settled(
	asked: ReturnType<AskPage>,
): Promise<{ total: number; rows: readonly Row[] } | undefined> {
	try {
		const page = await asked;
		return isServiceError(page) ? undefined : page;
	} catch (error) {
		if (isServiceError(error) && error.code === 'cancelled') throw error;
		return undefined;
	}
}

function count(numbers: Map<string, number>, text: string | null): void {
	if (text === null || text.length > 200 || (numbers.size >= MOST_COUNTED && !numbers.has(text))) return;
	numbers.set(text, (numbers.get(text) ?? 0) + 1);
}

function mostFrequent(numbers: ReadonlyMap<string, number>): string | undefined {
	let [found, most] = [undefined as string | undefined, 0];
	for (const [text, times] of numbers) if (times > most) [found, most] = [text, times];
	return found;
}
