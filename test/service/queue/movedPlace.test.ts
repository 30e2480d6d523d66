import { ServiceError } from '../../../service/errors';
import { BOUNDS } from '../../../service/queue/bounds';
import type { Problem, QueueAddress, RunOutcome } from '../../../service/queue/contract';
import { setIdOf } from '../../support/events';
import { addressOf, subscriber } from '../../support/subscriber';
import { listening } from '../../support/withoutBroker';

const ours = addressOf({ port: 1 } as never);

const theirs = { ...ours, vhost: 'theirs' };

/** Two workflows on one queue; one has a run that goes on, and two events behind it. */
async function backlog({ skipRepeats = true, placesThere = 1 } = {}) {
	const world = listening();
	const { hub, clock, reading, deliver } = world;
	const ends: Array<(outcome: RunOutcome) => void> = [];
	const outcome = () => new Promise<RunOutcome>((end) => ends.push(end));
	const options = { parallelRuns: 1, skipRepeats };
	await hub.subscribe(subscriber(ours, 'events', { key: 'stays:node' }), false);
	let own: QueueAddress = ours;
	const before = subscriber(ours, 'events', { outcome, options, readAddress: async () => own });
	const member = await hub.subscribe(before, false);
	await clock.advance(2_000);
	const [first] = reading();
	for (const set of [1, 2, 3]) await deliver(set, first);
	expect(before.setIds).toEqual([setIdOf(1)]);
	const publish = async (changes: Partial<QueueAddress>, end?: () => Promise<RunOutcome>) => {
		const asks = { options: { ...options, parallelRuns: placesThere }, ...(end && { outcome: end }) };
		const next = subscriber({ ...ours, ...changes }, 'events', asks);
		return { next, member: await hub.subscribe(next, false) };
	};
	/** @returns the channel that delivers over the other port, too */
	const publishOverAnotherPort = async (end?: () => Promise<RunOutcome>) => {
		const open = reading();
		await member.leave();
		const published = await publish({ port: 2 }, end);
		await clock.advance(2_000);
		return { ...published, over: reading().find((channel) => !open.includes(channel)) };
	};
	/** A workflow of somebody else reads over the other port. */
	const staysThere = async () => {
		await hub.subscribe(subscriber({ ...ours, port: 2 }, 'events', { key: 'staysThere:node' }), false);
		await clock.advance(2_000);
	};
	return {
		...{ ...world, first: first!, before, member, publish, publishOverAnotherPort, staysThere, ends },
		edit: (changes: Partial<QueueAddress>) => (own = { ...ours, ...changes }),
		endRun: (run = 0) => ends[run]!({ kind: 'succeeded' }),
	};
}

it.each<[string, Partial<QueueAddress>]>([
	['another port', { port: 2 }],
	['another virtual host', { vhost: 'test' }],
])('what it had taken runs for a workflow that is published again with %s', async (_, changes) => {
	const { member, publish, clock, endRun, deliver, first } = await backlog();
	await member.leave();
	const { next } = await publish(changes);
	await clock.advance(2_000);
	endRun();
	await clock.advance(2_000);
	expect(next.setIds).toEqual([setIdOf(2), setIdOf(3)]);
	await deliver(4, first);
	await clock.advance(10 * 60_000);
	expect([next.setIds.length, next.problems]).toEqual([2, []]);
});

it('a later event of a set waits for what was taken over the port before: both may be one queue', async () => {
	const { publishOverAnotherPort, clock, endRun, deliver } = await backlog({ placesThere: 2 });
	const { next, over } = await publishOverAnotherPort();
	for (const set of [1, 4]) await deliver(set, over, { newStatus: 'TITLE_HELD' });
	expect(next.setIds).toEqual([2, 3, 4].map(setIdOf));
	endRun();
	await clock.advance(10_000);
	expect(next.setIds.toSorted()).toEqual([1, 2, 3, 4].map(setIdOf));
});

