import type { Problem, RunOutcome, Subscription } from '../../../service/queue/contract';
import { viewOf, watched, whileListening } from '../../../service/queue/watch';
import { ServiceError } from '../../../service/errors';
import { manualClock } from '../../support/manualClock';
import { addressOf, subscriber } from '../../support/subscriber';

const ADDRESS = addressOf({ port: 5672 } as never);

const ends: Array<() => void> = [];
afterEach(() => {
	for (const end of ends.splice(0)) end();
});

/** A trigger on a queue, whose runs end as it is told. */
async function trigger(changes: Partial<Subscription> = {}, address = ADDRESS) {
	const clock = manualClock();
	let ending: Promise<RunOutcome> = Promise.resolve({ kind: 'succeeded' });
	const told = subscriber(address, 'events', { run: () => ending, ...changes });
	const { subscription, joined, end } = watched(told, clock);
	ends.push(end);
	await subscription.readAddress();
	const runs = async (outcome: RunOutcome, ...deliveredAt: number[]) => {
		ending = Promise.resolve(outcome);
		return await subscription.run(deliveredAt.map((at) => ({ deliveredAt: at })) as never, 1);
	};
	const view = () => viewOf(address, 'events').triggers[0]!;
	return { clock, told, subscription, joined, end, runs, view };
}

const WAITS: Problem = {
	...{ kind: 'waits', cause: 'unknown', reason: 'the mail server is down' },
	...{ since: 5, nextTryInMs: 0, countsDeliveries: false },
};
const OUTAGE: Problem = { kind: 'outage', error: new ServiceError('network', 'Nothing answers') } as Problem;

it('is told of from its start to its end, by its title', async () => {
	const { clock, view, end } = await trigger({ title: 'Orders' });
	expect(view()).toEqual({ title: 'Orders', since: clock.now(), running: 0, resting: undefined });
	end();
	expect(viewOf(ADDRESS, 'events').triggers).toEqual([]);
});

it('has in hand what its place at the hub says', async () => {
	const { joined, view } = await trigger();
	joined({ resting: () => 3 } as never);
	expect(view().resting).toBe(3);
	// Of an older version.
	joined({} as never);
	expect(view().resting).toBeUndefined();
});

it('shows how many runs go on, and when the newest event came, whatever comes behind it', async () => {
	let end!: (outcome: RunOutcome) => void;
	const { subscription, view, runs } = await trigger();
	await runs({ kind: 'succeeded' }, 7, 9, 8);
	await runs({ kind: 'succeeded' }, 6);
	expect([view().lastEventAt, view().running]).toEqual([9, 0]);
	const long = await trigger({ run: () => new Promise((resolve) => (end = resolve)) });
	const run = long.subscription.run([], 1);
	expect(viewOf(ADDRESS, 'events').triggers.map(({ running }) => running)).toEqual([0, 1]);
	end({ kind: 'failed', reason: 'x' });
	expect(await run).toEqual({ kind: 'failed', reason: 'x' });
	expect(viewOf(ADDRESS, 'events').triggers.map(({ running }) => running)).toEqual([0, 0]);
	await expect(subscription.run([], 1)).resolves.toEqual({ kind: 'succeeded' });
});

it.each<[RunOutcome['kind'], 'fails still' | 'fails no more']>([
	['succeeded', 'fails no more'],
	['waiting', 'fails no more'],
	['stopped', 'fails still'],
	['shutdown', 'fails still'],
])('fails since its first failure, with the newest words; after a run that %s, it %s', async (kind, then) => {
	const { clock, runs, view } = await trigger();
	const since = clock.now();
	await runs({ kind: 'failed', reason: 'first' });
	await clock.advance(1_000);
	await runs({ kind: 'notStarted', reason: 'second' });
	expect(view().failing).toEqual({ since, reason: 'second' });
	await runs({ kind } as RunOutcome);
	expect(view().failing?.reason).toBe(then === 'fails still' ? 'second' : undefined);
});

