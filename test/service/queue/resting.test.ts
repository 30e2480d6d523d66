import { Resting } from '../../../service/queue/resting';
import { manualClock } from '../../support/manualClock';
import { message } from '../../support/message';

const MINUTE = 60_000;

it('lets a dead letter that came back wait a minute for each time, and ten at most', async () => {
	const clock = manualClock();
	const resting = new Resting(clock);
	const receivedAt = clock.now();
	const dead = (deaths: number) => Object.assign(message('{}', { deaths }), { receivedAt });
	const over: number[] = [];
	expect(resting.restsFirst(dead(0), () => void over.push(0))).toBe(false);
	const [once, often] = [dead(1), dead(50)];
	expect(resting.restsFirst(once, () => void over.push(1))).toBe(true);
	expect(resting.restsFirst(often, () => void over.push(50))).toBe(true);
	expect([once, often].map((each) => resting.has(each))).toEqual([true, true]);
	await clock.advance(MINUTE);
	expect([over, resting.has(once)]).toEqual([[1], false]);
	expect(resting.restsFirst(once, () => void over.push(2))).toBe(false);
	await clock.advance(9 * MINUTE - 1);
	expect(over).toEqual([1]);
	await clock.advance(1);
	expect(over).toEqual([1, 50]);
});

it('forgets what went back', async () => {
	const clock = manualClock();
	const resting = new Resting(clock);
	const over: string[] = [];
	const messages = ['a', 'b', 'c'].map((name) => {
		const dead = Object.assign(message('{}', { deaths: 1 }), { receivedAt: clock.now() });
		resting.restsFirst(dead, () => void over.push(name));
		return dead;
	});
	resting.end(messages[0]!);
	expect(messages.map((each) => resting.has(each))).toEqual([false, true, true]);
	resting.clear();
	await clock.advance(MINUTE);
	expect([over, messages.map((each) => resting.has(each))]).toEqual([[], [false, false, false]]);
});
