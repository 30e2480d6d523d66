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
			for (let next = wait.next(now); next; next = wait.next(now)) tried.push(next.orderKey);
			return tried;
		});
}

const waitOf = (counted = false, entries = setsThatFailed(20)) =>
	new Wait('failing', 'no mail server', 0, BOUNDS, counted, entries);

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
		expect(wait.next(MINUTE)?.orderKey).toBe('0');
		wait.breakOff();
		expect(wait.next(MINUTE)).toBeUndefined();
	});

	it('begins no try after twelve minutes of a round where deliveries are counted, and in the next those it did not come to', () => {
		const wait = waitOf(true);
		const entries = setsThatFailed(20);
		const chosenAt = MINUTE + BOUNDS.collectMs;
		wait.chooseRound(entries, options, MINUTE, true);
		wait.chooseRound(entries, options, chosenAt, true);
		expect(wait.next(chosenAt)?.orderKey).toBe('0');
		expect(wait.next(chosenAt + 12 * MINUTE - 1)?.orderKey).toBe('1');
		expect(wait.next(chosenAt + 12 * MINUTE)).toBeUndefined();
		expect(rounds(wait, entries, true)(1)).toEqual([['0', '2', '3', '4', '5']]);
	});

	it('goes through a round to its end where no delivery is counted: what is behind slow ones that fail waits for it', () => {
		const wait = waitOf();
		const chosenAt = MINUTE + BOUNDS.collectMs;
		wait.chooseRound(setsThatFailed(20), options, MINUTE, false);
		wait.chooseRound(setsThatFailed(20), options, chosenAt, false);
		const began = [0, 9, 18, 27].map((minutes) => wait.next(chosenAt + minutes * MINUTE)?.orderKey);
		expect(began).toEqual(['0', '1', '2', undefined]);
	});

	it('tries another one beside the oldest, however long that takes', () => {
		const wait = waitOf(true);
		wait.chooseRound(setsThatFailed(20), options, MINUTE, true);
		wait.chooseRound(setsThatFailed(20), options, 2 * MINUTE, true);
		const later = [0, 20, 40].map((minutes) => wait.next((2 + minutes) * MINUTE)?.orderKey);
		expect(later).toEqual(['0', '1', undefined]);
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

it('tries by the time that has passed', () =>
	expect(
		[0, 1, 2, 3, 17, 18, 27, 28, 100].map((at) => nextRoundAt(5, 5 + at * MINUTE, undefined, BOUNDS) - 5),
	).toEqual([1, 3, 3, 8, 18, 28, 28, 38, 108].map((at) => at * MINUTE)));

describe('where deliveries are counted', () => {
	const HOUR = 60 * MINUTE;

	it.each([0, 9, 19])(
		'begins with tries before what was delivered goes back, also after %i returns: what the workflow needs may only come up later than its host',
		(returns) =>
			expect([0, 1, 2, 3, 7].map((at) => nextRoundAt(5, 5 + at * MINUTE, returns, BOUNDS) - 5)).toEqual(
				[1, 3, 3, 8, 8].map((at) => at * MINUTE),
			),
	);

	it('rests longer with each return', () =>
		expect([0, 1, 2, 3].map((returns) => nextRoundAt(0, HOUR + 7, returns, BOUNDS) - HOUR - 7)).toEqual(
			[10, 20, 40, 80].map((minutes) => minutes * MINUTE),
		));

	it.each([
		[4, [168, 179, 181, 299], [4, 4, 6, 6]],
		[14, [168, 179, 181, 299], [4, 4, 6, 6]],
		[15, [24, 29.9, 30.1, 36, 71].map((hours) => hours * 60), [36, 36, 48, 48, 84]],
		[17, [24, 29.9, 30.1, 36, 71].map((hours) => hours * 60), [36, 36, 48, 48, 84]],
		[18, [24, 35.9, 36.1, 71].map((hours) => hours * 60), [48, 48, 72, 96]],
		[30, [24, 35.9, 36.1, 71].map((hours) => hours * 60), [48, 48, 72, 96]],
	])(
		'tries at one time with all others after %i returns; a try that came by itself takes the place of the next',
		(returns, minutes, hours) => {
			const next = (since: number) =>
				minutes.map((at) => nextRoundAt(since, at * MINUTE, returns, BOUNDS) / HOUR);
			expect(next(0)).toEqual(hours);
			expect(next(-45 * MINUTE)).toEqual(hours);
		},
	);

	it('counts what the third set has come, of those that do not fail by themselves', () => {
		const nextOf = (returns: readonly number[], alone: number) => {
			const entries = setsThatFailed(20, 0, alone);
			[...entries.first(20)].forEach(({ shares: [share] }, set) => (share!.returns = returns[set] ?? 0));
			const wait = waitOf(true, entries);
			rounds(wait, entries, true)(3);
			return wait.nextTryAt / HOUR;
		};
		expect(nextOf([15, 15, 4], 0)).toBe(2);
		expect(nextOf([15, 15, 15], 0)).toBe(12);
		// They came a few times apart, over one and the same: the first of them may be dropped soon.
		expect(nextOf([15, 13, 12], 0)).toBe(12);
		expect(nextOf([15, 15, 11], 0)).toBe(2);
		expect(nextOf([14, 13, 11], 0)).toBe(2);
		expect(nextOf([18, 15, 15], 0)).toBe(24);
		expect(nextOf([15, 15, 15, 4, 4, 4], 3)).toBe(2);
		// Of the last two sets, the second.
		expect(nextOf([...Array<number>(19).fill(0), 14], 18)).toBeCloseTo(18 / 60);
		expect(nextOf([], 20)).toBeCloseTo(18 / 60);
	});
});
