import { BodyLog } from '../../../service/queue/bodyLog';
import { BOUNDS } from '../../../service/queue/bounds';
import type { Entry } from '../../../service/queue/entry';
import { Kept } from '../../../service/queue/kept';
import type { Lane } from '../../../service/queue/lane';
import { Noted } from '../../../service/queue/noted';
import type { NotKept } from '../../../service/queue/notKept';
import { manualClock } from '../../support/manualClock';

const silent = { debug() {}, info() {}, warn() {}, error() {} };

/** Two workflows on one queue, of which one waits and may owe three events. */
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
	const kept = new Kept(clock, { ...BOUNDS, keptEvents: 3 }, notKept, log);
	const wait = {
		waiting: {},
		stuck: [],
		owed,
		owedSince: { events: 0, bytes: 0 },
		lastStartedAt: -Infinity,
		lastRefusedAt: -Infinity,
		isRefusedBeside: (startedAt: number) => startedAt > 5,
		giveUp: ({ number }: Entry) => {
			ended.push(number);
			owed.splice(
				owed.findIndex((entry) => entry.number === number),
				1,
			);
		},
	} as unknown as Lane;
	const well = {
		isWell: true,
		stuck: [],
		lastStartedAt: 0,
		lastRefusedAt: -Infinity,
	} as unknown as Lane;
	const owe = (number: number, reportedBefore = false) =>
		void owed.push({
			number,
			event: { number },
			shares: [],
			progress: { seenAt: 0 },
			reportedBefore,
		} as unknown as Entry);
	return { kept, wait, well, owe, ended, told, clock };
}

it('ends the oldest shares of one that waits beside another and owes too many', () => {
	const { kept, wait, well, owe, ended, told } = world();
	for (const number of [1, 2, 3, 4, 5]) owe(number);
	kept.limit([wait, well], [], false);
	expect(ended).toEqual([1, 2]);
	expect(told).toEqual([1, 2]);
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
		expect(kept.nextLimit([wait])).toBeUndefined();
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
