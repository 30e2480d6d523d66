import { isServiceError, ServiceError } from '../errors';
import { modifiedInstant } from '../model/modifiedDate';
import { idKey, isSet, shownText, type SetResult } from '../model/set';
import type { AskPage, Row, SetFilters } from './page';
import { isRefusal, pageOrFailure } from './question';

/** Services that count no further than to a number, and do not say so, count to such a one. */
const ROUND = 500;

/** Rows that tell what many have in common. */
const PAGE = 100;

/** Rows of each end of a narrower search: where the whole list is cut, all of its last ones are others. */
const END = 25;

/** Customers that are asked for one by one. */
const MOST_CUSTOMERS = 3;

/** The two kinds of instances (interface, 1). */
const INSTANCES = ['HUB', 'EXCHANGE'];

/** Characters of a text that is searched by. */
const LONGEST = 200;

/** Whether a service may count no further than to so many sets. */
export function isRoundCount(count: number): boolean {
	return count > 0 && count % ROUND === 0;
}

/** Whether a list goes on behind its end; unknown where nothing shows it, and not all could be asked. */
export type GoesOn = 'yes' | 'no' | 'unknown';

/** A set that the service shows where its customer alone is asked for. */
export interface LeftOut {
	customerId: string;
	/** What tells sets apart. */
	key: string;
}

/** Of a row, what is looked at: it may be as large as an answer can be. */
interface EndRow {
	id: string;
	time: number | null;
}

/** The rows at both ends of a narrower search; unknown where they could not be had. */
type Ends = readonly EndRow[] | 'none' | 'unknown';

/**
 * What a search of a round number of sets is compared with: the ends of narrower ones. Of a list that is cut, they reach
 * further down, whichever way it is sorted.
 */
export class Narrower {
	private begun?: { total: number; ends: Promise<readonly Ends[]> };

	/**
	 * @param ask the pages of a search by other filters
	 */
	constructor(
		private readonly filters: SetFilters,
		private readonly ask: (filters: SetFilters) => AskPage,
	) {}

	/**
	 * Asks for them while the list is read: there is room for that once its first page has come. What few rows have in
	 * common may be rare in the list, and a search by that would show nothing.
	 *
	 * @param rows of the whole list
	 */
	begin(total: number, rows: readonly Row[]): void {
		if (rows.length < PAGE) return;
		this.begun = { total, ends: this.endsOf(rows.slice(0, PAGE), total) };
		// Seen where it is asked for; where it never is, a failure must not end the process.
		this.begun.ends.catch(() => undefined);
	}

	/**
	 * Whether one of them goes on where the whole list ends, though that one still has the same total: a set that came
	 * meanwhile would be counted.
	 */
	async showMore(total: number, isKnown: (id: string) => boolean): Promise<GoesOn> {
		// What came before some of the list did may speak of sets that have left meanwhile: it accuses nobody.
		if (this.begun?.total === total && judged(await this.begun.ends, isKnown) === 'no') return 'no';
		const whole = () => pageOrFailure(this.ask(this.filters)(0, PAGE));
		const first = await whole();
		if (isServiceError(first)) return 'unknown';
		const found = judged(await this.endsOf(first.rows, total), isKnown);
		if (found !== 'yes') return found;
		const again = await whole();
		if (isServiceError(again)) return 'unknown';
		return again.total === total ? 'yes' : 'no';
	}

