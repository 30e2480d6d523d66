import fc from 'fast-check';
import type { Call, Calls } from '../../../service/api/calls';
import { pageAsker, type PagingStyle, type Row } from '../../../service/api/page';
import { searchRows, type Paging } from '../../../service/api/pages';
import { isServiceError, ServiceError } from '../../../service/errors';
import { cases } from '../../support/fuzz';
import { silent } from '../../support/silent';

/** A service that pages in one of the many ways that the interface leaves open (4.4, 8), or plainly wrongly. */
interface Manners {
	sets: number;
	/** Every so many rows, a row that came before comes again; 0 for never. */
	repeats: number;
	/** Every so many rows, a row is another one of a set that came before, with other papers; 0 for never. */
	splits: number;
	/** Every so many rows of a page are left out of it, though they count; 0 for none. */
	hides: number;
	/** Rows of one minute are sorted anew for each page, so many in a minute; 1 for an order that stands. */
	ties: number;
	tiesBy: 'offset' | 'end' | 'call';
	/** The largest page it gives, and the one it gives unasked. */
	mostPerPage: number;
	saysLimit: 'given' | 'asked' | 'not';
	readsUrl: boolean;
	readsBody: boolean;
	/** Answers 400 to parameters where it does not read them. */
	refusesOthers: boolean;
	total: 'rows' | 'sets' | 'ids' | 'ofThePage' | 'remaining' | 'soFar' | 'capped';
	offset: 'said' | 'leftOut' | 'fromOne' | 'readFromOne';
	beyondTheEnd: 'empty' | 'emptyWithTotal0' | 400 | 404 | 'last';
	/** Leaves out the last row of each page but the first. */
	comesShort: boolean;
	/** One page, always: says nothing, or fails under HTTP 200. */
	badPage: 'none' | 'empty';
	/** Sets that come or go, at the front, now and then; or one goes there and one comes at the end. */
	moves: -1 | 0 | 1 | 'both';
}

const manners = fc.record<Manners>({
	sets: fc.integer({ min: 0, max: 40 }),
	repeats: fc.constantFrom(0, 0, 0, 4, 7),
	splits: fc.constantFrom(0, 0, 2, 5),
	hides: fc.constantFrom(0, 0, 0, 3, 9),
	ties: fc.constantFrom(1, 1, 2, 5, 100),
	tiesBy: fc.constantFrom('offset', 'end', 'call'),
	mostPerPage: fc.constantFrom(1, 2, 3, 5, 10, 15, 16, 20, 1_000),
	saysLimit: fc.constantFrom('given', 'asked', 'not'),
	readsUrl: fc.constantFrom(true, true, false),
	readsBody: fc.boolean(),
	refusesOthers: fc.boolean(),
	total: fc.constantFrom<Manners['total']>(
		'rows',
		'rows',
		'rows',
		'sets',
		'ids',
		'ofThePage',
		'remaining',
		'soFar',
		'capped',
	),
	offset: fc.constantFrom('said', 'said', 'leftOut', 'fromOne', 'readFromOne'),
	beyondTheEnd: fc.constantFrom<Manners['beyondTheEnd']>('empty', 'emptyWithTotal0', 400, 404, 'last'),
	comesShort: fc.constantFrom(false, false, true),
	badPage: fc.constantFrom('none', 'none', 'none', 'empty'),
	moves: fc.constantFrom<Manners['moves']>(0, 0, 0, 0, 1, -1, 'both'),
});

type PagingOptions = Paging & { width: number };

const paging = fc.record<PagingOptions>({
	style: fc.constantFrom<PagingStyle>('auto', 'query', 'body'),
	pageSize: fc.integer({ min: 1, max: 20 }),
	width: fc.integer({ min: 1, max: 8 }),
	limit: fc.option(fc.integer({ min: 1, max: 70 }), { nil: undefined }),
	endsFirst: fc.boolean(),
});

const idOf = (number: number) => `set-${number}`;

/** A row is known by its paper: its set may have others. */
const rowOf = (row: number, { splits }: Manners) => ({
	setId: idOf(splits > 0 && row > 0 && row % splits === 0 ? Math.floor(row / 2) : row),
	documents: [{ documentId: idOf(row) }],
});
const paperIn = ({ value }: Row) => (value as ReturnType<typeof rowOf>).documents[0]?.documentId ?? '';

function rowsOf({ sets, repeats }: Manners): number[] {
	return Array.from({ length: sets }, (_, row) =>
		repeats > 0 && row > 0 && row % repeats === 0 ? Math.floor(row / 2) : row,
	);
}

