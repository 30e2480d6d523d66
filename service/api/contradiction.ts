import { folded } from '../model/folded';
import { instanceKind } from '../model/instance';
import { shownStatus, shownText, type SetRow } from '../model/set';
import { KNOWN_STATUSES } from '../model/status';
import { canonicalWord } from '../model/canonicalWord';
import type { SetFilters } from './page';

/** A filter that the service has. */
export type Filter = Exclude<keyof SetFilters, 'otherFilters'>;

/** What a row says of a filter: that it matches, that it does not, or nothing. */
type Word = 'matches' | 'contradicts' | 'silent';

/**
 * Whether a set is one that was asked for: a service may ignore a filter, or understand it as a part of the value. Rows
 * carry a shipment reference and a status (interface, 2.5), some services more. A status is comparable where both are of
 * those that the interface names (part 3): what `ACTIVE` and others take in, it does not say.
 */
export function wordOn(filter: Filter, filters: SetFilters, row: SetRow): Word {
	const chosen = String(filters[filter]);
	switch (filter) {
		case 'shipmentRef': {
			if (row.shipmentRef === undefined) return 'silent';
			const reference = folded(shownText(row.shipmentRef) ?? '');
			return reference === folded(chosen) ? 'matches' : 'contradicts';
		}
		case 'status': {
			const [asked, status] = [canonicalWord(chosen), shownStatus(row)];
			if (asked === status) return 'matches';
			return isKnown(asked) && isKnown(status) ? 'contradicts' : 'silent';
		}
		case 'instance': {
			const instance = shownText(row.instance);
			if (instance === null) return 'silent';
			const [kind, asked] = [instance, chosen].map((text) => instanceKind(text).toUpperCase());
			return kind === asked ? 'matches' : 'contradicts';
		}
		case 'customerIds':
			return 'silent';
	}
}

function isKnown(status: string | null): boolean {
	return (KNOWN_STATUSES as readonly (string | null)[]).includes(status);
}

/** The filters that were chosen. */
export function chosenFilters(filters: SetFilters): Filter[] {
	return (['status', 'instance', 'customerIds', 'shipmentRef'] as const).filter(
		(filter) => (filters[filter]?.length ?? 0) > 0,
	);
}

/** The first filter that a set contradicts. */
export function contradicted(filters: SetFilters, row: SetRow): Filter | undefined {
	return chosenFilters(filters).find((filter) => wordOn(filter, filters, row) === 'contradicts');
}

/** Whether what rows say may show that the service does not go by one of the filters. */
export function isComparable(filters: SetFilters): boolean {
	const { status = '', shipmentRef = '', instance = '' } = filters;
	return shipmentRef !== '' || instance !== '' || isKnown(canonicalWord(status));
}
