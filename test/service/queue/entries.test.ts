import { BOUNDS } from '../../../service/queue/bounds';
import { Entries } from '../../../service/queue/entries';
import type { Entry, Share } from '../../../service/queue/entry';
import { Repeats } from '../../../service/queue/repeats';
import { manualClock } from '../../support/manualClock';

const MINUTE = 60_000;
const CONNECTION = {};

/** Entries, and how their shares ended. */
function world() {
	const clock = manualClock();
	const entries = new Entries(clock, new Repeats(clock, BOUNDS));
	const fates: string[] = [];
	let number = 0;
	const share = (name: string, changes: Partial<Share> = {}): Share => ({
		...{ bytes: 10, returns: undefined, deaths: 0, number: (number += 1), from: CONNECTION },
		overtakes: () => false,
		settle: (fate) => void fates.push(`${name} ${fate}`),
		...changes,
	});
	const comes = (name: string, changes: Partial<Share> = {}, mayRepeat = false): Entry => {
		const event = { eventId: name, raw: {} } as never;
		entries.add({ event, redelivered: false, deliveredAt: clock.now() }, share(name, changes), mayRepeat);
		return [...entries].at(-1)!;
	};
	const sticks = (entry: Entry, notBefore: number) => {
		Object.assign(entry.progress, { stuck: { since: clock.now() }, notBefore });
		entries.becameStuck(clock.now());
	};
	const names = (some: Iterable<Entry>) => [...some].map(({ event }) => event.eventId).join('');
	return { clock, entries, fates, share, comes, sticks, names };
}

it('knows in what it has a share of a connection: while it waits, and until that goes back', () => {
	const { entries, share, comes } = world();
	const other = {};
	const one = comes('a', { from: other });
	expect([entries.holdSomeOf(other), entries.holdSomeOf(CONNECTION)]).toEqual([true, false]);
	entries.join(one, share('a'));
	comes('b', { from: other });
	expect([entries.holdSomeOf(other), entries.holdSomeOf(CONNECTION)]).toEqual([true, true]);
	entries.wentBack(other, new Set());
	expect([entries.holdSomeOf(other), entries.holdSomeOf(CONNECTION)]).toEqual([false, true]);
});

it('tries what is stuck and back on the queue as soon as that comes, where it became so at such a moment', () => {
	const { clock, entries, comes, sticks } = world();
	const notBefore = clock.now() + 10 * MINUTE;
	sticks(comes('a'), notBefore);
	entries.wentBack(CONNECTION, new Set());
	entries.tryStuckAway((since) => since > clock.now());
	const again = () => {
		const { progress } = comes('a', {}, true);
		entries.wentBack(CONNECTION, new Set());
		return progress.notBefore;
	};
	expect(again()).toBe(notBefore);
	entries.tryStuckAway((since) => since === clock.now());
	expect(again()).toBe(clock.now());
});

it('has waiting what neither runs nor is back on the queue, the oldest first', () => {
	const { entries, comes, names } = world();
	const [a, b, c] = [comes('a'), comes('b'), comes('c')];
	const waiting = () => [
		names(entries.owed),
		entries.firstOwed(() => true)?.event.eventId,
		entries.owedSize.events,
	];
	expect(waiting()).toEqual(['abc', 'a', 3]);
	entries.setRunning([a, b], true);
	expect(waiting()).toEqual(['c', 'c', 1]);
	entries.wentBack(CONNECTION, new Set([c.number]));
	entries.setRunning([a, b], false);
	expect(waiting()).toEqual(['c', 'c', 1]);
	entries.settle(c, 'remove');
	expect(waiting()).toEqual(['', undefined, 0]);
});

it('shows the first of them, no more than asked for', () => {
	const { entries, comes, names } = world();
	for (const name of ['a', 'b', 'c']) comes(name);
	expect([0, 1, 2, 9].map((count) => names(entries.first(count)))).toEqual(['', 'a', 'ab', 'abc']);
});