it('what runs still, and is sent anew over another port, does not run a second time', async () => {
	const { publishOverAnotherPort, clock, endRun, deliver } = await backlog();
	const { next, over } = await publishOverAnotherPort();
	await deliver(1, over);
	endRun();
	await clock.advance(10_000);
	expect(next.setIds.toSorted()).toEqual([2, 3].map(setIdOf));
});

it('so it is with what waits for its turn still', async () => {
	const { publishOverAnotherPort, clock, endRun, deliver } = await backlog();
	const { next, over } = await publishOverAnotherPort();
	for (const set of [3, 4]) await deliver(set, over);
	// It has one place to run, whichever port its events come over.
	expect(next.setIds).toEqual([]);
	endRun();
	await clock.advance(10_000);
	expect(next.setIds).toEqual([2, 3, 4].map(setIdOf));
	expect(over!.asked.filter((asked) => asked === 'ack')).toHaveLength(2);
});

it('it runs over the other port where what waited is back on the queue', async () => {
	const { publishOverAnotherPort, clock, deliver, first, endRun } = await backlog();
	const { next, over } = await publishOverAnotherPort();
	await deliver(3, over);
	await clock.advance(60_000);
	expect(next.setIds).toEqual([]);
	first.emit('close');
	await clock.advance(10);
	endRun();
	await clock.advance(10);
	expect(next.setIds).toEqual([setIdOf(3)]);
});

it('so it is where a run ends in the moment in which it is published once more', async () => {
	const { publishOverAnotherPort, staysThere, publish, clock, endRun, deliver } = await backlog();
	await staysThere();
	const { next, member, over } = await publishOverAnotherPort();
	await deliver(3, over);
	await member.leave();
	endRun();
	await clock.advance(1_000);
	const again = await publish({ port: 2 });
	await clock.advance(20_000);
	expect([next.setIds, again.next.setIds.toSorted()]).toEqual([[], [2, 3].map(setIdOf)]);
	expect(over!.asked.filter((asked) => asked === 'ack')).toHaveLength(1);
});

it('what waits over the other port for one that leaves for good is off the queue when nobody expects it any more', async () => {
	const { publishOverAnotherPort, before, staysThere, clock, ends, deliver } = await backlog();
	await staysThere();
	const { member, over, next } = await publishOverAnotherPort(async () => ({
		kind: 'failed',
		reason: 'refused',
	}));
	ends[0]!({ kind: 'failed', reason: 'refused' });
	await clock.advance(1_000);
	await deliver(3, over);
	await member.leave();
	await clock.advance(BOUNDS.returnMs + 1_000);
	expect([before.setIds, next.setIds]).toEqual([[setIdOf(1)], [2, 3].map(setIdOf)]);
	// It had failed: it is told as the others are, once, and rejected.
	expect(next.problems.map(({ kind }) => kind)).toEqual(['notKept', 'notKept', 'notKept']);
	expect(over!.asked.filter((asked) => asked === 'nack false')).toHaveLength(1);
});

it('what waited over the other port for the end of a run of one that left for good does not run when that is published months later', async () => {
	const { publishOverAnotherPort, staysThere, publish, clock, ends, deliver } = await backlog();
	await staysThere();
	const { member, over } = await publishOverAnotherPort();
	await deliver(1, over);
	await member.leave();
	await clock.advance(BOUNDS.returnMs + 60_000);
	ends[0]!({ kind: 'failed', reason: 'refused' });
	await clock.advance(BOUNDS.renewAfterMs);
	const { next } = await publish({ port: 2 });
	await clock.advance(10_000);
	expect(next.setIds).toEqual([]);
});

