import fc from 'fast-check';
import { readStatusEvent } from '../../../service/model/event';
import { EVENT_DEADLINE_MS } from '../../../service/queue/entry';
import { Lane } from '../../../service/queue/lane';
import { Repeats } from '../../../service/queue/repeats';
import type { LaneOptions, RunOutcome } from '../../../service/queue/subscription';
import type { Decision } from '../../../service/queue/verdict';
import { eventBody } from '../../support/events';
import { cases } from '../../support/fuzz';
import { manualClock, settled } from '../../support/manualClock';
import { addressOf, recordingLogger, subscriber, type Run } from '../../support/subscriber';

/** A lane before a broker that is written down in a few lines; whatever happens, in whatever order, the promises hold. */

const MINUTE = 60_000;
const SETS = 4;

/** What can happen. Numbers choose among what is there at that moment. */
type Happening =
	| { kind: 'publish'; sets: number[] }
	| { kind: 'end'; which: number; outcome: RunOutcome }
	| { kind: 'pass'; ms: number }
	| { kind: 'lose' }
	| { kind: 'connect' }
	| { kind: 'leave'; idle: 'keep' | 'giveBack' }
	| { kind: 'return' };

const outcomes: RunOutcome[] = [
	{ kind: 'succeeded' },
	{ kind: 'failed', reason: 'the mail server is down' },
	{ kind: 'notStarted', reason: 'the database is busy' },
	{ kind: 'waiting' },
	{ kind: 'stopped' },
	{ kind: 'shutdown' },
];

const happening: fc.Arbitrary<Happening> = fc.oneof(
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant('publish' as const),
			sets: fc.array(fc.nat(SETS - 1), { minLength: 1, maxLength: 6 }),
		}),
	},
	{
		weight: 6,
		arbitrary: fc.record({
			kind: fc.constant('end' as const),
			which: fc.nat(20),
			outcome: fc.constantFrom(...outcomes),
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant('pass' as const),
			ms: fc.constantFrom(0, 1_000, 6_000, 31_000, 3 * MINUTE, 11 * MINUTE, 21 * MINUTE, 26 * MINUTE),
		}),
	},
	fc.constant({ kind: 'lose' as const }),
	fc.constant({ kind: 'connect' as const }),
	fc.record({
		kind: fc.constant('leave' as const),
		idle: fc.constantFrom<('keep' | 'giveBack')[]>('keep', 'giveBack'),
	}),
	fc.constant({ kind: 'return' as const }),
);

interface Message {
	number: number;
	set: number;
	redelivered: boolean;
	/** Told by the lane, whether or not the broker could hear it. */
	decided: Decision[];
	runs: Array<{ end?: RunOutcome['kind'] }>;
}

