import type { Paging, SetFilters } from '../../../service/api/client';
import { asError, isServiceError, ServiceError } from '../../../service/errors';
import { folded } from '../../../service/model/folded';
import { documentsOf, mergedSet, shownText, type SetResult } from '../../../service/model/set';
import { pastBy, showsMoreThan, type Look, type Looks, type ComeSoFar } from './looks';
import type { Patience } from './patience';

export interface Found {
	set: SetResult;
	/** Of the wait asked for, what is left. */
	leftMs: number;
	/** Why papers of it may be missing, in words. */
	doubt?: string;
}

/** So many pages are read in any case: both ends of a list and its middle are looked at first. */
export const FEW_PAGES = 2;

/**
 * Sees to it that a set which was found has the papers of all the rows it is listed in, wherever in the list they are.
 * After a look at the whole list it has. Otherwise the service is asked for the set alone, by its own shipment reference,
 * which is one search more; and only where it does not go by that, the whole list is read, once for all sets of a look.
 *
 * What this cannot see: a row of the set under another shipment reference, on a page that nobody read.
 */
export class Completing {
	private readonly alone = new Map<string, Promise<Look>>();
	private rest: Promise<Look> | undefined;

	constructor(
		private readonly looks: Looks,
		private readonly look: Look,
		private readonly filters: SetFilters,
		private readonly paging: Paging,
	) {}

	/**
	 * The set with that id, one of those of the look. Where it has no documents, it is asked for again while the wait lasts.
	 *
	 * @throws ServiceError `unexpectedResponse` when its rows contradict each other, and what the search throws
	 */
	async found(id: string, doubtIsFine: boolean, patience: Patience): Promise<Found> {
		let [rows, older] = [this.look.rows.get(id) ?? [], [] as SetResult[]];
		const own = this.narrowed(rows);
		let [whole, doubt] = [this.look.whole, this.look.doubt];
		/** Papers of rows that are not sure to be past, and that the latest look did not show though it might have. */
		let gone: readonly SetResult[] = [];
		/** Why such papers are given all the same, in words. */
		let kept: string | undefined;
		const take = (look: Look, asked: SetFilters) => {
			const latest = look.rows.get(id);
			refuseContradiction(id, [...(latest ?? []), ...rows, ...older]);
			if (!latest) return;
			const isSure = look.whole && look.doubt === undefined;
			// Fewer rows than before: some services show fewer of a set that is asked for alone.
			const isAll = isSure && latest.length >= rows.length;
			const isPast = isAll ? pastBy(latest) : () => false;
			[rows, older] = [latest, [...rows, ...older].filter((row) => !isPast(row))];
			const showsMore = showsMoreThan(latest);
			const missing = older.filter((row) => isAskedFor(row, asked) && showsMore(row));
			gone = isAll ? missing : [];
			kept = isSure && !isAll && missing.length > 0 ? NOT_SHOWN : undefined;
		};
		/** A row that two looks in succession do not show is not there any more: one that did show it came before its change. */
		const settle = async (asked: SetFilters) => {
			if (gone.length === 0) return;
			const [before, past] = [rows, new Set(gone)];
			const look = await this.lookAt(id, asked, asked === own);
			if (look.failure !== undefined) throw asError(look.failure);
			take(look, asked);
			if (!isSamePapers(before, rows)) throw changing(id);
			older = older.filter((row) => !past.has(row));
		};
		const hasNone = () => documentsOf(mergedSet(rows, older)).length === 0;
		refuseContradiction(id, rows);
		// The same question would get the same answer, unless some time has passed.
		const isNews = own.shipmentRef !== this.filters.shipmentRef;
		if (isNews && (!whole || doubt !== undefined || hasNone())) {
			const look = await this.first(id, own);
			take(look, own);
			await settle(own);
			if (look.whole && look.rows.has(id)) [whole, doubt] = [true, look.doubt ?? kept];
			else if (isTrouble(look.failure)) throw asError(look.failure);
		}
		while (hasNone() && patience.leftMs > 0) {
			await patience.pause();
			const look = await this.lookAt(id, own);
			if (look.failure !== undefined) throw asError(look.failure);
			take(look, own);
		}
		if (!whole && !hasNone()) {
			if (doubtIsFine) doubt = NOT_READ;
			else {
				const rest = await this.readRest();
				take(rest, this.filters);
				await settle(this.filters);
				doubt = rest.doubt ?? shortfall(rest.failure) ?? kept;
			}
		}
		return { set: mergedSet(rows, older), leftMs: patience.leftMs, ...(doubt !== undefined && { doubt }) };
	}

