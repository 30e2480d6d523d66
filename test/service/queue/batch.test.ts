import { chooseNext, chooseProbes } from '../../../service/queue/batch';
import type { LaneOptions } from '../../../service/queue/contract';
import type { Entry } from '../../../service/queue/entry';
import { freshProgress, type Progress } from '../../../service/queue/progress';

const options = { keepOrder: true, batchSize: 1, batchWaitMs: 0 } as LaneOptions;

const entry = (orderKey: string, changes: Partial<Progress> = {}): Entry =>
	({
		...{ orderKey, running: false, shares: [{ overtakes: () => false }] },
		progress: { ...freshProgress(0, 0), ...changes },
	}) as Entry;

const next = (...entries: Entry[]) => nextAfter(false, ...entries);

const nextAfter = (again: boolean, ...entries: Entry[]) => {
	const choice = chooseNext(entries, options, 0, { batchRuns: false, again });
	return choice && 'start' in choice ? choice.start.map(({ orderKey }) => orderKey) : undefined;
};

describe('the next event', () => {
	const stuck = entry('stuck', { attempts: 5, stuck: { since: 0 } });
	const suspect = entry('suspect', { suspect: true });

	it.each([
		['has used up its attempts', stuck],
		['failed where others succeeded', suspect],
	])('is one that may succeed, however early one came that %s', (_what, bad) => {
		expect(next(bad, entry('fresh'))).toEqual(['fresh']);
	});

	it('is one of those when nothing else is there', () => {
		expect(next(stuck)).toEqual(['stuck']);
		expect(next(suspect, stuck)).toEqual(['suspect']);
	});

	it('is of those the one that is due longest, wherever it stands on the queue', () => {
		const early = entry('early', { stuck: { since: 0 }, notBefore: -1 });
		const late = entry('late', { suspect: true, notBefore: -2 });
		expect(next(early, late)).toEqual(['late']);
		expect(next(late, early)).toEqual(['late']);
	});

	it('is none of a set that one of those holds', () => {
		expect(next(stuck, entry('stuck'), entry('fresh'))).toEqual(['fresh']);
		expect(next(stuck, entry('stuck'))).toEqual(['stuck']);
	});

	it('is none that comes before an earlier one of its set, nor one behind that, where order is kept; it is looked at again', () => {
		const early = { ...entry('a'), shares: [{ overtakes: () => true }] } as unknown as Entry;
		expect(next(early, entry('a'), entry('b'))).toEqual(['b']);
		const choose = (keepOrder: boolean) =>
			chooseNext([early, entry('a')], { ...options, keepOrder }, 0, { batchRuns: false, again: false });
		expect(choose(true)).toEqual({ lookAgainAt: 5_000 });
		expect(choose(false)).toEqual({ start: [early] });
	});

	describe('after a further attempt', () => {
		const failed = entry('failed', { attempts: 1, failedAt: 0 });

		it('is one that was never tried', () => {
			expect(nextAfter(false, failed, entry('fresh'))).toEqual(['failed']);
			expect(nextAfter(true, failed, entry('fresh'))).toEqual(['fresh']);
		});

		it('is none that stands behind the failed one of its set', () => {
			expect(nextAfter(true, failed, entry('failed'))).toEqual(['failed']);
		});

		it('is a further attempt before what has used up its own', () => {
			expect(nextAfter(true, stuck, suspect, failed)).toEqual(['failed']);
		});
	});
});

describe('what a waiting workflow tries', () => {
	const probes = (
		entries: readonly Entry[],
		{ keepOrder = true, tried = [] as string[], more = 1 } = {},
	): string[] =>
		chooseProbes(entries, { ...options, keepOrder }, new Set(tried), more).map(({ orderKey }) => orderKey);
	const failed = (orderKey: string) => entry(orderKey, { attempts: 1, failedAt: 0 });
	const refused = (orderKey: string) => entry(orderKey, { refused: { at: 0 } as never });

	it.each([
		['failed', failed],
		['was refused', refused],
	])('is what was never tried before what %s', (_what, bad) =>
		expect(probes([entry('a'), bad('b'), entry('c')])).toEqual(['a', 'c']),
	);

	it('is what failed where nothing else is there, of a set that was not tried in this wait', () => {
		expect(probes([failed('a'), failed('b'), failed('c')], { tried: ['b'] })).toEqual(['a', 'c']);
		expect(probes([failed('a'), failed('b')], { tried: ['b'] })).toEqual(['a']);
	});

	it('is what failed least, and what failed where others succeeded last of all', () => {
		const often = entry('often', { attempts: 2, failedAt: 0 });
		const inTheWait = entry('in the wait', { failedAt: 0 });
		const suspect = entry('suspect', { suspect: true });
		const all = [failed('oldest'), suspect, often, failed('once'), inTheWait];
		expect(probes(all, { more: 2 })).toEqual(['oldest', 'in the wait', 'once']);
		expect(probes(all, { more: 2, tried: ['in the wait', 'once'] })).toEqual(['oldest', 'often', 'suspect']);
	});

	it('is one event of a set', () => {
		expect(probes([entry('a'), entry('a'), entry('b')], { more: 2 })).toEqual(['a', 'b']);
		expect(probes([entry('a'), entry('a'), entry('b')], { more: 2, keepOrder: false })).toEqual(['a', 'b']);
	});

	it('is nothing that runs, and with order kept nothing behind it; nor what has gone back', () => {
		const running = { ...entry('a'), running: true };
		const away = { ...entry('b'), shares: [] };
		expect(probes([running, entry('a'), away, entry('c')])).toEqual(['c']);
		expect(probes([running, entry('a'), away, entry('c')], { keepOrder: false })).toEqual(['a', 'c']);
		expect(probes([running])).toEqual([]);
		const early = { ...entry('a'), shares: [{ overtakes: () => true }] } as unknown as Entry;
		expect(probes([early, entry('a'), entry('b')])).toEqual(['b']);
		expect(probes([early, entry('b')], { keepOrder: false })).toEqual(['a', 'b']);
	});

	it('is found without going through more than that takes', () => {
		const looked: string[] = [];
		function* entries() {
			for (const orderKey of ['a', 'b', 'c', 'd']) {
				looked.push(orderKey);
				yield entry(orderKey);
			}
		}
		expect(probes(entries() as never)).toEqual(['a', 'b']);
		expect(looked).toEqual(['a', 'b', 'c']);
	});
});