/** Keeps what is not removed, in order, and delivers at most so many at a time. */
function world(options: Partial<LaneOptions>) {
	const clock = manualClock();
	const queue: Message[] = [];
	const unsettled = new Set<Message>();
	const messages: Message[] = [];
	const running: Array<{ messages: Message[]; countsUntil: number; end(outcome: RunOutcome): void }> = [];
	const broken: string[] = [];
	let channel = 0;
	let connected = true;
	let automatic = false;

	const of = ({ events }: Run) =>
		events.map(({ event }) => messages.find(({ number }) => event.parcelReference === `PRC-${number}`)!);

	const outcome = (run: Run): RunOutcome | Promise<RunOutcome> => {
		const begun = of(run);
		for (const message of begun) {
			if (message.decided.some((decision) => decision !== 'giveBack'))
				broken.push(`${message.number} ran again after it was settled`);
			const earlier = messages.filter(({ set, number }) => set === message.set && number < message.number);
			const open = earlier.filter((one) => !begun.includes(one) && !one.decided.some(isFinal));
			if (options.keepOrder && open.length > 0)
				broken.push(`${message.number} overtook ${open[0]!.number} of its set`);
			message.runs.push({});
		}
		if (automatic) return { kind: 'succeeded' };
		return new Promise((resolve) => {
			const entry = {
				messages: begun,
				countsUntil: Math.min(...run.events.map(({ deliveredAt }) => deliveredAt)) + EVENT_DEADLINE_MS,
				end(result: RunOutcome) {
					running.splice(running.indexOf(entry), 1);
					for (const message of begun) message.runs.at(-1)!.end = result.kind;
					resolve(result);
				},
			};
			running.push(entry);
			const side = running.filter(({ countsUntil }) => clock.now() < countsUntil).length;
			if (side > recording.options.parallelRuns) broken.push(`${side} ran side by side`);
		});
	};
	const recording = subscriber(addressOf({ port: 1 } as never), 'events', { options, outcome });
	const lane = new Lane(recording, new Repeats(clock), clock, recordingLogger());

	const deliver = () => {
		if (!connected || (!lane.attached && !lane.waitsForReturn)) return;
		while (queue.length > 0 && unsettled.size < 12) {
			const message = queue.shift()!;
			unsettled.add(message);
			const through = channel;
			let told = false;
			const event = readStatusEvent(eventBody(message.set, { ...identity(message) }))!;
			lane.offer({ event, redelivered: message.redelivered, deliveredAt: clock.now() }, (decision) => {
				if (told) broken.push(`${message.number} was settled twice on one delivery`);
				told = true;
				message.decided.push(decision);
				if (through !== channel) return;
				unsettled.delete(message);
				if (decision === 'giveBack') putBack([message]);
			});
		}
	};
	const putBack = (returned: Message[]) => {
		for (const message of returned) message.redelivered = true;
		queue.push(...returned);
		queue.sort((a, b) => a.number - b.number);
	};

	const happen = async (what: Happening) => {
		switch (what.kind) {
			case 'publish':
				for (const set of what.sets) {
					const message = { number: messages.length, set, redelivered: false, decided: [], runs: [] };
					messages.push(message);
					queue.push(message);
				}
				break;
			case 'end':
				running[what.which % Math.max(1, running.length)]?.end(what.outcome);
				break;
			case 'pass':
				await clock.advance(what.ms);
				break;
			case 'lose':
				channel += 1;
				connected = false;
				lane.dropWaiting();
				putBack([...unsettled]);
				unsettled.clear();
				break;
			case 'connect':
				connected = true;
				break;
			case 'leave':
				lane.detach(what.idle);
				break;
			case 'return':
				lane.attach(recording);
				break;
		}
		await settled();
		deliver();
		await settled();
	};

	/** The trouble is over: everything that begins from now on succeeds. */
	const comeToRest = async () => {
		automatic = true;
		await happen({ kind: 'connect' });
		await happen({ kind: 'return' });
		while (running.length > 0) await happen({ kind: 'end', which: 0, outcome: { kind: 'succeeded' } });
		for (let minutes = 0; minutes < 120; minutes += 1) await happen({ kind: 'pass', ms: MINUTE });
	};
	return { happen, comeToRest, messages, queue, unsettled, broken, clock };
}

const isFinal = (decision: Decision) => decision !== 'giveBack';

const identity = ({ number }: Message) => ({
	parcelReference: `PRC-${number}`,
	transactionId: `33333333-3333-4333-8333-${number.toString(16).padStart(12, '0')}`,
	updatedDate: `Fri Nov 20 09:${String(Math.floor(number / 60) % 60).padStart(2, '0')}:${String(number % 60).padStart(2, '0')} UTC 2026`,
});

describe.each<[string, Partial<LaneOptions>]>([
	['one by one, in order', { parallelRuns: 3, keepOrder: true, attempts: 5 }],
	['one by one, in any order', { parallelRuns: 3, keepOrder: false, attempts: 3 }],
	['in batches, in order', { parallelRuns: 2, keepOrder: true, attempts: 2, batchSize: 3 }],
	['in batches, in any order', { parallelRuns: 2, keepOrder: false, attempts: 2, batchSize: 3 }],
])('events %s', (_, options) => {
	it('whatever happens: each is run and settled, none after it was settled, none out of turn, none too often', () =>
		fc.assert(
			fc.asyncProperty(fc.array(happening, { maxLength: 60 }), async (happenings) => {
				const { happen, comeToRest, messages, queue, unsettled, broken, clock } = world(options);
				for (const what of happenings) await happen(what);
				await comeToRest();
				expect(broken).toEqual([]);
				expect(queue).toEqual([]);
				expect([...unsettled]).toEqual([]);
				for (const { runs, decided } of messages) {
					expect(runs.length).toBeGreaterThan(0);
					expect(decided.some(isFinal)).toBe(true);
					const failures = runs.filter(({ end }) => end === 'failed' || end === 'notStarted').length;
					expect(failures).toBeLessThanOrEqual(options.attempts!);
				}
				expect(clock.pending).toBe(0);
			}),
			{ numRuns: cases(300) },
		));
});