	/**
	 * A set that the service leaves out where several customers are asked for: some go by the first alone, or the last.
	 * Undefined where nothing shows it, and where the whole list has another total by now: a set that came meanwhile would
	 * be counted.
	 */
	async customerLeftOut(total: number, isKnown: (id: string) => boolean): Promise<LeftOut | undefined> {
		const { filters } = this;
		const { customerIds = [] } = filters;
		if (customerIds.length < 2) return undefined;
		const ends = new Set([...customerIds.slice(0, 1), ...customerIds.slice(1 - MOST_CUSTOMERS)]);
		const looks = await Promise.all(
			[...ends].map(async (customerId) => {
				const page = await pageOrFailure(this.ask({ ...filters, customerIds: [customerId] })(0, 1));
				const sets = isServiceError(page) ? [] : page.rows.map(({ value }) => value).filter(isSet);
				const keys = sets.map(({ setId }) => idKey(setId));
				return keys.filter((key) => !isKnown(key)).map((key) => ({ customerId, key }));
			}),
		);
		const [leftOut] = looks.flat();
		if (leftOut === undefined) return undefined;
		const again = await pageOrFailure(this.ask(filters)(0, 1));
		return isServiceError(again) || again.total !== total ? undefined : leftOut;
	}

	/** By what most of some rows of the whole list have in common. */
	private searches(rows: readonly Row[]): SetFilters[] {
		const { filters } = this;
		const { customerIds = [], status, instance, shipmentRef } = filters;
		const sets = rows.map(({ value }) => value).filter(isSet);
		const seenStatus = mostFrequent(sets.map((set) => shownText(set.status)));
		const reference = mostFrequent(sets.map((set) => shownText(set.shipmentRef)));
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

	private async endsOf(rows: readonly Row[], total: number): Promise<Ends[]> {
		return await Promise.all(this.searches(rows).map((filters) => this.look(filters, total)));
	}

	/** A search that finds more than the whole list has is no narrower one, and so is one that the service refuses. */
	private async look(filters: SetFilters, total: number): Promise<Ends> {
		const ask = this.ask(filters);
		const first = await pageOrFailure(ask(0, END));
		if (isServiceError(first)) return isRefusal(first) ? 'none' : 'unknown';
		if (first.total > total) return 'none';
		const from = Math.max(first.rows.length, first.total - END);
		const last = from < first.total ? await pageOrFailure(ask(from, END)) : undefined;
		if (isServiceError(last)) return isRefusal(last) ? 'none' : 'unknown';
		const sets = [...first.rows, ...(last?.rows ?? [])].map(({ value }) => value).filter(isSet);
		return sets.map((set) => ({ id: idKey(set.setId), time: timeOf(set) }));
	}
}

function judged(ends: readonly Ends[], isKnown: (id: string) => boolean): GoesOn {
	if (ends.some((rows) => typeof rows !== 'string' && goesOn(rows, isKnown))) return 'yes';
	return ends.includes('unknown') ? 'unknown' : 'no';
}

/**
 * Whether rows that are known come first, and then others. Where others stand among them, the search finds what the whole
 * list leaves out wherever it stands: some services show finished sets, or those of one instance, only to who names that.
 */
function goesOn(rows: readonly EndRow[], isKnown: (id: string) => boolean): boolean {
	const known = rows.map(({ id }) => isKnown(id));
	const [firstNew, lastKnown] = [known.indexOf(false), known.lastIndexOf(true)];
	if (firstNew < 1) return false;
	// Rows of one minute may come in any order.
	const times = new Set(rows.slice(firstNew, lastKnown + 1).map(({ time }) => time));
	return lastKnown < firstNew || (times.size === 1 && !times.has(null));
}

const timeOf = ({ modifiedDate }: SetResult) => modifiedInstant(modifiedDate, 'UTC');

function mostFrequent(texts: readonly (string | null)[]): string | undefined {
	const numbers = new Map<string, number>();
	for (const text of texts)
		if (text !== null && text.length <= LONGEST) numbers.set(text, (numbers.get(text) ?? 0) + 1);
	return [...numbers].sort(([, a], [, b]) => b - a)[0]?.[0];
}

/** @param remedy what became of it, and what to do */
export function leavesOut(customerId: string, remedy: string): ServiceError {
	return new ServiceError(
		'unexpectedResponse',
		`The service shows sets of customer ${customerId} that it leaves out where several customers are asked for.`,
		{ remedy, incomplete: true },
	);
}
