import { reply, type Reaction } from './fakeService';

/** A service with so many sets, which obeys offset and limit on the URL, and the limits it was asked for. */
export function pagedSets(sets: number, setAt: (place: number) => object) {
	const limits: number[] = [];
	const calls = ({ path }: { path: string }): Reaction => {
		const query = new URL(path, 'http://x').searchParams;
		const [limit, offset] = [Number(query.get('limit')), Number(query.get('offset'))];
		limits.push(limit);
		const results = Array.from({ length: Math.max(0, Math.min(limit, sets - offset)) }, (_, index) => ({
			setId: `set-${offset + index}`,
			...setAt(offset + index),
		}));
		return reply(200, { code: 200, status: 'OK', data: { offset, limit, total: sets, results } });
	};
	return { calls, limits };
}
