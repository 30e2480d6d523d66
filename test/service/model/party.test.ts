import { asParty, mergedParty, partyId, partyName, type Party } from '../../../service/model/party';

it.each<[unknown, Party, string | null, string]>([
	[{ customerId: 'c', customerName: 'Acme' }, { customerId: 'c', customerName: 'Acme' }, 'c', 'Acme'],
	[{ customerId: ' ', customerName: 7 }, { customerId: ' ', customerName: 7 }, null, '7'],
	[{ customerId: 7 }, { customerId: 7 }, null, ''],
	['Acme', { customerName: 'Acme' }, null, 'Acme'],
	[null, { customerName: null }, null, ''],
	[['Acme'], { customerName: ['Acme'] }, null, ''],
])('the entry %j of a list is passed over by nobody: %j', (entry, party, id, name) => {
	expect(asParty(entry)).toEqual(party);
	expect(partyId(party)).toBe(id);
	expect(partyName(party)).toBe(name);
});

describe('a party that stands in a list several times', () => {
	const party = (signatures: unknown, customerName = 'Acme') => ({
		customerId: 'c',
		customerName,
		signatures,
	});
	const one = { signatureId: '1', text: 'for Acme' };
	const two = { signatureId: '2', text: 'for Acme' };

	it.each<[string, [unknown, ...unknown[]], unknown]>([
		['the signature templates of each entry', [[one], [two]], [one, two]],
		['each template once', [[one], [one, two], [{ ...two }]], [one, two]],
		[
			'two templates that are alike but for one field',
			[[one], [{ ...one, text: 'as agent' }]],
			[one, { ...one, text: 'as agent' }],
		],
		['templates where the first entry has none', [null, [one]], [one]],
		['what stands for a list where no entry has one', ['none', null], 'none'],
	])('has %s', (_, lists, signatures) => {
		const [first, ...others] = lists;
		const merged = mergedParty([party(first), ...others.map((list) => party(list, 'Other'))]);
		expect(merged).toEqual(party(signatures));
	});
});
