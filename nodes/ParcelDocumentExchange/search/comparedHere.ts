import { folded } from '../../../service/model/folded';
import { modifiedInstant, modifiedSince } from '../../../service/model/modifiedDate';
import { shownText, type SetRow } from '../../../service/model/set';
import { type Filters, filterLabel } from '../parameters/filters';
import { unusable } from '../parameters/values';

/** What the service cannot be asked for (interface, 2.4): compared here, when the pages are read. */
export interface ComparedHere {
	/** Milliseconds since 1970; undefined for no bound. */
	modifiedAfter?: number;
	modifiedBefore?: number;
	/** Parts of texts, folded. */
	texts: Array<{ part: string; fields: readonly string[] }>;
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** A hundred years: more is a mistake. */
const DAYS = { least: 1, most: 36_500 };

/** In which fields of a set a filter looks. */
const FIELDS = {
	vesselName: ['vesselName'],
	company: ['consignorCompanyName', 'consigneeCompanyName', 'fromParty', 'destinationName'],
	referenceContains: ['shipmentRef', 'parcelRef'],
} as const;

/**
 * @param now milliseconds since 1970
 * @throws ServiceError `invalidInput` for what cannot be a bound, and for two ends of one time
 */
export function readComparedHere(filters: Filters, now: number): ComparedHere {
	const modifiedBefore = filters.instant('modifiedBefore');
	const days = filters.wholeNumber('olderThanDays', DAYS);
	if (modifiedBefore !== undefined && days !== undefined) {
		throw unusable(
			filterLabel('olderThanDays'),
			`cannot stand beside "${filterLabel('modifiedBefore')}"`,
			'Both say until when a set was modified: take one of them away.',
		);
	}
	return {
		modifiedAfter: filters.instant('modifiedAfter'),
		modifiedBefore: days === undefined ? modifiedBefore : now - days * DAY_MS,
		texts: Object.entries(FIELDS).flatMap(([name, fields]) => {
			const part = filters.text(name);
			return part === undefined ? [] : [{ part: folded(part), fields }];
		}),
	};
}

/** Whether anything is compared here at all: otherwise the service counts as well as we do. */
export function comparesAnything({ modifiedAfter, modifiedBefore, texts }: ComparedHere): boolean {
	return modifiedAfter !== undefined || modifiedBefore !== undefined || texts.length > 0;
}

/** Whether the set fits. A date that cannot be read does: a set too many is seen by a person, a set too few is not. */
export function fitsHere(set: SetRow, compared: ComparedHere, zone: string): boolean {
	const { modifiedAfter, modifiedBefore, texts } = compared;
	if (modifiedAfter !== undefined && !modifiedSince(set.modifiedDate, modifiedAfter, zone)) return false;
	const instant = modifiedBefore === undefined ? null : modifiedInstant(set.modifiedDate, zone);
	if (instant !== null && modifiedBefore !== undefined && instant >= modifiedBefore) return false;
	return texts.every(({ part, fields }) =>
		fields.some((field) => folded(shownText(set[field]) ?? '').includes(part)),
	);
}

/** Whether it fits without its date having been read. */
export function isUndated(set: SetRow, compared: ComparedHere, zone: string): boolean {
	const { modifiedAfter, modifiedBefore } = compared;
	return (modifiedAfter ?? modifiedBefore) !== undefined && modifiedInstant(set.modifiedDate, zone) === null;
}
