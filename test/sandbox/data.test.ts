import { makeData } from '../../sandbox/service';

test('the same options give the same data, another seed gives others', () => {
	const plain = (seed?: number) => JSON.stringify(makeData({ sets: 40, seed }));
	expect(plain()).toBe(plain());
	expect(plain(7)).not.toBe(plain());
});

test('no two ids are alike', () => {
	const { sets, customers, counterparties } = makeData({ sets: 2000 });
	const ids = [
		...sets.flatMap((set) => [set.setId, set.firstTransactionId, set.titleTransactionId]),
		...sets.flatMap((set) => set.documents.map((document) => document.documentId)),
		...[...customers, ...counterparties].map((party) => party.customerId),
	];
	expect(new Set(ids).size).toBe(ids.length);
});

test('sets have as many documents as asked, the first a bill of lading and the only one', () => {
	for (const { documents } of makeData({ sets: 50, documentsPerSet: 12 }).sets) {
		expect(documents.map((document) => document.docType)).toEqual([
			'BILL_OF_LADING',
			...Array.from({ length: 11 }, () => 'UPLOADABLE_DOCUMENT'),
		]);
	}
});

test('every set is the business of its customer, and goes abroad', () => {
	for (const set of makeData().sets) {
		expect([set.consignor.customerId, set.consignee.customerId]).toContain(set.customerId);
		expect(set.loadPort).not.toBe(set.destinationName);
	}
});

test('some sets share a shipment, and some documents of a set share a name', () => {
	const { sets } = makeData();
	expect(new Set(sets.map((set) => set.shipmentRef)).size).toBeLessThan(sets.length);
	const twice = sets.filter(
		(set) => new Set(set.documents.map((one) => one.name)).size < set.documents.length,
	);
	expect(twice.length).toBeGreaterThan(0);
});

test('changes lie before the moment asked for', () => {
	const now = Date.UTC(2030, 0, 1);
	const times = makeData({ now, sets: 500 }).sets.map((set) => set.modifiedAt);
	expect(Math.max(...times)).toBe(now);
	expect(now - Math.min(...times)).toBeLessThan(721 * 24 * 3_600_000);
});
