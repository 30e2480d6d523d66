import { reply, type Answer, type FakeServiceOptions, type SeenRequest } from '../fakeService';
import type { Mishaps } from '../mishap';

const search = (options = {}) => ({ resource: 'set', operation: 'search', returnAll: true, options });

const sets = (from: number, count: number) =>
	Array.from({ length: count }, (_, index) => ({ setId: `set-${from + index}` }));

const page = (offset: number, total: number, results: object[]): Answer =>
	reply(200, { data: { offset, limit: 100, total, results } });

const offsetOf = ({ path }: SeenRequest) =>
	Number(new URL(path, 'http://service').searchParams.get('offset'));

/** Other sets in every reading, and from the second page on one fewer than the first had announced. */
function restless(): FakeServiceOptions {
	let reading = 0;
	return {
		calls: (seen) => {
			const offset = offsetOf(seen);
			if (offset === 0) reading += 1;
			const left = Math.max(0, 199 - offset);
			return page(offset, offset === 0 ? 200 : 199, sets(1_000 * reading + offset, Math.min(100, left)));
		},
	};
}

/** What can be wrong with a search that goes over several pages. */
export const PAGING: Mishaps = {
	'a service that always sends the first page': {
		instead: () => ({ calls: () => page(0, 250, sets(0, 100)) }),
		parameters: () => search(),
		says: 'Asked for the sets from number 101 on, the service sent those from number 1 on: it does not go by the page asked for, neither in the address nor in the body.',
		remedy: 'Choose filters that match at most 100 sets, or ask the service how its searches are paged.',
	},
	'a service that does not read the page where it was put': {
		instead: () => ({ calls: () => page(0, 250, sets(0, 100)) }),
		parameters: () => search({ paging: 'body' }),
		says: 'Asked for the sets from number 101 on, the service sent those from number 1 on: it does not go by the page asked for, in the body.',
		remedy: 'Put Paging in the options on Automatic, or on the other of the two ways.',
	},
	'a service that repeats itself': {
		instead: () => ({ calls: (seen) => page(offsetOf(seen), 900, sets(0, 100)) }),
		parameters: () => search({ paging: 'query' }),
		says: 'The service says that 900 sets match, and gave 100 different ones in 5 readings.',
		remedy: 'A part would look like all, so nothing is given.',
	},
	'a list that changes all the time': {
		instead: restless,
		parameters: () => search(),
		says: 'The service says that … sets match, and gave … different ones in 5 readings.',
		remedy: 'A part would look like all, so nothing is given.',
	},
};
