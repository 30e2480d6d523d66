import { isServiceError, ServiceError } from '../../../service/errors';
import type { AskPage } from '../../../service/api/page';
import { searchRows } from '../../../service/api/pages';
import type { SetRow } from '../../../service/model/set';
import { silent } from '../../support/silent';

/** Numbers from 0 to below 1, the same ones each time. */
function numbers(seed: number): () => number {
	let state = seed * 2_654_435_761;
	return () => {
		state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
		return (state >>> 8) / 0x1000000;
	};
}

interface Manners {
	/** Sets whose place in the list is chosen anew for each page. */
	perMinute: number;
	/** The largest page, which is not said. */
	mostPerPage: number;
	/** One set of ten is counted and not shown, or leaves a gap in its page, or stands there twice. */
	odd?: 'hidden' | 'thinned' | 'doubled';
	/** With one call of five. */
	move?: 'arrive' | 'leave' | 'change';
	/** Behind the end of the list, HTTP 404 in place of an empty page. */
	hasNoEmptyPage?: boolean;
}

/** An honest service, whose total counts more than it shows, or moves. */
function startList(seed: number, { perMinute, mostPerPage, odd, move, hasNoEmptyPage = false }: Manners) {
	const next = numbers(seed);
	let made = 0;
	const make = (minute: number) => ({ id: made++, minute, isOdd: odd !== undefined && next() < 0.1 });
	let list = Array.from({ length: 120 }, (_, index) => make(Math.floor(index / perMinute)));
	const isShown = ({ isOdd }: { isOdd: boolean }) => !isOdd || odd === 'doubled';
	const always = new Set(list.filter(isShown).map(({ id }) => id));
	const moves = () => {
		if (move === undefined || next() > 0.2) return;
		if (move === 'arrive') list = [...list, make(1_000 + made)];
		if (move === 'arrive') return;
		const [gone] = list.splice(Math.floor(next() * list.length), 1);
		if (move === 'change') list.push({ ...gone!, minute: 1_000 });
		else always.delete(gone!.id);
	};
	let calls = 0;
	const ask: AskPage = (offset, limit) => {
		calls++;
		moves();
		const sorted = list
			.map((set) => ({ set, tie: next() }))
			.sort((one, other) => one.set.minute - other.set.minute || one.tie - other.tie)
			.flatMap(({ set }) => (odd === 'doubled' && set.isOdd ? [set, set] : [set]));
		const shown = odd === 'hidden' ? sorted.filter(isShown) : sorted;
		const page = shown.slice(offset, offset + Math.min(limit, mostPerPage)).filter(isShown);
		if (hasNoEmptyPage && page.length === 0)
			return Promise.resolve(new ServiceError('notFound', 'No such page', { httpStatus: 404 }));
		const rows = page.map(({ id }) => ({ key: `set-${id}`, value: { setId: `set-${id}` } satisfies SetRow }));
		return Promise.resolve({ offset, total: sorted.length, rows, full: rows.length >= limit, bytes: 1_000 });
	};
	return { ask, always, calls: () => calls };
}

const SEEDS = Array.from({ length: 20 }, (_, index) => index + 1);

/** What comes of searches of that kind, by how they end. */
async function searched(how: Manners) {
	const ends = { refused: 0, doubted: 0, whole: 0, silentlyShort: 0, missing: 0, mostCalls: 0 };
	for (const seed of SEEDS) {
		const list = startList(seed, how);
		const found = new Set<string>();
		const doubts: string[] = [];
		const onDoubt = (sentence: string) => void doubts.push(sentence);
		try {
			const paging = { style: 'auto', pageSize: 100, width: 4, logger: silent, onDoubt } as const;
			for await (const rows of searchRows(list.ask, paging)) for (const { key } of rows) found.add(key);
		} catch (error) {
			if (!isServiceError(error)) throw error;
			ends.refused++;
			continue;
		} finally {
			ends.mostCalls = Math.max(ends.mostCalls, list.calls());
		}
		const missing = [...list.always].filter((id) => !found.has(`set-${id}`)).length;
		ends.missing += missing;
		if (doubts.length > 0) ends.doubted++;
		else if (missing > 0) ends.silentlyShort++;
		else ends.whole++;
		for (const doubt of doubts)
			expect(doubt).toMatch(/says that \d.* gave? ?\S* \d+ different ones|gives \d+/);
	}
	return ends;
}

const KINDS: [string, Manners][] = [
	['and counts what it hides', { perMinute: 30, mostPerPage: 1_000, odd: 'hidden', move: 'change' }],
	['in small pages, and counts what it hides', { perMinute: 1_000, mostPerPage: 20, odd: 'hidden' }],
	['in small pages, and leaves out of them', { perMinute: 60, mostPerPage: 30, odd: 'thinned' }],
	['in small pages, and has some twice', { perMinute: 1_000, mostPerPage: 13, odd: 'doubled' }],
	[
		'that grows, and counts what it hides',
		{ perMinute: 10, mostPerPage: 100, odd: 'hidden', move: 'arrive' },
	],
	[
		'that gets shorter, and leaves out of its pages',
		{ perMinute: 5, mostPerPage: 40, odd: 'thinned', move: 'leave' },
	],
	[
		'that has no page behind its end, which comes early',
		{ perMinute: 5, mostPerPage: 40, odd: 'hidden', hasNoEmptyPage: true },
	],
];

it.each(KINDS)(
	'a list that is sorted anew for each page %s: what can be had, with both numbers',
	async (_what, how) => {
		const { refused, silentlyShort, missing, mostCalls } = await searched(how);
		expect({ refused, silentlyShort }).toEqual({ refused: 0, silentlyShort: 0 });
		// Of 2,400 sets.
		expect(missing).toBeLessThan(10);
		expect(mostCalls).toBeLessThan(500);
	},
);

it('a set that changes, and moves behind the next page, makes up for none that never came, though the pages meet by chance', async () => {
	const before = 'abcdef';
	let calls = 0;
	const ask: AskPage = (offset, limit) => {
		// "a" has moved to the end, and "c" and "d", which tie, have changed places.
		const order = calls++ === 0 ? before : calls === 2 ? 'bdcefa' : 'bcdefa';
		const rows = [...order].slice(offset, offset + limit).map((setId) => {
			const isNew = setId === 'a' && order !== before;
			const modifiedDate = isNew ? '2 March 2026 10:00' : '1 March 2026 10:00';
			return { key: setId, value: { setId, modifiedDate, documents: [{ documentId: setId }] } };
		});
		return Promise.resolve({ offset, total: 6, rows, full: rows.length >= limit, bytes: 100 });
	};
	const found: string[] = [];
	for await (const rows of searchRows(ask, { style: 'auto', pageSize: 3, width: 1, logger: silent }))
		found.push(...rows.map(({ value }) => (value as SetRow).setId as string));
	expect(found.sort()).toEqual([...before]);
});