describe('a trigger that waits', () => {
	it('says since when and why, hands that on, and says when it is over', async () => {
		const waits: unknown[] = [];
		const { subscription, view } = await trigger({ onWait: (wait) => void waits.push(wait?.reason) });
		subscription.onWait?.({ cause: 'failing', reason: 'x', since: 4 });
		expect(view().paused).toEqual({ since: 4, reason: 'x' });
		subscription.onWait?.(undefined);
		expect(view().paused).toBeUndefined();
		expect(waits).toEqual(['x', undefined]);
		const deaf = await trigger();
		deaf.subscription.onWait?.({ cause: 'failing', reason: 'x', since: 4 });
	});

	it.each<[string, Problem, RunOutcome['kind'], boolean]>([
		['for its failures goes on after one more', WAITS, 'failed', true],
		['for its failures is over after a success', WAITS, 'succeeded', false],
		['for its failures is over when a run waits in n8n', WAITS, 'waiting', false],
		[
			'because n8n starts none goes on where it starts none',
			{ ...WAITS, cause: 'notStarting' } as Problem,
			'notStarted',
			true,
		],
		[
			'because n8n starts none is over once one has started',
			{ ...WAITS, cause: 'notStarting' } as Problem,
			'failed',
			false,
		],
		[
			'for a place is over when a run has ended, however it ended',
			{ ...WAITS, placesTaken: 1 } as Problem,
			'failed',
			false,
		],
	])('%s', async (_, waits, kind, goesOn) => {
		const { subscription, told, runs, view } = await trigger();
		subscription.report(waits);
		expect([view().paused, told.problems]).toEqual([
			{ since: 5, reason: 'the mail server is down' },
			[waits],
		]);
		await runs({ kind, reason: 'x' } as RunOutcome);
		expect(view().paused !== undefined).toBe(goesOn);
	});

	it('for something else than a place does so when a run has ended', async () => {
		const { subscription, runs, view } = await trigger();
		subscription.report({ ...WAITS, placesTaken: 1 } as Problem);
		subscription.onWait?.({ cause: 'failing', reason: 'x', since: 4 });
		await runs({ kind: 'failed', reason: 'x' });
		expect(view().paused).toEqual({ since: 4, reason: 'x' });
	});
});

describe('an outage', () => {
	it('is over when a run begins', async () => {
		const { subscription, runs, view, told } = await trigger();
		subscription.report(OUTAGE);
		expect([view().outage, told.problems]).toEqual(['Nothing answers', [OUTAGE]]);
		await runs({ kind: 'succeeded' });
		expect(view().outage).toBeUndefined();
	});

	it.each([
		['of the queue is over where the queue is listened to', undefined, undefined],
		['of this trigger alone is not', true, 'Nothing answers'],
	])('%s', async (_, othersListen, expected) => {
		const { subscription, view } = await trigger();
		subscription.report({ ...OUTAGE, othersListen } as Problem);
		const [seen] = whileListening([view()]);
		expect(seen).toEqual({ ...view(), outage: expected });
	});

	it('leaves what else is told as it is', async () => {
		const { subscription, view } = await trigger();
		subscription.report({ kind: 'unknownResult', events: [] });
		expect([view().outage, view().paused]).toEqual([undefined, undefined]);
	});
});

describe('several triggers', () => {
	const other = { ...ADDRESS, username: 'other' };

	it('of one account show all of them; one of another account is counted, and one of another queue is not', async () => {
		await trigger({ title: 'A' });
		await trigger({ title: 'B' });
		await trigger({ title: 'C' }, other);
		await trigger({ title: 'D', queue: 'elsewhere' });
		await trigger({ title: 'E' }, { ...ADDRESS, vhost: 'elsewhere' });
		const { triggers, accounts, allRead } = viewOf(ADDRESS, 'events');
		expect([triggers.map(({ title }) => title), accounts, allRead]).toEqual([['A', 'B'], 2, true]);
	});

	it.each<[string, Problem]>([
		['cannot listen', OUTAGE],
		['waits', WAITS],
	])('do not all read the queue where one of another account %s', async (_, problem) => {
		const own = await trigger();
		const theirs = await trigger({}, other);
		own.subscription.report(problem);
		expect(viewOf(ADDRESS, 'events').allRead).toBe(true);
		theirs.subscription.report(problem);
		expect(viewOf(ADDRESS, 'events').allRead).toBe(false);
	});
});