it('what runs when the connection is lost, and comes again over another port, is run again after it failed where the credential names the first port by then', async () => {
	const { staysThere, member, publish, clock, ends, deliver, first, reading, edit } = await backlog();
	edit({ port: 2 });
	first.emit('close');
	await clock.advance(5_000);
	await staysThere();
	await clock.advance(5_000);
	await deliver(1, reading().at(-1), {}, true);
	await member.leave();
	const { next } = await publish({});
	await clock.advance(BOUNDS.returnMs + 60_000);
	ends[0]!({ kind: 'failed', reason: 'refused' });
	await clock.advance(BOUNDS.retryWaitsMs[0]!);
	expect(next.setIds).toEqual([setIdOf(1)]);
});

it('what comes again over another port, while a run over the port before goes on, is not given back before that has ended', async () => {
	const { member, clock, deliver, first, reading, edit, endRun } = await backlog();
	edit({ port: 2 });
	first.emit('close');
	await clock.advance(10_000);
	const over = reading().at(-1);
	await deliver(1, over, {}, true);
	await member.leave();
	await clock.advance(BOUNDS.returnMs + 60_000);
	expect(over!.asked).not.toContain('close');
	endRun();
	await clock.advance(BOUNDS.successorLookMs + 2 * BOUNDS.silenceMs);
	expect(over!.asked.filter((asked) => ['ack', 'close'].includes(asked))).toEqual(['ack', 'close']);
});

it('what came over the connection of another user waits for better times with one that reads elsewhere by then', async () => {
	const { hub, clock, reading, deliver } = listening();
	const theirs = { ...ours, username: 'second' };
	await hub.subscribe(subscriber(theirs, 'events', { key: 'theirs:node' }), false);
	await clock.advance(2_000);
	const [other] = reading();
	await hub.subscribe(subscriber(ours, 'events', { key: 'stays:node' }), false);
	let isAway = true;
	const outcome = (): RunOutcome => (isAway ? { kind: 'failed', reason: 'refused' } : { kind: 'succeeded' });
	const publish = async (address: QueueAddress) => {
		const published = subscriber(address, 'events', { outcome });
		return { published, member: await hub.subscribe(published, false) };
	};
	const { member } = await publish(ours);
	await clock.advance(2_000);
	const sets = [1, 2, 3, 4, 5, 6];
	for (const set of sets) await deliver(set, other);
	await member.leave();
	const { published } = await publish({ ...ours, port: 2 });
	await clock.advance(2 * BOUNDS.returnMs);
	isAway = false;
	await clock.advance(15 * 60_000);
	expect(published.problems.filter(({ kind }) => kind !== 'waits')).toEqual([]);
	expect([...new Set(published.setIds)].toSorted()).toEqual(sets.map(setIdOf));
	expect(other!.asked.filter((asked) => asked === 'ack')).toHaveLength(sets.length);
});

it('where repeats are not skipped, it runs beside what waits', async () => {
	const { publishOverAnotherPort, clock, endRun, deliver } = await backlog({ skipRepeats: false });
	const { next, over } = await publishOverAnotherPort();
	await deliver(3, over);
	endRun();
	await clock.advance(10_000);
	expect(next.setIds.toSorted()).toEqual([2, 3, 3].map(setIdOf));
});

it('a later event of a set waits too for one that is pointed back to the port before', async () => {
	const { publishOverAnotherPort, publish, clock, endRun, deliver, first } = await backlog({
		placesThere: 2,
	});
	const ends: Array<(outcome: RunOutcome) => void> = [];
	const other = await publishOverAnotherPort(() => new Promise<RunOutcome>((end) => ends.push(end)));
	endRun();
	await deliver(4, other.over);
	for (const run of [0, 1]) {
		await clock.advance(1_000);
		ends[run]!({ kind: 'succeeded' });
	}
	await clock.advance(100);
	expect(other.next.setIds).toEqual([2, 3, 4].map(setIdOf));
	await other.member.leave();
	const { next } = await publish({});
	await clock.advance(2_000);
	for (const set of [5, 4]) await deliver(set, first, { newStatus: 'TITLE_HELD' });
	await clock.advance(10_000);
	expect(next.setIds).toEqual([setIdOf(5)]);
	ends[2]!({ kind: 'succeeded' });
	await clock.advance(10_000);
	expect(next.setIds).toEqual([5, 4].map(setIdOf));
});

