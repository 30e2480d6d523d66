import type { Client, Paging, SetFilters } from '../../../service/api/client';
import { contradicted } from '../../../service/api/contradiction';
import { ServiceError } from '../../../service/errors';
import { documentsOf, idKey, mergedSet, shownText, type SetResult } from '../../../service/model/set';
import { Patience, secondsText, type Waiting } from './patience';
import { refuseWhenStopped, Slots } from './slots';

/** A set somebody wants, and where to look for it. */
export interface Wanted {
	setId: string;
	/** Narrows the search. Lookups with the same filters and paging share a scan. */
	filters: SetFilters;
	paging: Paging;
	/** How long to wait for the set, and for its documents. */
	waitMs: number;
}

export interface Found {
	set: SetResult;
	/** Of the wait asked for, what is left. */
	leftMs: number;
}

interface Asker extends Wanted {
	settle(found: Promise<Found>): void;
	refuse(error: unknown): void;
}

/** Searches running side by side: different customers, and second looks at single sets. */
const SIDE_BY_SIDE = 4;

/**
 * Finds sets by id. The service has no such call (interface, part 4), so the pages of a search are read until the set
 * shows. A hundred events of one customer would read them a hundred times: therefore everyone who asks in the same turn
 * of the event loop, with the same filters, shares one scan, which ends as soon as all of them have their set.
 */
export class SetFinder {
	private readonly gathering = new Map<string, Asker[]>();
	private readonly slots = new Slots(SIDE_BY_SIDE);

	constructor(
		private readonly client: () => Promise<Client>,
		private readonly waiting: Waiting,
	) {}

	/**
	 * The set, with its documents where the service shows any.
	 *
	 * @throws ServiceError `notFound` when the search does not show it within the wait, and what the search throws
	 */
	async find(wanted: Wanted): Promise<Found> {
		return new Promise((settle, refuse) => {
			const key = JSON.stringify([wanted.filters, wanted.paging]);
			const asker = { ...wanted, settle, refuse };
			const gathered = this.gathering.get(key);
			if (gathered) {
				gathered.push(asker);
				return;
			}
			const askers: Asker[] = [asker];
			this.gathering.set(key, askers);
			queueMicrotask(() => {
				this.gathering.delete(key);
				this.lookFor(askers).catch((error: unknown) => askers.forEach(({ refuse }) => refuse(error)));
			});
		});
	}

	/** Scans until every asker has its set or is out of patience. */
	private async lookFor(askers: readonly Asker[]): Promise<void> {
		const [{ filters, paging }] = askers as [Asker];
		const longest = Math.max(...askers.map(({ waitMs }) => waitMs));
		let begun: Patience | undefined;
		// Waiting for a turn is not waiting for the set.
		const begin = () => (begun ??= new Patience(longest, this.waiting));
		const missing = bySet(askers);
		for (;;) {
			await this.scan(
				filters,
				paging,
				(page) => {
					for (const { setId } of page.filter((set) => missing.has(idKey(set.setId)))) {
						const found = missing.get(idKey(setId));
						const set = shownIn(page, setId, filters);
						if (!found || !set) continue;
						missing.delete(idKey(setId));
						for (const asker of found) {
							asker.settle(this.withDocuments(set, asker, asker.waitMs - begin().spentMs));
						}
					}
					return missing.size === 0;
				},
				begin,
			);
			const patience = begin();
			for (const [setId, waiting] of missing) {
				const still = waiting.filter((asker) => asker.waitMs > patience.spentMs);
				for (const asker of waiting) if (!still.includes(asker)) asker.refuse(notShown(asker));
				if (still.length > 0) missing.set(setId, still);
				else missing.delete(setId);
			}
			if (missing.size === 0) return;
			await patience.pause();
		}
	}

	/**
	 * A broad search may leave the documents out: the set is searched again by its own shipment reference, and again
	 * while the wait lasts. Ends with the set as it is.
	 */
	private async withDocuments(set: SetResult, asker: Asker, leftMs: number): Promise<Found> {
		const patience = new Patience(leftMs, this.waiting);
		const narrow: SetFilters = {
			...asker.filters,
			shipmentRef: shownText(set.shipmentRef) ?? asker.filters.shipmentRef,
		};
		// The same question would get the same answer, unless some time has passed.
		let asked = narrow.shipmentRef === asker.filters.shipmentRef;
		let latest = set;
		while (documentsOf(latest).length === 0) {
			if (asked) {
				if (patience.leftMs <= 0) break;
				await patience.pause();
			}
			asked = true;
			await this.scan(narrow, asker.paging, (page) => {
				const shown = shownIn(page, set.setId, {});
				latest = shown ?? latest;
				return shown !== undefined;
			});
		}
		return { set: latest, leftMs: patience.leftMs };
	}

	/** Shows `look` every page until it answers true. */
	private async scan(
		filters: SetFilters,
		paging: Paging,
		look: (page: readonly SetResult[]) => boolean,
		begin: () => unknown = () => {},
	): Promise<void> {
		const client = await this.client();
		await this.slots.use(this.waiting.signal, async () => {
			begin();
			for await (const page of client.lookThroughSets(filters, paging)) {
				if (look(page)) return;
				refuseWhenStopped(this.waiting.signal);
			}
		});
	}
}

/** The set of that id in a page. A service that goes by the filters would not show a row that contradicts them. */
function shownIn(page: readonly SetResult[], setId: string, filters: SetFilters): SetResult | undefined {
	return mergedSet(
		page.filter((set) => idKey(set.setId) === idKey(setId) && contradicted(filters, set) === undefined),
	);
}

/** Two events of one set ask for it twice. */
function bySet(askers: readonly Asker[]): Map<string, Asker[]> {
	const groups = new Map<string, Asker[]>();
	for (const asker of askers) {
		const setId = idKey(asker.setId);
		const group = groups.get(setId);
		if (group) group.push(asker);
		else groups.set(setId, [asker]);
	}
	return groups;
}

function notShown({ setId, filters, waitMs }: Wanted): ServiceError {
	const { customerIds = [], status, instance, shipmentRef } = filters;
	const narrowed = [
		...customerIds.map((customerId) => `customer ${customerId}`),
		...(status ? [`status ${status}`] : []),
		...(instance ? [`instance ${instance}`] : []),
		...(shipmentRef ? [`shipment reference ${shipmentRef}`] : []),
	];
	const where = narrowed.length > 0 ? `The search for ${narrowed.join(', ')}` : 'The search';
	const waited = waitMs > 0 ? `, also not after waiting ${secondsText(waitMs)}` : '';
	return new ServiceError('notFound', `${where} does not show set ${setId}${waited}`, {
		remedy: [
			'Check the set ID.',
			narrowed.length > 0
				? 'Check the fields under Narrow the Search, or remove them to search all sets your account sees.'
				: 'The account of the credential may not see this set; a customer or a status under Narrow the Search may show more.',
			waitMs > 0
				? ''
				: 'A set that was changed a moment ago may not show yet: Wait Up To in the options waits for it.',
		]
			.filter((sentence) => sentence !== '')
			.join(' '),
	});
}
