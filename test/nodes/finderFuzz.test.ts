import fc from 'fast-check';
import { SetFinder } from '../../nodes/ParcelDocumentExchange/actions/setFinder';
import type { Calls } from '../../service/api/calls';
import type { Client } from '../../service/api/client';
import { pageAsker } from '../../service/api/page';
import { searchRows } from '../../service/api/pages';
import { isServiceError, ServiceError } from '../../service/errors';
import { documentsOf, isSet } from '../../service/model/set';
import { systemClock } from '../../service/surroundings';
import { cases } from '../support/fuzz';
import { silent } from '../support/silent';

/**
 * Services that list a set in several rows, page and filter as they like, and change it while it is looked for: what the
 * finder gives are the papers that the service holds, or held a moment ago, and never some of each; or it is an error.
 */

const manners = fc.record({
	/** What becomes of a shipment reference that is asked for. */
	filtering: fc.constantFrom('obeyed', 'ignored', 'refused', 'part'),
	/** Sets between its rows, and behind them. */
	gaps: fc.array(fc.integer({ min: 0, max: 60 }), { minLength: 1, maxLength: 4 }),
	/** Papers of each of its rows. */
	rows: fc.array(fc.uniqueArray(fc.integer({ min: 1, max: 6 }), { minLength: 1 }), {
		minLength: 1,
		maxLength: 3,
	}),
	/** The most rows of a page, which may not be said. */
	cap: fc.integer({ min: 2, max: 50 }),
	isCapSaid: fc.boolean(),
	totals: fc.constantFrom('right', 'one more'),
	/** With which call another paper takes the place of one, in which row; none when it is large. */
	changes: fc.record({
		call: fc.integer({ min: 2, max: 30 }),
		row: fc.nat(),
		date: fc.constantFrom('same', 'later', 'earlier', 'unreadable'),
		transaction: fc.boolean(),
	}),
});
type Manners = typeof manners extends fc.Arbitrary<infer M> ? M : never;

const ID = '11111111-0000-4000-8000-000000000000';
const DATES = {
	same: '9 March 2026 10:00',
	later: '9 March 2026 10:01',
	earlier: '9 March 2026 09:59',
	unreadable: 'now',
};
/** The paper that comes in place of another. */
const NEW = 9;

function serviceOf(how: Manners) {
	let calls = 0;
	const at = how.changes.row % how.rows.length;
	const rowsOf = (isChanged: boolean) =>
		how.rows.map((papers, index) => {
			const isNew = isChanged && index === at;
			return {
				...{ setId: ID, parcelRef: 'P', shipmentRef: 'S' },
				transactionId: isNew && how.changes.transaction ? 't2' : `t${index}`,
				modifiedDate: isNew ? DATES[how.changes.date as keyof typeof DATES] : DATES.same,
				documents: (isNew ? [...papers.slice(1), NEW] : papers).map((paper) => ({
					documentId: String(paper),
				})),
			};
		});
	const listOf = (isChanged: boolean) => {
		let number = 0;
		const others = (count = 0) =>
			Array.from({ length: count }, () => ({ setId: `x${++number}`, shipmentRef: `S${number}` }));
		const rows = rowsOf(isChanged);
		return [...others(how.gaps[0]), ...rows.flatMap((row, index) => [row, ...others(how.gaps[index + 1])])];
	};
	const worlds = [listOf(false), listOf(true)] as const;
	const json: Calls['json'] = (call, read) => {
		calls++;
		if (calls > 3_000) throw new Error('It does not come to an end');
		const list = worlds[calls < how.changes.call ? 0 : 1];
		const query = new URL(call.path, 'http://x').searchParams;
		const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))];
		const { shipmentRef } = call.body as { shipmentRef?: string };
		if (shipmentRef && how.filtering === 'refused')
			return Promise.reject(new ServiceError('rejected', 'No such filter', { httpStatus: 400 }));
		const matching = list.filter(
			(row) =>
				shipmentRef === undefined ||
				how.filtering === 'ignored' ||
				(how.filtering === 'part'
					? row.shipmentRef.startsWith(shipmentRef)
					: row.shipmentRef === shipmentRef),
		);
		const most = Math.min(limit, how.cap);
		const results = matching.slice(offset, offset + most);
		const total = matching.length + (how.totals === 'right' ? 0 : 1);
		const data = { offset, limit: how.isCapSaid ? most : limit, total, results };
		return Promise.resolve(read({ value: { data }, bytes: 100, came: 100, secrets: [], headers: {} }));
	};
	const papers = [false, true].map((isChanged) => papersOf(rowsOf(isChanged)));
	return { json, papers };
}

