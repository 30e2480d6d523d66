import { simplifiedEvent } from '../../nodes/ParcelDocumentExchange/events/eventItem';
import { setItem } from '../../nodes/ParcelDocumentExchange/poll/item';
import { SetResult } from '../../service/model/set';
import { readStatusEvent } from '../../service/model/event';
import { eventBody } from '../support/events';

/** In the order of their use: what a person reads first, and last what tells deliveries apart. */
const FIELDS = [
	...['status', 'parcelReference', 'actor', 'actorCompany', 'updatedAt', 'setId', 'customerId', 'action'],
	...['instance', 'message', 'transactionId', 'eventId', 'attempt', 'redelivered', 'isSample'],
];

it('an event begins with status and reference, holds nothing as it was sent, and ends with its delivery', () => {
	const facts = { redelivered: false, attempt: 1, isSample: false };
	expect(Object.keys(simplifiedEvent(readStatusEvent(eventBody(1))!, facts))).toEqual(FIELDS);
});

it('a set that changed has the same fields in the same order, and says that a search saw it', () => {
	const set = SetResult.parse({
		...{ setId: '22222222-2222-4222-8222-222222222222', status: 'signed', parcelRef: 'PCL-1' },
		modifiedDate: '20 June 2026 10:00',
	});
	const { json } = setItem(set, { simplify: true, zone: 'UTC' });
	expect(Object.keys(json)).toEqual([...FIELDS, 'seenBy']);
});
