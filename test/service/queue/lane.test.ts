import { canonicalJson } from '../../../service/model/canonicalJson';
import { readStatusEvent } from '../../../service/model/event';
import { BOUNDS } from '../../../service/queue/bounds';
import { Entries } from '../../../service/queue/entries';
import { Lane } from '../../../service/queue/lane';
import { Repeats } from '../../../service/queue/repeats';
import type { LaneOptions, Problem, RunOutcome, Subscription } from '../../../service/queue/contract';
import { viewOf, watched } from '../../../service/queue/watch';
import { systemClock, type Clock, type Logger } from '../../../service/surroundings';
import type { Fate } from '../../../service/queue/entry';
import { eventBody, setIdOf } from '../../support/events';
import { manualClock, settled } from '../../support/manualClock';
import { addressOf, recordingLogger, subscriber, type Run } from '../../support/subscriber';

const MINUTE = 60_000;
const FAILED: RunOutcome = { kind: 'failed', reason: 'the mail server is down' };
const OK: RunOutcome = { kind: 'succeeded' };

/** What delivers here. */
const queue = {};

function laneOf(subscription: Subscription, clock: Clock, logger: Logger) {
	const repeats = new Repeats(clock, BOUNDS);
	return new Lane({ subscription, repeats, clock, logger, bounds: BOUNDS });
}

function lane(options: Partial<LaneOptions> = {}, outcome?: (run: Run) => RunOutcome | Promise<RunOutcome>) {
	const clock = manualClock();
	const logger = recordingLogger();
	const address = addressOf({ port: 1 } as never);
	const recording = subscriber(address, 'events', { options, outcome });
	const made = laneOf(recording, clock, logger);
	made.attach(recording);
	const decisions: Record<string, Fate[]> = {};
	let number = 0;
	const offer = (
		set: number,
		changes: Record<string, unknown> = {},
		redelivered = false,
		deaths = 0,
		returns?: number,
		from: object = queue,
	) => {
		const event = readStatusEvent(eventBody(set, changes))!;
		const name = `${set}${changes.updatedDate ?? ''}`;
		made.offer(
			{ event, redelivered, deliveredAt: clock.now() },
			{
				bytes: 500,
				returns,
				deaths,
				number: (number += 1),
				from,
				overtakes: () => false,
				settle: (fate) => {
					(decisions[name] ??= []).push(fate);
				},
			},
		);
		return event;
	};
	return { clock, logger, recording, lane: made, decisions, offer };
}

const setOf = ({ events: [first] }: Run) => first!.event.setId;

/** Fails the events of one set, or of some. */
function failing(...sets: number[]) {
	const ids = sets.map(setIdOf);
	return (run: Run) => (ids.includes(setOf(run) ?? '') ? FAILED : OK);
}

type Ends = Array<(outcome: RunOutcome) => void>;

/** Runs that end when they are told to. */
function held() {
	const ends: Ends = [];
	return { ends, outcome: () => new Promise<RunOutcome>((resolve) => ends.push(resolve)) };
}

describe('attempts', () => {
	it.each<[string, RunOutcome, Fate]>([
		['success', OK, 'remove'],
		['a run that waits', { kind: 'waiting' }, 'remove'],
		['a run stopped by hand', { kind: 'stopped' }, 'remove'],
	])('%s is settled at once, as %s → %s', async (_, outcome, decision) => {
		const { offer, decisions, recording } = lane({}, () => outcome);
		offer(1);
		await settled();
		expect(decisions).toEqual({ 1: [decision] });
		expect(recording.runs).toHaveLength(1);
	});

	it('tries a failing event exactly so often, with growing waits, then gives it up with one report', async () => {
		const { clock, offer, decisions, recording } = lane({ attempts: 5 }, failing(1));
		const runsOf = (set: number) => recording.runs.filter((run) => setOf(run) === setIdOf(set));
		offer(1);
		await clock.advance(0);
		offer(2);
		for (const [waitMs, runs] of [
			[0, 1],
			[4_999, 1],
			[1, 2],
			[30_000, 3],
			[120_000, 4],
			[599_999, 4],
			[1, 5],
		] as const) {
			await clock.advance(waitMs);
			expect(runsOf(1)).toHaveLength(runs);
		}
		expect(runsOf(1).map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5]);
		expect(decisions).toEqual({ 1: ['reject'], 2: ['remove'] });
		expect(recording.problems).toMatchObject([
			{ kind: 'gaveUp', attempts: 5, reason: 'the mail server is down' },
		]);
		await clock.advance(60 * MINUTE);
		expect(runsOf(1)).toHaveLength(5);
	});

	it('goes on counting when an event goes back between attempts and comes again', async () => {
		const { clock, offer, decisions, lane: made, recording } = lane({ attempts: 3 }, failing(1));
		offer(1);
		await clock.advance(0);
		offer(2);
		await clock.advance(0);
		made.wentBack(queue);
		offer(1, {}, true);
		await clock.advance(35_000);
		expect(recording.runs.map(({ attempt }) => attempt)).toEqual([1, 1, 2, 3]);
		expect(decisions).toEqual({ 1: ['reject'], 2: ['remove'] });
	});
});

it('is run again in half a minute where its host stopped it and stays up after all: that was no attempt, and no failure', async () => {
	const outcomes: RunOutcome[] = [{ kind: 'shutdown' }, FAILED, OK];
	const { clock, offer, decisions, recording, logger } = lane({}, () => outcomes.shift()!);
	offer(1);
	await clock.advance(29_999);
	expect([recording.runs.length, logger.lines]).toEqual([1, []]);
	await clock.advance(1);
	await clock.advance(5_000);
	expect(recording.runs.map(({ attempt }) => attempt)).toEqual([1, 1, 2]);
	expect(decisions).toEqual({ 1: ['remove'] });
});

describe('the log', () => {
	it('says what a person removed by stopping its run', async () => {
		const { offer, logger } = lane({}, () => ({ kind: 'stopped' }));
		const { eventId } = offer(1);
		await settled();
		expect(logger.lines).toEqual([
			`info Test workflow: the run was stopped by hand; its event is removed ${JSON.stringify({ eventIds: [eventId] })}`,
		]);
	});

	it.each([
		[1, 'an event'],
		[2, '2 events'],
	])('has the bodies of %i that failed together, once: the queue may drop them', async (count, what) => {
		const { clock, offer, recording, logger } = lane({ batchSize: count }, () => FAILED);
		const events = Array.from({ length: count }, (_, set) => canonicalJson(offer(set).raw));
		await clock.advance(5_000);
		expect(recording.runs).toHaveLength(2);
		expect(logger.lines).toEqual([
			`info Test workflow: the run failed for ${what}, to be run again ${JSON.stringify({ events })}`,
		]);
	});
});

it('a dead letter that comes back is told of once, also where it fails in a batch with one that is new', async () => {
	const options = { attempts: 1, batchSize: 2, batchWaitMs: 5 * MINUTE };
	const { clock, offer, recording } = lane(options, () => FAILED);
	offer(1);
	await clock.advance(5 * MINUTE);
	expect(recording.problems).toHaveLength(1);
	const comeBack = async (...deaths: number[]) => {
		for (const [index, times] of deaths.entries()) offer(index + 1, {}, false, times);
		await clock.advance(5 * MINUTE);
	};
	await comeBack(1, 0);
	expect(recording.runs.map(({ events }) => events.length)).toEqual([1, 2]);
	expect(recording.problems).toHaveLength(2);
	await comeBack(2, 1);
	expect(recording.runs).toHaveLength(3);
	expect(recording.problems).toHaveLength(2);
});

describe.each([
	['skips', true],
	['runs', false],
])('of what was sent twice to a workflow that from now on %s repeats, the second one', (_, skipRepeats) => {
	it.each<
		[
			string,
			LaneOptions['removeWhen'],
			(clock: { advance(ms: number): Promise<void> }, ends: Ends) => unknown,
		]
	>([
		['after a success', 'succeeded', (_clock, ends) => ends[0]!(OK)],
		['after a start, with "received"', 'received', (clock) => clock.advance(BOUNDS.takenMs)],
		[
			'after a word that comes too late',
			'succeeded',
			async (clock, ends) => {
				await clock.advance(BOUNDS.runWordMs);
				ends[1]!(FAILED);
				await settled();
				ends[0]!(OK);
			},
		],
	])('is run or not: %s', async (_name, removeWhen, goOn) => {
		const { ends, outcome } = held();
		const {
			clock,
			offer,
			decisions,
			recording,
			lane: made,
		} = lane({ skipRepeats: false, removeWhen }, outcome);
		offer(1);
		offer(1);
		made.attach({ ...recording, options: { ...recording.options, skipRepeats } });
		await goOn(clock, ends);
		await settled();
		expect(decisions[1]).toHaveLength(skipRepeats ? 2 : 1);
	});
});

