import { BOUNDS } from '../../../service/queue/bounds';
import type { Problem } from '../../../service/queue/contract';
import type { Lane } from '../../../service/queue/lane';
import { Message } from '../../../service/queue/message';
import { Messages, type MessagesOptions } from '../../../service/queue/messages';
import { Noted } from '../../../service/queue/noted';
import type { Presence } from '../../../service/queue/presence';
import { eventBody } from '../../support/events';
import { manualClock } from '../../support/manualClock';
import { message } from '../../support/message';
import { recordingLogger } from '../../support/subscriber';

/** A defect of ours is not shown by any body that is known: a lane that throws stands for it. */
function messagesOf(offer: Lane['offer']) {
	const told: Problem[] = [];
	const logger = recordingLogger();
	const lane = {
		hostIsIll: false,
		subscription: { options: {}, report: (problem: Problem) => void told.push(problem) },
		wants: () => true,
		offer,
	} as unknown as Lane;
	const messages = new Messages({
		queue: 'events',
		clock: manualClock(),
		bounds: BOUNDS,
		logger,
		noted: new Noted(),
		singlesOf: () => undefined,
		from: {},
		presence: { here: [lane], absent: [], knows: () => true },
		servedElsewhere: () => [],
		starting: () => false,
		attendTo: () => {},
		leftWith: () => [],
		lanes: () => [],
		onGone: () => {},
		onSettled: () => {},
		log: { rejected() {} },
	} as unknown as MessagesOptions);
	const comes = (number: number) => {
		const fates: string[] = [];
		const one = message(JSON.stringify(eventBody(number)));
		one.delivery.settle = (fate) => void fates.push(fate);
		messages.add(one);
		messages.take(one);
		return fates;
	};
	return { comes, told, logger, messages };
}

it('an exception in handling one event is told with its body, and those behind it are handled', () => {
	let offers = 0;
	const { comes, told, logger, messages } = messagesOf((_, share) => {
		offers += 1;
		if (offers === 1) throw new Error('a defect');
		share.settle('remove');
	});
	expect(comes(1)).toEqual(['reject']);
	expect(told).toEqual([
		{
			kind: 'unreadable',
			messages: [{ reason: 'it could not be handled (a defect)', body: JSON.stringify(eventBody(1)) }],
		},
	]);
	expect(logger.lines).toEqual([
		expect.stringContaining('Queue events: handling a message failed: a defect'),
	]);
	expect(comes(2)).toEqual(['remove']);
	expect([told.length, messages.all.size]).toEqual([1, 0]);
});

it('shows who looks on a copy of each event that it asks for, until it looks no more', () => {
	const { comes, messages } = messagesOf((_, share) => share.settle('remove'));
	const seen: string[] = [];
	const looks = (name: string, statuses: string[]) =>
		messages.tap(
			{ statuses, customerIds: [], instances: [] },
			({ event }) => void seen.push(`${name} ${event.status}`),
		);
	const end = looks('all', []);
	looks('issued', ['ISSUED']);
	looks('signed', ['SIGNED']);
	comes(1);
	end();
	comes(2);
	expect(seen).toEqual(['all ISSUED', 'issued ISSUED', 'issued ISSUED']);
});

it('knows what came behind a later one, which goes back before the rest', () => {
	const { messages } = messagesOf((_, share) => void share);
	const numbered = [5, 6, 2, 7, 1].map((number) => new Message(message('{}').delivery, 0, 0, number));
	for (const one of numbered) messages.add(one);
	const numbers = (some: Iterable<Message>) => [...some].map(({ number }) => number);
	expect(numbers(messages.overtaken)).toEqual([1, 2]);
	expect(numbers(messages.inOrder)).toEqual([1, 2, 5, 6, 7]);
});

