import { BOUNDS } from '../../../service/queue/bounds';
import type { LaneOptions } from '../../../service/queue/contract';
import type { Entries } from '../../../service/queue/entries';
import type { Entry } from '../../../service/queue/entry';
import { freshProgress } from '../../../service/queue/progress';
import { nextRoundAt, Wait } from '../../../service/queue/wait';

const MINUTE = 60_000;
const options = { keepOrder: true } as LaneOptions;

/** So many sets, of each of which one event failed before. */
function setsThatFailed(count: number, returns = 0, stuck = 0): Entries {
	const entries = Array.from({ length: count }, (_, set) => ({
		orderKey: String(set),
		running: false,
		shares: [{ overtakes: () => false, returns }],
		progress: { ...freshProgress(0, 0), attempts: 1, failedAt: 0, suspect: set < stuck },
	})) as unknown as Entry[];
	return { count, first: (most: number) => entries.slice(0, most) } as unknown as Entries;
}

/** Rounds that are due one after another; the sets each of them tries. */
function rounds(wait: Wait, entries: Entries, counted: boolean) {
	return (count: number) =>
		Array.from({ length: count }, () => {
			const now = wait.nextTryAt;
			wait.chooseRound(entries, options, now, counted);
			expect(wait.chooseRound(entries, options, now + BOUNDS.collectMs, counted)).toBe('chosen');
			const tried: string[] = [];
			for (let next = wait.next(); next; next = wait.next()) tried.push(next.orderKey);
			return tried;
		});
}

const waitOf = (counted = false, inherited?: Entries) =>
	new Wait('failing', 'no mail server', 0, BOUNDS, counted, inherited);

describe('a workflow that waits', () => {
	it('gathers events for a moment when a try is due, and tries nothing before', () => {
		const wait = waitOf();
		const entries = setsThatFailed(2);
		expect(wait.chooseRound(entries, options, MINUTE - 1, false)).toEqual({ lookAgainAt: MINUTE });
		expect(wait.gatherUntil).toBeUndefined();
		expect(wait.chooseRound(entries, options, MINUTE, false)).toEqual({
			lookAgainAt: MINUTE + BOUNDS.collectMs,
		});
		wait.gathered(MINUTE + 1);
		expect(wait.chooseRound(entries, options, MINUTE + 1, false)).toBe('chosen');
		expect([wait.gatherUntil, wait.nextTryAt]).toEqual([undefined, 3 * MINUTE]);
		wait.gathered(MINUTE + 1);
		expect(wait.gatherUntil).toBeUndefined();
	});

	it.each([
		['two', false],
		['eight, where deliveries are counted', true],
	])('tries the oldest and two, four, … other sets, and once each was tried, %s again', (_, counted) => {
		const round = rounds(waitOf(counted), setsThatFailed(20), counted);
		const [first, second, third] = round(3);
		expect(first).toEqual(['0', '1', '2']);
		expect(second).toEqual(['0', '3', '4', '5', '6']);
		expect(third).toEqual(['0', '7', '8', '9', '10', '11', '12', '13', '14']);
		expect(round(1)[0]).toEqual(['0', '15', '16', '17', '18', '19']);
		const again = counted ? ['1', '2', '3', '4', '5', '6', '7', '8'] : ['1', '2'];
		expect(round(1)[0]).toEqual(['0', ...again]);
	});

	it('tries nothing more of a round that is broken off', () => {
		const wait = waitOf();
		wait.chooseRound(setsThatFailed(3), options, MINUTE, false);
		wait.chooseRound(setsThatFailed(3), options, MINUTE + BOUNDS.collectMs, false);
		expect(wait.next()?.orderKey).toBe('0');
		wait.breakOff();
		expect(wait.next()).toBeUndefined();
	});

	it.each([
		['the growing times are over', 18 * MINUTE, undefined, true],
		['they are not', MINUTE, 18 * MINUTE, false],
	])('tries the next event that comes when there is nothing to try and %s', (_, at, lookAgainAt, found) => {
		const wait = waitOf();
		expect(wait.foundNothing).toBe(false);
		wait.chooseRound(setsThatFailed(0), options, at, false);
		expect(wait.chooseRound(setsThatFailed(0), options, at + BOUNDS.collectMs, false)).toEqual({
			lookAgainAt,
		});
		expect(wait.foundNothing).toBe(found);
	});

	it('looks again in a moment where all that is there runs', () => {
		const wait = waitOf();
		const running = { count: 1, first: () => [] } as unknown as Entries;
		wait.chooseRound(running, options, MINUTE, false);
		const now = MINUTE + BOUNDS.collectMs;
		expect(wait.chooseRound(running, options, now, false)).toEqual({ lookAgainAt: now + BOUNDS.collectMs });
	});
});

