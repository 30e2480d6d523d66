import { BodyLog } from '../../../service/queue/bodyLog';
import { BOUNDS } from '../../../service/queue/bounds';
import type { Entry } from '../../../service/queue/entry';
import { Kept } from '../../../service/queue/kept';
import type { Lane } from '../../../service/queue/lane';
import { Noted } from '../../../service/queue/noted';
import type { NotKept } from '../../../service/queue/notKept';
import { manualClock } from '../../support/manualClock';
import { silent } from '../../support/silent';

/** Two workflows on one queue, of which one waits and may owe three events. */
/** What a lane has from elsewhere is not counted. */
const HERE = 'broker/here/events';

function world() {
	const clock = manualClock();
	const noted = new Noted();
	const ended: number[] = [];
	const told: number[] = [];
	const owed: Entry[] = [];
	const notKept = {
		report: (_lane: Lane, _why: string, events: ReadonlyArray<{ number: number }>) =>
			void told.push(...events.map(({ number }) => number)),
	} as unknown as NotKept;
	const log = new BodyLog(clock, silent, 'Queue', noted);
	const open: Lane[] = [];
	const kept = new Kept(clock, { ...BOUNDS, keptEvents: 3 }, notKept, log, () => open, HERE);
	const wait = {
		waiting: {},
		stuck: [],
		owedAt: (place: string) => (place === HERE ? owed : []),
		firstOwedAt: (place: string) => (place === HERE ? owed[0] : undefined),
		owedSince: { events: 0, bytes: 0 },
		lastStartedAt: -Infinity,
		lastRefusedAt: -Infinity,
		isRefusedBeside: (startedAt: number) => startedAt > 5,
		failsBeside: (wellSince: number) => wellSince < 5,
		giveUp: ({ number }: Entry) => {
			ended.push(number);
			owed.splice(
				owed.findIndex((entry) => entry.number === number),
				1,
			);
		},
	} as unknown as Lane;
	const well = {
		wellSince: 0,
		mayFailSince: () => false,
		stuck: [],
		lastStartedAt: 0,
		lastRefusedAt: -Infinity,
	} as unknown as Lane;
	open.push(well);
	const entry = (number: number, { reportedBefore = false, bytes = 0, returns = 0 } = {}) =>
		({
			number,
			event: { number },
			shares: [{ bytes, returns }],
			progress: { seenAt: 0 },
			reportedBefore,
		}) as unknown as Entry;
	const owe = (number: number, reportedBefore = false, bytes = 0, returns = 0) =>
		void owed.push(entry(number, { reportedBefore, bytes, returns }));
	return { kept, wait, well, open, owe, entry, ended, told, clock };
}

it('ends the oldest shares of one that waits beside another and owes too many', () => {
	const { kept, wait, well, owe, ended, told } = world();
	for (const number of [1, 2, 3, 4, 5]) owe(number);
	kept.limit([wait, well], [], false);
	expect(ended).toEqual([1, 2]);
	expect(told).toEqual([1, 2]);
});

it('says to one that waits whether its queue is left alone: no other is well beside it', () => {
	const { kept, wait, well } = world();
	kept.limit([wait, well], [], true);
	expect(wait.isLeftAlone).toBe(false);
	Object.assign(well, { wellSince: undefined });
	kept.limit([wait, well], [], true);
	expect(wait.isLeftAlone).toBe(true);
});

it('ends nothing of one that waits, and has not failed since the first of the others became well', () => {
	const { kept, wait, well, owe, ended } = world();
	for (const number of [1, 2, 3, 4, 5]) owe(number);
	Object.assign(well, { wellSince: 5 });
	kept.limit([wait, well], [], false);
	expect(ended).toEqual([]);
	const other = { ...well, wellSince: 4 } as unknown as Lane;
	kept.limit([wait, well, other], [], false);
	expect(ended).toEqual([1, 2]);
});

it('ends nothing of one that waits, while the runs of all others may fail yet over the same', () => {
	const { kept, wait, well, owe, ended } = world();
	for (const number of [1, 2, 3, 4, 5]) owe(number);
	Object.assign(wait, { waitsSince: 7 });
	Object.assign(well, { mayFailSince: (moment: number) => moment === 7 });
	kept.limit([wait, well], [], false);
	expect(ended).toEqual([]);
	const other = { ...well, mayFailSince: () => false } as unknown as Lane;
	kept.limit([wait, well, other], [], false);
	expect(ended).toEqual([1, 2]);
});