/** Each group of so many turned by something of the page: what stands on the border of a page comes twice, or never. */
function sortedAnew(rows: number[], ties: number, by: number): number[] {
	if (ties === 1) return rows;
	const sorted: number[] = [];
	for (let start = 0; start < rows.length; start += ties) {
		const group = rows.slice(start, start + ties);
		const turn = (by * 7) % group.length;
		sorted.push(...group.slice(turn), ...group.slice(0, turn));
	}
	return sorted;
}

function refuse(httpStatus: number): never {
	throw new ServiceError(httpStatus === 404 ? 'notFound' : 'rejected', 'No', { httpStatus });
}

/** Calls as they reach that service. What it held during the whole time must come; what it held at any time may. */
function serviceOf(how: Manners) {
	const start = rowsOf(how);
	let sent = 0;
	let held = start;
	const always = new Set(start);
	const ever = new Set(start);
	const move = () => {
		if (how.moves === 1 && sent % 3 === 0 && held.length < 200) held = [1_000 + sent, ...held];
		if (how.moves === -1 && sent % 3 === 0) held = held.slice(1);
		if (how.moves === 'both' && sent % 3 === 0 && sent < 30) held = [...held.slice(1), 1_000 + sent];
		for (const row of held) ever.add(row);
		for (const row of [...always]) if (!held.includes(row)) always.delete(row);
	};
	const answer = ({ path, body }: Call) => {
		sent++;
		move();
		const query = new URL(path, 'http://service').searchParams;
		const inBody = (body ?? {}) as { limit?: number; offset?: number };
		if (how.refusesOthers && query.has('limit') && !how.readsUrl) refuse(400);
		if (how.refusesOthers && inBody.limit !== undefined && !how.readsBody) refuse(400);
		const asked = {
			...(how.readsUrl &&
				query.has('limit') && { limit: Number(query.get('limit')), offset: Number(query.get('offset')) }),
			...(how.readsBody && inBody),
		};
		const offset = asked.offset ?? 0;
		const limit = Math.min(asked.limit ?? how.mostPerPage, how.mostPerPage);
		const isBeyond = offset > 0 && offset >= held.length;
		if (isBeyond && typeof how.beyondTheEnd === 'number') refuse(how.beyondTheEnd);
		let from = how.offset === 'readFromOne' ? Math.max(1, offset) - 1 : offset;
		if (isBeyond && how.beyondTheEnd === 'last') from = Math.max(0, held.length - limit);
		const by = { offset: from, end: from + limit, call: sent }[how.tiesBy];
		const short = how.comesShort && how.total !== 'ofThePage' && offset > 0 && limit > 1 ? 1 : 0;
		let page = sortedAnew(held, how.ties, by).slice(from, from + limit - short);
		if (how.hides > 0) page = page.filter((row) => row % how.hides !== 0);
		if (how.badPage === 'empty' && offset >= 10 && offset < 15) page = [];
		const total = {
			rows: held.length,
			sets: new Set(held).size,
			ids: new Set(held.map((row) => rowOf(row, how).setId)).size,
			ofThePage: page.length,
			remaining: Math.max(0, held.length - offset),
			soFar: Math.min(held.length, offset + page.length + 1),
			capped: Math.min(held.length, 20),
		}[how.total];
		const saidLimit = { given: limit, asked: asked.limit, not: undefined }[how.saysLimit];
		const base = how.offset === 'fromOne' || how.offset === 'readFromOne' ? from + 1 : offset;
		return {
			data: {
				...(how.offset !== 'leftOut' && { offset: how.offset === 'said' ? offset : base }),
				...(saidLimit !== undefined && { limit: saidLimit }),
				total: isBeyond && how.beyondTheEnd === 'emptyWithTotal0' ? 0 : total,
				count: page.length,
				results: page.map((row) => rowOf(row, how)),
			},
		};
	};
	const hidden = (row: number) => how.hides > 0 && row % how.hides === 0;
	const ids = (rows: Set<number>) => new Set([...rows].filter((row) => !hidden(row)).map(idOf));
	const json: Calls['json'] = async (call, read) =>
		read({ value: answer(call), bytes: 100, came: 100, secrets: [], headers: {} });
	const calls = { json };
	return { calls, sent: () => sent, always: () => ids(always), ever: () => ids(ever), start };
}

/**
 * A service whose total speaks of no more than the page it sends cannot be told from one with so few sets when nothing
 * else gives it away: when it gives another page than asked for without saying so, or ends its pages where no page ends.
 */
