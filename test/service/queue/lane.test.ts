import { readStatusEvent } from '../../../service/model/event';
import { Lane } from '../../../service/queue/lane';
import { Repeats } from '../../../service/queue/repeats';
import type { LaneOptions, RunOutcome } from '../../../service/queue/subscription';
import { systemClock } from '../../../service/surroundings';
import type { Decision } from '../../../service/queue/verdict';
import { eventBody } from '../../support/events';
import { manualClock, settled } from '../../support/manualClock';
import { addressOf, recordingLogger, subscriber, type Run } from '../../support/subscriber';

const MINUTE = 60_000;
const FAILED: RunOutcome = { kind: 'failed', reason: 'the mail server is down' };
const OK: RunOutcome = { kind: 'succeeded' };

function lane(options: Partial<LaneOptions> = {}, outcome?: (run: Run) => RunOutcome | Promise<RunOutcome>) {
	const clock = manualClock();
	const logger = recordingLogger();
	const address = addressOf({ port: 1 } as never);
	const recording = subscriber(address, 'events', { options, outcome });
	const made = new Lane(recording, new Repeats(clock), clock, logger);
	const decisions: Record<string, Decision[]> = {};
	const offer = (set: number, changes: Record<string, unknown> = {}, redelivered = false) => {
		const event = readStatusEvent(eventBody(set, changes))!;
		const name = `${set}${changes.updatedDate ?? ''}`;
		made.offer({ event, redelivered, deliveredAt: clock.now() }, (decision) => {
			(decisions[name] ??= []).push(decision);
		});
		return event;
	};
	return { clock, logger, recording, lane: made, decisions, offer };
}

/** Runs that end when they are told to. */
function held() {
	const ends: Array<(outcome: RunOutcome) => void> = [];
	return { ends, outcome: () => new Promise<RunOutcome>((resolve) => ends.push(resolve)) };
}

describe('attempts', () => {
	it.each<[string, RunOutcome, Decision]>([
		['success', OK, 'done'],
		['a run that waits', { kind: 'waiting' }, 'done'],
		['a run stopped by hand', { kind: 'stopped' }, 'done'],
		['a host that goes down', { kind: 'shutdown' }, 'giveBack'],
	])('%s is settled at once, as %s → %s', async (_, outcome, decision) => {
		const { offer, decisions, recording } = lane({}, () => outcome);
		offer(1);
		await settled();
		expect(decisions).toEqual({ 1: [decision] });
		expect(recording.runs).toHaveLength(1);
	});

	it('tries a failing event exactly so often, with growing waits, then gives it up with one report', async () => {
		const { clock, offer, decisions, recording } = lane({ attempts: 5 }, () => FAILED);
		offer(1);
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
			expect(recording.runs).toHaveLength(runs);
		}
		expect(recording.runs.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5]);
		expect(decisions).toEqual({ 1: ['gaveUp'] });
		expect(recording.problems).toMatchObject([
			{ kind: 'gaveUp', attempts: 5, reason: 'the mail server is down' },
		]);
		await clock.advance(60 * MINUTE);
		expect(recording.runs).toHaveLength(5);
	});

	it('tries again what n8n could not start', async () => {
		let times = 0;
		const { clock, offer, decisions } = lane({}, () =>
			(times += 1) < 3 ? { kind: 'notStarted', reason: 'database' } : OK,
		);
		offer(1);
		await clock.advance(35_000);
		expect(decisions).toEqual({ 1: ['done'] });
	});

	it('goes on counting when an event is given back between attempts and comes again', async () => {
		const { clock, offer, decisions, lane: made, recording } = lane({ attempts: 3 }, () => FAILED);
		offer(1);
		await clock.advance(0);
		made.detach('giveBack');
		expect(decisions).toEqual({ 1: ['giveBack'] });
		made.attach(recording);
		offer(1, {}, true);
		await clock.advance(35_000);
		expect(recording.runs.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
		expect(decisions).toEqual({ 1: ['giveBack', 'gaveUp'] });
	});
});

describe('removal', () => {
	it('"finished" removes an event whose run failed, without another attempt', async () => {
		const { clock, offer, decisions, recording } = lane({ removeWhen: 'finished' }, () => FAILED);
		offer(1);
		await clock.advance(60 * MINUTE);
		expect(decisions).toEqual({ 1: ['done'] });
		expect(recording.runs).toHaveLength(1);
		expect(recording.problems).toEqual([]);
	});

	it('"received" removes at the start of the run, still within the parallel runs', async () => {
		const { ends, outcome } = held();
		const { offer, decisions } = lane({ removeWhen: 'received', parallelRuns: 2 }, outcome);
		[1, 2, 3].forEach((set) => offer(set));
		expect(decisions).toEqual({ 1: ['done'], 2: ['done'] });
		ends[0]!(OK);
		await settled();
		expect(decisions).toEqual({ 1: ['done'], 2: ['done'], 3: ['done'] });
	});

	it('a run that could not start is reported where it is not tried again', async () => {
		const { offer, recording } = lane({ removeWhen: 'received' }, () => ({
			kind: 'notStarted',
			reason: 'database',
		}));
		offer(1);
		await settled();
		expect(recording.problems).toMatchObject([{ kind: 'notStarted', reason: 'database' }]);
	});
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
		expect(decisions).toEqual({ 6: ['done'] });
	});
});

