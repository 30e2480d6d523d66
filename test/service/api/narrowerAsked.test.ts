import { isRoundCount, Narrower, type GoesOn } from '../../../service/api/narrower';
import type { Page, SetFilters } from '../../../service/api/page';
import { ServiceError } from '../../../service/errors';

const rowOf = (setId: string, more: object = {}) => ({ key: setId, value: { setId, ...more } });
const page = (rows: Page['rows'], total = rows.length): Page => ({
	...{ offset: 0, total, rows, full: false, bytes: 1_000 },
});
const known = Array.from({ length: 3 }, (_, index) => `known-${index}`);
const isKnown = (id: string) => known.includes(id);

describe('what a list of a round number of sets is compared with', () => {
	const seen = [
		...[
			rowOf('a', { status: 'signed', shipmentRef: 'S-1' }),
			rowOf('b', { status: 'issued', shipmentRef: 'S-2' }),
		],
		...[rowOf('c', { status: 'issued', shipmentRef: 'S-2' }), rowOf('d', { status: null, shipmentRef: ' ' })],
		...[5, 6, 7].map((n) => rowOf(`long-${n}`, { status: 's'.repeat(201), shipmentRef: 'r'.repeat(201) })),
		{ key: 'none', value: { status: 'signed', shipmentRef: 'S-1' } },
		{ key: 'null', value: null },
	];
	const asked = async (filters: SetFilters, rows = seen) => {
		const all: SetFilters[] = [];
		const narrower = new Narrower(filters, (others) => async (offset) => {
			if (offset === 0) all.push(others);
			return page(rows, 500);
		});
		await narrower.showMore(500, () => true);
		return all;
	};

	it('is searches by each instance, the most frequent status and the most frequent reference', async () => {
		expect(await asked({})).toEqual([
			...[{}, { instance: 'HUB' }, { instance: 'EXCHANGE' }, { status: 'ISSUED' }, { shipmentRef: 'S-2' }],
		]);
	});

	it('is by nothing that was chosen already, and keeps all of that', async () => {
		expect(await asked({ instance: 'HUB', shipmentRef: 'S' })).toEqual([
			{ instance: 'HUB', shipmentRef: 'S' },
			{ instance: 'HUB', shipmentRef: 'S', status: 'ISSUED' },
		]);
		expect(await asked({ status: 'SIGNED' })).toEqual([
			...[
				{ status: 'SIGNED' },
				{ status: 'SIGNED', instance: 'HUB' },
				{ status: 'SIGNED', instance: 'EXCHANGE' },
			],
			{ status: 'SIGNED', shipmentRef: 'S-2' },
		]);
	});

	it('is the first three of several customers, each alone, and no single one', async () => {
		const rest = { status: 'A', instance: 'HUB', shipmentRef: 'S' };
		expect(await asked({ ...rest, customerIds: ['a', 'b', 'c', 'd'] })).toEqual(
			[['a', 'b', 'c', 'd'], ['a'], ['b'], ['c']].map((customerIds) => ({ ...rest, customerIds })),
		);
		expect(await asked({ ...rest, customerIds: ['a'] })).toHaveLength(1);
	});

	it('is by no status or reference where the sets show none', async () => {
		expect(await asked({ instance: 'HUB' }, [rowOf('a')])).toEqual([{ instance: 'HUB' }]);
	});

	it('is by a status of 200 letters, too', async () => {
		const rows = [rowOf('a', { status: 's'.repeat(200) })];
		expect(await asked({ instance: 'HUB' }, rows)).toEqual([
			{ instance: 'HUB' },
			{ instance: 'HUB', status: 'S'.repeat(200) },
		]);
	});
});

