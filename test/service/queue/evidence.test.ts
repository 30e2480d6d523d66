import { BOUNDS } from '../../../service/queue/bounds';
import type { Entry } from '../../../service/queue/entry';
import { Evidence } from '../../../service/queue/evidence';
import { freshProgress, type Progress } from '../../../service/queue/progress';
import { manualClock } from '../../support/manualClock';

const evidence = () => new Evidence(manualClock(), BOUNDS);

const entry = (set: number, changes: Partial<Progress> = {}, status = 'ISSUED') =>
	({
		orderKey: `set ${set}`,
		event: { status },
		progress: { ...freshProgress(0, 0), ...changes },
	}) as unknown as Entry;

describe('a lane should wait', () => {
	const failsTimes = (times: number, sets: number, found = evidence()) => {
		for (let run = 0; run < times; run += 1) found.runFailed([entry(run % sets)], found.moment());
		return found;
	};

	it.each([
		['ten runs in a row failed, of three sets', 10, 3, 'failing'],
		['nine did', 9, 3, undefined],
		['ten did, of two sets', 10, 2, undefined],
	])('when %s: %s of %s', (_, times, sets, verdict) => expect(failsTimes(times, sets).verdict).toBe(verdict));

	it('over the last ten alone', () => {
		const found = failsTimes(3, 3);
		expect(failsTimes(9, 1, found).verdict).toBeUndefined();
		expect(failsTimes(3, 1, found).verdict).toBeUndefined();
	});

	it('a batch is one run', () => {
		const found = evidence();
		found.runFailed(
			[1, 2, 3].map((set) => entry(set)),
			found.moment(),
		);
		expect(failsTimes(8, 1, found).verdict).toBeUndefined();
		expect(failsTimes(1, 1, found).verdict).toBe('failing');
	});

	it('after three runs in a row whose end nobody told', () => {
		const found = evidence();
		found.runLost(found.moment());
		found.runLost(found.moment());
		expect(found.verdict).toBeUndefined();
		found.runLost(found.moment());
		expect(found.verdict).toBe('unknown');
	});

	it('not after a success in between', () => {
		const found = failsTimes(9, 3);
		found.runLost(found.moment());
		found.runLost(found.moment());
		found.succeeded([entry(1)], found.moment());
		found.runLost(found.moment());
		expect(failsTimes(9, 3, found).verdict).toBeUndefined();
	});

	it.each<[string, Partial<Progress>]>([
		['failed while others succeeded', { suspect: true }],
		['has used up its attempts', { stuck: { since: 0 } }],
	])('not over one that %s: it may be to blame itself', (_, changes) => {
		const found = evidence();
		for (let set = 0; set < 10; set += 1) found.runFailed([entry(set, changes)], found.moment());
		expect(found.verdict).toBeUndefined();
	});

	it('not over those of whose status one has succeeded since', () => {
		const found = evidence();
		found.succeeded([entry(1)], found.moment());
		for (let set = 0; set < 10; set += 1) found.runFailed([entry(set, { failedAt: -1 })], found.moment());
		expect(found.verdict).toBeUndefined();
	});
});

describe('others succeed', () => {
	it('when one of the same status has since this one failed', () => {
		const found = evidence();
		const failed = entry(1, { failedAt: found.moment() });
		expect(found.othersSucceed(failed)).toBe(false);
		found.succeeded([entry(2, {}, 'DRAFTED')], found.moment());
		expect(found.othersSucceed(failed)).toBe(false);
		found.succeeded([entry(2)], found.moment());
		expect(found.othersSucceed(failed)).toBe(true);
		expect(found.othersSucceed(entry(3, { failedAt: found.moment() }))).toBe(false);
		expect(found.othersSucceed(entry(3))).toBe(false);
	});

	it('not by a run that began before: it may have been past what is away since', () => {
		const found = evidence();
		const [early, failedAt, late] = [found.moment(), found.moment(), found.moment()];
		const failed = entry(1, { failedAt });
		found.succeeded([entry(2)], early);
		expect(found.othersSucceed(failed)).toBe(false);
		found.succeeded([entry(2)], late);
		found.succeeded([entry(2)], early);
		expect(found.othersSucceed(failed)).toBe(true);
	});

	it('is remembered of the hundred statuses that succeeded last', () => {
		const found = evidence();
		const failed = (status: string) => entry(1, { failedAt: -1 }, status);
		for (let index = 0; index < 100; index += 1) found.succeeded([entry(1, {}, `S${index}`)], found.moment());
		found.succeeded([entry(1, {}, 'S0')], found.moment());
		found.succeeded([entry(1, {}, 'NEW')], found.moment());
		expect(['S0', 'S1', 'S2', 'NEW'].map((status) => found.othersSucceed(failed(status)))).toEqual([
			true,
			false,
			true,
			true,
		]);
	});
});

describe('one that the host refuses', () => {
	it('is to blame after three refusals, with runs of others begun in between', () => {
		const found = evidence();
		const refused = entry(1);
		const begins = () => found.begun(found.moment());
		for (let times = 0; times < 4; times += 1) found.refused([refused]);
		expect(refused.progress.refused?.times).toBe(1);
		begins();
		found.refused([refused]);
		expect([refused.progress.refused?.times, found.othersStart(refused)]).toEqual([2, false]);
		begins();
		found.refused([refused]);
		expect(found.othersStart(refused)).toBe(true);
		expect(found.lastRefusedAt).toBeGreaterThan(found.lastStartedAt);
		expect(found.othersStart(entry(2))).toBe(false);
	});
});

it('tells apart what happens within one millisecond, and knows the newest run that began', () => {
	const found = evidence();
	expect(found.moment()).toBeLessThan(found.moment());
	found.begun(7);
	found.begun(5);
	expect(found.lastStartedAt).toBe(7);
});
