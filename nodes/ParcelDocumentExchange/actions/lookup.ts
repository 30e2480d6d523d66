import type { SetFilters } from '../../../service/api/client';
import { ServiceError } from '../../../service/errors';
import type { WholeNumber } from '../descriptions/defaults';
import { SAMPLE_CUSTOMER_ID, SAMPLE_SET_ID } from '../trigger/samples';
import { paging, waitMs } from './callOptions';
import { eventBehindFixedSet, refuseOtherSet } from './otherSet';
import type { Parameters } from './parameters';
import type { Wanted } from './setFinder';
import { checkedId, filterTexts, shortText } from './values';

/**
 * Which set an operation is about, and where the search looks for it: the parameters Set, Lookup and Options.
 *
 * @throws ServiceError `invalidInput` for the set of a sample event: no search would ever show it
 */
export function readWanted(parameters: Parameters, wait: WholeNumber): Wanted {
	const options = parameters.fields('options');
	const setId = parameters.id('setId', 'Set');
	if (setId === SAMPLE_SET_ID) throw noRealSet();
	refuseOtherSet(eventBehindFixedSet(parameters), setId);
	return {
		setId,
		filters: readLookup(parameters),
		paging: paging(options),
		waitMs: waitMs(options, wait),
	};
}

/**
 * Empty fields are left out: behind a trigger they are filled in by expressions, elsewhere they have no value. So is the
 * customer of a sample event: who builds with one chooses a real set, which is another customer's.
 */
function readLookup(parameters: Parameters): SetFilters {
	const lookup = parameters.fields('lookup');
	const customerIds = filterTexts(lookup.customerId, 'Customer').filter((id) => id !== SAMPLE_CUSTOMER_ID);
	return {
		status: shortText(lookup.status, 'Status').toUpperCase() || undefined,
		instance: shortText(lookup.instance, 'Instance').toUpperCase() || undefined,
		customerIds: customerIds.length > 0 ? customerIds.map((id) => checkedId(id, 'Customer')) : undefined,
		shipmentRef: shortText(lookup.shipmentRef, 'Shipment Reference') || undefined,
	};
}

function noRealSet(): ServiceError {
	return new ServiceError('invalidInput', 'The set of a sample event does not exist', {
		remedy:
			'Put Set on From List and choose one while you build. Put it back on By ID, with {{ $json.setId }}, before you publish.',
	});
}
