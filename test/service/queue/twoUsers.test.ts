import { ServiceError } from '../../../service/errors';
import { BOUNDS } from '../../../service/queue/bounds';
import type { QueueAddress, RunOutcome } from '../../../service/queue/contract';
import { setIdOf } from '../../support/events';
import { addressOf, subscriber } from '../../support/subscriber';
import { listening } from '../../support/withoutBroker';

const ours = addressOf({ port: 1 } as never);
const theirs = { ...ours, username: 'other' };

type Changes = Parameters<typeof subscriber>[2];

/** A process that reads a queue as two users, each for a workflow of its own. */
async function twoUsers(changes: { ours?: Changes; theirs?: Changes; other?: Partial<QueueAddress> } = {}) {
	const world = listening();
	const { hub, clock, reading, broker } = world;
	const mine = subscriber(ours, 'events', { key: 'ours:node', ...changes.ours });
	const own = await hub.subscribe(mine, false);
	await clock.advance(2_000);
	const [first] = reading();
	const second = subscriber({ ...theirs, ...changes.other }, 'events', {
		key: 'theirs:node',
		...changes.theirs,
	});
	const other = await hub.subscribe(second, false);
	await clock.advance(2_000);
	const [, last] = reading();
	/** The connection of one of them is lost, and does not come back. */
	const lose = async (channel = reading().at(-1)) => {
		broker.isAway = true;
		channel?.emit('close');
		await clock.advance(0);
	};
	return { ...world, mine, second, first: first!, last: last!, own, other, lose };
}

describe('what one user is given of a queue that two read', () => {
	it('runs for the workflows of both, and is taken off the queue when both have handled it', async () => {
		const ends: Array<(outcome: RunOutcome) => void> = [];
		const outcome = () => new Promise<RunOutcome>((end) => ends.push(end));
		const { mine, second, first, deliver, clock } = await twoUsers({ theirs: { outcome } });
		await deliver(1, first);
		expect([mine.setIds, second.setIds]).toEqual([[setIdOf(1)], [setIdOf(1)]]);
		expect(first.asked).not.toContain('ack');
		ends[0]!({ kind: 'succeeded' });
		await clock.advance(0);
		expect(first.asked).toContain('ack');
	});

	it('is no business of who reads a queue of that name on another virtual host', async () => {
		const { mine, second, first, last, deliver, lose, clock } = await twoUsers({ other: { vhost: 'test' } });
		await deliver(1, first);
		await deliver(2, last);
		await lose();
		await deliver(3, first);
		await clock.advance(BOUNDS.returnMs);
		expect([mine.setIds, second.setIds]).toEqual([[setIdOf(1), setIdOf(3)], [setIdOf(2)]]);
		expect(second.problems.filter(({ kind }) => kind === 'notKept')).toEqual([]);
	});

	it.each(['before', 'after'])(
		'nor of who is to read such a one, and comes %s that queue is read, but cannot be let in yet',
		async (when) => {
			const { hub, clock, reading, deliver } = listening();
			const vault: { error: Error | undefined } = {
				error: new ServiceError('unavailable', 'The vault is shut'),
			};
			const second = subscriber(ours, 'events', {
				key: 'theirs:node',
				readAddress: async () => {
					if (vault.error) throw vault.error;
					return { ...ours, vhost: 'test' };
				},
			});
			if (when === 'before') await hub.subscribe(second, false);
			await hub.subscribe(subscriber(ours, 'events', { key: 'ours:node' }), false);
			await clock.advance(2_000);
			const [first] = reading();
			if (when === 'after') await hub.subscribe(second, false);
			await deliver(1, first);
			expect(first!.asked).not.toContain('ack');
			vault.error = undefined;
			await clock.advance(BOUNDS.admitAgainMs + 2_000);
			expect([reading().length, first!.asked.filter((asked) => asked === 'ack').length]).toEqual([2, 1]);
			await deliver(2, first);
			expect([second.runs, second.problems.filter(({ kind }) => kind === 'notKept')]).toEqual([[], []]);
		},
	);

	it('is told to the other one as not got while its own connection is lost, and not given to it', async () => {
		let isShut = true;
		const readAddress = async () => {
			if (isShut) throw new ServiceError('unavailable', 'The vault is shut');
			return theirs;
		};
		const { second, first, deliver, lose, clock } = await twoUsers({ theirs: { readAddress } });
		isShut = false;
		await clock.advance(BOUNDS.admitAgainMs + 5_000 + BOUNDS.returnMs);
		await lose();
		await deliver(1, first);
		await clock.advance(60_000);
		expect(second.runs).toEqual([]);
		expect(second.problems).toContainEqual(
			expect.objectContaining({ kind: 'notKept', why: 'absent', count: 1 }),
		);
	});

	it('waits for that connection while n8n can start nothing: nothing leaves the queue then', async () => {
		let isIll = true;
		const outcome = async (): Promise<RunOutcome> =>
			isIll ? { kind: 'notStarted', reason: 'no database' } : { kind: 'succeeded' };
		const { mine, second, first, deliver, lose, clock, broker } = await twoUsers({
			ours: { outcome },
			theirs: { outcome },
		});
		await clock.advance(BOUNDS.returnMs);
		await deliver(1, first);
		await lose();
		await deliver(2, first);
		await clock.advance(60_000);
		const notKept = () => second.problems.filter(({ kind }) => kind === 'notKept');
		expect([new Set(second.setIds), notKept()]).toEqual([new Set([setIdOf(1)]), []]);
		isIll = false;
		broker.isAway = false;
		await clock.advance(10 * 60_000);
		expect([new Set(second.setIds), notKept()]).toEqual([new Set([setIdOf(1), setIdOf(2)]), []]);
		expect(new Set(mine.setIds)).toEqual(new Set(second.setIds));
		expect(first.asked.filter((asked) => asked === 'ack')).toHaveLength(2);
	});

	it('runs in its place where it went back and comes to the other one, behind a later event of its set', async () => {
		const ends: Array<(outcome: RunOutcome) => void> = [];
		const outcome = () => new Promise<RunOutcome>((end) => ends.push(end));
		const options = { parallelRuns: 1 };
		const { second, first, last, deliver, lose, clock } = await twoUsers({ theirs: { outcome, options } });
		await deliver(9, last);
		await deliver(1, first, { updatedDate: 'Fri Nov 20 09:48:18 UTC 2026' });
		await deliver(1, last, { updatedDate: 'Fri Nov 20 09:48:19 UTC 2026' });
		await lose(first);
		await deliver(1, last, { updatedDate: 'Fri Nov 20 09:48:18 UTC 2026' });
		for (let run = 0; run < 3; run += 1) {
			ends[run]?.({ kind: 'succeeded' });
			await clock.advance(0);
		}
		const seconds = second.runs.map(({ events: [each] }) => each?.event.updatedAt?.slice(17, 19));
		expect(seconds).toEqual(['18', '18', '19']);
	});
});

