import { LIMIT } from '../descriptions/defaults';
import type { Work } from './operation';
import type { Parameters } from '../parameters/parameters';
import { wholeNumber } from '../parameters/values';

/** How many items to give: Infinity for Return All. */
export function readLimit(parameters: Parameters): number {
	if (parameters.flag('returnAll', false)) return Infinity;
	return wholeNumber(parameters.raw('limit'), { label: 'Limit', ...LIMIT });
}

/** Says that an item's answer ends at the limit. For a single item the editor says so itself. */
export function hintAtLimit(work: Work, limit: number, more: string): void {
	if (work.itemCount > 1 || work.asTool)
		work.hint(`The limit of ${limit} is reached; ${more}. Raise Limit or use Return All.`);
}
