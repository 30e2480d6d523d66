import type { Client, Paging, SetFilters } from '../../../service/api/client';
import { throwIfCancelled } from '../../../service/cancel';
import { contradicted } from '../../../service/api/contradiction';
import { asError, isServiceError } from '../../../service/errors';
import { modifiedInstant } from '../../../service/model/modifiedDate';
import { documentsOf, idKey, type SetResult } from '../../../service/model/set';
import { Slots } from '../../../service/slots';

/** Looks running side by side: at the lists of different customers, and at single sets. */
const SIDE_BY_SIDE = 4;

/** What one look at a list brought of the sets it was for. */
export interface Look {
	/** Each set's rows, by its id. */
	rows: Map<string, SetResult[]>;
	/** Whether the whole list was read. */
	whole: boolean;
	/** What the service's own numbers leave open though it was, in words. */
	doubt?: string;
	/** What ended it before. */
	failure?: unknown;
}

/** How far a look has come. */
export interface ComeSoFar {
	found: number;
	/** Those of them that show documents. */
	withPapers: number;
	/** Pages of the list that have not come, as far as the service says. */
	pagesLeft: number;
	/** Whether rows came that contradict the filters: the service does not go by them. */
	strangers: boolean;
}

/** Reads lists for single sets in them. */
export class Looks {
	private readonly slots = new Slots(SIDE_BY_SIDE);

	constructor(
		private readonly client: () => Promise<Client>,
		private readonly signal: AbortSignal,
	) {}

	/**
	 * Reads the list until that is enough, or to its end. A failure of the service ends it: what came before still counts.
	 *
	 * @param begin told when its turn has come
	 * @throws ServiceError `cancelled`
	 */
	async through(
		filters: SetFilters,
		paging: Paging,
		ids: ReadonlySet<string>,
		isEnough: (progress: ComeSoFar) => boolean,
		begin: () => unknown = () => {},
	): Promise<Look> {
		const look: Look = { rows: new Map(), whole: false };
		let [pagesLeft, strangers] = [Infinity, false];
		const told = {
			onPage: (left: number) => void (pagesLeft = left),
			onDoubt: (sentence: string) => void (look.doubt = sentence),
			onOtherTotal: (sentence: string) => void (look.doubt = sentence),
			onPast: (isPast: (row: unknown) => boolean) => {
				let isOpen = false;
				for (const [id, rows] of look.rows) {
					const there = rows.filter((row) => !isPast(row));
					const isOlder = pastBy(there);
					const left = rows.filter((row) => !(isPast(row) && isOlder(row)));
					look.rows.set(id, left);
					isOpen ||= there.length > 0 && left.some(showsMoreThan(there));
				}
				return isOpen;
			},
		};
		await this.slots.use(this.signal, async () => {
			begin();
			try {
				const client = await this.client();
				for await (const page of client.lookThroughSets(filters, { ...paging, ...told })) {
					for (const set of page) {
						const id = idKey(set.setId);
						// A service that goes by the filters would not show a row that contradicts them.
						if (contradicted(filters, set) !== undefined) strangers = true;
						else if (look.rows.has(id)) look.rows.get(id)?.push(set);
						else if (ids.has(id)) look.rows.set(id, [set]);
					}
					const sets = [...look.rows.values()];
					const withPapers = sets.filter((rows) => rows.some((row) => documentsOf(row).length > 0)).length;
					if (isEnough({ found: sets.length, withPapers, pagesLeft, strangers })) return;
					throwIfCancelled(this.signal);
				}
				look.whole = true;
			} catch (error) {
				if (isServiceError(error) && error.code === 'cancelled') throw asError(error);
				look.failure = error;
			}
		});
		return look;
	}
}

/**
 * Whether a row of a set that did not come again is older than one that did: its papers were replaced. Without a date that
 * tells, it stays, since the list may have been read again from a copy that is behind or shows less; and so it does where
 * the set has left.
 */
export function pastBy(there: readonly SetResult[]): (row: SetResult) => boolean {
	const latest = there.reduce((time, row) => Math.max(time, timeOf(row) ?? -Infinity), -Infinity);
	return (row) => (timeOf(row) ?? Infinity) < latest;
}

/** When a row says that its set was modified, in milliseconds since 1970; null where no date can be read. */
const timeOf = ({ modifiedDate }: SetResult) => modifiedInstant(modifiedDate, 'UTC');

/** Whether a row shows papers that none of the others does. */
export function showsMoreThan(others: readonly SetResult[]): (row: SetResult) => boolean {
	const known = new Set(others.flatMap(papersOf));
	return (row) => papersOf(row).some((paper) => !known.has(paper));
}

const papersOf = (row: SetResult) =>
	documentsOf(row).flatMap(({ documentId }) => (documentId === null ? [] : [idKey(documentId)]));
