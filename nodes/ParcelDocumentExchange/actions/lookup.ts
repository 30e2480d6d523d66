import type { SetFilters } from '../../../service/api/client';
import { paging, waitMs } from './callOptions';
import { checkedId, plainText, type Parameters } from './parameters';
import type { Wanted } from './setFinder';

/** Which set an operation is about, and where the search looks for it: the parameters Set, Lookup and Options. */
export function readWanted(parameters: Parameters, waitSeconds: number): Wanted {
	const options = parameters.fields('options');
	return {
		setId: parameters.id('setId', 'Set'),
		filters: readLookup(parameters),
		paging: paging(options),
		waitMs: waitMs(options, waitSeconds),
	};
}

/** Empty fields are left out: behind a trigger they are filled in by expressions, elsewhere they have no value. */
function readLookup(parameters: Parameters): SetFilters {
	const lookup = parameters.fields('lookup');
	const customerId = plainText(lookup.customerId);
	return {
		status: plainText(lookup.status).toUpperCase() || undefined,
		instance: plainText(lookup.instance).toUpperCase() || undefined,
		customerIds: customerId === '' ? undefined : [checkedId(customerId, 'Customer')],
		shipmentRef: plainText(lookup.shipmentRef) || undefined,
	};
}