it('what came runs for a workflow that is published with a wrong virtual host and then with the right one', async () => {
	const { member, publish, clock, endRun, deliver, first, broker } = await backlog();
	await member.leave();
	broker.isAway = true;
	const wrong = await publish({ vhost: 'tset' });
	await wrong.member.leave();
	broker.isAway = false;
	await deliver(4, first);
	await clock.advance(30_000);
	const { next } = await publish({});
	await clock.advance(2_000);
	endRun();
	await clock.advance(2_000);
	expect(next.setIds).toEqual([setIdOf(2), setIdOf(3), setIdOf(4)]);
});

it('what comes while its host is misspelled for longer than it may be away runs for it when that is put right', async () => {
	const { member, publish, clock, endRun, deliver, first, broker } = await backlog();
	await member.leave();
	broker.isAway = true;
	const wrong = await publish({ host: 'queue.exmaple.com' });
	endRun();
	await deliver(4, first);
	await clock.advance(2 * BOUNDS.returnMs);
	broker.isAway = false;
	await wrong.member.leave();
	const { next } = await publish({});
	await clock.advance(2_000);
	expect([wrong.next.setIds, next.setIds]).toEqual([[], [2, 3, 4].map(setIdOf)]);
});

it('what it had taken, and the connection lost, runs for it when it comes again', async () => {
	const { member, publish, clock, endRun, deliver, first, reading } = await backlog();
	await member.leave();
	const { next } = await publish({ vhost: 'test' });
	await clock.advance(4 * 60_000);
	const others = reading().filter((channel) => channel !== first);
	first.emit('close');
	await clock.advance(5_000);
	const again = reading().find((channel) => !others.includes(channel) && channel !== first)!;
	for (const set of [1, 2, 3]) await deliver(set, again);
	endRun();
	await clock.advance(2_000);
	expect(next.setIds).toEqual([setIdOf(2), setIdOf(3)]);
	await deliver(4, again);
	expect(next.setIds).toHaveLength(2);
});

it('what had failed, and the connection lost, runs where it comes again for one that reads elsewhere, and was published there once more meanwhile', async () => {
	const { member, publish, clock, ends, deliver, first, reading } = await backlog();
	const refused: RunOutcome = { kind: 'failed', reason: 'refused' };
	await member.leave();
	const there = await publish({ vhost: 'test' }, async () => refused);
	await clock.advance(2_000);
	ends[0]!(refused);
	await clock.advance(100);
	expect(there.next.setIds).toEqual([2, 3].map(setIdOf));
	const others = reading();
	first.emit('close');
	await clock.advance(5_000);
	const again = reading().find((channel) => !others.includes(channel))!;
	await there.member.leave();
	const { next } = await publish({ vhost: 'test' });
	await clock.advance(2_000);
	for (const set of [1, 2, 3]) await deliver(set, again, {}, true);
	expect(next.setIds).toEqual([1, 2, 3].map(setIdOf));
	// Of what is new there, it has no part.
	await deliver(4, again);
	expect(next.setIds).toHaveLength(3);
});

it('so it does where the connection is lost first, and the credential names another virtual host by then', async () => {
	const { before, clock, endRun, deliver, first, reading, edit } = await backlog();
	edit({ vhost: 'test' });
	first.emit('close');
	await clock.advance(5_000);
	const [again] = reading().filter((channel) => channel !== first);
	for (const set of [1, 2, 3, 4]) await deliver(set, again);
	for (const run of [0, 1, 2]) {
		endRun(run);
		await clock.advance(2_000);
	}
	expect([before.setIds, before.problems]).toEqual([[1, 2, 3].map(setIdOf), []]);
	// The other workflow has all four, and nothing is held for this one.
	expect(again!.asked.filter((asked) => asked === 'ack')).toHaveLength(4);
});

