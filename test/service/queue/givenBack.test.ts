import { BOUNDS, type Bounds } from '../../../service/queue/bounds';
import { GivenBack, type Missing } from '../../../service/queue/givenBack';
import type { Lane } from '../../../service/queue/lane';
import { Message } from '../../../service/queue/message';
import type { QueueLook } from '../../../service/queue/queueLook';
import { decode } from '../../../service/queue/decode';
import { manualClock } from '../../support/manualClock';
import { eventBody } from '../../support/events';

type Where = 'runs' | 'here' | 'away';

/** A queue that answers as it is told, and a workflow with a share in each event. */
function world(bounds: Partial<Bounds> = {}) {
	const clock = manualClock();
	const missing: Missing[] = [];
	const missed: unknown[] = [];
	const tooMany: number[] = [];
	let answer: QueueLook | 'noAnswer' | undefined = { ready: 3, otherReaders: 0 };
	const where = new Map<unknown, Where>();
	const steps = new Map<string, number>();
	/** What goes in a batch. */
	const batched = new Set<unknown>();
	const lane = {
		wants: () => true,
		runs: () => false,
		runsAlone: ({ eventId }: { eventId: string }) => !batched.has(steps.get(eventId)),
		whereIs: ({ eventId }: { eventId: string }) => where.get(steps.get(eventId)) ?? 'away',
	} as unknown as Lane;
	const givenBack = new GivenBack({
		clock,
		bounds: { ...BOUNDS, noneWaitsMs: 5_000, ...bounds },
		look: async () => answer,
		onUnsure: (bodies) => void tooMany.push(bodies.length),
		onMissing: (found) => void missing.push(found),
		onMissed: ({ raw }, bytes, lanes, why) => void missed.push([raw['step'], bytes > 0, lanes.length, why]),
	});
	const message = (step: number, { redelivered = false, priority = 0, text = '', set = step } = {}) => {
		const body = Buffer.from(text || JSON.stringify(eventBody(set, { step })));
		const delivery = {
			body,
			redelivered,
			returns: undefined,
			deaths: 0,
			priority,
			settle: () => {},
			giveBack: () => {},
		};
		const made = new Message(delivery, clock.now());
		const decoded = decode(body);
		if ('event' in decoded) {
			steps.set(decoded.event.eventId, step);
			made.event = { event: decoded.event, redelivered, deliveredAt: clock.now() };
			made.share(lane, {}, () => {});
		}
		return made;
	};
	const passes = async (seconds: number) => {
		for (let second = 0; second < seconds; second += 1) await clock.advance(1_000);
	};
	const told = () =>
		missing.map(({ events, why }) => [why, ...(events.get(lane) ?? []).map(({ raw }) => raw['step'])]);
	const says = (next: typeof answer) => void (answer = next);
	return { givenBack, lane, message, passes, told, says, where, batched, missing, missed, tooMany };
}

const empty = { ready: 0, otherReaders: 0 };

it('says nothing of what comes again', async () => {
	const { givenBack, message, passes, told, says } = world();
	givenBack.wentBack([message(1), message(2)], false);
	for (const step of [1, 2]) givenBack.came(message(step, { redelivered: true }).delivery);
	givenBack.came(message(3).delivery);
	says(empty);
	await passes(600);
	expect(told()).toEqual([]);
});

it('says nothing of what comes again and is no event', async () => {
	const { givenBack, message, passes, missing, says } = world();
	givenBack.wentBack([message(1, { text: 'nonsense' })], false);
	givenBack.came(message(1, { text: 'nonsense', redelivered: true }).delivery);
	says(empty);
	await passes(600);
	expect(missing).toEqual([]);
});

it('waits for what went back by itself while anything waits: that may stand before it', async () => {
	const { givenBack, message, passes, told, says } = world();
	const [one, two] = [message(1), message(2)];
	givenBack.wentBack([one, two], false, new Set([one.delivery]));
	givenBack.came(message(3).delivery);
	says({ ready: 5, otherReaders: 0 });
	await passes(600);
	expect(told()).toEqual([['dropped', 2]]);
	says(empty);
	await passes(600);
	expect(told()).toEqual([
		['dropped', 2],
		['dropped', 1],
	]);
});