it.each([
	[false, [0, 1, 2, 3, 17, 18, 27, 28, 100], [1, 3, 3, 8, 18, 28, 28, 38, 108]],
	[true, [0, 1, 18, 27, 28, 48, 88, 167], [1, 3, 28, 28, 48, 88, 168, 168]],
])('tries by the time that has passed (counted: %s)', (counted, now, next) =>
	expect(now.map((at) => nextRoundAt(5, 5 + at * MINUTE, counted, BOUNDS) - 5)).toEqual(
		next.map((at) => at * MINUTE),
	),
);

it('tries at one time with all others, where deliveries are counted, once the growing times are over', () => {
	const hours = (since: number) =>
		[168, 240, 299, 400].map((at) => nextRoundAt(since * MINUTE, at * MINUTE, true, BOUNDS) / (60 * MINUTE));
	expect(hours(0)).toEqual([4, 6, 6, 8]);
	expect(hours(-45)).toEqual([4, 6, 6, 8]);
});

it.each([
	[7, 0, 1 / 60, 3 / 60],
	[8, 0, 2, 4],
	[11, 0, 2, 4],
	[12, 0, 12, 24],
	[13, 0, 12, 24],
	[14, 0, 12, 24],
	// Those that fail by themselves tell nothing of a workflow.
	[12, 17, 12, 24],
	[12, 20, 1 / 60, 3 / 60],
])(
	'goes on, in a process that is new, with the tries of the one before: what came back %i times, of which %i fail by themselves, is tried after %d hours, and then after %d',
	(returns, stuck, first, second) => {
		const HOUR = 60 * MINUTE;
		const entries = setsThatFailed(20, returns, stuck);
		const wait = waitOf(true, entries);
		const tries = rounds(wait, entries, true);
		if (first >= 1 && returns < 14) {
			// What the workflow needs may come up later than its host.
			expect(wait.nextTryAt).toBe(MINUTE);
			tries(1);
			expect(wait.nextTryAt).toBe(3 * MINUTE);
			tries(1);
			expect(wait.nextTryAt).toBe(8 * MINUTE);
			tries(1);
		}
		expect(wait.nextTryAt / HOUR).toBeCloseTo(first);
		tries(1);
		expect(wait.nextTryAt / HOUR).toBeCloseTo(second);
	},
);

it('tries as before where one process waits all the time, however often that came', () => {
	const HOUR = 60 * MINUTE;
	const wait = waitOf(true, setsThatFailed(20));
	const entries = setsThatFailed(20, 15);
	wait.chooseRound(entries, options, 18 * HOUR - BOUNDS.collectMs, true);
	expect(wait.chooseRound(entries, options, 18 * HOUR, true)).toBe('chosen');
	expect(wait.nextTryAt).toBe(20 * HOUR);
});

it('tries twice a day after the first one, where deliveries are counted: few may be left, and a weekend is long', () => {
	const HOUR = 60 * MINUTE;
	const next = (at: number, counted: boolean) => {
		const wait = waitOf(counted);
		const entries = setsThatFailed(2);
		wait.chooseRound(entries, options, at * HOUR - BOUNDS.collectMs, counted);
		expect(wait.chooseRound(entries, options, at * HOUR, counted)).toBe('chosen');
		return wait.nextTryAt / HOUR;
	};
	expect([22, 23.9, 24, 35.9, 36, 71].map((at) => next(at, true))).toEqual([24, 24, 36, 36, 48, 72]);
	expect(next(71, false)).toBeCloseTo(71 + 8 / 60);
	// A single event that is stuck shows no outage.
	expect(nextRoundAt(0, 24 * HOUR, true, BOUNDS)).toBe(26 * HOUR);
});