/** A message for which nobody, or one lane, is here. */
function oneMessage(here: Lane[], more: Partial<MessagesOptions>) {
	const messages = new Messages({
		queue: 'events',
		clock: manualClock(),
		logger: recordingLogger(),
		noted: new Noted(),
		singlesOf: () => undefined,
		from: {},
		presence: { here, absent: [], knows: (lane: Lane) => here.includes(lane) },
		openLanes: () => [],
		servedElsewhere: () => [],
		starting: () => false,
		attendTo: () => {},
		leftWith: () => [],
		lanes: () => [],
		onGone: () => {},
		onSettled: () => {},
		log: { released() {} },
		...more,
	} as unknown as MessagesOptions);
	const fates: string[] = [];
	const one = message(JSON.stringify(eventBody(1)));
	one.delivery.settle = (fate) => void fates.push(fate);
	messages.add(one);
	messages.take(one);
	return { messages, fates };
}

it('what came when nobody was here to ask for it is not taken off the queue when the process ends', () => {
	const { messages, fates } = oneMessage([], {});
	messages.releaseHandled();
	expect([fates, messages.all.size]).toEqual([[], 1]);
});

it.each([
	['is taken off the queue', true, ['remove']],
	['stays there when that had not handled it', false, []],
])(
	'what a version before handled, which asked for more, and came again to nobody %s when the process ends',
	(_, isDone, expected) => {
		const left = { wants: () => false, isDoneWith: () => isDone };
		const presence = { here: [], absent: [left], knows: () => true };
		const { messages, fates } = oneMessage([], { presence: presence as unknown as Presence });
		messages.releaseHandled();
		expect(fates).toEqual(expected);
	},
);

it.each([
	['is kept for one that may return', false, 1],
	['is not kept for one that has it over its own connection', true, 0],
])('what comes %s', (_, isReached, offers) => {
	let offered = 0;
	const left = { isReached, wants: () => true, offer: () => void (offered += 1) } as unknown as Lane;
	const presence = { here: [], absent: [left], knows: () => true };
	oneMessage([], { presence: presence as unknown as Presence });
	expect(offered).toBe(offers);
});

it('who was let in over another connection in the moment in which the others had handled it gets it too', () => {
	const shares: Array<{ settle(fate: 'remove'): void }> = [];
	const lane = () =>
		({
			subscription: { options: {} },
			wants: () => true,
			runs: () => false,
			whereIs: () => 'away',
			offer: (_: unknown, share: (typeof shares)[number]) => void shares.push(share),
		}) as unknown as Lane;
	const [own, other] = [lane(), lane()];
	const elsewhere = { subscription: other.subscription, proven: false, connected: false };
	const { fates } = oneMessage([own], { laneOf: () => other, servedElsewhere: () => [elsewhere] });
	Object.assign(elsewhere, { proven: true, connected: true });
	shares[0]!.settle('remove');
	expect([shares.length, fates]).toEqual([2, []]);
	shares[1]!.settle('remove');
	expect(fates).toEqual(['remove']);
});

it('what another user asks for that was not let in yet is kept for it while n8n is ill', () => {
	const offered: string[] = [];
	const other = {
		subscription: { options: {} },
		wants: () => true,
		runs: () => false,
		whereIs: () => 'away',
		offer: () => void offered.push('offered'),
	} as unknown as Lane;
	const elsewhere = { subscription: other.subscription, proven: false, connected: false };
	const comes = (lastRefusedAt: number) =>
		oneMessage([], {
			laneOf: () => other,
			servedElsewhere: () => [elsewhere],
			openLanes: () => [{ lastRefusedAt, lastStartedAt: 1 } as Lane],
		});
	comes(0);
	expect(offered).toEqual([]);
	comes(2);
	expect(offered).toEqual(['offered']);
});