	/** The filters, and the set's own shipment reference. */
	private narrowed([row]: readonly SetResult[]): SetFilters {
		const shipmentRef = shownText(row?.shipmentRef) ?? this.filters.shipmentRef;
		return { ...this.filters, shipmentRef };
	}

	/** Two events of one set share it. */
	private first(id: string, own: SetFilters): Promise<Look> {
		const look = this.alone.get(id) ?? this.lookAt(id, own);
		this.alone.set(id, look);
		return look;
	}

	private lookAt(id: string, asked: SetFilters, isBrief = true): Promise<Look> {
		const isNarrow = asked.shipmentRef !== undefined;
		const isEnough = ({ found, strangers, pagesLeft }: ComeSoFar) =>
			isBrief && pagesLeft > FEW_PAGES && (strangers || (!isNarrow && found > 0));
		return this.looks.through(asked, this.paging, new Set([id]), isEnough);
	}

	private readRest(): Promise<Look> {
		const ids = new Set(this.look.rows.keys());
		return (this.rest ??= this.looks.through(this.filters, this.paging, ids, () => false));
	}
}

const NOT_READ =
	'Whether the set is listed in more than one row is not certain: the service cannot be asked for it alone, and the rest of its list was not read. Document, Get Many reads all of it.';

const NOT_SHOWN =
	'Papers of the set came in its list that the service does not show any more when asked again: they are given too, and some of them may have been replaced meanwhile.';

/**
 * In words, where the list was read and is shorter than the service says: what was found is found.
 *
 * @throws whatever else kept the list from being read
 */
function shortfall(failure: unknown): string | undefined {
	if (failure === undefined) return undefined;
	if (isServiceError(failure) && failure.incomplete)
		return `Whether all papers of the set came is not certain. ${failure.message}`;
	throw asError(failure);
}

/** Whether a search by those filters shows the row, as long as it is there. */
function isAskedFor(row: SetResult, { shipmentRef }: SetFilters): boolean {
	return shipmentRef === undefined || folded(shownText(row.shipmentRef) ?? '') === folded(shipmentRef);
}

const isSamePapers = (some: readonly SetResult[], others: readonly SetResult[]) =>
	!some.some(showsMoreThan(others)) && !others.some(showsMoreThan(some));

function changing(id: string): ServiceError {
	return new ServiceError('unexpectedResponse', `The service shows other papers of set ${id} each time`, {
		remedy:
			'Nothing was fetched: some of them may have been replaced. Try again in a moment. If it stays, tell the service.',
	});
}

/** Whether the service is in trouble, and does not merely refuse to be asked like that. */
function isTrouble(failure: unknown): boolean {
	if (failure === undefined) return false;
	const code = isServiceError(failure) ? failure.code : undefined;
	return !['rejected', 'notFound', 'unexpectedResponse'].includes(code ?? '');
}

/** @throws ServiceError `unexpectedResponse` when rows of one set name different parcels: nobody knows whose the papers are */
function refuseContradiction(id: string, rows: readonly SetResult[]): void {
	for (const [field, word] of [
		['parcelRef', 'parcel'],
		['shipmentRef', 'shipment'],
	] as const) {
		const named = rows.map((row) => shownText(row[field])).filter((text) => text !== null);
		const names = [...new Map(named.map((name) => [folded(name), name])).values()];
		if (names.length < 2) continue;
		throw new ServiceError(
			'unexpectedResponse',
			`The service lists set ${id} as ${names.map((name) => `${word} ${name}`.slice(0, 100)).join(' and as ')}`,
			{
				remedy:
					'Nothing was fetched: nobody can tell which papers belong together. Look the set up in the service, and tell whoever runs it.',
			},
		);
	}
}
