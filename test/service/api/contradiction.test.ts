import { chosenFilters, contradicted, isComparable, wordOn } from '../../../service/api/contradiction';
import type { SetFilters } from '../../../service/api/page';
import type { SetRow } from '../../../service/model/set';

const row = (fields: object) => ({ setId: 'a', ...fields }) as SetRow;

it.each<[SetFilters, object, ReturnType<typeof wordOn>]>([
	[{ shipmentRef: 'S-1' }, { shipmentRef: ' s-1 ' }, 'matches'],
	[{ shipmentRef: 'S-1' }, { shipmentRef: 'S-12', status: 'ACTIVE' }, 'contradicts'],
	[{ shipmentRef: 'S-1' }, { shipmentRef: null }, 'contradicts'],
	[{ shipmentRef: 'S-1' }, { status: 'ACTIVE' }, 'silent'],
	[{ status: 'signed' }, { status: 'SIGNED' }, 'matches'],
	[{ status: 'SIGNED' }, { status: 'ISSUED' }, 'contradicts'],
	[{ status: 'ACTIVE' }, { status: 'SIGNED' }, 'silent'],
	[{ status: 'SIGNED' }, { status: 'ARCHIVED' }, 'silent'],
	[{ status: 'SIGNED' }, {}, 'silent'],
	[{ instance: 'HUB' }, { instance: 'hub' }, 'matches'],
	[{ instance: 'HUB' }, { instance: 'EXCHANGE' }, 'contradicts'],
	[{ instance: 'HUB' }, {}, 'silent'],
	[{ customerIds: ['c'] }, { customerId: 'd' }, 'silent'],
])('asked for by %j, a set with %j: %s', (filters, fields, word) => {
	const [filter] = chosenFilters(filters);
	expect(wordOn(filter!, filters, row(fields))).toBe(word);
	expect(contradicted(filters, row(fields))).toBe(word === 'contradicts' ? filter : undefined);
});

it('what was left empty was not chosen', () => {
	expect(chosenFilters({ status: '', customerIds: [], shipmentRef: 'S-1' })).toEqual(['shipmentRef']);
	expect(contradicted({ status: '', shipmentRef: '' }, row({ shipmentRef: 'S-1' }))).toBeUndefined();
});

it.each<[SetFilters, boolean]>([
	[{ shipmentRef: 'S-1' }, true],
	[{ instance: 'HUB' }, true],
	[{ status: 'signed' }, true],
	[{ status: 'ACTIVE' }, false],
	[{ customerIds: ['c'] }, false],
	[{}, false],
])('whether rows may show that %j is not gone by: %s', (filters, expected) => {
	expect(isComparable(filters)).toBe(expected);
});