function cannotBeKnown(how: Manners, { style }: PagingOptions): boolean {
	const read = { auto: how.readsUrl || how.readsBody, query: how.readsUrl, body: how.readsBody }[style];
	const understates = ['ofThePage', 'remaining', 'soFar', 'capped', 'ids'].includes(how.total);
	const isOdd =
		!read ||
		how.ties > 1 ||
		how.repeats > 0 ||
		how.hides > 0 ||
		how.comesShort ||
		how.badPage !== 'none' ||
		how.moves !== 0 ||
		how.offset === 'readFromOne' ||
		typeof how.beyondTheEnd === 'number';
	// One row that is skipped by the sorting may be made up for, in number, by one that came meanwhile; and where a page
	// leaves one out, what is asked for behind it has no row in common with that page.
	if (how.moves !== 0 && (how.ties > 1 || how.comesShort)) return true;
	const unsaidCap = how.saysLimit !== 'given' && ![5, 10, 15, 16, 20, 1_000].includes(how.mostPerPage);
	return understates && (isOdd || unsaidCap);
}

const PLAIN: Manners = {
	...{
		sets: 14,
		repeats: 0,
		splits: 0,
		hides: 0,
		ties: 1,
		tiesBy: 'offset',
		mostPerPage: 3,
		saysLimit: 'given',
	},
	...{ readsUrl: true, readsBody: false, refusesOthers: false, total: 'rows', offset: 'said' },
	...{ beyondTheEnd: 'empty', comesShort: false, badPage: 'none', moves: 0 },
};
/**
 * Rows that came once, and were lost: on a page beside others that showed the end of the list; as the row where two
 * pages meet; made up for, in number, by one that came meanwhile.
 */
const LOST: [Manners, PagingOptions][] = [
	[
		{ ...PLAIN, sets: 31, repeats: 7, mostPerPage: 2, moves: -1 },
		{ style: 'auto', pageSize: 3, width: 5, endsFirst: false },
	],
	[
		{ ...PLAIN, comesShort: true },
		{ style: 'auto', pageSize: 2, width: 1, endsFirst: false },
	],
	[
		{ ...PLAIN, sets: 22, readsUrl: false, readsBody: true, badPage: 'empty', moves: 'both' },
		{ style: 'auto', pageSize: 1, width: 1, endsFirst: true },
	],
];

it('a search is everything that the service held all the time, each once, or an error, or a doubt with both numbers; and it ends', async () => {
	const outcomes = { whole: 0, inOrder: 0, doubted: 0, error: 0 };
	const one = async (how: Manners, options: PagingOptions) => {
		fc.pre(!cannotBeKnown(how, options));
		const service = serviceOf(how);
		const found: string[] = [];
		const doubts: string[] = [];
		const onDoubt = (sentence: string) => void doubts.push(sentence);
		try {
			const ask = pageAsker(service.calls, {}, options.style);
			for await (const page of searchRows(ask, { ...options, logger: silent, onDoubt })) {
				found.push(...page.map(paperIn));
			}
		} catch (error) {
			if (!isServiceError(error)) throw error;
			if (error.incomplete) expect(error.message).toContain(` ${new Set(found).size} different ones`);
			outcomes.error++;
			return;
		} finally {
			expect(service.sent()).toBeLessThan(24 * (how.sets + 20));
			expect(new Set(found).size).toBe(found.length);
			const ever = service.ever();
			expect(found.filter((id) => !ever.has(id))).toEqual([]);
		}
		const most = options.limit ?? Infinity;
		expect(found.length).toBeLessThanOrEqual(most);
		if (doubts.length > 0) {
			expect(doubts).toEqual([
				expect.stringMatching(new RegExp(`says that \\d+.* ${found.length} different`)),
			]);
			outcomes.doubted++;
			return;
		}
		if (found.length < most) expect([...service.always()].filter((id) => !found.includes(id))).toEqual([]);
		outcomes.whole++;
		const isPlain = how.ties === 1 && !how.moves && how.badPage === 'none' && !how.hides && !how.repeats;
		if (!isPlain || options.endsFirst || how.comesShort) return;
		expect(found).toEqual(service.start.map(idOf).slice(0, options.limit ?? service.start.length));
		outcomes.inOrder++;
	};
	await fc.assert(fc.asyncProperty(manners, paging, one), { numRuns: cases(10_000), examples: LOST });
	// Errors alone would prove little.
	expect(outcomes.whole).toBeGreaterThan(cases(3_000));
	expect(outcomes.inOrder).toBeGreaterThan(cases(200));
	expect(outcomes.doubted).toBeGreaterThan(cases(100));
	expect(outcomes.error).toBeLessThan(cases(6_000));
}, 300_000);