const papersOf = (rows: readonly Record<string, unknown>[]) =>
	[...new Set(rows.flatMap((row) => documentsOf(row)).map(({ documentId }) => documentId))].sort().join();

async function found(json: Calls['json']): Promise<{ papers?: string; doubt?: string }> {
	const client = {
		async *lookThroughSets(filters: object, paging: { style: 'auto'; pageSize: number }) {
			const rows = searchRows(pageAsker({ json }, filters, paging.style), {
				...{ ...paging, width: 4, logger: silent, endsFirst: true },
			});
			for await (const page of rows) yield page.map(({ value }) => value).filter(isSet);
		},
	} as unknown as Client;
	const finder = new SetFinder(async () => client, {
		clock: systemClock,
		signal: new AbortController().signal,
	});
	try {
		const { set, doubt } = await finder.find({
			...{ setId: ID, filters: {}, waitMs: 0 },
			paging: { style: 'auto', pageSize: 20 },
		});
		return { papers: papersOf([set]), doubt };
	} catch (error) {
		if (!isServiceError(error)) throw error;
		return {};
	}
}

it('a set that is found has the papers that the service holds, or it is an error', async () => {
	const seen = { found: 0, failed: 0 };
	await fc.assert(
		fc.asyncProperty(manners, async (how) => {
			const { json, papers } = serviceOf(how);
			const { papers: given, doubt } = await found(json);
			if (given === undefined) seen.failed++;
			else {
				seen.found++;
				if (doubt === undefined) expect(papers).toContain(given);
			}
		}),
		{ numRuns: cases(500) },
	);
	// It must be possible, too.
	expect(seen.found).toBeGreaterThan(4 * seen.failed);
});

const others = (count: number) =>
	Array.from({ length: count }, (_, number) => ({ setId: `x${number}`, shipmentRef: 'X' }));

const wanted = (paper: string, date: keyof typeof DATES) => ({
	...{ setId: ID, parcelRef: 'P', shipmentRef: 'S', modifiedDate: DATES[date] },
	documents: [{ documentId: paper }],
});

/**
 * A service that goes by the shipment, where it is asked for one.
 *
 * @param listAt by the number of the call
 */
function serving(listAt: (call: number) => { shipmentRef: string }[], most = Infinity): Calls['json'] {
	let calls = 0;
	return (call, read) => {
		const { shipmentRef } = call.body as { shipmentRef?: string };
		const list = listAt(++calls).filter(
			(row) => shipmentRef === undefined || row.shipmentRef === shipmentRef,
		);
		const query = new URL(call.path, 'http://x').searchParams;
		const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))];
		const results = list.slice(offset, offset + Math.min(limit, most));
		const data = { offset, limit, total: list.length, results };
		return Promise.resolve(read({ value: { data }, bytes: 100, came: 100, secrets: [], headers: {} }));
	};
}

it('of a set that is changed while its list is read, and stands in front then, the paper that was replaced is not given with the new one', async () => {
	const before = others(84).toSpliced(48, 0, wanted('5', 'same'));
	const after = [wanted('9', 'later'), ...others(84)];
	expect(await found(serving((call) => (call < 5 ? before : after)))).toEqual({ papers: '9' });
});

it('of a set that came to have one row more, both are given where its list is read again from a copy that is behind', async () => {
	const behind = others(50).toSpliced(30, 0, wanted('5', 'same'));
	const latest = [wanted('5', 'later'), wanted('9', 'later'), ...others(50)];
	expect((await found(serving((call) => (call === 1 ? latest : behind)))).papers).toBe('5,9');
});

it('of a set that is changed behind a page that showed it, and shows other papers when asked for alone, it is said that some may have been replaced, unless its date tells', async () => {
	const before = others(57).toSpliced(39, 0, wanted('5', 'same'));
	const changedTo = (date: keyof typeof DATES) =>
		found(serving((call) => (call < 11 ? before : [...others(57), wanted('9', date)]), 7));
	expect(await changedTo('later')).toEqual({ papers: '9' });
	for (const date of ['same', 'unreadable'] as const) {
		const { papers, doubt } = await changedTo(date);
		expect(papers).toBe('5,9');
		expect(doubt).toMatch(/may have been replaced/);
	}
});
