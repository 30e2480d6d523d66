import type { SetFilters } from '../../../service/api/client';
import { filterLabel, type Filters } from '../parameters/filters';
import { checkedId } from '../parameters/values';

/** What the service is asked for. */
export function readSetFilters(filters: Filters): SetFilters {
	const customerIds = filters.texts('customerIds').map((id) => checkedId(id, filterLabel('customerIds')));
	return {
		status: filters.text('status')?.toUpperCase(),
		instance: filters.text('instance')?.toUpperCase(),
		customerIds: customerIds.length > 0 ? [...new Set(customerIds)] : undefined,
		shipmentRef: filters.text('shipmentRef'),
		otherFilters: filters.object('otherFilters'),
	};
}