it('does not wait for what went back by itself where the queue gave out such a one before the rest: it keeps its place', async () => {
	const { givenBack, message, passes, told, says } = world();
	const [one, two, three] = [message(1), message(2), message(3)];
	const apart = new Set([one.delivery, two.delivery]);
	givenBack.wentBack([one, two, three], false, apart);
	givenBack.came({ ...two.delivery, redelivered: true });
	givenBack.came({ ...three.delivery, redelivered: true });
	givenBack.came(message(4).delivery);
	says({ ready: 5, otherReaders: 0 });
	await passes(600);
	expect(told()).toEqual([['dropped', 1]]);
});

it('does not know which of two with the same body came, nor by that whether what went back by itself keeps its place', async () => {
	const { givenBack, message, passes, told, says, where } = world();
	const [one, again, two, three] = [message(1), message(1), message(2), message(3)];
	givenBack.wentBack([one, again, two, three], false, new Set([one.delivery, three.delivery]));
	where.set(1, 'here');
	givenBack.came({ ...again.delivery, redelivered: true });
	givenBack.came({ ...two.delivery, redelivered: true });
	givenBack.came(message(4).delivery);
	says({ ready: 5, otherReaders: 0 });
	await passes(600);
	expect(told()).toEqual([]);
});

it.each<[string, boolean, number]>([
	['its broker may not know yet that a connection is dead, and has not put back the rest', true, 0],
	['another reader may have the rest', false, 1],
])(
	'does not know by the first that comes whether it keeps its place while %s',
	async (_, lost, otherReaders) => {
		const { givenBack, message, passes, told, says } = world();
		const [one, two, three] = [message(1), message(2), message(3)];
		says({ ready: 5, otherReaders });
		givenBack.wentBack([two], lost);
		await passes(70);
		says({ ready: 5, otherReaders: 0 });
		if (otherReaders > 0) await passes(70);
		givenBack.wentBack([one], false, new Set([one.delivery]));
		givenBack.came({ ...one.delivery, redelivered: true });
		await passes(60);
		givenBack.came({ ...two.delivery, redelivered: true });
		givenBack.wentBack([three], false, new Set([three.delivery]));
		givenBack.came(message(4).delivery);
		await passes(600);
		expect(told()).toEqual([]);
	},
);

it('takes one of several with the same body for each that comes', async () => {
	const { givenBack, message, passes, told, says } = world();
	givenBack.wentBack([message(1), message(1)], false);
	givenBack.came(message(1, { redelivered: true }).delivery);
	says(empty);
	await passes(30);
	expect(told()).toEqual([['dropped', 1]]);
});