it('ends a dead letter that came back before any other, and says so no second time', () => {
	const { kept, wait, well, owe, ended, told } = world();
	for (const number of [3, 4, 5]) owe(number);
	owe(6, true);
	owe(7, true);
	kept.limit([wait, well], [], false);
	expect(ended).toEqual([6, 7]);
	expect(told).toEqual([]);
});

it.each([false, true])(
	'ends what is kept for one that is away when its time is over (came back as a dead letter: %s)',
	async (again) => {
		const { kept, wait, well, owe, ended, clock } = world();
		const now = clock.now();
		Object.assign(wait, { absentSince: now });
		owe(1, again);
		expect(kept.nextLimit([wait])).toBe(now + BOUNDS.keptFreelyMs);
		await clock.advance(BOUNDS.keptFreelyMs);
		kept.limit([well], [wait], false);
		expect(kept.nextLimit([wait])).toBe(now + BOUNDS.keptMs);
		await clock.advance(BOUNDS.keptMs - BOUNDS.keptFreelyMs);
		kept.limit([well], [wait], false);
		expect(ended).toEqual([1]);
		// A moment that is over would be looked for again and again at once.
		expect(kept.nextLimit([wait])).toBe(Infinity);
	},
);

it.each([
	['ends nothing of what is kept for one that is away, however much that is, while the host is ill', 1, []],
	['ends the oldest beyond the bound where it is well', -Infinity, [1, 2]],
])('%s', async (_, lastRefusedAt, expected) => {
	const { kept, wait, well, owe, ended, clock } = world();
	Object.assign(wait, { absentSince: clock.now() });
	Object.assign(well, { lastRefusedAt });
	for (const number of [1, 2, 3, 4, 5]) owe(number);
	await clock.advance(BOUNDS.keptFreelyMs);
	kept.limit([well], [wait], false);
	expect(ended).toEqual(expected);
});

it('counts the time of what is kept anew from the moment at which the host is seen to be well again', async () => {
	const { kept, wait, well, owe, ended, clock } = world();
	Object.assign(wait, { absentSince: clock.now() });
	owe(1);
	Object.assign(well, { lastRefusedAt: 1 });
	await clock.advance(BOUNDS.keptFreelyMs);
	kept.limit([well], [wait], false);
	await clock.advance(BOUNDS.keptMs);
	Object.assign(well, { lastStartedAt: 2 });
	kept.limit([well], [wait], false);
	expect(ended).toEqual([]);
	await clock.advance(BOUNDS.keptMs);
	kept.limit([well], [wait], false);
	expect(ended).toEqual([1]);
});

it('ends nothing of what is kept for one that is away while the host starts nothing for those of another connection', async () => {
	const { kept, wait, well, open, owe, ended, clock } = world();
	Object.assign(wait, { absentSince: clock.now() });
	open.push({ lastStartedAt: 1, lastRefusedAt: 2 } as unknown as Lane);
	for (const number of [1, 2, 3, 4, 5]) owe(number);
	await clock.advance(BOUNDS.keptFreelyMs);
	kept.limit([well], [wait], false);
	expect(ended).toEqual([]);
});

it('ends nothing where the host refused the newest run of all others, though one of them looks well', () => {
	const { kept, wait, well, owe, ended } = world();
	for (const number of [1, 2, 3, 4, 5]) owe(number);
	Object.assign(well, { lastRefusedAt: 1 });
	kept.limit([wait, well], [], false);
	expect(ended).toEqual([]);
});

it.each([
	['ends nothing while its own newest try was refused, and nobody has begun anything since', 0, []],
	['ends the oldest where others have begun since', 6, [1, 2]],
])('%s', (_, lastStartedAt, expected) => {
	const { kept, wait, well, owe, ended } = world();
	for (const number of [1, 2, 3, 4, 5]) owe(number);
	Object.assign(wait, { lastRefusedAt: 5 });
	Object.assign(well, { lastStartedAt });
	kept.limit([wait, well], [], false);
	expect(ended).toEqual(expected);
});

