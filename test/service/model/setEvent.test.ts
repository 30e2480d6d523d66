import { seenIdentity, setEvent } from '../../../service/model/setEvent';

const SET = {
	setId: '22222222-2222-4222-8222-222222222222',
	status: 'TITLE_HELD',
	modifiedDate: '20 June 2026 10:00',
	transactionId: 'a',
	parcelRef: 'PCL-1',
};

/** Users keep it in tables of their own: it is the same in every version, or has another mark in front. */
it('what a search shows has an identity of set, status and date, which never changes', () => {
	expect(seenIdentity(SET)).toBe('2d0b588e0c5c085933c3202bc8463e4f');
	expect(setEvent(SET, 'Europe/Berlin').eventId).toBe(seenIdentity(SET));
});

it.each([
	['a status in other letters', { status: 'title held' }],
	['an ID in capitals', { setId: SET.setId.toUpperCase() }],
	['another transaction, reference and vessel', { transactionId: 'b', parcelRef: 'PCL-2', vesselName: 'X' }],
])('%s is the same', (_, change) => expect(seenIdentity({ ...SET, ...change })).toBe(seenIdentity(SET)));

it.each([
	['another set', { setId: '33333333-3333-4333-8333-333333333333' }],
	['another status', { status: 'ISSUED' }],
	['another date', { modifiedDate: '20 June 2026 10:01' }],
	['no date', { modifiedDate: null }],
])('%s is another one', (_, change) =>
	expect(seenIdentity({ ...SET, ...change })).not.toBe(seenIdentity(SET)),
);

it('what a search shows is told in the words of an event, and what it does not show is null', () => {
	const none = {
		action: null,
		instance: null,
		customerId: null,
		actor: null,
		actorCompany: null,
		message: null,
	};
	expect(setEvent(SET, 'Europe/Berlin')).toEqual({
		...{ ...none, eventId: seenIdentity(SET), status: 'TITLE_HELD', parcelReference: 'PCL-1' },
		...{ setId: SET.setId, transactionId: 'a', updatedAt: '2026-06-20T08:00:00.000Z' },
	});
	const empty = { setId: ' ', status: null, modifiedDate: 'soon', transactionId: '', parcelRef: {} };
	expect(setEvent(empty, 'UTC')).toEqual({
		...{ ...none, eventId: seenIdentity(empty), status: '', parcelReference: null },
		...{ setId: null, transactionId: null, updatedAt: null },
	});
});