describe('an event that comes before an earlier one of its set', () => {
	/** Two of one set and one of another went back. */
	function overtaking(bounds: Partial<Bounds> = {}) {
		const here = world(bounds);
		const [first, second, other] = [
			here.message(1, { set: 7 }),
			here.message(2, { set: 7 }),
			here.message(3),
		];
		here.givenBack.wentBack([first, second, other], false);
		/** @returns whether it overtakes, asked at any later time */
		const comes = (before: Message) => {
			const { delivery, event } = before;
			const number = here.givenBack.came({ ...delivery, redelivered: true })?.number;
			const again = new Message(delivery, 0, undefined, number);
			again.event = event;
			return { again, overtakes: () => here.givenBack.isOvertakenBy(again, here.lane) };
		};
		return { ...here, comes, first, second, other };
	}

	it('has the number that it had, and overtakes until that one comes, too', () => {
		const { comes, first, second, other } = overtaking();
		const early = comes(second);
		expect(early.again.number).toBe(second.number);
		expect(early.overtakes()).toBe(true);
		expect(comes(other).overtakes()).toBe(false);
		const late = comes(first);
		expect([late.again.number, late.overtakes(), early.overtakes()]).toEqual([first.number, false, false]);
	});

	it('has that number over the connection of another user, too', () => {
		const { givenBack, second } = overtaking();
		expect(givenBack.cameElsewhere(second.delivery)).toBe(second.number);
		expect(givenBack.cameElsewhere(second.delivery)).toBeUndefined();
	});

	it('has the first place of several of one content, whichever of them it is', () => {
		const { givenBack, message, comes } = overtaking();
		const [one, two] = [message(4, { set: 8 }), message(4, { set: 8 })];
		givenBack.wentBack([two, one], false);
		expect(comes(two).again.number).toBe(one.number);
		expect(comes(one).again.number).toBe(two.number);
	});

	it('overtakes none that this workflow has ended, or never had, or that was missed', async () => {
		const ended = overtaking();
		const early = ended.comes(ended.second);
		ended.where.set(1, 'here');
		expect(early.overtakes()).toBe(false);
		const { givenBack, comes, second, says, passes } = overtaking();
		const next = comes(second);
		expect(givenBack.isOvertakenBy(next.again, { whereIs: () => 'away' } as unknown as Lane)).toBe(false);
		says(empty);
		await passes(30);
		expect(next.overtakes()).toBe(false);
	});

	it('waits for one that was too large to be remembered, too, until that is missed', async () => {
		const { givenBack, comes, first, second, says, passes, told, tooMany } = overtaking({
			givenBackBytes: 0,
		});
		expect(tooMany).toEqual([3]);
		const early = comes(second);
		expect([early.again.number, early.overtakes()]).toEqual([second.number, true]);
		expect(givenBack.unsettled).toEqual([]);
		says(empty);
		await passes(30);
		expect(early.overtakes()).toBe(false);
		expect(told()).toEqual([]);
		expect(comes(first).again.number).toBeGreaterThan(second.number);
	});

	it('is in the order of the queue where not all that went back is remembered', () => {
		const { comes, second } = overtaking({ givenBackEvents: 2 });
		const early = comes(second);
		expect(early.again.number).toBeGreaterThan(second.number);
		expect(early.overtakes()).toBe(false);
	});

	it('so also over the connection to which the rest is passed', () => {
		const { givenBack, lane, second } = overtaking({ givenBackEvents: 2 });
		const heir = world().givenBack;
		givenBack.passTo(heir);
		const number = heir.came({ ...second.delivery, redelivered: true })?.number;
		expect(number).toBeUndefined();
		expect(heir.isOvertakenBy(second, lane)).toBe(false);
	});
});

describe('what may run side by side of what comes next', () => {
	it('is what comes before the second of a set, of what went back and then of what goes back now', () => {
		const { givenBack, message } = world();
		givenBack.wentBack([message(1), message(2)], false);
		expect(givenBack.apart([message(3), message(4, { set: 2 }), message(5)], 5)).toBe(3);
		expect(givenBack.apart([message(3)], 5)).toBe(5);
		expect(givenBack.apart([message(3), message(4)], 2)).toBe(2);
		expect(givenBack.apart([message(3, { set: 1 })], 1)).toBe(1);
	});

	it('is nothing of a set that runs but that, wherever it stands, and leaves out what has ended', () => {
		const { givenBack, message, where } = world();
		givenBack.wentBack([message(1), message(2, { set: 7 }), message(3), message(4, { set: 7 })], false);
		where.set(1, 'here');
		where.set(2, 'runs');
		expect(givenBack.apart([], 5)).toBe(2);
		where.set(2, 'away').set(4, 'runs');
		// One at least.
		expect(givenBack.apart([], 5)).toBe(1);
	});

	it('is one batch, also of one set, and while one runs nothing but that', () => {
		const { givenBack, message, where, batched } = world();
		givenBack.wentBack(
			[1, 2, 3, 4].map((step) => message(step, { set: 7 })),
			false,
		);
		for (const step of [1, 2, 3, 4]) batched.add(step);
		expect(givenBack.apart([], 5)).toBe(5);
		expect(givenBack.apart([], 3)).toBe(3);
		where.set(1, 'runs').set(2, 'runs');
		batched.add(5);
		expect(givenBack.apart([message(5)], 5)).toBe(2);
	});

	it('is no two of a set where their batch was taken apart', () => {
		const { givenBack, message, batched } = world();
		givenBack.wentBack(
			[1, 2, 3, 4].map((step) => message(step, { set: 7 })),
			false,
		);
		batched.add(1).add(2);
		expect(givenBack.apart([], 5)).toBe(2);
		batched.clear();
		expect(givenBack.apart([], 5)).toBe(1);
	});
});

