import fc from 'fast-check';
import { sessionKey } from '../../../service/queue/address';
import { Fanout } from '../../../service/queue/fanout';
import { Repeats } from '../../../service/queue/repeats';
import type { Delivery, SessionOptions, Settlement } from '../../../service/queue/session';
import type { RunOutcome } from '../../../service/queue/subscription';
import { eventBody, setIdOf } from '../../support/events';
import { cases } from '../../support/fuzz';
import { manualClock, settled } from '../../support/manualClock';
import { addressOf, recordingLogger, subscriber, type RecordingSubscriber } from '../../support/subscriber';

/**
 * Three workflows on one queue before a broker that is written down in a few lines: one stays, one is published again and
 * again, one comes and goes. A socket would add time and no further order of things.
 */

const ADDRESS = addressOf({ port: 1 } as never);

let broker: ReturnType<typeof modelledBroker>;

jest.mock('../../../service/queue/session', () => ({
	Session: class {
		constructor(options: SessionOptions) {
			return broker.session(options);
		}
	},
}));

interface Message {
	number: number;
	body: Buffer;
	redelivered: boolean;
	gone: boolean;
}

/** Keeps what is not removed, in order; delivers to the session that consumes, as many as that one allows. */
function modelledBroker() {
	const queue: Message[] = [];
	const unsettled = new Set<Message>();
	let consumer: SessionOptions | undefined;
	let there = true;
	let channel = 0;
	let count = 0;
	const broken: string[] = [];

	const putBack = (messages: Message[]) => {
		for (const message of messages) {
			unsettled.delete(message);
			queue.push(Object.assign(message, { redelivered: true }));
		}
		queue.sort((a, b) => a.number - b.number);
	};
	const lose = () => {
		channel += 1;
		putBack([...unsettled]);
	};
	const deliveryOf = (message: Message): Delivery => {
		const through = channel;
		let told = false;
		return {
			body: message.body,
			redelivered: message.redelivered,
			settle(settlement: Settlement) {
				if (told) broken.push(`${message.number} was settled twice on one delivery`);
				told = true;
				if (through !== channel) return;
				if (settlement === 'giveBack') return putBack([message]);
				unsettled.delete(message);
				message.gone = true;
			},
		};
	};
	return {
		broken,
		left: () => [...queue, ...unsettled].map(({ number }) => number),
		publish(set: number) {
			const number = (count += 1);
			const body = eventBody(number, { customerId: setIdOf(set), newStatus: set % 2 ? 'SIGNED' : 'ISSUED' });
			queue.push({
				number,
				body: Buffer.from(JSON.stringify(body)),
				redelivered: false,
				gone: false,
			});
			return number;
		},
		deliver() {
			while (there && consumer && queue.length > 0 && unsettled.size < consumer.prefetch()) {
				const message = queue.shift()!;
				unsettled.add(message);
				consumer.onDelivery(deliveryOf(message));
			}
		},
		break() {
			if (!there) return;
			there = false;
			lose();
			consumer?.onLost();
		},
		mend() {
			there = true;
		},
		/** What a session is to the fanout, without its loop. */
		session(options: SessionOptions) {
			const consume = async () => {
				options.onAccepted(await options.readAddress());
				consumer = options;
			};
			return {
				start: () => void consume(),
				get listening() {
					return consumer === options;
				},
				untilListening: async () => {},
				refresh: async () => void (consumer = options),
				stopConsuming: async () => {
					// What is on its way when the consumer is cancelled still comes.
					broker.deliver();
					if (consumer === options) consumer = undefined;
				},
				close: async () => {
					if (consumer === options) consumer = undefined;
					if (!consumer) lose();
				},
			};
		},
	};
}

type Happening =
	| { kind: 'publish'; set: number }
	| { kind: 'end'; which: number; outcome: RunOutcome }
	| { kind: 'pass'; ms: number }
	| { kind: 'break' }
	| { kind: 'mend' }
	| { kind: 'publishAgain'; ms: number }
	| { kind: 'comeOrGo' };

const happening: fc.Arbitrary<Happening> = fc.oneof(
	{ weight: 6, arbitrary: fc.record({ kind: fc.constant('publish' as const), set: fc.nat(3) }) },
	{
		weight: 8,
		arbitrary: fc.record({
			kind: fc.constant('end' as const),
			which: fc.nat(20),
			outcome: fc.constantFrom<RunOutcome[]>(
				{ kind: 'succeeded' },
				{ kind: 'succeeded' },
				{ kind: 'failed', reason: 'the mail server is down' },
				{ kind: 'shutdown' },
			),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant('pass' as const),
			ms: fc.constantFrom(0, 2_000, 9_000, 31_000),
		}),
	},
	fc.constant({ kind: 'break' as const }),
	fc.constant({ kind: 'mend' as const }),
	fc.record({ kind: fc.constant('publishAgain' as const), ms: fc.constantFrom(500, 8_000) }),
	fc.constant({ kind: 'comeOrGo' as const }),
);