/** A lane whose own connection, of another user, is lost, while this one delivers what it asks for. */
function besideALostConnection(runs: boolean) {
	const told: string[] = [];
	const lane = {
		subscription: { options: {} },
		wants: () => true,
		runs: () => runs,
		// It has it from the connection that is lost, until that is known here too.
		whereIs: () => 'here',
		isDoneWith: () => false,
		offer: () => void told.push('offered'),
		missed: () => void told.push('ended'),
	} as unknown as Lane;
	const messages = new Messages({
		noted: new Noted(),
		singlesOf: () => undefined,
		from: {},
		presence: { here: [], absent: [], knows: () => false },
		laneOf: () => lane,
		attendTo: () => {},
		leftWith: () => [],
		lanes: () => [],
		openLanes: () => [],
		notKept: { report: () => void told.push('told') },
		servedElsewhere: () => [{ subscription: lane.subscription, proven: true, connected: false }],
		starting: () => true,
		kept: { forNewcomers: () => [] },
	} as unknown as MessagesOptions);
	const one = message(JSON.stringify(eventBody(1)));
	messages.add(one);
	messages.take(one);
	return told;
}

it('what came over the connection of another user is told once as not got, and joins where a run of it goes on', () => {
	expect(besideALostConnection(false)).toEqual(['told', 'ended']);
	expect(besideALostConnection(true)).toEqual(['offered']);
});

/** The start of n8n: more came than is kept for newcomers, and one that asks for it is on its way in as another user. */
it('what is let go at the start is told to one that started and was not let in yet', () => {
	const told: string[] = [];
	const lane = {
		subscription: { options: {} },
		wants: () => true,
		runs: () => false,
		whereIs: () => 'away',
		isDoneWith: () => false,
		missed: () => {},
	} as unknown as Lane;
	const messages = new Messages({
		noted: new Noted(),
		singlesOf: () => undefined,
		clock: manualClock(),
		logger: recordingLogger(),
		from: {},
		presence: { here: [{ wants: () => false }], absent: [], knows: () => false },
		laneOf: () => lane,
		leftWith: () => [],
		lanes: () => [],
		openLanes: () => [],
		notKept: { report: () => void told.push('told') },
		servedElsewhere: () => [{ subscription: lane.subscription, proven: false, connected: false }],
		starting: () => true,
		kept: { forNewcomers: (all: Iterable<unknown>) => [...all] },
		onGone: () => void told.push('gone'),
		onSettled: () => {},
	} as unknown as MessagesOptions);
	const one = message(JSON.stringify(eventBody(1)));
	messages.add(one);
	messages.take(one);
	expect(told).toEqual(['told', 'gone']);
});

it('while n8n starts, looks for who may still come through what nobody holds, not through all that was delivered', () => {
	let looked = 0;
	const fates: string[] = [];
	const lane = {
		subscription: { options: {} },
		wants: ({ setId }: { setId: string }) => setId !== eventBody(0).setId,
		offer: () => {},
	} as unknown as Lane;
	const kept = {
		forNewcomers: (done: Message[]) => {
			looked += done.length;
			return done.slice(0, -3);
		},
	};
	const { messages } = oneMessage([lane], {
		kept: kept as never,
		starting: () => true,
		laneOf: () => lane,
	});
	const comes = (set: number, step: number) => {
		const one = message(JSON.stringify(eventBody(set, { step })));
		one.delivery.settle = () => void fates.push(String(step));
		messages.add(one);
		messages.take(one);
	};
	for (let set = 1; set <= 1_000; set += 1) comes(set, 0);
	for (let step = 1; step <= 100; step += 1) comes(0, step);
	// The oldest first.
	expect(fates).toEqual(Array.from({ length: 97 }, (_, index) => String(index + 1)));
	expect(looked).toBeLessThan(5 * 100);
});

it.each([
	['the first', 'reject', 'remove'],
	['the last', 'remove', 'reject'],
] as const)('a message is rejected where %s of two gave it up', (_, first, last) => {
	const one = message(JSON.stringify(eventBody(1)));
	const shares = [{}, {}].map((lane) => one.share(lane as Lane, {}, () => {}));
	shares[0]!.settle(first);
	shares[1]!.settle(last);
	expect([one.isDone, one.fate]).toEqual([true, 'reject']);
});
