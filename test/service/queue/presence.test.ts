import { BOUNDS } from '../../../service/queue/bounds';
import type { Subscription } from '../../../service/queue/contract';
import type { Lane } from '../../../service/queue/lane';
import { LeftLately, Presence, Start } from '../../../service/queue/presence';
import { manualClock } from '../../support/manualClock';

const subscription = (key: string) => ({ key, queue: 'events' }) as Subscription;

it('who left may return to a queue of that name, wherever it was before', () => {
	const leftLately = new LeftLately(manualClock(), BOUNDS);
	leftLately.left(subscription('a'), false);
	expect(leftLately.to('events')).toEqual([subscription('a')]);
	expect(leftLately.to('other')).toEqual([]);
});

it('who left may return for three minutes, and is no longer awaited when its next version is here', async () => {
	const clock = manualClock();
	const leftLately = new LeftLately(clock, BOUNDS);
	leftLately.left(subscription('a'), false);
	leftLately.left(subscription('b'), false);
	leftLately.came(subscription('a'));
	// One of the same trigger, for another queue.
	leftLately.came({ ...subscription('b'), queue: 'other' });
	expect(leftLately.to('events')).toEqual([subscription('b')]);
	await clock.advance(BOUNDS.returnMs);
	expect(leftLately.to('events')).toEqual([]);
});

it('whom its host started, and who left before it was let in, is owed what it missed when its next version comes in time', async () => {
	const clock = manualClock();
	const leftLately = new LeftLately(clock, BOUNDS);
	for (const [key, isOwed] of [
		['a', true],
		['b', true],
		['c', false],
	] as const)
		leftLately.left(subscription(key), isOwed);
	expect([leftLately.came(subscription('a')), leftLately.came(subscription('a'))]).toEqual([true, false]);
	expect(leftLately.came(subscription('c'))).toBe(false);
	await clock.advance(BOUNDS.returnMs);
	expect(leftLately.came(subscription('b'))).toBe(false);
});

describe('who is there', () => {
	const lane = () => ({}) as Lane;
	function queue() {
		const clock = manualClock();
		const gone: Lane[] = [];
		const presence = new Presence(clock, BOUNDS, (each) => void gone.push(each));
		const said = () => [presence.here.length, presence.absent.length, presence.expectsAnyone];
		return { clock, presence, gone, said };
	}

	it('is here, is expected, or has left and may return: one of the three', () => {
		const { clock, presence, said } = queue();
		const one = lane();
		expect([said(), presence.knows(one)]).toEqual([[0, 0, false], false]);
		presence.isExpected(one);
		expect([said(), presence.knows(one)]).toEqual([[0, 1, true], true]);
		presence.came(one);
		expect([said(), presence.knows(one)]).toEqual([[1, 0, false], true]);
		presence.left(one);
		expect([said(), presence.knows(one)]).toEqual([[0, 1, false], true]);
		presence.isExpected(one);
		expect([said(), clock.pending]).toEqual([[0, 1, true], 0]);
		presence.left(one);
		expect(said()).toEqual([0, 1, false]);
	});

	it('may return for three minutes, and is gone then', async () => {
		const { clock, presence, gone, said } = queue();
		const [returns, stays] = [lane(), lane()];
		presence.left(returns);
		presence.left(stays);
		await clock.advance(BOUNDS.returnMs - 1);
		presence.came(returns);
		expect(gone).toEqual([]);
		await clock.advance(1);
		expect(gone).toHaveLength(1);
		expect(gone[0]).toBe(stays);
		expect([said(), presence.knows(stays)]).toEqual([[1, 0, false], false]);
	});

	it('has three minutes from when it left last', async () => {
		const { clock, presence, gone } = queue();
		const one = lane();
		presence.left(one);
		await clock.advance(BOUNDS.returnMs - 1);
		presence.left(one);
		await clock.advance(BOUNDS.returnMs - 1);
		expect(gone).toEqual([]);
		await clock.advance(1);
		expect(gone).toHaveLength(1);
	});
});

describe('what is kept for those that a starting process brings up', () => {
	function start() {
		const clock = manualClock();
		let changes = 0;
		const made = new Start(clock, BOUNDS, () => (changes += 1));
		return { clock, start: made, kept: () => [made.keeps(false), made.keeps(true)], changes: () => changes };
	}

	it('is nothing, while it has brought up none', () => {
		expect(start().kept()).toEqual([false, false]);
	});

	it('ends three minutes after the last that it brought up, and sooner for what others have handled', async () => {
		const { clock, start: made, kept, changes } = start();
		made.joined();
		await clock.advance(BOUNDS.startHandledMs - 1);
		made.joined();
		await clock.advance(BOUNDS.startHandledMs - 1);
		expect([kept(), changes()]).toEqual([[true, true], 0]);
		await clock.advance(1);
		expect([kept(), changes()]).toEqual([[true, false], 1]);
		await clock.advance(BOUNDS.startGapMs - BOUNDS.startHandledMs - 1);
		expect([kept(), changes()]).toEqual([[true, false], 1]);
		await clock.advance(1);
		expect([kept(), changes()]).toEqual([[false, false], 2]);
	});

	it('ends after fifteen minutes, however many more it brings up, and does not begin again', async () => {
		const { clock, start: made, kept } = start();
		for (let atMs = 0; atMs < BOUNDS.startLongestMs; atMs += 60_000) {
			made.joined();
			expect(made.keeps(false)).toBe(true);
			await clock.advance(60_000);
		}
		expect(kept()).toEqual([false, false]);
		made.joined();
		expect([kept(), clock.pending]).toEqual([[false, false], 0]);
	});

	it('ends with the last trigger, and begins with the next as in a new process', async () => {
		const { clock, start: made, kept, changes } = start();
		made.joined();
		made.end();
		expect([kept(), clock.pending]).toEqual([[false, false], 0]);
		made.joined();
		await clock.advance(BOUNDS.startGapMs);
		made.end();
		made.joined();
		expect([kept(), changes()]).toEqual([[true, true], 2]);
	});
});