it('does not wait for what comes over the connection of another user', async () => {
	const { givenBack, message, passes, told, says } = world();
	givenBack.wentBack([message(1), message(2)], false);
	givenBack.cameElsewhere(message(1).delivery);
	says(empty);
	await passes(600);
	expect(told()).toEqual([['dropped', 2]]);
});

it.each<[string, (world_: ReturnType<typeof world>) => void]>([
	[
		'something is delivered for the first time',
		({ givenBack, message }) => givenBack.came(message(9).delivery),
	],
	['nothing waits on the queue', ({ says }) => says(empty)],
])('misses what has not come when %s, all of it at once and once', async (_, sign) => {
	const here = world();
	here.givenBack.wentBack([here.message(1), here.message(2), here.message(3)], false);
	here.givenBack.came(here.message(2, { redelivered: true }).delivery);
	sign(here);
	await here.passes(4);
	expect(here.told()).toEqual([]);
	await here.passes(600);
	expect(here.told()).toEqual([['dropped', 1, 3]]);
});

it.each<[string, (world_: ReturnType<typeof world>) => void]>([
	[
		'others are delivered again',
		({ givenBack, message }) => givenBack.came(message(9, { redelivered: true }).delivery),
	],
	[
		'one with a priority overtakes',
		({ givenBack, message }) => givenBack.came(message(9, { priority: 5 }).delivery),
	],
	['events wait on the queue', ({ says }) => says({ ready: 2, otherReaders: 0 })],
	['the broker does not answer', ({ says }) => says('noAnswer')],
	['the queue is not read', ({ says }) => says(undefined)],
])('misses nothing while %s', async (_, happens) => {
	const here = world();
	here.givenBack.wentBack([here.message(1)], false);
	happens(here);
	await here.passes(600);
	expect(here.told()).toEqual([]);
});

it.each([
	[5, 5, true],
	[5, 3, true],
	[5, 9, false],
])('what went back with priority %d is missed when a first one of %d comes: %s', async (back, next, is) => {
	const { givenBack, message, passes, told } = world();
	givenBack.wentBack([message(1, { priority: back }), message(2, { priority: 7 })], false);
	givenBack.came(message(2, { priority: 7, redelivered: true }).delivery);
	givenBack.came(message(9, { priority: next }).delivery);
	await passes(30);
	expect(told()).toEqual(is ? [['dropped', 1]] : []);
});

it('what is delivered for the first time is no sign beside one of a lower priority that is waited for, wherever that stands', async () => {
	const { givenBack, message, passes, told } = world();
	givenBack.wentBack([message(1, { priority: 5 }), message(2, { priority: 2 })], false);
	givenBack.came(message(9, { priority: 3 }).delivery);
	await passes(30);
	expect(told()).toEqual([]);
});

it('who starts later waits for what it asks for, and nothing is overtaken for what it does not', () => {
	const { givenBack, message } = world();
	const [first, second] = [message(1, { set: 7 }), message(2, { set: 7 })];
	givenBack.wentBack([message(3, { text: 'nonsense' }), first], false);
	const asks = (wants: boolean) => {
		const late = { wants: () => wants, whereIs: () => 'away' } as unknown as Lane;
		givenBack.started(late);
		return givenBack.isOvertakenBy(second, late);
	};
	expect([asks(true), asks(false)]).toEqual([true, false]);
});

it('waits until a broker has found out that a connection is dead', async () => {
	const { givenBack, message, passes, told, says } = world();
	says(empty);
	givenBack.wentBack([message(1)], true);
	givenBack.came(message(9).delivery);
	await passes(119);
	givenBack.came(message(10).delivery);
	expect(told()).toEqual([]);
	await passes(20);
	expect(told()).toEqual([['dropped', 1]]);
});

it('a queue that says for a minute that nothing waits, and has it all the time, has dropped nothing', async () => {
	const { givenBack, message, passes, told, says } = world({ noneWaitsMs: BOUNDS.noneWaitsMs });
	givenBack.wentBack([message(1), message(2)], false);
	says(empty);
	await passes(60);
	says({ ready: 1, otherReaders: 0 });
	await passes(119);
	says(empty);
	await passes(60);
	expect(told()).toEqual([]);
	for (const step of [1, 2]) givenBack.came(message(step, { redelivered: true }).delivery);
	await passes(600);
	expect(told()).toEqual([]);
});