async function world(anyStays: boolean) {
	const clock = manualClock();
	broker = modelledBroker();
	const running: Array<(outcome: RunOutcome) => void> = [];
	const succeeded = new Map<string, Set<string>>();
	let automatic = false;

	const member = (key: string, statuses: string[]) => {
		const own = new Set<string>();
		succeeded.set(key, own);
		const make = (): RecordingSubscriber =>
			subscriber(ADDRESS, 'events', {
				key,
				filter: { statuses, customerIds: [], instances: [] },
				options: { parallelRuns: 2, keepOrder: false, attempts: 20 },
				outcome: ({ events: [first] }) => {
					const setId = first!.event.setId!;
					if (own.has(setId)) broker.broken.push(`${key} ran ${setId} again after it had ended well`);
					const ended = (result: RunOutcome) => {
						if (result.kind === 'succeeded') own.add(setId);
						return result;
					};
					if (automatic) return ended({ kind: 'succeeded' });
					return new Promise((resolve) => running.push((result) => resolve(ended(result))));
				},
			});
		return { make, current: make(), present: false };
	};
	const stays = member('stays', []);
	const again = member('again', ['SIGNED']);
	const guest = member('guest', []);

	const memories = new Map<string, Repeats>();
	const repeatsOf = (key: string) => {
		if (!memories.has(key)) memories.set(key, new Repeats(clock));
		return memories.get(key)!;
	};
	let current: Fanout | undefined;
	const fanout = () =>
		(current ??= new Fanout({
			...{ key: sessionKey(ADDRESS, 'events'), queue: 'events', clock, logger: recordingLogger(), repeatsOf },
			openLink: () => Promise.reject(new Error('the session is modelled')),
			onMoved: () => {},
			onEmpty: () => (current = undefined),
		}));
	const homes = new Map<RecordingSubscriber, Fanout>();
	const join = (who: ReturnType<typeof member>) => {
		who.current = who.make();
		who.present = true;
		homes.set(who.current, fanout());
		fanout().join(who.current, false);
	};
	const leave = async (who: ReturnType<typeof member>) => {
		who.present = false;
		await homes.get(who.current)!.leave(who.current);
	};

	let returnsAt = Infinity;
	const pass = async (ms: number) => {
		const end = clock.now() + ms;
		if (returnsAt <= end) {
			await clock.advance(returnsAt - clock.now());
			returnsAt = Infinity;
			join(again);
			await settled();
			broker.deliver();
		}
		await clock.advance(end - clock.now());
	};

	const wanted = { stays: [] as string[], again: [] as string[] };
	const happen = async (what: Happening) => {
		switch (what.kind) {
			case 'publish': {
				const setId = setIdOf(broker.publish(what.set));
				wanted.stays.push(setId);
				if (what.set % 2) wanted.again.push(setId);
				break;
			}
			case 'end':
				running.splice(what.which % Math.max(1, running.length), 1)[0]?.(what.outcome);
				break;
			case 'pass':
				await pass(what.ms);
				break;
			case 'break':
				broker.break();
				break;
			case 'mend':
				broker.mend();
				break;
			case 'publishAgain':
				if (!again.present) break;
				await leave(again);
				returnsAt = clock.now() + what.ms;
				break;
			case 'comeOrGo':
				if (guest.present) await leave(guest);
				else join(guest);
				break;
		}
		await settled();
		broker.deliver();
		await settled();
	};

	if (anyStays) join(stays);
	join(again);
	await happen({ kind: 'pass', ms: 2_000 });

	const comeToRest = async () => {
		automatic = true;
		await happen({ kind: 'mend' });
		while (running.length > 0) await happen({ kind: 'end', which: 0, outcome: { kind: 'succeeded' } });
		for (let minutes = 0; minutes < 60; minutes += 1) await happen({ kind: 'pass', ms: 60_000 });
	};
	return { happen, comeToRest, succeeded, wanted };
}

it.each([
	['one stays, one is published again, one comes and goes', true],
	['nobody stays: one is published again, one comes and goes', false],
])('%s: each that is there gets all it asks for, and nothing again that had ended well', (_, anyStays) =>
	fc.assert(
		fc.asyncProperty(fc.array(happening, { maxLength: 60 }), async (happenings) => {
			const { happen, comeToRest, succeeded, wanted } = await world(anyStays);
			for (const what of happenings) await happen(what);
			await comeToRest();
			expect(broker.broken).toEqual([]);
			expect(broker.left()).toEqual([]);
			if (anyStays) expect([...succeeded.get('stays')!].sort()).toEqual(wanted.stays.sort());
			expect([...succeeded.get('again')!].sort()).toEqual(wanted.again.sort());
		}),
		{ numRuns: cases(200) },
	),
);
