import { runAction } from '../support/actionNode';
import { opening } from '../support/closing';
import { reply, startFakeService, type SeenRequest } from '../support/fakeService';

const COUNT = 10_000;
const idOf = (age: number) => `22222222-2222-4222-8222-${String(age).padStart(12, '0')}`;

/** A service of 10,000 sets, the newest or the oldest first. */
function serviceOf(order: 'newest' | 'oldest') {
	return startFakeService({
		calls: ({ path }: SeenRequest) => {
			const query = new URL(path, 'http://x').searchParams;
			const [offset, limit] = [Number(query.get('offset')), Math.min(100, Number(query.get('limit')))];
			const results = Array.from({ length: Math.max(0, Math.min(limit, COUNT - offset)) }, (_, index) => {
				const place = offset + index;
				return { setId: idOf(order === 'newest' ? place : COUNT - 1 - place), documents: [] };
			});
			const data = { offset, limit, total: COUNT, count: results.length, results };
			return reply(200, { code: 200, status: 'OK', data });
		},
	});
}

/** 0 is the newest. */
const AGES: [string, number, number][] = [
	['the newest', 0, 3],
	// The first three pages, and those that two rounds side by side ask for.
	['one of yesterday', 120, 3 + 2 * 8],
	['the middle one', COUNT / 2, 50],
	['the oldest', COUNT - 1, 3],
];

it.each(
	AGES.flatMap(([label, age, most]) =>
		(['newest', 'oldest'] as const).map((order) => [label, order, most, age] as const),
	),
)(
	'%s of 10,000 sets, where the %s comes first, is found with %i searches at most',
	async (_label, order, most, age) => {
		const { baseUrl, calls } = await opening(serviceOf(order));
		const get = { resource: 'set', operation: 'get', setId: idOf(age), lookup: {}, simplify: false };
		const { items, error } = await runAction(baseUrl, get);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.setId)).toEqual([idOf(age)]);
		// What was asked for side by side, and is not waited for, counts as well.
		await new Promise((resolve) => setTimeout(resolve, 100));
		expect(calls.length).toBeLessThanOrEqual(most);
	},
);