describe('what is stuck', () => {
	it('is that which failed for good, and shows since when', async () => {
		const { clock, entries, comes, sticks, names } = world();
		const [a, b] = [comes('a'), comes('b')];
		expect([entries.someIsStuck, names(entries.stuck)]).toEqual([false, '']);
		const before = clock.now();
		await clock.advance(MINUTE);
		sticks(b, 0);
		const since = clock.now();
		expect([entries.someIsStuck, names(entries.stuck), entries.stuckSince]).toEqual([true, 'b', since]);
		expect([before, since].map((moment) => entries.becameStuckAfter(moment))).toEqual([true, false]);
		await clock.advance(MINUTE);
		sticks(a, 0);
		expect(entries.stuckSince).toBe(since);
	});

	it('is tried next at the first of its times, also that which is back on the queue', () => {
		const { entries, comes, sticks } = world();
		const [a, b] = [comes('a'), comes('b')];
		comes('c');
		expect(entries.nextStuckAt).toBe(Infinity);
		sticks(a, 7);
		sticks(b, 5);
		expect(entries.nextStuckAt).toBe(5);
		entries.wentBack(CONNECTION, new Set());
		expect(entries.nextStuckAt).toBe(5);
		expect(entries.someIsStuck).toBe(false);
		comes('b', {}, true);
		expect([entries.someIsStuck, entries.nextStuckAt]).toEqual([true, 5]);
	});

	it('is tried at once where that is asked for: all of it, or some', () => {
		const { clock, entries, comes, sticks } = world();
		const [a, b, c] = [comes('a'), comes('b'), comes('c')];
		const later = clock.now() + MINUTE;
		sticks(a, later);
		sticks(b, later);
		c.progress.notBefore = later;
		const due = () => [a, b, c].map(({ progress }) => progress.notBefore <= clock.now());
		entries.tryStuck(({ event }) => event.eventId !== 'b');
		expect(due()).toEqual([true, false, false]);
		entries.tryAllStuck();
		expect(due()).toEqual([true, true, false]);
	});

	it.each<[string, (here: ReturnType<typeof world>, entry: Entry) => void]>([
		['has ended', ({ entries }, entry) => entries.end(entry, 'reject', false)],
		[
			'is gone from the queue',
			({ entries }, { event }) => {
				entries.wentBack(CONNECTION, new Set());
				entries.gone(event.eventId);
			},
		],
	])('is no more when the last of it %s', (_, ends) => {
		const here = world();
		const [a, b] = [here.comes('a'), here.comes('b')];
		here.sticks(a, 0);
		here.sticks(b, 0);
		here.entries.end(a, 'reject', false);
		expect(here.entries.stuckSince).toBeDefined();
		ends(here, b);
		expect(here.entries.stuckSince).toBeUndefined();
	});

	it('is still there when something else has ended, or is gone', () => {
		const { entries, comes, sticks } = world();
		const [a, b] = [comes('a'), comes('b')];
		sticks(a, 0);
		entries.end(b, 'remove', true);
		entries.gone('b');
		expect(entries.stuckSince).toBeDefined();
	});
});

describe('a dead letter that came back', () => {
	it('rests a minute for each time, ten at most', () => {
		const { clock, comes } = world();
		const rest = (deaths: number) => comes('a', { deaths }).progress.notBefore - clock.now();
		expect([0, 1, 3, 10, 11].map(rest)).toEqual([0, 1, 3, 10, 10].map((minutes) => minutes * MINUTE));
	});

	it.each<[string, 'remove' | 'reject' | undefined, number, boolean]>([
		['was given up here, and reported', 'reject', 1, true],
		['was handled here', 'remove', 1, false],
		['was never here', undefined, 1, false],
		['is none, and was given up here before', 'reject', 0, false],
	])('that %s: known as told already: %s', (_, ended, deaths, expected) => {
		const { entries, comes } = world();
		if (ended) entries.end(comes('a'), ended, false);
		expect(comes('a', { deaths }).reportedBefore).toBe(expected);
	});
});

it('knows which goes by itself: here, and while the queue has it', () => {
	const { entries, comes } = world();
	const a = comes('a');
	comes('b');
	const alone = () => ['a', 'b'].map((eventId) => entries.isAlone({ eventId }));
	expect(alone()).toEqual([false, false]);
	a.progress.alone = true;
	expect(alone()).toEqual([true, false]);
	entries.wentBack(CONNECTION, new Set());
	expect(alone()).toEqual([true, false]);
});

it('lets go of what has not failed, and gives up what has', () => {
	const { entries, fates, comes } = world();
	const [, b, c] = [comes('a'), comes('b'), comes('c')];
	b.progress.attempts = 1;
	entries.setRunning([c], true);
	expect(entries.dissolve(CONNECTION).map(({ eventId }) => eventId)).toEqual(['b']);
	expect(fates).toEqual(['b reject', 'a remove']);
	expect([entries.endingOf('a'), entries.endingOf('b')]).toEqual([
		undefined,
		{ fate: 'reject', well: false },
	]);
	expect(entries.count).toBe(1);
});

it('tells once what had failed, where the end of one has all of them looked at again', () => {
	const { entries, fates, comes } = world();
	const within: unknown[] = [];
	const again = () => within.push(...entries.dissolve(CONNECTION).map(({ eventId }) => eventId));
	const first = comes('a', { settle: () => void again() });
	const second = comes('b');
	for (const { progress } of [first, second]) progress.attempts = 1;
	const told = entries.dissolve(CONNECTION).map(({ eventId }) => eventId);
	expect([within, told, fates]).toEqual([['b'], ['a'], ['b reject']]);
});

it('ends what is alike with what was handled, but for what runs', () => {
	const { entries, fates, comes } = world();
	const [a, running] = [comes('a'), comes('a')];
	comes('a');
	entries.setRunning([running], true);
	entries.end(a, 'remove', true);
	entries.endAlike([a]);
	expect([fates, entries.count]).toEqual([['a remove', 'a remove'], 1]);
});