it.each([
	['is done with', 'succeeded', [1, 2, 3]],
	['goes on where it stood', 'failed', [1, 2, 3, 1]],
] as const)(
	'what runs when the connection is lost %s, where it comes again over another port: the run %s',
	async (_, kind, sets) => {
		const { before, clock, ends, deliver, first, reading, edit } = await backlog();
		edit({ port: 2 });
		first.emit('close');
		await clock.advance(5_000);
		const over = reading().at(-1);
		const acks = () => over!.asked.filter((asked) => asked === 'ack');
		for (const set of [1, 2, 3]) await deliver(set, over, {}, true);
		expect(before.setIds).toEqual([setIdOf(1)]);
		ends[0]!({ kind, reason: 'refused' } as RunOutcome);
		await clock.advance(1_000);
		for (const run of [1, 2]) {
			ends[run]!({ kind: 'succeeded' });
			await clock.advance(BOUNDS.retryWaitsMs[0]!);
		}
		expect(before.setIds).toEqual(sets.map(setIdOf));
		expect(before.runs.at(-1)!.attempt).toBe(kind === 'failed' ? 2 : 1);
		if (kind === 'succeeded') expect(acks()).toHaveLength(3);
	},
);

it.each([
	['once, where repeats are skipped', true, 2],
	['each by itself, where they are not', false, 3],
])(
	'two messages of one content that wait for the end of a run over the port before run after it fails: %s',
	async (_, skipRepeats, runs) => {
		const { before, clock, ends, deliver, first, reading, edit } = await backlog({ skipRepeats });
		edit({ port: 2 });
		first.emit('close');
		await clock.advance(5_000);
		const over = reading().at(-1);
		for (const set of [1, 1]) await deliver(set, over, {}, true);
		ends[0]!({ kind: 'failed', reason: 'refused' });
		for (let run = 1; run < runs; run += 1) {
			await clock.advance(BOUNDS.retryWaitsMs[0]!);
			ends[run]!({ kind: 'succeeded' });
		}
		await clock.advance(1_000);
		expect(before.setIds).toEqual(Array.from({ length: runs }, () => setIdOf(1)));
		expect(over!.asked.filter((asked) => asked === 'ack')).toHaveLength(2);
	},
);

it('what waits for the end of a run over the port before does not run for one that asks for it no more by then', async () => {
	const { hub, member, clock, ends, deliver, first, reading, edit } = await backlog();
	edit({ port: 2 });
	first.emit('close');
	await clock.advance(5_000);
	const over = reading().at(-1);
	await deliver(1, over, {}, true);
	await member.leave();
	const filter = { statuses: ['DRAFTED'], customerIds: [], instances: [] };
	const next = subscriber({ ...ours, port: 2 }, 'events', { filter });
	await hub.subscribe(next, false);
	await clock.advance(2_000);
	ends[0]!({ kind: 'failed', reason: 'refused' });
	await clock.advance(BOUNDS.retryWaitsMs[0]!);
	expect([next.setIds, over!.asked.filter((asked) => asked === 'ack')]).toEqual([[], ['ack']]);
});

it('what is kept for one whose credential is read late is not taken for what came to a queue of that name elsewhere', async () => {
	const { hub, clock, reading, deliver } = listening();
	let isShut = true;
	const late = subscriber(ours, 'events', {
		key: 'late:node',
		readAddress: async () => {
			if (isShut) throw new ServiceError('unavailable', 'The vault is shut');
			return ours;
		},
	});
	await hub.subscribe(subscriber(ours, 'events', { key: 'ours:node' }), false);
	await hub.subscribe(subscriber({ ...ours, vhost: 'test' }, 'events', { key: 'theirs:node' }), false);
	await clock.advance(2_000);
	const [first, last] = reading();
	await hub.subscribe(late, false);
	await deliver(1, first);
	await deliver(2, last);
	isShut = false;
	await clock.advance(BOUNDS.admitAgainMs + 2_000);
	expect([late.setIds, last!.asked.includes('ack')]).toEqual([[setIdOf(1)], true]);
});