it('what goes back once more is waited for anew', async () => {
	const { givenBack, message, passes, told } = world();
	givenBack.wentBack([message(1)], false);
	givenBack.came(message(9).delivery);
	await passes(3);
	givenBack.wentBack([message(9)], false);
	for (const step of [1, 9]) givenBack.came(message(step, { redelivered: true }).delivery);
	await passes(600);
	expect(told()).toEqual([]);
});

it.each([true, false])(
	'what comes again one by one over a slow line is waited for (marked as redelivered: %s)',
	async (redelivered) => {
		const { givenBack, message, passes, told, says } = world();
		const steps = Array.from({ length: 10 }, (_, step) => step);
		givenBack.wentBack(
			steps.map((step) => message(step)),
			false,
		);
		says(empty);
		await passes(6);
		for (const step of steps.slice(0, 9)) {
			givenBack.came(message(step, { redelivered }).delivery);
			await passes(4);
		}
		expect(told()).toEqual([]);
		await passes(70);
		expect(told()).toEqual([['dropped', 9]]);
	},
);

it('a broker that forgot what it had given out gives no sign with it', async () => {
	const { givenBack, message, passes, told } = world();
	givenBack.wentBack([message(1), message(2)], false);
	givenBack.came(message(1).delivery);
	await passes(600);
	expect(told()).toEqual([]);
});

it('names what is still waited for, and not what was done meanwhile', async () => {
	const { givenBack, message, where } = world();
	givenBack.wentBack([message(1), message(2), message(3), message(4, { text: 'nonsense' })], false);
	givenBack.came(message(1, { redelivered: true }).delivery);
	where.set(2, 'here');
	expect(givenBack.unsettled.map(String)).toEqual([JSON.stringify(eventBody(3, { step: 3 })), 'nonsense']);
});

it.each<[string, (world_: ReturnType<typeof world>) => void]>([
	['at a look', ({ says }) => says({ ready: 0, otherReaders: 1 })],
	['when it was connected again', ({ givenBack }) => givenBack.othersRead()],
])('where another reader was there %s, it may be that one’s', async (_, happens) => {
	const here = world();
	here.givenBack.wentBack([here.message(1)], false);
	happens(here);
	await here.passes(6);
	here.says(empty);
	await here.passes(600);
	expect(here.told()).toEqual([['otherReader', 1]]);
});

it('a run that goes on is waited for: it is missed when the run fails, and not when it succeeds', async () => {
	const { givenBack, message, passes, told, says, where } = world();
	where.set(1, 'runs').set(2, 'runs').set(3, 'here');
	givenBack.wentBack([message(1), message(2), message(3)], false);
	says(empty);
	await passes(300);
	expect(told()).toEqual([]);
	where.set(1, 'away').set(2, 'here');
	await passes(120);
	expect(told()).toEqual([['dropped', 1]]);
});

it('a queue that is gone takes all with it, but for what runs', async () => {
	const { givenBack, message, passes, told, says, where } = world();
	where.set(2, 'runs');
	givenBack.wentBack([message(1), message(2)], false);
	says(undefined);
	givenBack.queueIsGone();
	expect(told()).toEqual([['queueGone', 1]]);
	where.set(2, 'away');
	await passes(120);
	expect(told()).toEqual([
		['queueGone', 1],
		['queueGone', 2],
	]);
});

it('bodies that are no events are missed too', async () => {
	const { givenBack, message, passes, missing, says } = world();
	givenBack.wentBack([message(1, { text: 'nonsense' })], false);
	says(empty);
	await passes(30);
	expect(missing.map(({ bodies }) => bodies.map(String))).toEqual([['nonsense']]);
});

it('remembers so many and hands the others on at once', async () => {
	const { givenBack, message, passes, told, tooMany, says } = world({ givenBackEvents: 2 });
	givenBack.wentBack([message(1), message(2), message(3)], false);
	expect(tooMany).toEqual([1]);
	says(empty);
	await passes(30);
	expect(told()).toEqual([['dropped', 1, 2]]);
	const few = world({ givenBackBytes: 10 });
	few.givenBack.wentBack([few.message(1)], false);
	expect(few.tooMany).toEqual([1]);
});

