import fc from 'fast-check';
import type { Calls } from '../../../service/api/calls';
import { pageAsker } from '../../../service/api/page';
import { searchRows } from '../../../service/api/pages';
import { isServiceError } from '../../../service/errors';
import { cases } from '../../support/fuzz';
import { silent } from '../../support/silent';

/** A list of a service that writes into each row what is new in each answer. */
interface List {
	sets: number;
	pageSize: number;
	/** A row of each page comes in place of another one of it: at which place, and which. */
	lost?: { at: number; by: number };
	/** Rows that tie, sorted anew for each page. */
	ties: number;
}

function serviceOf({ sets, lost, ties }: List): Pick<Calls, 'json'> {
	let answers = 0;
	return {
		json: async ({ path }, read) => {
			answers++;
			const query = new URL(path, 'http://service').searchParams;
			const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))];
			const all = Array.from({ length: sets }, (_, row) => {
				const start = row - (row % ties);
				return start + ((row + offset * 7) % Math.min(ties, sets - start));
			});
			const rows = all.slice(offset, offset + limit);
			const by = rows[lost?.by ?? 0];
			if (lost && by !== undefined && lost.at < rows.length) rows[lost.at] = by;
			const results = rows.map((row) => ({
				setId: `set-${row}`,
				servedAt: answers,
				documents: [{ documentId: `document-${row}` }],
			}));
			const data = { offset, limit, total: sets, count: rows.length, results };
			return read({ value: { data }, bytes: 100, came: 100, secrets: [], headers: {} });
		},
	};
}

const lists = fc.record<List>({
	sets: fc.integer({ min: 2, max: 60 }),
	pageSize: fc.integer({ min: 2, max: 70 }),
	lost: fc.option(fc.record({ at: fc.nat(20), by: fc.nat(20) }), { nil: undefined }),
	ties: fc.constantFrom(1, 2, 5),
});

const FIXED: List[] = [
	{ sets: 18, pageSize: 20, lost: { at: 2, by: 3 }, ties: 1 },
	{ sets: 31, pageSize: 50, lost: { at: 30, by: 0 }, ties: 1 },
];

it('a row that comes again is the same one though the service writes something new into it, and makes up for none that never came', async () => {
	await fc.assert(
		fc.asyncProperty(lists, async (list) => {
			const ids: string[] = [];
			const doubts: string[] = [];
			try {
				for await (const rows of searchRows(pageAsker(serviceOf(list), {}, 'query'), {
					...{ style: 'query', pageSize: list.pageSize, width: 1, logger: silent },
					onDoubt: (sentence) => void doubts.push(sentence),
				}))
					ids.push(...rows.map(({ value }) => (value as { setId: string }).setId));
			} catch (error) {
				if (!isServiceError(error)) throw error;
				return;
			}
			expect(ids).toHaveLength(new Set(ids).size);
			if (doubts.length === 0) expect(ids).toHaveLength(list.sets);
		}),
		{ numRuns: cases(300), examples: FIXED.map((list) => [list] as [List]) },
	);
});