it('what came for one with a wrong password is not run when that one is pointed to a queue of that name elsewhere', async () => {
	const { hub, clock, reading, deliver, broker } = listening();
	const theirs = { ...ours, vhost: 'test' };
	let own: QueueAddress = { ...theirs, password: 'stale' };
	const moves = subscriber(ours, 'events', { key: 'moves:node', readAddress: async () => own });
	broker.isAway = false;
	await hub.subscribe(subscriber(theirs, 'events', { key: 'theirs:node' }), false);
	await clock.advance(2_000);
	const [first] = reading();
	broker.isAway = true;
	await hub.subscribe(moves, true);
	await deliver(1, first);
	broker.isAway = false;
	own = ours;
	await clock.advance(BOUNDS.admitAgainMs + 10_000);
	expect([reading().length, moves.setIds]).toEqual([2, []]);
});

it('a connection that nobody is at any more is closed while its workflow is busy elsewhere', async () => {
	const { hub, clock, reading, deliver } = listening();
	const ends: Array<(outcome: RunOutcome) => void> = [];
	const outcome = () => new Promise<RunOutcome>((end) => ends.push(end));
	const member = await hub.subscribe(subscriber(ours, 'events', { outcome }), false);
	await clock.advance(2_000);
	const [first] = reading();
	await deliver(1, first);
	await member.leave();
	await hub.subscribe(subscriber(theirs, 'events', { outcome }), false);
	await clock.advance(10_000);
	const over = reading().find((channel) => channel !== first);
	ends.shift()!({ kind: 'succeeded' });
	for (const set of [2, 3, 4, 5, 6, 7]) {
		await deliver(set, over);
		if (set > 2) ends.shift()!({ kind: 'succeeded' });
		await clock.advance(BOUNDS.silenceMs / 2);
	}
	expect([ends.length, first!.asked.filter((asked) => asked === 'close')]).toEqual([1, ['close']]);
});

it('what waits from the place before is kept for it where both connections are lost, and that one stands first', async () => {
	const { hub, clock, reading, deliver, broker } = listening();
	let isDown = true;
	const outcome = (): RunOutcome => (isDown ? { kind: 'failed', reason: 'refused' } : { kind: 'succeeded' });
	await hub.subscribe(subscriber(ours, 'events', { key: 'stays:node' }), false);
	const member = await hub.subscribe(subscriber(ours, 'events', { outcome }), false);
	await clock.advance(2_000);
	const [first] = reading();
	const sets = [1, 2, 3, 4, 5, 6];
	for (const set of sets) await deliver(set, first);
	await member.leave();
	const next = subscriber(theirs, 'events', { outcome });
	await hub.subscribe(next, false);
	await clock.advance(2 * BOUNDS.returnMs);
	const [, over] = reading();
	broker.isAwayAt.add(theirs.vhost);
	for (const lost of [over, first]) lost!.emit('close');
	await clock.advance(10_000);
	for (const set of sets) await deliver(set, reading().at(-1), {}, true);
	broker.isAwayAt.clear();
	isDown = false;
	const triedBefore = next.runs.length;
	await clock.advance(20 * 60_000);
	expect(next.setIds.slice(triedBefore).toSorted()).toEqual(sets.map(setIdOf));
});

it('nothing of a queue of that name elsewhere is kept for one that was never let in there, while its own connection is lost', async () => {
	const { hub, clock, reading, deliver, broker } = listening();
	await hub.subscribe(subscriber(theirs, 'events', { key: 'theirs:node' }), false);
	await clock.advance(2_000);
	const [other] = reading();
	const outcome = () => new Promise<RunOutcome>(() => {});
	const member = await hub.subscribe(subscriber(ours, 'events', { outcome }), false);
	await clock.advance(2_000);
	const [, own] = reading();
	await deliver(1, own);
	await member.leave();
	const next = subscriber(ours, 'events');
	await hub.subscribe(next, false);
	await clock.advance(2_000);
	broker.isAwayAt.add(ours.vhost);
	own!.emit('close');
	await clock.advance(10);
	await deliver(2, other);
	broker.isAwayAt.clear();
	await clock.advance(60_000);
	expect([next.setIds, next.problems, other!.asked.includes('ack')]).toEqual([[], [], true]);
});