describe('an event that is sent anew after it had ended otherwise than well', () => {
	it.each<[string, RunOutcome]>([
		['given up', FAILED],
		['stopped', { kind: 'stopped' }],
	])('and goes back with its channel before it ran is run: %s', async (_, first) => {
		const {
			clock,
			offer,
			recording,
			lane: made,
		} = lane({ attempts: 1, parallelRuns: 1 }, (run) =>
			recording.runs.length === 1 ? first : setOf(run) === setIdOf(2) ? new Promise(() => {}) : OK,
		);
		offer(1);
		await clock.advance(0);
		offer(2);
		offer(1);
		made.wentBack(queue);
		offer(2, {}, true);
		offer(1, {}, true);
		await clock.advance(26 * MINUTE);
		expect(recording.runs.map(setOf)).toEqual([1, 2, 1].map(setIdOf));
	});

	it('and goes back while it runs is settled by that run', async () => {
		const { ends, outcome } = held();
		const { clock, offer, decisions, recording, lane: made } = lane({ attempts: 2 }, outcome);
		offer(1);
		ends[0]!({ kind: 'stopped' });
		await clock.advance(0);
		offer(1);
		made.wentBack(queue);
		offer(1, {}, true);
		expect(decisions[1]).toHaveLength(1);
		ends[1]!(FAILED);
		await clock.advance(5_000);
		expect(recording.runs).toHaveLength(3);
		ends[2]!(OK);
		await clock.advance(0);
		expect(decisions[1]).toEqual(['remove', 'remove']);
	});

	it('runs as often as it was sent where repeats are not skipped', async () => {
		const { ends, outcome } = held();
		const options = { skipRepeats: false, parallelRuns: 1 };
		const { clock, offer, recording, lane: made } = lane(options, outcome);
		[1, 2, 3].forEach(() => offer(1));
		made.wentBack(queue);
		[1, 2, 3].forEach(() => offer(1, {}, true));
		for (let run = 0; run < 3; run += 1) {
			await clock.advance(0);
			ends[run]?.(OK);
		}
		await clock.advance(0);
		expect(recording.runs).toHaveLength(3);
	});

	it('runs once what comes again over another connection, before the first one is known to be dead', async () => {
		const { ends, outcome } = held();
		const { clock, offer, recording, decisions } = lane({ skipRepeats: false }, outcome);
		offer(1);
		offer(1, {}, true, 0, undefined, {});
		await clock.advance(0);
		ends[0]!(OK);
		await clock.advance(0);
		expect(recording.runs).toHaveLength(1);
		expect(decisions[1]).toEqual(['remove', 'remove']);
		// Over the same one, it is another message of this content.
		offer(2);
		offer(2, {}, true);
		await clock.advance(0);
		expect(recording.runs.map(setOf).filter((id) => id === setIdOf(2))).toHaveLength(1);
		ends[1]!(OK);
		await clock.advance(0);
		expect(recording.runs.map(setOf).filter((id) => id === setIdOf(2))).toHaveLength(2);
	});

	it('is done with for as long as it comes again, be it for days, since another workflow holds it', async () => {
		const { clock, offer, recording } = lane();
		offer(1);
		for (let hours = 0; hours < 60; hours += 20) {
			await clock.advance(20 * 60 * MINUTE);
			offer(1, {}, true);
		}
		await clock.advance(0);
		expect(recording.runs).toHaveLength(1);
	});

	it('goes on with each of several that are alike where it stood, however often they go back', async () => {
		const options = { skipRepeats: false, parallelRuns: 1, attempts: 3 };
		const { clock, offer, recording, lane: made, decisions } = lane(options, failing(1));
		[1, 2].forEach(() => offer(1));
		for (let time = 0; time < 2; time += 1) {
			await clock.advance(0);
			made.wentBack(queue);
			[1, 2].forEach(() => offer(1, {}, true));
			await clock.advance(20 * MINUTE);
		}
		// The first has used up its attempts, and holds the second.
		expect(recording.runs.slice(0, 3).map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
		expect(recording.runs.slice(3).every(({ attempt }) => attempt > 3)).toBe(true);
		expect(decisions).toEqual({});
	});
});

it('a word that comes too late ends no other message of its content, which failed meanwhile and went back', async () => {
	const { ends, outcome } = held();
	const { clock, offer, recording, lane: made, decisions } = lane({ skipRepeats: false }, outcome);
	[1, 2].forEach(() => offer(1));
	await clock.advance(25 * MINUTE);
	ends[1]!(FAILED);
	await clock.advance(0);
	made.wentBack(queue);
	ends[0]!(OK);
	await clock.advance(0);
	offer(1, {}, true);
	await clock.advance(MINUTE);
	expect(recording.runs.map(({ attempt }) => attempt)).toEqual([1, 1, 2]);
	expect(decisions).toEqual({ 1: ['remove'] });
});

it.each<[string, RunOutcome, number]>([
	['success ends what is sent anew', OK, 1],
	['wait of its run does, too', { kind: 'waiting' }, 1],
	['failure does not', FAILED, 2],
	['refusal does not', { kind: 'notStarted', reason: 'no worker' }, 2],
	['end with its host does not', { kind: 'shutdown' }, 2],
])('a word that comes too late: %s', async (_, word, runs) => {
	const { ends, outcome } = held();
	const { clock, offer, recording, decisions } = lane({}, outcome);
	offer(1);
	await clock.advance(25 * MINUTE);
	ends[0]!(word);
	await clock.advance(0);
	offer(1);
	await clock.advance(0);
	expect(recording.runs).toHaveLength(runs);
	ends[1]?.(OK);
	await clock.advance(0);
	expect(decisions).toEqual({ 1: ['remove', 'remove'] });
});

it('what stays where the rest goes back one by one is settled by its run, and what another connection delivered is untouched', async () => {
	const { ends, outcome } = held();
	const { clock, offer, recording, lane: made, decisions } = lane({ parallelRuns: 1 }, outcome);
	offer(1);
	offer(2);
	offer(3, {}, false, 0, undefined, {});
	await clock.advance(0);
	made.wentBack(queue, new Set([1]));
	for (const index of [0, 1]) {
		ends[index]!(OK);
		await clock.advance(0);
	}
	expect(recording.runs.map((run) => setOf(run))).toEqual([1, 3].map(setIdOf));
	expect(decisions).toEqual({ 1: ['remove'], 3: ['remove'] });
});

it('of two that are alike, the first goes on where it stood, also where it alone came again and went back once more', async () => {
	const options = { skipRepeats: false, parallelRuns: 1 };
	const { clock, offer, recording, lane: made } = lane(options, () => FAILED);
	[1, 2].forEach(() => offer(1));
	await clock.advance(0);
	made.wentBack(queue);
	offer(1, {}, true);
	made.wentBack(queue);
	offer(1, {}, true);
	await clock.advance(MINUTE);
	expect(recording.runs.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
});

describe('removal', () => {
	it('"finished" removes an event whose run failed, without another attempt', async () => {
		const { clock, offer, decisions, recording } = lane({ removeWhen: 'finished' }, () => FAILED);
		offer(1);
		await clock.advance(60 * MINUTE);
		expect(decisions).toEqual({ 1: ['remove'] });
		expect(recording.runs).toHaveLength(1);
		expect(recording.problems).toEqual([]);
	});

	it('"received" removes when n8n did not refuse the run, still within the parallel runs', async () => {
		const { ends, outcome } = held();
		const { clock, offer, decisions, recording } = lane({ removeWhen: 'received', parallelRuns: 2 }, outcome);
		[1, 2, 3].forEach((set) => offer(set));
		await clock.advance(59_999);
		expect(decisions).toEqual({});
		await clock.advance(1);
		expect(decisions).toEqual({ 1: ['remove'], 2: ['remove'] });
		await clock.advance(40 * MINUTE);
		ends[0]!(OK);
		await clock.advance(MINUTE);
		expect(decisions).toEqual({ 1: ['remove'], 2: ['remove'], 3: ['remove'] });
		expect(recording.problems).toEqual([]);
	});

	it('"received" holds a set until its run ends', async () => {
		const { ends, outcome } = held();
		const { clock, offer, recording } = lane({ removeWhen: 'received' }, outcome);
		offer(1, { updatedDate: 'a' });
		offer(1, { updatedDate: 'b' });
		await clock.advance(40 * MINUTE);
		expect(recording.runs).toHaveLength(1);
		ends[0]!(OK);
		await settled();
		expect(recording.runs).toHaveLength(2);
	});

	it('a run that is refused after its event was removed is reported with it', async () => {
		const { ends, outcome } = held();
		const { clock, offer, recording } = lane({ removeWhen: 'received' }, outcome);
		offer(1);
		await clock.advance(2 * MINUTE);
		ends[0]!({ kind: 'notStarted', reason: 'database' });
		await settled();
		const events = [{ setId: setIdOf(1) }];
		expect(recording.problems).toMatchObject([{ kind: 'notStarted', reason: 'database', events }]);
	});

	it.each([20_000, 2 * MINUTE])(
		'"received" leaves what follows when a run is refused after %i ms',
		async (ms) => {
			const { ends, outcome } = held();
			const { clock, offer, decisions, recording, lane: made } = lane({ removeWhen: 'received' }, outcome);
			for (let set = 0; set < 20; set += 1) offer(set);
			await clock.advance(ms);
			for (const end of ends) end({ kind: 'notStarted', reason: 'database' });
			await settled();
			expect(made.waiting).toMatchObject({ cause: 'notStarting' });
			expect(recording.runs).toHaveLength(5);
			expect(Object.keys(decisions)).toHaveLength(ms > MINUTE ? 5 : 0);
		},
	);
});

describe('side by side', () => {
	it('never runs more than asked for', async () => {
		const { ends, outcome } = held();
		const { offer, recording } = lane({ parallelRuns: 3 }, outcome);
		for (let set = 0; set < 10; set += 1) offer(set);
		expect(recording.running).toBe(3);
		for (let end = 0; end < 10; end += 1) {
			ends[end]!(OK);
			await settled();
		}
		expect(recording.mostRunning).toBe(3);
		expect(recording.runs).toHaveLength(10);
	});

	it('keeps the events of one set in order, attempts included, while other sets go on', async () => {
		let failures = 1;
		const { clock, offer, recording } = lane({}, ({ events: [first] }) =>
			first!.event.raw.step === 'first' && failures-- > 0 ? FAILED : OK,
		);
		offer(1, { step: 'first', updatedDate: 'a' });
		offer(1, { step: 'second', updatedDate: 'b' });
		offer(2, { step: 'other' });
		await settled();
		const steps = () => recording.runs.map(({ events: [first] }) => first!.event.raw.step);
		expect(steps()).toEqual(['first', 'other']);
		await clock.advance(5_000);
		expect(steps()).toEqual(['first', 'other', 'first', 'second']);
	});

	it('runs the events of one set together when order is not asked for', async () => {
		const { outcome } = held();
		const { offer, recording } = lane({ keepOrder: false }, outcome);
		offer(1, { updatedDate: 'a' });
		offer(1, { updatedDate: 'b' });
		expect(recording.running).toBe(2);
	});

	it('five failing sets do not stop a sixth', async () => {
		const { clock, offer, decisions } = lane({ parallelRuns: 5 }, ({ events: [first] }) =>
			first!.event.parcelReference === 'PRC-6' ? OK : FAILED,
		);
		for (let set = 1; set <= 6; set += 1) offer(set);
		await clock.advance(0);
		expect(decisions).toEqual({ 6: ['remove'] });
	});
});

describe('deadlines', () => {
	it('a run that never answers is removed with one report and never started again', async () => {
		const { clock, offer, decisions, recording } = lane({}, held().outcome);
		offer(1);
		await clock.advance(25 * MINUTE - 1);
		expect(decisions).toEqual({});
		await clock.advance(1);
		expect(decisions).toEqual({ 1: ['remove'] });
		expect(recording.problems).toMatchObject([{ kind: 'unknownResult' }]);
		offer(1, {}, true);
		await clock.advance(60 * MINUTE);
		expect(recording.runs).toHaveLength(1);
	});

	it('leaves no timer behind when everything is settled', async () => {
		const { clock, offer } = lane();
		for (let set = 0; set < 10; set += 1) offer(set);
		await settled();
		expect(clock.pending).toBe(0);
	});
});

describe('repeats', () => {
	it.each([
		['delivered again', true, 'debug'],
		['sent twice', false, 'info'],
	])(
		'an event that ended well and is %s is removed without a run, with a log line',
		async (_, redelivered, level) => {
			const { offer, decisions, recording, logger } = lane();
			const { eventId } = offer(1);
			await settled();
			offer(1, {}, redelivered);
			expect(decisions).toEqual({ 1: ['remove', 'remove'] });
			expect(recording.runs).toHaveLength(1);
			expect(logger.lines).toEqual([
				`${level} Test workflow: a repeat of an event handled already is removed ${JSON.stringify({ eventId })}`,
			]);
		},
	);

	it('an event delivered again while its run goes on joins that run', async () => {
		const { ends, outcome } = held();
		const { offer, decisions, recording } = lane({}, outcome);
		offer(1);
		offer(1, {}, true);
		ends[0]!(OK);
		await settled();
		expect(recording.runs).toHaveLength(1);
		expect(decisions).toEqual({ 1: ['remove', 'remove'] });
	});

	it('an event that was given up runs when somebody sends it anew, and not when it is delivered again', async () => {
		let outcome: RunOutcome = FAILED;
		const { offer, decisions, recording } = lane({ attempts: 1 }, () => outcome);
		offer(1);
		await settled();
		outcome = OK;
		offer(1, {}, true);
		offer(1, {}, false);
		await settled();
		expect(recording.runs).toHaveLength(2);
		expect(decisions).toEqual({ 1: ['reject', 'reject', 'remove'] });
	});

	it('without skipRepeats a second sending runs, a second delivery does not', async () => {
		const { offer, recording } = lane({ skipRepeats: false });
		offer(1);
		await settled();
		offer(1, {}, true);
		offer(1, {}, false);
		await settled();
		expect(recording.runs).toHaveLength(2);
	});

	it('forgets after 24 hours', async () => {
		const { clock, offer, recording } = lane();
		offer(1);
		await clock.advance(24 * 60 * MINUTE + 1);
		offer(1);
		await settled();
		expect(recording.runs).toHaveLength(2);
	});
});

describe('leaving and losing the link', () => {
	it('drops what has not begun and lets what runs be joined', async () => {
		const { ends, outcome } = held();
		const { offer, decisions, lane: made, recording } = lane({ parallelRuns: 1 }, outcome);
		offer(1);
		offer(2);
		made.wentBack(queue);
		offer(1, {}, true);
		offer(2, {}, true);
		ends[0]!(OK);
		await settled();
		ends[1]!(OK);
		await settled();
		expect(recording.setIds).toHaveLength(2);
		expect(decisions).toEqual({ 1: ['remove'], 2: ['remove'] });
	});

	it('a run that fails while its event is back on the queue is tried again when it comes', async () => {
		const { ends, outcome } = held();
		const { clock, offer, lane: made, recording } = lane({}, outcome);
		offer(1);
		made.wentBack(queue);
		ends[0]!(FAILED);
		await clock.advance(60 * MINUTE);
		expect(recording.runs).toHaveLength(1);
		offer(1, {}, true);
		await clock.advance(0);
		expect(recording.runs.map(({ attempt }) => attempt)).toEqual([1, 2]);
	});

	it('what failed while the queue had it again, and lost it, does not hold up the next of its set', async () => {
		const { ends, outcome } = held();
		const { offer, lane: made, recording } = lane({}, outcome);
		offer(1);
		made.wentBack(queue);
		ends[0]!(FAILED);
		await settled();
		offer(1, { updatedDate: 'b' });
		await settled();
		expect(recording.runs).toHaveLength(2);
	});

	it('knows how much it owes, whatever happened before', async () => {
		const { ends, outcome } = held();
		const { clock, lane: made, offer, recording } = lane({ parallelRuns: 2 }, outcome);
		const owes = () => {
			made.detach();
			const { owed, owedSince } = made;
			made.attach(recording);
			return [owedSince, { events: owed.length, bytes: 500 * owed.length }];
		};
		const seen: unknown[] = [];
		for (let set = 1; set <= 8; set += 1) offer(set);
		offer(5);
		seen.push(owes());
		ends[0]?.(OK);
		ends[1]?.(FAILED);
		await clock.advance(6_000);
		seen.push(owes());
		made.giveUp(made.firstOwedAt(undefined)!);
		ends[2]?.(FAILED);
		await clock.advance(0);
		seen.push(owes());
		expect(seen.map((pair) => (pair as unknown[])[0])).toEqual(seen.map((pair) => (pair as unknown[])[1]));
		expect(seen.map((pair) => (pair as Array<{ events: number }>)[0]!.events)).toEqual([6, 5, 4]);
	});

	it('is away since it left, and with what it had until its connection was lost, also where its next version has come and is not let in', async () => {
		const { clock, offer, lane: made } = lane({ parallelRuns: 1 }, held().outcome);
		for (let set = 1; set <= 3; set += 1) offer(set);
		made.wentBack(queue);
		made.wentBack(queue);
		made.detach();
		const left = { absentSince: clock.now(), owedSince: { events: 2, bytes: 1_000 } };
		expect(made).toMatchObject(left);
		for (let set = 4; set <= 6; set += 1) offer(set);
		await clock.advance(MINUTE);
		made.detach();
		expect(made).toMatchObject(left);
	});

	it('keeps events for a subscriber that may return, and hands them to it', async () => {
		const { offer, lane: made, recording } = lane();
		made.detach();
		offer(1);
		await settled();
		expect(recording.runs).toHaveLength(0);
		made.attach(recording);
		await settled();
		expect(recording.runs).toHaveLength(1);
	});

	it("keeps what another user's connection brings while its own is lost, and runs it when it is let in again", async () => {
		const { offer, lane: made, recording } = lane();
		made.isServed(false);
		offer(1);
		await settled();
		expect([recording.runs.length, made.starves]).toEqual([0, false]);
		made.isServed(true);
		await settled();
		expect([recording.runs.length, made.starves]).toEqual([1, true]);
	});

	it('asks for more while its only place tries again what failed for good, until something comes', async () => {
		const { ends, outcome } = held();
		const { clock, offer, lane: made, recording } = lane({ parallelRuns: 1, attempts: 2 }, outcome);
		offer(1);
		for (let run = 0; run < 2; run += 1) {
			expect(made.starves).toBe(false);
			ends[run]!(FAILED);
			await clock.advance(10 * MINUTE);
		}
		expect([recording.runs.length, made.starves]).toEqual([3, true]);
		offer(2);
		expect(made.starves).toBe(false);
	});

	it('lets events go when the subscriber does not return, without calling them handled', async () => {
		const { offer, lane: made, recording, decisions } = lane();
		made.detach();
		offer(1);
		expect(made.dissolve(queue)).toEqual([]);
		expect(decisions).toEqual({ 1: ['remove'] });
		made.attach(recording);
		offer(1);
		await settled();
		expect(recording.runs).toHaveLength(1);
	});

	it('knows the last twenty places where it was let in', () => {
		const { lane: made } = lane();
		for (let place = 1; place <= 20; place += 1) made.letIn(String(place));
		// There again, it is the newest.
		made.letIn('1');
		made.letIn('21');
		expect(['1', '2', '3', '21'].map((place) => made.wasLetIn(place))).toEqual([true, false, true, true]);
	});

	it('ends a running event by its outcome after the subscriber left, and hands out what failed when it is gone', async () => {
		const { ends, outcome } = held();
		const { offer, decisions, lane: made } = lane({}, outcome);
		offer(1);
		const failed = offer(2);
		made.detach();
		ends[0]!(OK);
		ends[1]!(FAILED);
		await settled();
		expect(decisions).toEqual({ 1: ['remove'] });
		expect(made.dissolve(queue)).toEqual([failed]);
		expect(decisions).toEqual({ 1: ['remove'], 2: ['reject'] });
	});

	it('a narrower filter lets go of what it does not ask for, also between two attempts', async () => {
		const { clock, offer, decisions, lane: made, recording } = lane({}, () => FAILED);
		offer(1);
		await settled();
		made.detach();
		made.attach({ ...recording, filter: { ...recording.filter, statuses: ['SIGNED'] } });
		expect(decisions).toEqual({ 1: ['remove'] });
		await clock.advance(60 * MINUTE);
		expect(recording.runs).toHaveLength(1);
	});

	it.each([
		['once the run has failed', true],
		['no sooner than it is let in', false],
	])('a narrower filter lets go of what runs and is not asked for any more %s', async (_, isLetIn) => {
		const { ends, outcome } = held();
		const { offer, decisions, lane: made, recording } = lane({}, outcome);
		const narrower = { ...recording, filter: { ...recording.filter, statuses: ['SIGNED'] } };
		offer(1);
		made.detach();
		made.subscription = narrower;
		if (isLetIn) made.attach(narrower);
		ends[0]!(FAILED);
		await settled();
		expect(decisions).toEqual(isLetIn ? { 1: ['remove'] } : {});
		made.attach(narrower);
		expect(decisions).toEqual({ 1: ['remove'] });
	});
});

describe('batches', () => {
	const batch = { batchSize: 3, batchWaitMs: 2_000, keepOrder: false };
	const sizes = (runs: Run[]) => runs.map(({ events }) => events.length);

	it('start when they are full, or when the first event has waited long enough', async () => {
		const { clock, offer, recording } = lane(batch);
		for (let set = 0; set < 7; set += 1) offer(set);
		await clock.advance(1_999);
		expect(sizes(recording.runs)).toEqual([3, 3]);
		await clock.advance(1);
		expect(sizes(recording.runs)).toEqual([3, 3, 1]);
	});

	it('go one at a time when order is kept', async () => {
		const { ends, outcome } = held();
		const { clock, offer, recording } = lane({ ...batch, keepOrder: true }, outcome);
		for (let set = 0; set < 7; set += 1) offer(set);
		await clock.advance(10_000);
		expect(recording.running).toBe(1);
		ends[0]!(OK);
		await settled();
		expect(recording.runs).toHaveLength(2);
	});

	it('are tried again and settled as a whole', async () => {
		let failures = 1;
		const { clock, offer, recording, decisions } = lane(batch, () => (failures-- > 0 ? FAILED : OK));
		[1, 2, 3].forEach((set) => offer(set));
		await clock.advance(0);
		expect(decisions).toEqual({});
		await clock.advance(5_000);
		expect(sizes(recording.runs)).toEqual([3, 3]);
		expect(decisions).toEqual({ 1: ['remove'], 2: ['remove'], 3: ['remove'] });
	});

	it('with one bad event are taken apart before their last attempt, and it alone is given up', async () => {
		const bad = setIdOf(7);
		const { clock, offer, decisions, recording } = lane({ batchSize: 50 }, ({ events }) =>
			events.some(({ event }) => event.setId === bad) ? FAILED : OK,
		);
		for (let set = 0; set < 50; set += 1) offer(set);
		await clock.advance(30 * MINUTE);
		expect(Object.values(decisions).filter(([fate]) => fate === 'remove')).toHaveLength(49);
		expect(decisions[7]).toEqual(['reject']);
		expect(recording.problems).toMatchObject([{ kind: 'gaveUp', attempts: 5, events: [{ setId: bad }] }]);
	});

	it('leave repeats out', async () => {
		const { clock, offer, recording } = lane(batch);
		[1, 2, 3].forEach((set) => offer(set));
		await clock.advance(0);
		[1, 4].forEach((set) => offer(set));
		await clock.advance(2_000);
		expect(sizes(recording.runs)).toEqual([3, 1]);
	});
});

const NO_SHARE = {
	bytes: 1,
	returns: undefined,
	deaths: 0,
	number: 1,
	from: queue,
	overtakes: () => false,
	settle: () => {},
};

it('a batch does not wait an hour when the clock of the machine is set back while it fills', async () => {
	const address = addressOf({ port: 1 } as never);
	const recording = subscriber(address, 'events', { options: { batchSize: 10, batchWaitMs: 200 } });
	const made = laneOf(recording, systemClock, recordingLogger());
	made.attach(recording);
	const event = readStatusEvent(eventBody(1))!;
	made.offer({ event, redelivered: false, deliveredAt: systemClock.now() }, NO_SHARE);
	const real = Date.now;
	const setBack = jest.spyOn(Date, 'now').mockImplementation(() => real() - 60 * MINUTE);
	await new Promise((resolve) => setTimeout(resolve, 1_000));
	setBack.mockRestore();
	expect(recording.runs).toHaveLength(1);
});

describe('a lane whose workflow is in bad times', () => {
	const waits = (problems: Problem[]) => problems.filter(({ kind }) => kind === 'waits');

	it('gives up no event while none succeeds, and handles all when what it needs is back', async () => {
		let away = true;
		const { clock, offer, decisions, recording } = lane({}, () => (away ? FAILED : OK));
		for (let set = 0; set < 100; set += 1) offer(set);
		await clock.advance(20 * MINUTE);
		expect(decisions).toEqual({});
		expect(recording.runs.length).toBeLessThanOrEqual(60);
		expect(waits(recording.problems)).toHaveLength(1);
		away = false;
		await clock.advance(10 * MINUTE);
		expect(Object.values(decisions)).toEqual(Array.from({ length: 100 }, () => ['remove']));
		expect(recording.problems).toHaveLength(1);
	});

	it('gives up nothing for a success of a run that began before: it may have been past what is away by then', async () => {
		const slow = held();
		let away = true;
		const { clock, offer, decisions, recording } = lane({}, (run) => {
			if (setOf(run) === setIdOf(1)) return slow.outcome();
			return away ? FAILED : OK;
		});
		offer(1);
		for (let set = 2; set < 6; set += 1) offer(set);
		await clock.advance(2_000);
		slow.ends[0]!(OK);
		await clock.advance(12 * 60 * MINUTE);
		expect(decisions).toEqual({ 1: ['remove'] });
		away = false;
		await clock.advance(11 * MINUTE);
		expect(Object.values(decisions)).toEqual(Array.from({ length: 5 }, () => ['remove']));
		expect(recording.problems.filter(({ kind }) => kind !== 'waits')).toEqual([]);
	});

	it('gives up nothing for a success while its last attempt ran: what was away when that began may be back since', async () => {
		const slow = held();
		let failsLate = false;
		let away = true;
		const { clock, offer, decisions, recording } = lane({ attempts: 2 }, (run) => {
			if (setOf(run) === setIdOf(1) && failsLate) return slow.outcome();
			return away ? FAILED : OK;
		});
		offer(1);
		await clock.advance(1_000);
		failsLate = true;
		await clock.advance(MINUTE);
		away = false;
		offer(2);
		await clock.advance(1_000);
		failsLate = false;
		slow.ends[0]!(FAILED);
		await clock.advance(1_000);
		expect(decisions).toEqual({ 1: ['remove'], 2: ['remove'] });
		expect(recording.problems).toEqual([]);
	});

	it('tries what is stuck at once where the first success came while it ran, since what was away then may be back', async () => {
		const slow = held();
		let isSlow = false;
		let away = true;
		const {
			clock,
			offer,
			decisions,
			lane: made,
		} = lane({}, (run) => {
			if (setOf(run) === setIdOf(1) && isSlow) return slow.outcome();
			return away ? FAILED : OK;
		});
		offer(1, {}, true, 0, 15);
		await clock.advance(13 * MINUTE);
		isSlow = true;
		await clock.advance(MINUTE);
		away = false;
		offer(2, { newStatus: 'OTHER' });
		await clock.advance(1_000);
		const given = new Set<boolean>();
		made.watch(() => given.add(made.stuck.some((entry) => made.succeedsBeside(entry))));
		isSlow = false;
		slow.ends[0]!(FAILED);
		await clock.advance(1_000);
		expect(decisions).toEqual({ 1: ['remove'], 2: ['remove'] });
		expect([...given]).toEqual([false]);
	});

	it('begins the attempts of that anew too whose try ran on when another one ended the wait', async () => {
		const slow = held();
		let failsLate = false;
		let away: readonly number[] = Array.from({ length: 20 }, (_, set) => set);
		const { clock, offer, decisions, recording } = lane({ attempts: 5 }, (run) => {
			if (setOf(run) === setIdOf(1) && failsLate) return slow.outcome();
			return failing(...away)(run);
		});
		offer(1);
		await clock.advance(13 * MINUTE);
		for (let set = 2; set < 15; set += 1) offer(set);
		await clock.advance(2 * MINUTE);
		failsLate = true;
		away = [];
		await clock.advance(3 * MINUTE);
		expect(Object.keys(decisions)).toHaveLength(13);
		failsLate = false;
		away = [1];
		slow.ends[0]!(FAILED);
		await clock.advance(5 * MINUTE);
		expect(decisions[1]).toBeUndefined();
		away = [];
		await clock.advance(10 * MINUTE);
		expect(decisions[1]).toEqual(['remove']);
		expect(recording.problems.filter(({ kind }) => kind !== 'waits')).toEqual([]);
	});

	it('goes on waiting after a success of a run that began before: what is away would let all fail anew', async () => {
		const slow = held();
		const {
			clock,
			offer,
			lane: made,
			recording,
		} = lane({}, (run) => (setOf(run) === setIdOf(1) ? slow.outcome() : FAILED));
		for (let set = 1; set <= 15; set += 1) offer(set);
		await clock.advance(4 * MINUTE);
		const before = recording.runs.length;
		expect(made.wellSince).toBeUndefined();
		slow.ends[0]!(OK);
		await clock.advance(3 * MINUTE);
		expect(made.wellSince).toBeUndefined();
		expect(recording.runs).toHaveLength(before);
	});

	/** A lane of a workflow whose runs end when told, and what it said of them. */
	function fullLane(parallelRuns: number) {
		const slow = held();
		const { lane: made, ...all } = lane({ removeWhen: 'received', parallelRuns }, slow.outcome);
		const told = () => all.recording.problems.filter(({ kind }) => kind === 'waits');
		return { ...all, slow, made, told };
	}

	it('with all places taken by runs that do not end, says so after two hours, once a day, until one ends', async () => {
		const { slow, clock, offer, made, told } = fullLane(2);
		const startedAt = clock.now();
		offer(1);
		offer(2);
		await clock.advance(BOUNDS.takenMs);
		expect(made.isFull).toBe(true);
		await clock.advance(BOUNDS.reportFullAfterMs);
		// Nothing waits behind them.
		expect(told()).toEqual([]);
		const since = clock.now();
		offer(3);
		made.wentBack(queue);
		await clock.advance(BOUNDS.reportFullAfterMs);
		const reason = 'all places for runs are taken (2)';
		expect(told()).toMatchObject([{ since, placesTaken: 2, cause: 'unknown', reason }]);
		expect(told()).toMatchObject([{ nextTryInMs: startedAt + BOUNDS.heldMs - clock.now() }]);
		slow.ends[0]!(OK);
		await clock.advance(5 * BOUNDS.reportFullAfterMs);
		expect(told()).toHaveLength(1);
	});

	it('with all places taken by runs that are slow, one after another, says so once a day', async () => {
		const { slow, clock, offer, made, told } = fullLane(1);
		for (let set = 1; set <= 20; set += 1) offer(set);
		for (let run = 0; run < 8; run += 1) {
			await clock.advance(1.5 * BOUNDS.reportFullAfterMs);
			expect(made.isFull).toBe(true);
			slow.ends[run]!(OK);
			await settled();
		}
		expect(told()).toHaveLength(1);
		await clock.advance(1.5 * BOUNDS.reportFullAfterMs);
		expect(told()).toHaveLength(2);
	});

	it('with all places taken, says so also where it was published again meanwhile', async () => {
		const { clock, offer, made, recording, told } = fullLane(1);
		offer(1);
		offer(2);
		await clock.advance(BOUNDS.takenMs);
		const since = clock.now();
		await clock.advance(BOUNDS.reportFullAfterMs / 2);
		made.detach();
		made.wentBack(queue);
		made.attach(recording);
		await clock.advance(BOUNDS.reportFullAfterMs);
		expect(told()).toMatchObject([{ since, placesTaken: 1 }]);
	});

	it('beside others that are well again, it asks for more and tries at once, and what fails then is its own', async () => {
		let isBack = false;
		const { clock, offer, lane: made, recording } = lane({}, () => (isBack ? OK : FAILED));
		for (let set = 1; set <= 15; set += 1) offer(set);
		await clock.advance(2 * MINUTE);
		expect(made.failsBeside(-Infinity)).toBe(true);
		const othersWellSince = clock.now();
		const before = recording.runs.length;
		expect(made.starves).toBe(false);
		expect(made.failsBeside(othersWellSince)).toBe(false);
		expect(made.starves).toBe(true);
		await clock.advance(BOUNDS.collectMs);
		expect(made.starves).toBe(false);
		expect(recording.runs.length).toBeGreaterThan(before);
		expect(made.failsBeside(othersWellSince)).toBe(true);
		isBack = true;
		await clock.advance(10);
		expect(made.failsBeside(clock.now())).toBe(false);
		await clock.advance(BOUNDS.collectMs);
		expect(made.wellSince).toBeGreaterThan(othersWellSince);
		expect(made.resting).toBe(0);
	});

	it.each([
		[false, 0],
		[true, 1],
	])(
		'published again, says that it waits after its first try only, and where that fails: %s',
		async (fails, told) => {
			let isAway = true;
			const { clock, offer, lane: made, recording } = lane({}, () => (isAway ? FAILED : OK));
			for (let set = 1; set <= 15; set += 1) offer(set);
			await clock.advance(2 * MINUTE);
			expect(made.waiting).toBeDefined();
			made.detach();
			await clock.advance(40 * MINUTE);
			isAway = fails;
			made.attach(recording);
			await clock.advance(MINUTE);
			expect(recording.problems).toHaveLength(told);
		},
	);

	it('goes on where the process before it was, by how often the queue counted back what is there', async () => {
		const { clock, offer, recording } = lane({}, () => FAILED);
		// Where it stands by the clock decides when all are tried.
		await clock.advance(2 * 60 * MINUTE - (clock.now() % (2 * 60 * MINUTE)) + MINUTE);
		for (let set = 1; set <= 15; set += 1) offer(set, {}, true, 0, 9);
		await clock.advance(15 * MINUTE);
		const before = recording.runs.length;
		await clock.advance(100 * MINUTE);
		expect(recording.runs).toHaveLength(before);
		// At the moment at which all are.
		await clock.advance(10 * MINUTE);
		expect(recording.runs.length).toBeGreaterThan(before);
	});

	it('may fail with another one as long as its runs go on, for 20 minutes, and none has succeeded that began since', async () => {
		const { ends, outcome } = held();
		const { clock, offer, lane: made } = lane({ parallelRuns: 1 }, outcome);
		expect(made.mayFailSince(clock.now())).toBe(false);
		offer(1);
		offer(2);
		const othersWaitSince = clock.now() + 1;
		await clock.advance(2);
		expect(made.mayFailSince(othersWaitSince)).toBe(true);
		ends[0]!(OK);
		await settled();
		expect(made.mayFailSince(othersWaitSince)).toBe(true);
		offer(3);
		ends[1]!(OK);
		await settled();
		expect(made.mayFailSince(othersWaitSince)).toBe(false);
		expect(made.mayFailSince(clock.now())).toBe(true);
		await clock.advance(BOUNDS.keptMs);
		expect(made.mayFailSince(clock.now())).toBe(true);
		await clock.advance(1);
		expect(made.mayFailSince(clock.now())).toBe(false);
	});

	it('tells nothing by runs of which the event is off the queue', async () => {
		const { outcome } = held();
		const { clock, offer, lane: made } = lane({ removeWhen: 'received' }, outcome);
		offer(1);
		await settled();
		expect(made.mayFailSince(clock.now())).toBe(true);
		await clock.advance(BOUNDS.takenMs);
		expect(made.mayFailSince(clock.now())).toBe(false);
	});

	/** It waits, and tries beside others that are well again: the first of its slow runs has failed. */
	async function triesSlowly() {
		const slow = held();
		let isSlow = false;
		const { clock, offer, lane: made } = lane({}, () => (isSlow ? slow.outcome() : FAILED));
		for (let set = 1; set <= 15; set += 1) offer(set);
		await clock.advance(2 * MINUTE);
		isSlow = true;
		const othersWellSince = clock.now();
		expect(made.failsBeside(othersWellSince)).toBe(false);
		await clock.advance(BOUNDS.collectMs);
		slow.ends[0]!(FAILED);
		const failsAtOnce = () => void (isSlow = false);
		return { clock, made, slow, othersWellSince, failsAtOnce };
	}

	it('beside others that are well again, no try that goes on is taken for a failure', async () => {
		const { clock, made, slow, othersWellSince, failsAtOnce } = await triesSlowly();
		await settled();
		expect(made.failsBeside(othersWellSince)).toBe(false);
		for (const end of slow.ends) end(FAILED);
		failsAtOnce();
		await clock.advance(MINUTE);
		expect(made.failsBeside(othersWellSince)).toBe(true);
	});

	it('beside others that are well again, a round of tries that takes long holds these up for 20 minutes at most', async () => {
		const { clock, made, othersWellSince } = await triesSlowly();
		await clock.advance(BOUNDS.keptMs - BOUNDS.collectMs);
		expect(made.failsBeside(othersWellSince)).toBe(false);
		await clock.advance(1);
		expect(made.failsBeside(othersWellSince)).toBe(true);
	});

	it.each([
		['a moment, is well since before', 2, false],
		['more than ten minutes, is well since it succeeded', 8, true],
	])('having failed over one event for %s', async (_, succeedsAt, isAnew) => {
		let runs = 0;
		const made = lane({ attempts: 10 }, () => ((runs += 1) === succeedsAt ? OK : FAILED));
		made.offer(1);
		const startedAt = made.clock.now();
		await made.clock.advance(60 * MINUTE);
		expect(runs).toBe(succeedsAt);
		expect(made.lane.wellSince! > startedAt).toBe(isAnew);
	});

	it('is well since it was away, and not since one of a status of which all fail was tried last', async () => {
		let isAway = true;
		const {
			clock,
			offer,
			lane: made,
		} = lane({}, ({ events: [event] }) => (isAway || event!.event.status === 'LONE' ? FAILED : OK));
		offer(1, { newStatus: 'LONE' });
		await clock.advance(15 * MINUTE);
		expect(made.wellSince).toBeUndefined();
		isAway = false;
		const backAt = clock.now();
		for (let set = 2; set <= 60; set += 1) {
			offer(set);
			if (set === 20) offer(1_000, { newStatus: 'LONE' });
			await clock.advance(MINUTE);
		}
		offer(61);
		await settled();
		expect(made.wellSince).toBeGreaterThanOrEqual(backAt);
		expect(made.wellSince).toBeLessThan(backAt + 1);
	});

	it('is called well no sooner than after a success, or 20 minutes, where its newest runs failed', async () => {
		let fails = true;
		const { clock, offer, lane: made } = lane({ attempts: 1 }, () => (fails ? FAILED : OK));
		const cameAt = clock.now();
		expect(made.wellSince).toBe(cameAt);
		offer(1);
		await settled();
		expect(made.wellSince).toBeUndefined();
		await clock.advance(BOUNDS.keptMs + 1);
		expect(made.wellSince).toBe(cameAt);
		offer(2);
		fails = false;
		const backAt = clock.now();
		offer(3);
		await settled();
		expect(made.wellSince).toBeGreaterThanOrEqual(backAt);
	});

	it('where the broker counts deliveries, what is stuck since different times is tried at the same ones', async () => {
		const tried: Record<string, number[]> = {};
		const { clock, offer } = lane({ parallelRuns: 3 }, (run) => {
			(tried[setOf(run)!] ??= []).push(clock.now());
			return FAILED;
		});
		offer(1, {}, true, 0, 4);
		await clock.advance(60 * MINUTE);
		offer(2, {}, true, 0, 1);
		await clock.advance(135 * MINUTE);
		const from = clock.now();
		await clock.advance(24 * 60 * MINUTE);
		const [first, second] = [1, 2].map((set) => tried[setIdOf(set)]!.filter((at) => at > from));
		expect(second).toEqual(first);
		expect(first!.length).toBeLessThan(15);
	});

	it.each([
		[14, 2, 3],
		[15, 12, 18],
		[18, 24, 36],
	])(
		'where the broker has counted one that is stuck %i times, it is tried every %i hours or at most %i',
		async (returns, least, most) => {
			const tried: number[] = [];
			const { clock, offer } = lane({}, () => {
				tried.push(clock.now());
				return FAILED;
			});
			offer(1, {}, true, 0, returns);
			await clock.advance(30 * MINUTE);
			const from = tried.length - 1;
			await clock.advance(120 * 60 * MINUTE);
			const gaps = tried.slice(from + 1).map((at, index) => (at - tried[from + index]!) / (60 * MINUTE));
			expect(Math.max(...gaps)).toBeLessThanOrEqual(most);
			expect(Math.min(...gaps.slice(1))).toBeGreaterThan(least - 0.1);
		},
	);

	it('is told when the next try is, also while the queue has what is stuck', async () => {
		const { clock, offer, recording, lane: made } = lane({}, () => FAILED);
		offer(1, {}, true, 0, 1);
		await clock.advance(13 * MINUTE);
		made.wentBack(queue);
		await clock.advance(5 * MINUTE);
		expect(recording.problems).toMatchObject([{ kind: 'waits', countsDeliveries: true }]);
		// Eight minutes after it became stuck, at 12:35.
		const [told] = recording.problems as Array<{ since: number; nextTryInMs: number }>;
		expect(told!.nextTryInMs).toBeLessThanOrEqual(MINUTE);
	});

	it('where what was stuck is gone from the queue, is not told to wait, and what fails next is tried soon', async () => {
		let away = true;
		const { clock, offer, recording, decisions, lane: made } = lane({}, () => (away ? FAILED : OK));
		const bad = offer(1, {}, true, 0, 1);
		await clock.advance(30 * 60 * MINUTE);
		const before = recording.problems.length;
		made.wentBack(queue);
		made.gone(bad);
		await clock.advance(48 * 60 * MINUTE);
		expect(recording.problems).toHaveLength(before);
		offer(2, {}, true, 0, 1);
		await clock.advance(15 * MINUTE);
		away = false;
		await clock.advance(6 * MINUTE);
		expect(decisions).toEqual({ 2: ['remove'] });
	});

	it.each([
		['goes on being tried rarely, and the queue is left alone,', 'before', true],
		['is tried every ten minutes in the end, and the queue is not left alone,', 'since', false],
	])(
		'where the broker counts deliveries, what is stuck %s when one succeeds that has begun %s',
		async (_, _when, before) => {
			const slow = held();
			const {
				clock,
				offer,
				lane: made,
				recording,
			} = lane({ parallelRuns: 3 }, (run) => (setOf(run) === setIdOf(9) ? slow.outcome() : FAILED));
			if (before) offer(9, { newStatus: 'OTHER' });
			offer(1, {}, true, 0, 4);
			await clock.advance(15 * MINUTE);
			if (!before) offer(9, { newStatus: 'OTHER' });
			await clock.advance(MINUTE);
			slow.ends[0]!(OK);
			await clock.advance(8 * 60 * MINUTE);
			expect(made.quietUntil !== undefined).toBe(before);
			expect(recording.runs.length < 20).toBe(before);
			expect(recording.runs.length).toBeLessThan(70);
		},
	);

	it.each<[string, RunOutcome, boolean]>([
		[
			'where it cannot start runs, and without anything to try not for ever',
			{ kind: 'notStarted', reason: 'database' },
			true,
		],
		['and not where runs fail', FAILED, false],
	])('its host is called ill %s', async (_, outcome, isIll) => {
		const { clock, offer, lane: made } = lane({}, () => outcome);
		expect(made.hostIsIll).toBe(false);
		for (let set = 0; set < 15; set += 1) offer(set);
		await clock.advance(60 * MINUTE);
		expect([made.waiting !== undefined, made.hostIsIll]).toEqual([true, isIll]);
		made.wentBack(queue);
		expect(made.hostIsIll).toBe(isIll);
		await clock.advance(60 * MINUTE);
		expect(made.hostIsIll).toBe(false);
		offer(1, {}, true);
		expect(made.hostIsIll).toBe(isIll);
	});

	it('settles nothing while runs cannot be started, whatever is to be waited for', async () => {
		for (const removeWhen of ['succeeded', 'finished', 'received'] as const) {
			let ill = true;
			const { clock, offer, decisions, recording } = lane({ removeWhen }, () =>
				ill ? { kind: 'notStarted', reason: 'database' } : OK,
			);
			for (let set = 0; set < 50; set += 1) offer(set);
			await clock.advance(24 * 60 * MINUTE);
			expect(decisions).toEqual({});
			expect(recording.problems.length).toBeLessThanOrEqual(2);
			ill = false;
			await clock.advance(11 * MINUTE);
			expect(Object.keys(decisions)).toHaveLength(50);
		}
	});

	it.each([
		[1, 'remove'],
		[100, 'reject'],
	])('of one attempt, refused by a host that starts others in between %i times: %s', async (most, fate) => {
		const refused: RunOutcome = { kind: 'notStarted', reason: 'database' };
		let [between, isRefused, othersBegan] = [0, false, false];
		const { clock, offer, decisions } = lane({ attempts: 1 }, (run) => {
			if (setOf(run) !== setIdOf(3)) {
				othersBegan = true;
				return OK;
			}
			if (isRefused && othersBegan) between += 1;
			[isRefused, othersBegan] = [true, false];
			return between > most ? OK : refused;
		});
		for (let set = 0; set < 20; set += 1) {
			offer(set);
			await clock.advance(5 * MINUTE);
		}
		await clock.advance(60 * MINUTE);
		const others = Object.entries(decisions).filter(([set]) => set !== '3');
		expect(others.map(([, [each]]) => each)).toEqual(Array.from({ length: 19 }, () => 'remove'));
		expect(decisions[3]).toEqual([fate]);
	});

	it('finds what is well behind fifty failing sets within 40 minutes, and gives the failing ones up', async () => {
		const bad = Array.from({ length: 50 }, (_, set) => set);
		const { clock, offer, decisions } = lane({}, failing(...bad));
		for (let set = 0; set < 80; set += 1) offer(set);
		await clock.advance(40 * MINUTE);
		for (let set = 50; set < 80; set += 1) expect(decisions[set]).toEqual(['remove']);
		for (let hours = 0; hours < 12; hours += 1) {
			offer(100 + hours);
			await clock.advance(60 * MINUTE);
		}
		expect(bad.map((set) => decisions[set])).toEqual(bad.map(() => ['reject']));
		for (let hours = 0; hours < 12; hours += 1) expect(decisions[100 + hours]).toEqual(['remove']);
	});

	it('one failing event alone holds nothing up that comes later', async () => {
		const { clock, offer, decisions } = lane({}, failing(1));
		offer(1);
		await clock.advance(180 * MINUTE);
		expect(decisions).toEqual({});
		offer(2);
		await clock.advance(0);
		expect(decisions[2]).toEqual(['remove']);
	});

	it.each([
		['', false, undefined],
		[', also on a queue that counts deliveries', true, 1],
	])(
		'what alone of its status fails is tried now and then, however many others succeed%s',
		async (_, again, returns) => {
			const { clock, offer, decisions, recording } = lane({}, failing(1));
			offer(1, { newStatus: 'TITLE_HELD' }, again, 0, returns);
			for (let set = 2; set < 242; set += 1) {
				offer(set);
				await clock.advance(MINUTE);
			}
			expect(Object.keys(decisions)).toHaveLength(240);
			const runs = recording.runs.filter((run) => setOf(run) === setIdOf(1)).length;
			expect(runs).toBeGreaterThan(20);
			expect(runs).toBeLessThan(35);
			// Some other one of its status works: now it is this event.
			offer(300, { newStatus: 'TITLE_HELD' });
			await clock.advance(MINUTE);
			expect(decisions[1]).toEqual(['reject']);
		},
	);

	it.each([
		['fails again', true],
		['is well', false],
	])(
		'others succeed beside what is stuck, once that was tried after the first of them: it %s',
		async (_, fails) => {
			let away = true;
			const {
				clock,
				offer,
				lane: made,
			} = lane({}, (run) => (away && setOf(run) === setIdOf(1) ? FAILED : OK));
			offer(1, { newStatus: 'TITLE_HELD' });
			await clock.advance(15 * MINUTE);
			const seen: boolean[] = [];
			const look = () => void seen.push(made.stuck.some((entry) => made.succeedsBeside(entry)));
			made.watch(look);
			away = fails;
			const event = readStatusEvent(eventBody(2))!;
			const share = {
				bytes: 500,
				returns: undefined,
				deaths: 0,
				number: 2,
				from: queue,
				overtakes: () => false,
				settle: look,
			};
			made.offer({ event, redelivered: false, deliveredAt: clock.now() }, share);
			await clock.advance(MINUTE);
			expect(seen.some(Boolean)).toBe(fails);
			expect(seen[0]).toBe(false);
		},
	);

	it('tries at once when its workflow is published again', async () => {
		let away = true;
		const { clock, offer, decisions, lane: made, recording } = lane({}, () => (away ? FAILED : OK));
		for (let set = 0; set < 20; set += 1) offer(set);
		await clock.advance(100 * MINUTE);
		away = false;
		made.detach();
		made.attach(recording);
		await clock.advance(10_000);
		expect(Object.keys(decisions)).toHaveLength(20);
	});

	it('tries at once what was on the queue when its workflow was published again, since nothing of it was to start for hours', async () => {
		let away = true;
		const { clock, offer, decisions, lane: made, recording } = lane({}, () => (away ? FAILED : OK));
		offer(1, {}, true, 0, 1);
		await clock.advance(200 * MINUTE);
		made.wentBack(queue);
		away = false;
		made.detach();
		made.attach(recording);
		offer(1, {}, true, 0, 2);
		await clock.advance(1_000);
		expect(decisions).toEqual({ 1: ['remove'] });
	});

	it('tries more often again when its queue was made anew as one that counts no deliveries', async () => {
		const { clock, offer, lane: made, recording } = lane({ parallelRuns: 1, attempts: 20 }, () => FAILED);
		const come = (returns?: number) => {
			made.wentBack(queue);
			for (let set = 1; set <= 12; set += 1) offer(set, {}, true, 0, returns);
		};
		const triesInAnHour = async () => {
			const before = recording.runs.length;
			await clock.advance(60 * MINUTE);
			return recording.runs.length - before;
		};
		come(4);
		await clock.advance(200 * MINUTE);
		const whereCounted = await triesInAnHour();
		come();
		// What was put off for hours is tried at its time.
		await clock.advance(120 * MINUTE);
		expect(whereCounted).toBeLessThanOrEqual(9);
		expect(await triesInAnHour()).toBeGreaterThanOrEqual(15);
	});

	it('tries as often as without a count of deliveries where another one is well beside it, since a rarer try would spare none', async () => {
		const { clock, offer, lane: made, recording } = lane({ parallelRuns: 1, attempts: 20 }, () => FAILED);
		for (let set = 1; set <= 12; set += 1) offer(set, {}, true, 0, 4);
		made.isLeftAlone = false;
		await clock.advance(200 * MINUTE);
		const before = recording.runs.length;
		await clock.advance(60 * MINUTE);
		expect(recording.runs.length - before).toBeGreaterThanOrEqual(15);
	});

	it('runs at once what its host refused a moment ago, once that starts runs again', async () => {
		let ill = true;
		const {
			clock,
			offer,
			decisions,
			lane: made,
			recording,
		} = lane({}, () => (ill ? { kind: 'notStarted', reason: 'database' } : OK));
		for (let set = 0; set < 5; set += 1) offer(set);
		await clock.advance(1_000);
		ill = false;
		made.detach();
		made.attach(recording);
		await clock.advance(10_000);
		expect(Object.keys(decisions)).toHaveLength(5);
	});

	it('is tried no later for having been published again many times', async () => {
		let away = true;
		const { clock, offer, decisions, lane: made, recording } = lane({}, () => (away ? FAILED : OK));
		for (let set = 0; set < 20; set += 1) offer(set);
		await clock.advance(10 * MINUTE);
		for (let times = 0; times < 10; times += 1) {
			made.detach();
			made.attach(recording);
			await clock.advance(10_000);
		}
		away = false;
		await clock.advance(10 * MINUTE);
		expect(Object.keys(decisions)).toHaveLength(20);
	});

	it('is told to a person after five minutes, and then once a day', async () => {
		const { clock, offer, recording } = lane({}, () => FAILED);
		for (let set = 0; set < 20; set += 1) offer(set);
		await clock.advance(5 * MINUTE - 1);
		expect(recording.problems).toEqual([]);
		await clock.advance(MINUTE);
		expect(recording.problems).toMatchObject([{ kind: 'waits', cause: 'failing' }]);
		await clock.advance(72 * 60 * MINUTE);
		expect(recording.problems).toHaveLength(4);
	});

	it('is shown at once to who looks, from its beginning to its end, also by a new version', async () => {
		let away = true;
		const { clock, offer, recording, lane: made } = lane({}, () => (away ? FAILED : OK));
		const { subscription: looked } = watched(recording, clock);
		made.attach(looked);
		const shown = () => viewOf(addressOf({ port: 1 } as never), 'events').triggers.map((view) => view.paused);
		await looked.readAddress();
		expect(shown()).toEqual([undefined]);
		for (let set = 0; set < 20; set += 1) offer(set);
		await clock.advance(10_000);
		const wait = { reason: 'the mail server is down', since: made.waiting!.since };
		expect(shown()).toEqual([wait]);
		expect(recording.problems).toEqual([]);

		const { subscription: newer, end } = watched(recording, clock);
		await newer.readAddress();
		made.attach(newer);
		expect(shown()).toEqual([wait, wait]);
		end();
		away = false;
		await clock.advance(10_000);
		expect(made.waiting).toBeUndefined();
		made.attach(looked);
		expect(shown()).toEqual([undefined]);
	});

	it('waits when n8n does not say how three runs in a row ended', async () => {
		const { clock, offer, recording, decisions } = lane({ parallelRuns: 1 }, held().outcome);
		for (let set = 0; set < 10; set += 1) offer(set);
		await clock.advance(3 * 25 * MINUTE);
		expect(Object.keys(decisions)).toHaveLength(3);
		expect(recording.runs).toHaveLength(3);
		await clock.advance(MINUTE - 1);
		expect(recording.runs).toHaveLength(3);
	});

	it('with one attempt runs nothing twice', async () => {
		const { clock, offer, recording } = lane({ attempts: 1 }, () => FAILED);
		for (let set = 0; set < 40; set += 1) offer(set);
		await clock.advance(240 * MINUTE);
		expect(new Set(recording.setIds).size).toBe(recording.setIds.length);
		expect(recording.problems.filter(({ kind }) => kind === 'gaveUp')).toHaveLength(recording.runs.length);
	});
});

it('is told of what has failed when it leaves for good, also where its attempts had begun anew by then', async () => {
	const {
		clock,
		offer,
		lane: made,
	} = lane({ batchSize: 2, batchWaitMs: 1_000, attempts: 2, parallelRuns: 1 }, ({ events }) =>
		events.length === 2 ? FAILED : new Promise(() => {}),
	);
	const [, second] = [offer(1), offer(2)];
	// The batch failed and is taken apart: its first event runs by itself, the second one waits.
	await clock.advance(1_000);
	made.detach();
	expect(made.dissolve(queue)).toEqual([second]);
});

it('starts each of hundreds that come at once, and of those that come a moment later', async () => {
	const { clock, offer, recording } = lane({ parallelRuns: 200 }, held().outcome);
	for (const count of [150, 160]) {
		for (let set = count - 10; set < count; set += 1) offer(set);
		for (let set = 0; set < count - 10; set += 1) offer(set);
		await clock.advance(50);
		expect(recording.runs).toHaveLength(count);
	}
});

it('looks at thousands that come at once together, not through all that wait for each of them', async () => {
	const {
		clock,
		offer,
		recording,
		lane: made,
	} = lane({ batchSize: 500, batchWaitMs: 1_000 }, () => new Promise(() => {}));
	const looks = jest.spyOn(Entries.prototype, Symbol.iterator);
	for (let set = 0; set < 3_000; set += 1) offer(set);
	await clock.advance(1_000);
	expect(recording.runs.map(({ events }) => events.length)).toEqual([500]);
	expect(looks.mock.calls.length).toBeLessThan(150);
	looks.mockRestore();
	offer(3_000);
	made.detach();
	expect(clock.pending).toBe(1);
});
