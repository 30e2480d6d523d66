import type { Row } from '../api/page';
import { idKey, isSet, shownStatus } from '../model/set';
import { keyPrint } from './setMemory';

/** Tells rows apart by what a look compares: services write a status in both cases, and other fields may never be the same. */
export function rowPrint({ key, value }: Row): number {
	if (!isSet(value)) return keyPrint(key);
	return keyPrint(
		JSON.stringify([idKey(value.setId), shownStatus(value), value.transactionId, value.modifiedDate]),
	);
}

/** The same of a page, in whichever order its rows stand. */
export function pagePrint(rows: readonly Row[]): number {
	return keyPrint(JSON.stringify(rows.map(rowPrint).sort((a, b) => a - b)));
}