it('nor for one whose password is refused there, and that was let in there long before', async () => {
	const { hub, clock, reading, deliver } = listening();
	await hub.subscribe(subscriber(theirs, 'events', { key: 'theirs:node' }), false);
	await clock.advance(2_000);
	let own: QueueAddress = theirs;
	const publish = async () => {
		const published = subscriber(own, 'events', { readAddress: async () => own });
		return { published, member: await hub.subscribe(published, false, true) };
	};
	const once = await publish();
	await clock.advance(2_000);
	await once.member.leave();
	own = ours;
	const moved = await publish();
	await clock.advance(2 * BOUNDS.returnMs);
	await moved.member.leave();
	own = { ...theirs, password: 'stale' };
	const { published } = await publish();
	await clock.advance(2_000);
	await deliver(1, reading()[0]);
	own = ours;
	await clock.advance(BOUNDS.admitAgainMs + 10_000);
	expect(published.setIds).toEqual([]);
	expect(published.problems.map(({ kind }) => kind)).toEqual(['outage']);
});

it('what comes to the place before is kept and told until the new one has let it in: others listen, and take it off the queue', async () => {
	const { hub, clock, reading, deliver } = listening();
	await hub.subscribe(subscriber(ours, 'events', { key: 'stays:node' }), false);
	const member = await hub.subscribe(subscriber(ours, 'events'), false);
	await clock.advance(2_000);
	const [first] = reading();
	await member.leave();
	let own: QueueAddress = { ...theirs, password: 'stale' };
	const next = subscriber(own, 'events', { readAddress: async () => own });
	await hub.subscribe(next, false, true);
	await clock.advance(2 * BOUNDS.returnMs);
	await deliver(1, first);
	expect(next.problems).toMatchObject([{ kind: 'outage', othersListen: true }]);
	own = theirs;
	await clock.advance(BOUNDS.admitAgainMs + 10_000);
	expect(next.setIds).toEqual([setIdOf(1)]);
	await deliver(2, first);
	expect([next.problems.length, first!.asked.filter((asked) => asked === 'ack')]).toEqual([
		1,
		['ack', 'ack'],
	]);
});

/** An event has come at the place before of one that was pointed to another, beside one that stays; there is no such queue at the new one. */
async function movedToNoQueue() {
	const { hub, clock, reading, deliver, channels, queue } = listening();
	await hub.subscribe(subscriber(ours, 'events', { key: 'stays:node' }), false);
	const member = await hub.subscribe(subscriber(ours, 'events'), false);
	await clock.advance(2_000);
	const [first] = reading();
	await member.leave();
	queue.refuses.check = Object.assign(new Error('no queue'), { code: 404 });
	const next = subscriber(theirs, 'events');
	await hub.subscribe(next, false, true);
	await clock.advance(2 * BOUNDS.returnMs);
	await deliver(1, first);
	return { clock, channels, queue, next, first };
}

it('so it is where the new one lets it in, and has no such queue yet', async () => {
	const { clock, channels, queue, next } = await movedToNoQueue();
	expect(channels.length).toBeGreaterThan(2);
	delete queue.refuses.check;
	await clock.advance(60_000);
	expect(next.setIds).toEqual([setIdOf(1)]);
});

it('it is kept within the bounds of one that is away, and told', async () => {
	const { clock, next, first } = await movedToNoQueue();
	await clock.advance(BOUNDS.keptMs + 60_000);
	const told = next.problems.filter(({ kind }) => kind === 'notKept');
	expect(told).toMatchObject([{ why: 'absent', events: [{ setId: setIdOf(1) }] }]);
	expect(first!.asked).toContain('nack false');
});

