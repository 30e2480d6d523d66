import { wholeNumber, type Parameters } from './parameters';

/** How many items to give: Infinity for Return All. */
export function readLimit(parameters: Parameters): number {
	if (parameters.flag('returnAll', false)) return Infinity;
	return wholeNumber(parameters.raw('limit'), {
		label: 'Limit',
		least: 1,
		most: Number.MAX_SAFE_INTEGER,
		missing: 50,
	});
}
