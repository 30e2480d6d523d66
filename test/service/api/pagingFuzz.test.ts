import fc from 'fast-check';
import type { Call, Calls } from '../../../service/api/calls';
import { pageAsker, type PagingStyle } from '../../../service/api/page';
import { scanSets, type Paging } from '../../../service/api/pages';
import { ServiceError } from '../../../service/errors';
import { cases } from '../../support/fuzz';

/** A service that pages in one of the many ways that the interface leaves open (4.4, 8). */
interface Manners {
	sets: number;
	/** Every so many rows, a row that came before comes again; 0 for never. */
	repeats: number;
	/** The largest page it gives, and the one it gives unasked. */
	mostPerPage: number;
	readsUrl: boolean;
	readsBody: boolean;
	/** Answers 400 to parameters where it does not read them. */
	refusesOthers: boolean;
	total: 'all' | 'ofThePage';
	offset: 'said' | 'leftOut' | 'fromOne';
	beyondTheEnd: 'empty' | 400 | 404;
	/** Leaves out the last row of each page but the first. */
	comesShort: boolean;
}

const manners = fc.record<Manners>({
	sets: fc.integer({ min: 0, max: 60 }),
	repeats: fc.constantFrom(0, 0, 0, 4, 7),
	mostPerPage: fc.integer({ min: 1, max: 15 }),
	readsUrl: fc.boolean(),
	readsBody: fc.boolean(),
	refusesOthers: fc.boolean(),
	total: fc.constantFrom('all', 'ofThePage'),
	offset: fc.constantFrom('said', 'leftOut', 'fromOne'),
	beyondTheEnd: fc.constantFrom<Manners['beyondTheEnd']>('empty', 400, 404),
	comesShort: fc.boolean(),
});

type PagingOptions = Paging & { width: number };

const paging = fc.record<PagingOptions>({
	style: fc.constantFrom<PagingStyle>('auto', 'query', 'body'),
	pageSize: fc.integer({ min: 1, max: 20 }),
	width: fc.integer({ min: 1, max: 8 }),
	limit: fc.option(fc.integer({ min: 1, max: 70 }), { nil: undefined }),
});

function rowsOf({ sets, repeats }: Manners): { setId: string }[] {
	return Array.from({ length: sets }, (_, row) => {
		const again = repeats > 0 && row > 0 && row % repeats === 0;
		return { setId: `set-${again ? Math.floor(row / 2) : row}` };
	});
}

function refuse(httpStatus: number): never {
	throw new ServiceError(httpStatus === 404 ? 'notFound' : 'rejected', 'No', { httpStatus });
}

/** Calls as they reach that service, counted. */
function callsOf(how: Manners): { calls: Calls; sent(): number } {
	const rows = rowsOf(how);
	let sent = 0;
	const answer = ({ path, body }: Call) => {
		sent++;
		const query = new URL(path, 'http://service').searchParams;
		const inBody = (body ?? {}) as { limit?: number; offset?: number };
		if (how.refusesOthers && query.has('limit') && !how.readsUrl) refuse(400);
		if (how.refusesOthers && inBody.limit !== undefined && !how.readsBody) refuse(400);
		const asked = {
			...(how.readsUrl &&
				query.has('limit') && { limit: Number(query.get('limit')), offset: Number(query.get('offset')) }),
			...(how.readsBody && inBody),
		};
		const { offset = 0 } = asked;
		const limit = Math.min(asked.limit ?? how.mostPerPage, how.mostPerPage);
		if (offset > 0 && offset >= rows.length && how.beyondTheEnd !== 'empty') refuse(how.beyondTheEnd);
		const short = how.comesShort && how.total === 'all' && offset > 0 && limit > 1 ? 1 : 0;
		const results = rows.slice(offset, offset + limit - short);
		return {
			data: {
				...(how.offset !== 'leftOut' && { offset: how.offset === 'fromOne' ? offset + 1 : offset }),
				limit,
				total: how.total === 'all' ? rows.length : results.length,
				count: results.length,
				results,
			},
		};
	};
	const json: Calls['json'] = async (call) => answer(call) as never;
	return { calls: { json, send: () => Promise.reject(new Error('not used')) }, sent: () => sent };
}

/**
 * A service that counts no more than the page it sends cannot be told from one with so few sets when it reads the page
 * nowhere that we ask, or when its second page holds nothing new.
 */
function cannotBeKnown(how: Manners, { style, pageSize, limit = pageSize }: PagingOptions): boolean {
	const read = { auto: how.readsUrl || how.readsBody, query: how.readsUrl, body: how.readsBody }[style];
	const smallest = Math.min(pageSize, limit, how.mostPerPage);
	return how.total === 'ofThePage' && (!read || (smallest === 1 && how.repeats > 0));
}

it('a search is everything, each once and in order, or an error, however the service pages; and it ends', async () => {
	const logger = { debug() {}, info() {}, warn() {}, error() {} };
	let whole = 0;
	const one = async (how: Manners, options: PagingOptions) => {
		fc.pre(!cannotBeKnown(how, options));
		const { calls, sent } = callsOf(how);
		const found: string[] = [];
		try {
			const ask = pageAsker(calls, {}, options.style);
			for await (const page of scanSets(ask, { ...options, logger })) {
				found.push(...page.map(({ setId }) => setId));
			}
		} catch (error) {
			expect(error).toBeInstanceOf(ServiceError);
			return;
		} finally {
			expect(sent()).toBeLessThan(3 * (how.sets + 10));
			expect(new Set(found).size).toBe(found.length);
		}
		const all = [...new Set(rowsOf(how).map(({ setId }) => setId))];
		expect(found).toEqual(all.slice(0, options.limit ?? all.length));
		whole++;
	};
	await fc.assert(fc.asyncProperty(manners, paging, one), { numRuns: cases(3_000) });
	// Errors alone would prove little.
	expect(whole).toBeGreaterThan(cases(1_000));
});
