import type { Client, Paging, SetFilters } from '../../../service/api/client';
import { asError, ServiceError } from '../../../service/errors';
import { grouped } from '../../../service/model/grouped';
import { idKey } from '../../../service/model/set';
import { Completing, FEW_PAGES, type Found } from './completing';
import { Looks, type ComeSoFar } from './looks';
import { Patience, secondsText, type Waiting } from './patience';

export type { Found };

/** A set somebody wants, and where to look for it. */
export interface Wanted {
	setId: string;
	/** Narrows the search. Lookups with the same filters and paging share a reading. */
	filters: SetFilters;
	paging: Paging;
	/** How long to wait for the set, and for its documents. */
	waitMs: number;
	/** Where only the whole list would tell that all its papers came, {@link Found.doubt} says so, and it is not read. */
	doubtIsFine?: boolean;
}

interface Asker extends Wanted {
	settle(found: Promise<Found>): void;
	refuse(error: unknown): void;
}

/**
 * Finds sets by id. The service has no such call (interface, part 4), so the pages of a search are read until the set
 * shows. A hundred events of one customer would read them a hundred times: therefore everyone who asks in the same turn
 * of the event loop, with the same filters, shares one reading, which ends as soon as all of them have their set, or with
 * the list, where its rest costs no more than asking for each of the sets alone ({@link Completing}).
 */
export class SetFinder {
	private readonly gathering = new Map<string, Asker[]>();
	private readonly looks: Looks;

	constructor(
		client: () => Promise<Client>,
		private readonly waiting: Waiting,
	) {
		this.looks = new Looks(client, waiting.signal);
	}

	/**
	 * The set, with the documents of all its rows where the service shows any.
	 *
	 * @throws ServiceError `notFound` when the search does not show it within the wait, `unexpectedResponse` when its rows
	 * contradict each other, and what the search throws
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

	/** Looks until every asker has its set or is out of patience. */
	private async lookFor(askers: readonly Asker[]): Promise<void> {
		const [{ filters, paging }] = askers as [Asker];
		const longest = Math.max(...askers.map(({ waitMs }) => waitMs));
		let begun: Patience | undefined;
		// Waiting for a turn is not waiting for the set.
		const begin = () => (begun ??= new Patience(longest, this.waiting));
		const missing = bySet(askers);
		for (;;) {
			const ids = new Set(missing.keys());
			// A set that shows no documents is asked for alone in any case.
			const isEnough = ({ found, withPapers, pagesLeft }: ComeSoFar) =>
				found === ids.size && (withPapers === 0 || pagesLeft > Math.max(withPapers, FEW_PAGES));
			const look = await this.looks.through(filters, paging, ids, isEnough, begin);
			const completing = new Completing(this.looks, look, filters, paging);
			for (const id of look.rows.keys()) {
				for (const asker of missing.get(id) ?? []) {
					const patience = new Patience(asker.waitMs - begin().spentMs, this.waiting);
					asker.settle(completing.found(id, asker.doubtIsFine ?? false, patience));
				}
				missing.delete(id);
			}
			if (missing.size > 0 && look.failure) throw asError(look.failure);
			const patience = begin();
			for (const [setId, waiting] of missing) {
				const still = waiting.filter((asker) => asker.waitMs > patience.spentMs);
				for (const asker of waiting) if (!still.includes(asker)) asker.refuse(notShown(asker, look.doubt));
				if (still.length > 0) missing.set(setId, still);
				else missing.delete(setId);
			}
			if (missing.size === 0) return;
			await patience.pause();
		}
	}
}

/** Two events of one set ask for it twice. */
const bySet = (askers: readonly Asker[]): Map<string, Asker[]> =>
	grouped(askers.map((asker) => [idKey(asker.setId), asker]));

function notShown({ setId, filters, waitMs }: Wanted, doubt = ''): ServiceError {
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
			doubt,
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