it('a workflow that a person publishes as another user is told nothing of what was handled before', async () => {
	const { hub, clock, reading, deliver } = listening();
	const mine = subscriber(ours, 'events', { key: 'ours:node' });
	await hub.subscribe(mine, true);
	await clock.advance(60_000);
	await deliver(1, reading()[0]);
	expect(reading()[0]!.asked).toContain('ack');
	const second = subscriber(theirs, 'events', { key: 'theirs:node' });
	await hub.subscribe(second, false);
	await clock.advance(5 * 60_000);
	expect([second.runs, second.problems]).toEqual([[], []]);
});

it('who comes while the connection of its account is lost is not shown what another user is given before that stands again', async () => {
	// The connection that was lost comes back late.
	const waits = jest.spyOn(Math, 'random').mockReturnValue(0.99);
	const { hub, clock, reading, deliver, broker } = listening();
	await hub.subscribe(subscriber(ours, 'events', { key: 'ours:node' }), false);
	await clock.advance(2_000);
	broker.isAway = true;
	reading()[0]!.emit('close');
	await clock.advance(5 * 60_000);
	const late = subscriber(ours, 'events', { key: 'late:node' });
	await hub.subscribe(late, true);
	broker.isAway = false;
	await hub.subscribe(subscriber(theirs, 'events', { key: 'theirs:node' }), false);
	await clock.advance(2_000);
	await deliver(1);
	await clock.advance(60_000);
	expect(late.problems).toContainEqual(expect.objectContaining({ kind: 'notKept', events: [], count: 1 }));
	waits.mockRestore();
});

it('whoever brings a password that was refused, while another user reads the queue, is refused when it is published', async () => {
	const { hub, clock } = listening();
	const wrong = { ...ours, password: 'wrong' };
	await hub.subscribe(subscriber(wrong, 'events', { key: 'first:node' }), false);
	await clock.advance(2_000);
	await hub.subscribe(subscriber(theirs, 'events', { key: 'theirs:node' }), false);
	await clock.advance(2_000);
	const next = hub.subscribe(subscriber(wrong, 'events', { key: 'next:node' }), false);
	await expect(next).rejects.toMatchObject({ message: 'A wrong password' });
});

it('a workflow whose next version came as another user before it left runs on when a third user begins to read', async () => {
	const { hub, clock, reading, deliver } = listening();
	const before = await hub.subscribe(subscriber(ours, 'events'), false);
	await clock.advance(2_000);
	const next = subscriber(theirs, 'events');
	await hub.subscribe(next, false);
	await hub.subscribe(subscriber(theirs, 'more events'), false);
	await clock.advance(2_000);
	await before.leave();
	await hub.subscribe(subscriber({ ...ours, username: 'third' }, 'events', { key: 'third:node' }), false);
	await clock.advance(2_000);
	expect(reading()).toHaveLength(3);
	await deliver(1, reading().at(-1));
	expect(next.setIds).toEqual([setIdOf(1)]);
});