describe('deadlines', () => {
	it('a run that never answers is removed with one report and never started again', async () => {
		const { clock, offer, decisions, recording } = lane({}, held().outcome);
		offer(1);
		await clock.advance(25 * MINUTE - 1);
		expect(decisions).toEqual({});
		await clock.advance(1);
		expect(decisions).toEqual({ 1: ['done'] });
		expect(recording.problems).toMatchObject([{ kind: 'unknownResult' }]);
		offer(1, {}, true);
		await clock.advance(60 * MINUTE);
		expect(recording.runs).toHaveLength(1);
	});

	it("does not wait for a run longer than the workflow's own limit", async () => {
		const { clock, offer, decisions } = lane({ runDeadlineMs: 90_000 }, held().outcome);
		offer(1);
		await clock.advance(90_000);
		expect(decisions).toEqual({ 1: ['done'] });
	});

	it('gives back what could not start in time, and what waits behind it in its set', async () => {
		const { clock, offer, decisions } = lane({ parallelRuns: 1, runDeadlineMs: 24 * MINUTE }, held().outcome);
		offer(1);
		offer(2, { updatedDate: 'a' });
		await clock.advance(MINUTE);
		offer(2, { updatedDate: 'b' });
		await clock.advance(19 * MINUTE);
		expect(decisions).toEqual({ '2a': ['giveBack'], '2b': ['giveBack'] });
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
		['delivered again', true],
		['sent twice', false],
	])(
		'an event that ended well and is %s is removed without a run, with a log line',
		async (_, redelivered) => {
			const { offer, decisions, recording, logger } = lane();
			offer(1);
			await settled();
			offer(1, {}, redelivered);
			expect(decisions).toEqual({ 1: ['done', 'done'] });
			expect(recording.runs).toHaveLength(1);
			expect(logger.lines.join()).toContain('repeat');
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
		expect(decisions).toEqual({ 1: ['done', 'done'] });
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
		expect(decisions).toEqual({ 1: ['gaveUp', 'gaveUp', 'done'] });
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
		made.dropWaiting();
		offer(1, {}, true);
		offer(2, {}, true);
		ends[0]!(OK);
		await settled();
		ends[1]!(OK);
		await settled();
		expect(recording.setIds).toHaveLength(2);
		expect(decisions).toEqual({ 1: ['done', 'done'], 2: ['giveBack', 'done'] });
	});

	it('keeps events for a subscriber that may return, and hands them to it', async () => {
		const { offer, lane: made, recording } = lane();
		made.detach('keep');
		offer(1);
		await settled();
		expect(recording.runs).toHaveLength(0);
		made.attach(recording);
		await settled();
		expect(recording.runs).toHaveLength(1);
	});

	it('lets events go when the subscriber does not return, without calling them handled', async () => {
		const { offer, lane: made, recording, decisions } = lane();
		made.detach('keep');
		offer(1);
		made.detach('done');
		expect(decisions).toEqual({ 1: ['done'] });
		made.attach(recording);
		offer(1);
		await settled();
		expect(recording.runs).toHaveLength(1);
	});

	it('ends a running event by its outcome after the subscriber left', async () => {
		const { ends, outcome } = held();
		const { offer, decisions, lane: made } = lane({}, outcome);
		offer(1);
		offer(2);
		made.detach('giveBack');
		ends[0]!(OK);
		ends[1]!(FAILED);
		await settled();
		expect(decisions).toEqual({ 1: ['done'], 2: ['giveBack'] });
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
		expect(decisions).toEqual({ 1: ['done'], 2: ['done'], 3: ['done'] });
	});

	describe('with an event that was given back before its last attempt', () => {
		async function givenBack(options: Partial<LaneOptions>) {
			let down = true;
			const all = lane({ batchSize: 10, attempts: 3, ...options }, () => (down ? FAILED : OK));
			all.offer(1);
			await all.clock.advance(2_000 + 5_000);
			all.lane.detach('giveBack');
			all.lane.attach(all.recording);
			all.offer(1, {}, true);
			for (let set = 2; set <= 10; set += 1) all.offer(set);
			const runs = () => all.recording.runs.map(({ attempt, events }) => [attempt, events.length]);
			expect(runs().slice(0, 2)).toEqual([
				[1, 1],
				[2, 1],
			]);
			return { ...all, runs: () => runs().slice(2), mend: () => (down = false) };
		}

		it('do not give up the fresh ones with it, nor shorten its wait', async () => {
			const { clock, runs, mend, decisions } = await givenBack({ keepOrder: true });
			await clock.advance(29_999);
			expect(runs()).toEqual([]);
			await clock.advance(1);
			expect(runs()).toEqual([
				[3, 1],
				[1, 9],
			]);
			expect(decisions).toEqual({ 1: ['giveBack', 'gaveUp'] });
			mend();
			await clock.advance(5_000);
			expect(runs().at(-1)).toEqual([2, 9]);
			for (let set = 2; set <= 10; set += 1) expect(decisions[set]).toEqual(['done']);
		});

		it('go on without it where order is not kept', async () => {
			const { clock, runs, mend, decisions } = await givenBack({ keepOrder: false });
			mend();
			await clock.advance(2_000);
			expect(runs()).toEqual([[1, 9]]);
			await clock.advance(28_000);
			expect(runs()).toEqual([
				[1, 9],
				[3, 1],
			]);
			expect(decisions[1]).toEqual(['giveBack', 'done']);
		});
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

it('a batch does not wait an hour when the clock of the machine is set back while it fills', async () => {
	const address = addressOf({ port: 1 } as never);
	const recording = subscriber(address, 'events', { options: { batchSize: 10, batchWaitMs: 200 } });
	const made = new Lane(recording, new Repeats(systemClock), systemClock, recordingLogger());
	const event = readStatusEvent(eventBody(1))!;
	made.offer({ event, redelivered: false, deliveredAt: systemClock.now() }, () => {});
	const real = Date.now;
	const setBack = jest.spyOn(Date, 'now').mockImplementation(() => real() - 60 * MINUTE);
	await new Promise((resolve) => setTimeout(resolve, 1_000));
	setBack.mockRestore();
	expect(recording.runs).toHaveLength(1);
});