describe('a list goes on behind its end, or not, or nobody knows', () => {
	const of = (...ids: string[]) => ids.map((id) => rowOf(id));
	const dated = (...ids: string[]) => ids.map((id) => rowOf(id, { modifiedDate: '1 March 2026 10:00' }));
	const failure = (code: 'unavailable' | 'rejected') => new ServiceError(code, 'No.');

	it.each<[string, GoesOn, Page | ServiceError]>([
		['others behind known ones', 'yes', page(of('known-0', 'known-1', 'new'))],
		['others behind a known one, with capitals in its id', 'yes', page(of(' KNOWN-0', 'new'))],
		['known ones alone', 'no', page(of('known-0', 'known-1'))],
		['others alone', 'no', page(of('new', 'newer'))],
		['none', 'no', page([])],
		['others among known ones', 'no', page(of('known-0', 'new', 'known-1'))],
		['others among known ones of the same minute', 'yes', page(dated('known-0', 'new', 'known-1'))],
		[
			'others among known ones of the same minute, behind one of another',
			'yes',
			page([rowOf('known-0', { modifiedDate: '1 March 2026 10:01' }), ...dated('known-1', 'new', 'known-2')]),
		],
		['others in front of known ones of the same minute', 'no', page(dated('new', 'known-0', 'known-1'))],
		[
			'others among known ones of another minute',
			'no',
			page([...dated('known-0', 'new'), rowOf('known-1', { modifiedDate: '1 March 2026 10:01' })]),
		],
		['more than the whole list has', 'no', page(of('known-0', 'new'), 501)],
		['as many as the whole list has', 'yes', page(of('known-0', 'new'), 500)],
		['a refusal', 'no', failure('rejected')],
		['a failure', 'unknown', failure('unavailable')],
	])('where a narrower search gives %s: %s', async (_, goesOn, answer) => {
		const whole = page(of(...known), 500);
		const narrower = new Narrower({ status: 'A', shipmentRef: 'S' }, (filters) => async (offset) => {
			if (filters.instance === undefined) return whole;
			return offset > 0 ? page([], 500) : answer;
		});
		expect(await narrower.showMore(500, isKnown)).toBe(goesOn);
	});

	it.each<[string, GoesOn, (call: number) => Page | ServiceError]>([
		[
			'could not be asked for at first',
			'unknown',
			(call) => (call === 1 ? failure('rejected') : page([], 500)),
		],
		['could not be asked for again', 'unknown', (call) => (call === 2 ? failure('rejected') : page([], 500))],
		['has another total by now', 'no', (call) => page([], 499 + call)],
		['has the same total still', 'yes', () => page([], 500)],
	])('where the whole list %s: %s', async (_, goesOn, whole) => {
		let calls = 0;
		const narrower = new Narrower(
			{ status: 'A', shipmentRef: 'S' },
			(filters) => async () => (filters.instance === undefined ? whole(++calls) : page(of('known-0', 'new'))),
		);
		expect(await narrower.showMore(500, isKnown)).toBe(goesOn);
	});

	/** What was asked for while the list was read, and what would come of asking again. */
	it.each<[string, GoesOn, number, Page | ServiceError, Page | ServiceError, number]>([
		['nothing more: it is not asked again', 'no', 500, page(of('known-0')), page(of('known-0', 'new')), 0],
		['that it is refused: it is not asked again', 'no', 500, failure('rejected'), page([]), 0],
		['more, as then', 'yes', 500, page(of('known-0', 'new')), page(of('known-0', 'new')), 4],
		['more, which has left since', 'no', 500, page(of('known-0', 'new')), page(of('known-0')), 3],
		['nothing, since it failed', 'yes', 500, failure('unavailable'), page(of('known-0', 'new')), 4],
		['nothing more of fewer sets', 'yes', 499, page(of('known-0')), page(of('known-0', 'new')), 4],
	])('where it was asked before, and showed %s: %s', async (_, goesOn, total, before, now, calls) => {
		let answer = before;
		let asked = 0;
		const narrower = new Narrower({ status: 'A', shipmentRef: 'S' }, ({ instance }) => async () => {
			asked++;
			return instance === undefined ? page([], 500) : answer;
		});
		narrower.begin(total, Array(100).fill(rowOf('known-0')));
		await new Promise((resolve) => setImmediate(resolve));
		expect(asked).toBe(2);
		[answer, asked] = [now, 0];
		expect(await narrower.showMore(500, isKnown)).toBe(goesOn);
		expect(asked).toBe(calls);
	});

	it.each([
		['not by what few rows have in common, which may be rare in the list', 99, []],
		['by what a page of them has', 100, ['RARE']],
		['by what the first of many have, as it is asked for in the end', 300, ['RARE']],
	])('is asked for before %s', async (_, count, statuses) => {
		const asked: unknown[] = [];
		const narrower = new Narrower({ instance: 'HUB', shipmentRef: 'S' }, ({ status }) => async () => {
			asked.push(status);
			return page([]);
		});
		const rows = Array.from({ length: count }, (__, index) =>
			rowOf(`${index}`, { status: index < 60 ? 'rare' : 'signed' }),
		);
		narrower.begin(500, rows);
		await new Promise((resolve) => setImmediate(resolve));
		expect(asked).toEqual(statuses);
	});

	it('also where the other search shows it, and the first cannot be asked', async () => {
		const narrower = new Narrower({ status: 'A', shipmentRef: 'S' }, ({ instance }) => async () => {
			if (instance === 'HUB') return failure('unavailable');
			return instance === 'EXCHANGE' ? page(of('known-0', 'new')) : page([], 500);
		});
		expect(await narrower.showMore(500, isKnown)).toBe('yes');
	});

	/** The last rows of a narrower search, where it has more than a page. */
	it.each<[number, number, GoesOn, number[]]>([
		[250, 25, 'yes', [0, 225]],
		[150, 100, 'yes', [0, 125]],
		[30, 25, 'yes', [0, 25]],
		[150, 10, 'no', [0, 125]],
		[100, 100, 'no', [0]],
	])(
		'where it has %i sets, and gives %i at once: its last ones count',
		async (total, most, goesOn, offsets) => {
			const asked: number[] = [];
			const narrower = new Narrower(
				{ status: 'A', shipmentRef: 'S' },
				({ instance }) =>
					async (offset, limit) => {
						if (instance === 'HUB') asked.push(offset);
						expect(limit).toBe(instance === undefined ? 100 : 25);
						const rows = Array.from({ length: Math.min(most, total - offset) }, (_, index) =>
							rowOf(offset + index < total - 10 || total === 100 ? 'known-0' : 'new'),
						);
						return instance === 'HUB' ? page(rows, total) : page([], 500);
					},
			);
			expect(await narrower.showMore(500, isKnown)).toBe(goesOn);
			expect(asked).toEqual(offsets);
		},
	);

	it.each([
		['a refusal', 'no', 'rejected'],
		['a failure', 'unknown', 'unavailable'],
	] as const)('and %s in place of those is as one in place of the first: %s', async (_, goesOn, code) => {
		const narrower = new Narrower({ status: 'A', shipmentRef: 'S' }, ({ instance }) => async (offset) => {
			if (instance === undefined) return page([], 500);
			return offset > 0 ? failure(code) : page(of('known-0'), 300);
		});
		expect(await narrower.showMore(500, isKnown)).toBe(goesOn);
	});
});

