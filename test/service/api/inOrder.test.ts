import { inOrder } from '../../../service/api/inOrder';

async function listed<T>(values: AsyncIterable<T>): Promise<T[]> {
	const list: T[] = [];
	for await (const value of values) list.push(value);
	return list;
}

describe('work that is done side by side', () => {
	it('gives its results in the order of its values, never more under way than told', async () => {
		let underWay = 0;
		let most = 0;
		const work = async (value: number) => {
			most = Math.max(most, ++underWay);
			for (let turn = value % 5; turn >= 0; turn--) await new Promise((resolve) => setImmediate(resolve));
			underWay--;
			return value * 2;
		};
		const values = Array.from({ length: 30 }, (_unused, index) => index);
		expect(await listed(inOrder(values, () => 4, work))).toEqual(values.map((value) => value * 2));
		expect(most).toBe(4);
	});

	it('is taken up no further than is read', async () => {
		const begun: number[] = [];
		const results = inOrder(
			[1, 2, 3, 4, 5, 6],
			() => 2,
			async (value) => void begun.push(value),
		);
		await results.next();
		expect(begun).toEqual([1, 2]);
		await results.next();
		expect(begun).toEqual([1, 2, 3]);
		await results.return(undefined);
		expect(begun).toEqual([1, 2, 3]);
	});

	it('fails where the failed value stands, after the results before it', async () => {
		const results = inOrder(
			[1, 2, 3],
			() => 3,
			async (value) => {
				if (value === 2) throw new Error('two');
				return value;
			},
		);
		expect(await results.next()).toEqual({ done: false, value: 1 });
		await expect(results.next()).rejects.toThrow('two');
	});

	it('of nothing gives nothing', async () => {
		expect(
			await listed(
				inOrder(
					[],
					() => 3,
					async (value) => value,
				),
			),
		).toEqual([]);
	});
});
