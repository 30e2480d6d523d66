import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PRINT, printOf } from '../../../service/api/print';

it('has one length, and is the same for what holds the same', () => {
	for (const value of ['', 'a', { a: [1, null, 'ö'] }, [], null, 1.5]) {
		expect(printOf(value)).toHaveLength(PRINT);
		expect(printOf(structuredClone(value))).toBe(printOf(value));
	}
});

it('is another one for each of many values that nearly hold the same', () => {
	const values: unknown[] = [
		...['', ' ', '1', 'null', 'true', 'a', 'b', 'ab', 'ba', '\u0001', '\u0100', '\u0000', '\u0000\u0000'],
		...[1, 0, -1, 1.5, 10, 1e21, true, false, null, [], {}, [[]], [{}], [null], [''], [[], []], [[[]]]],
		...[['a', 'b'], ['ab'], ['a', ['b']], [['a'], 'b'], [['a', 'b']], ['b', 'a'], ['a', 'b', '']],
		...[
			{ a: 'b' },
			{ b: 'a' },
			{ a: 'b', c: '' },
			{ a: { b: 'c' } },
			{ a: ['b', 'c'] },
			{ a: 'bc' },
			{ ab: 'c' },
		],
		...[{ a: {}, b: 1 }, { a: { b: 1 } }, [{ a: 1 }, { b: 2 }], [{ a: 1, b: 2 }], [{ a: 1 }, 'b', 2]],
	];
	// Dates, quantities and references count up: what differs is one digit, or two that make up for each other.
	for (let number = 0; number < 100_000; number++)
		values.push({
			modifiedDate: `2026-06-18T10:${number}`,
			quantity: `${99_999 - number} MT`,
			documents: [],
		});
	expect(new Set(values.map(printOf)).size).toBe(values.length);
});

it('is another one for each small value, whatever stands in what', () => {
	const names = ['a', '2', ''];
	const values: unknown[][] = [[], ['a', '2', '', 2, null, [], {}]];
	/** Up to three values, of so many parts together. */
	const listsOf = (parts: number, most = 3): unknown[][] => {
		if (parts === 0) return [[]];
		if (most === 0) return [];
		return values
			.slice(0, parts + 1)
			.flatMap((ofSize, size) =>
				ofSize.flatMap((value) => listsOf(parts - size, most - 1).map((rest) => [value, ...rest])),
			);
	};
	for (const parts of [2, 3, 4]) {
		const lists = listsOf(parts - 1);
		const objects = lists.flatMap((list) =>
			[0, 1, 2].map((first) =>
				Object.fromEntries(list.map((value, index) => [names[(first + index) % 3], value])),
			),
		);
		values[parts] = [...lists, ...objects];
	}
	const all = values.flat();
	expect(all.length).toBeGreaterThan(4_000);
	expect(new Set(all.map(printOf)).size).toBe(new Set(all.map((value) => JSON.stringify(value))).size);
});

it.each<[string, (number: number) => object]>([
	['texts', (number) => ({ shipmentRef: `SHP-2026-${number}` })],
	['names', (number) => ({ [`SHP-2026-${number}`]: 'yes' })],
])('each half of it is nearly as good for %s: they do not say the same', (_, row) => {
	const prints = Array.from({ length: 20_000 }, (_one, number) => printOf(row(number)));
	for (const half of [0, 2]) {
		const halves = new Set(prints.map((print) => print.slice(half, half + 2)));
		expect(halves.size).toBeGreaterThan(prints.length - 5);
	}
});

it.each([
	['many', 100_000, 95],
	['long', 60, 1_000_000],
])('what is known of names that come with a row is kept for few and short ones: %s', (_, count, length) => {
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc') as () => void;
	const held = () => {
		// V8 keeps what it knows of the fields of objects for some rounds.
		for (let round = 0; round < 4; round++) collectGarbage();
		return process.memoryUsage().heapUsed / 1_000_000;
	};
	const before = held();
	for (let number = 0; number < count; number++) printOf({ [`${number} `.padEnd(length, 'x')]: 1 });
	expect(held() - before).toBeLessThan(12);
});

it('a name says the same each time that it comes, however many came in between, and is told from one that begins so', () => {
	const rows = [{ a: 1 }, { ab: 1 }, { ['x'.repeat(100)]: 1 }, { ['x'.repeat(101)]: 1 }, { '': 1 }];
	const prints = rows.map(printOf);
	expect(new Set(prints).size).toBe(rows.length);
	for (let number = 0; number < 2_500; number++) {
		printOf({ [`name ${number}`]: 1 });
		if (number % 100 === 0) expect(rows.map(printOf)).toEqual(prints);
	}
});