describe('a customer that is left out where several are asked for', () => {
	const leftOut = async (
		customerIds: string[] | undefined,
		ofOne: (customerId: string) => Page | ServiceError,
		total = 33,
	) => {
		const asked: string[] = [];
		const narrower = new Narrower(
			{ customerIds, status: 'A' },
			({ customerIds: ids = [], status }) =>
				async (offset, limit) => {
					expect({ offset, limit, status }).toEqual({ offset: 0, limit: 1, status: 'A' });
					asked.push(ids.join(' '));
					return ids.length === 1 ? ofOne(ids[0]!) : page([], total);
				},
		);
		return { found: await narrower.customerLeftOut(33, isKnown), asked };
	};
	const hides = (hidden: string) => (customerId: string) =>
		page([rowOf(customerId === hidden ? ' NEW ' : 'known-0')], 9);

	it.each(['a', 'd', 'e'])(
		'is told with the set that shows it, of the first and the last two: %s',
		async (hidden) => {
			expect(await leftOut(['a', 'b', 'c', 'd', 'e'], hides(hidden))).toEqual({
				found: { customerId: hidden, key: 'new' },
				asked: ['a', 'd', 'e', 'a b c d e'],
			});
		},
	);

	it('is not looked for where none or one is asked for, and asked for once where there are two', async () => {
		expect(await leftOut(undefined, hides('a'))).toEqual({ found: undefined, asked: [] });
		expect(await leftOut(['a'], hides('a'))).toEqual({ found: undefined, asked: [] });
		expect(await leftOut(['a', 'b'], hides('none'))).toEqual({ found: undefined, asked: ['a', 'b'] });
	});

	it('is none where the list changed meanwhile', async () => {
		expect((await leftOut(['a', 'b'], hides('b'), 34)).found).toBeUndefined();
	});

	it('is none where the service refuses to tell, or sends no set', async () => {
		expect((await leftOut(['a', 'b'], () => new ServiceError('rejected', 'No.'))).found).toBeUndefined();
		expect((await leftOut(['a', 'b'], () => page([{ key: 'x', value: null }]))).found).toBeUndefined();
	});
});

it.each([
	[0, false],
	[499, false],
	[500, true],
	[501, false],
	[1_500, true],
])('a list of %i sets may be cut there: %s', (count, isRound) => {
	expect(isRoundCount(count)).toBe(isRound);
});