it('nobody is said to listen where it was alone', async () => {
	const { hub, clock, reading, deliver } = listening();
	const member = await hub.subscribe(subscriber(ours, 'events'), false);
	await clock.advance(2_000);
	const [first] = reading();
	await member.leave();
	const next = subscriber({ ...theirs, password: 'stale' }, 'events');
	await hub.subscribe(next, false, true);
	await deliver(1, first);
	await clock.advance(30 * 60_000);
	expect(next.problems).toMatchObject([{ kind: 'outage', othersListen: false }]);
	expect(first!.asked).not.toContain('ack');
});

describe('all are unpublished, their credential gets another port, and one is published there before the other', () => {
	const bothAreUnpublished = async (bounds = BOUNDS) => {
		const world = listening(bounds);
		const { hub, clock, reading, deliver } = world;
		/** To the second one. */
		const told: Problem[] = [];
		const report = (problem: Problem) => void told.push(problem);
		const own = (key: string, port: number) =>
			subscriber({ ...ours, port }, 'events', { key, ...(key === 'second:node' && { report }) });
		const members = [
			await hub.subscribe(own('first:node', 1), false),
			await hub.subscribe(own('second:node', 1), false),
		];
		await clock.advance(2_000);
		for (const { leave } of members) await leave();
		await clock.advance(20_000);
		const first = own('first:node', 2);
		await hub.subscribe(first, false);
		await clock.advance(2_000);
		await deliver(1);
		expect(first.setIds).toEqual([setIdOf(1)]);
		/** @returns the other one, published at a port */
		const publishSecond = async (port: number) => {
			const second = own('second:node', port);
			await hub.subscribe(second, false);
			await clock.advance(2_000);
			return second;
		};
		return { ...world, told, over: reading().at(-1)!, publishSecond };
	};

	/** Six more events come than are kept. */
	const moreThanIsKept = async () => {
		const world = await bothAreUnpublished({ ...BOUNDS, keptEvents: 1 });
		for (const set of [2, 3, 4, 5, 6, 7]) await world.deliver(set, world.over);
		await world.clock.advance(BOUNDS.keptFreelyMs + 1_000);
		return world;
	};

	it('what the one handled meanwhile is kept for the other', async () => {
		const { over, clock, publishSecond, told } = await bothAreUnpublished();
		expect(over.asked).not.toContain('ack');
		await clock.advance(60_000);
		const second = await publishSecond(2);
		expect([second.setIds, told]).toEqual([[setIdOf(1)], []]);
		expect(over.asked).toContain('ack');
	});

	it('it is not for who returns to where it was, which may be of somebody else', async () => {
		const { over, publishSecond, told } = await bothAreUnpublished();
		const second = await publishSecond(1);
		expect([second.setIds, told]).toEqual([[], []]);
		expect(over.asked).toContain('ack');
	});

	it('who returns there is told how many could not be kept', async () => {
		const { clock, publishSecond, told } = await moreThanIsKept();
		await clock.advance(90_000);
		expect(told).toEqual([]);
		const second = await publishSecond(2);
		await clock.advance(60_000);
		expect(second.setIds).toEqual([setIdOf(7)]);
		expect(told).toMatchObject([{ kind: 'notKept', why: 'absent', events: [], count: 6 }]);
	});

	it.each<[string, number | undefined]>([
		['returns to where it was', 1],
		['does not return', undefined],
	])('nothing of that is told to who %s', async (_, port) => {
		const { clock, publishSecond, told } = await moreThanIsKept();
		if (port !== undefined) await publishSecond(port);
		await clock.advance(10 * 60_000);
		expect(told).toEqual([]);
	});

	it('it is kept for three minutes', async () => {
		const { over, clock } = await bothAreUnpublished();
		await clock.advance(BOUNDS.returnMs);
		expect(over.asked).toContain('ack');
	});
});