it('writes down what is waited for while fewer wait than went back: which of them are gone shows later', async () => {
	const { givenBack, message, passes, says, tooMany, told } = world();
	says({ ready: 2, otherReaders: 0 });
	givenBack.wentBack([message(1), message(2), message(3)], false);
	givenBack.begins();
	await passes(6);
	expect(tooMany).toEqual([]);
	await passes(60);
	expect(tooMany).toEqual([3]);
	expect(told()).toEqual([]);
});

it.each([
	['all of them wait', { ready: 3, otherReaders: 0 }],
	['another reader has some of them', { ready: 2, otherReaders: 1 }],
])('writes none of it down where %s', async (_, look) => {
	const { givenBack, message, passes, says, tooMany } = world();
	says(look);
	givenBack.wentBack([message(1), message(2), message(3)], false);
	givenBack.begins();
	await passes(200);
	expect(tooMany).toEqual([]);
});

it('forgets all when nobody watches any longer', async () => {
	const { givenBack, message, passes, told, says } = world();
	givenBack.wentBack([message(1)], false);
	givenBack.clear();
	says(empty);
	await passes(600);
	expect(told()).toEqual([]);
});

it('names each event that is missed, for those that start later', async () => {
	const { givenBack, message, passes, says, missed } = world();
	givenBack.wentBack([message(1)], false);
	says(empty);
	await passes(30);
	expect(missed).toEqual([[1, true, 1, 'dropped']]);
});

describe('what came from the connection of another user meanwhile, and was forgotten since', () => {
	const steps = (missing: readonly Missing[], lane: Lane) =>
		missing.map(({ events }) => (events.get(lane) ?? []).map(({ raw }) => raw['step']));

	it('is not waited for by one that comes later', async () => {
		const { givenBack, lane, message, passes, missing, says, where } = world();
		givenBack.wentBack([message(1), message(2)], false);
		where.set(1, 'here');
		const late = { ...lane } as Lane;
		givenBack.started(late);
		where.delete(1);
		says(empty);
		await passes(30);
		expect(steps(missing, late)).toEqual([[2]]);
	});

	it('is not waited for by that connection', async () => {
		const [left, heir] = [world(), world()];
		const { lane, where } = left;
		left.givenBack.wentBack([left.message(1), left.message(2)], false);
		where.set(1, 'here');
		left.givenBack.passTo(heir.givenBack);
		where.delete(1);
		heir.says(empty);
		await heir.passes(30);
		expect(steps(heir.missing, lane)).toEqual([[2]]);
	});

	it('is waited for by that connection where it was kept for newcomers alone', async () => {
		const [left, heir] = [world(), world()];
		const { event, delivery } = left.message(1);
		const kept = { event, delivery, openLanes: [] } as unknown as Message;
		left.givenBack.wentBack([kept], false, new Set(), () => true);
		left.givenBack.passTo(heir.givenBack);
		heir.givenBack.started(heir.lane);
		heir.says(empty);
		await heir.passes(30);
		expect(steps(heir.missing, heir.lane)).toEqual([[1]]);
	});
});

describe('another reader', () => {
	it('may have what goes back later, too, though it is gone when one looks', async () => {
		const { givenBack, message, passes, missing, says } = world();
		givenBack.othersRead();
		givenBack.wentBack([message(1)], true);
		says(empty);
		await passes(300);
		expect(missing.map(({ why }) => why)).toEqual(['otherReader']);
	});

	it('may have what went back with a connection that is lost, though it reads for seconds and is gone long before a sign counts', async () => {
		const { givenBack, message, passes, missing, says } = world();
		givenBack.wentBack([message(1)], true);
		says({ ready: 0, otherReaders: 0 });
		await passes(40);
		says({ ready: 0, otherReaders: 1 });
		await passes(6);
		says(empty);
		await passes(300);
		expect(missing.map(({ why }) => why)).toEqual(['otherReader']);
	});

	it('is looked after, and has nothing of what goes back when it was gone before', async () => {
		const { givenBack, message, passes, told, says } = world();
		givenBack.othersRead();
		givenBack.begins();
		says(empty);
		await passes(70);
		givenBack.wentBack([message(1)], true);
		await passes(300);
		expect(told()).toEqual([['dropped', 1]]);
	});
});
