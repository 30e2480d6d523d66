import { chooseNext, chooseProbes } from '../../../service/queue/batch';
import type { LaneOptions } from '../../../service/queue/contract';
import type { Entry } from '../../../service/queue/entry';
import { freshProgress, type Progress } from '../../../service/queue/progress';

const options = { keepOrder: true, batchSize: 1, batchWaitMs: 0 } as LaneOptions;

const entry = (orderKey: string, changes: Partial<Progress> = {}): Entry =>
	({
		...{ orderKey, running: false, shares: [{}] },
		progress: { ...freshProgress(0, 0), ...changes },
	}) as Entry;

const next = (...entries: Entry[]) => nextAfter(false, ...entries);

const nextAfter = (again: boolean, ...entries: Entry[]) => {
	const choice = chooseNext(entries, options, 0, { batchRuns: false, again });
	return choice && 'start' in choice ? choice.start.map(({ orderKey }) => orderKey) : undefined;
};

describe('the next event', () => {
	const stuck = entry('stuck', { attempts: 5, stuck: { since: 0, tries: 3 } });
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

	it('is none of a set that one of those holds', () => {
		expect(next(stuck, entry('stuck'), entry('fresh'))).toEqual(['fresh']);
		expect(next(stuck, entry('stuck'))).toEqual(['stuck']);
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

describe('what a workflow that waits tries beside its oldest event', () => {
	const tries = (entries: Entry[], tried: string[] = []) =>
		chooseProbes(entries, options, new Set(tried), 2).map(({ orderKey }) => orderKey);
	const oldest = entry('oldest', { attempts: 4, failedAt: 0 });
	const often = entry('often', { attempts: 2, failedAt: 0 });
	const once = entry('once', { attempts: 1, failedAt: 0 });
	const inTheWait = entry('in the wait', { failedAt: 0 });
	const suspect = entry('suspect', { suspect: true });

	it('is what never failed, and then what failed least', () => {
		expect(tries([oldest, often, once, entry('fresh')])).toEqual(['oldest', 'fresh', 'once']);
		expect(tries([oldest, often, once, inTheWait])).toEqual(['oldest', 'in the wait', 'once']);
	});

	it('is what failed where others succeeded last of all', () => {
		expect(tries([oldest, suspect, entry('suspect too', { suspect: true }), often])).toEqual([
			'oldest',
			'often',
			'suspect',
		]);
	});

	it('is each set once before any again', () => {
		expect(tries([oldest, often, once, inTheWait], ['in the wait'])).toEqual(['oldest', 'once', 'often']);
	});
});