describe('where the broker counts deliveries', () => {
	it('ends what came too often for one that waits beside another', () => {
		const { kept, wait, well, owe, ended, told } = world();
		owe(1, false, 0, BOUNDS.keptDeliveries);
		owe(2, false, 0, BOUNDS.keptDeliveries - 1);
		kept.limit([wait, well], [], true);
		expect([ended, told]).toEqual([[1], [1]]);
	});

	it('ends what is stuck and came too often beside another, and nothing else of one that is well', () => {
		const { kept, wait, well, owe, entry, ended } = world();
		owe(1, false, 0, BOUNDS.keptDeliveries);
		const stuck = [
			entry(2, { returns: BOUNDS.keptDeliveries }),
			entry(3, { returns: BOUNDS.keptDeliveries - 1 }),
		];
		Object.assign(wait, { waiting: undefined, stuck });
		kept.limit([wait, well], [], true);
		expect(ended).toEqual([2]);
	});

	it.each([
		['ends what is stuck and came too often where others of its own succeed', [2], [2]],
		['does not where none does', [], []],
	])('of one that is alone, %s', (_, beside, ends) => {
		const { kept, wait, owe, entry, ended, told } = world();
		owe(1, false, 0, BOUNDS.keptDeliveries);
		const stuck = [
			entry(2, { returns: BOUNDS.keptDeliveries }),
			entry(3, { returns: BOUNDS.keptDeliveries - 1 }),
		];
		const succeedsBeside = ({ number }: Entry) => beside.includes(number);
		Object.assign(wait, { waiting: undefined, stuck, succeedsBeside });
		kept.limit([wait], [], true);
		expect([ended, told]).toEqual([ends, ends]);
	});

	it.each([
		['where it does not', false, true],
		['for one that is alone', true, false],
	])('ends nothing %s', (_, counted, isBeside) => {
		const { kept, wait, well, owe, ended } = world();
		owe(1, false, 0, BOUNDS.keptDeliveries);
		kept.limit(isBeside ? [wait, well] : [wait], [], counted);
		expect(ended).toEqual([]);
	});
});

it('ends the oldest where what is owed is too large', () => {
	const { kept, wait, well, owe, ended } = world();
	for (const number of [1, 2, 3]) owe(number, false, BOUNDS.keptBytes / 2);
	kept.limit([wait, well], [], false);
	expect(ended).toEqual([1]);
});

it('ends as many dead letters that came back as make room for the others, and no more', () => {
	const { kept, wait, well, owe, ended, told } = world();
	for (const number of [1, 2, 3, 4, 5]) owe(number, number % 2 === 0);
	kept.limit([wait, well], [], false);
	expect([ended, told]).toEqual([[2, 4], []]);
	const few = world();
	for (const number of [1, 2, 3, 4]) few.owe(number, true);
	few.kept.limit([few.wait, few.well], [], false);
	expect(few.ended).toEqual([1]);
});

it('counts the messages that only somebody absent or waiting holds', () => {
	const { kept, wait, well } = world();
	const away = { ...wait, waiting: undefined } as unknown as Lane;
	const message = (holder: Lane | undefined, isEvent = true) =>
		({
			event: isEvent ? {} : undefined,
			isOpenFor: (lane: Lane) => lane === holder,
		}) as never;
	const messages = [message(wait), message(away), message(well), message(undefined), message(wait, false)];
	expect(kept.count([wait, well], [away], messages)).toBe(3);
	expect(kept.count([wait], [], messages)).toBe(0);
	// Three for each of two, and for those that nobody holds.
	expect(kept.count([wait, well], [], Array<never>(20).fill(message(wait)))).toBe(6);
	Object.assign(wait, { owedSince: { events: 5, bytes: 0 } });
	expect(kept.count([well], [wait], Array<never>(20).fill(message(wait)))).toBe(6 + 5);
});

it('keeps the newest for those that are to start, as many and as large as the bounds say', () => {
	const { kept } = world();
	const message = (bytes: number, isDone = true, isEvent = true) =>
		({ bytes, isDone, event: isEvent ? {} : undefined, delivery: { body: Buffer.alloc(1) } }) as never;
	const small = [1, 2, 3, 4, 5].map((bytes) => message(bytes));
	expect(kept.forNewcomers([message(9, false), message(9, true, false), ...small])).toEqual(
		small.slice(0, 2),
	);
	const large = [1, 2].map(() => message(BOUNDS.keptBytes));
	expect(kept.forNewcomers(large)).toEqual(large.slice(0, 1));
	expect(kept.forNewcomers(small.slice(0, 3))).toEqual([]);
});
