import { BOUNDS } from '../../../service/queue/bounds';
import { Pace, Singles } from '../../../service/queue/pace';
import { manualClock } from '../../support/manualClock';

const MINUTE = 60_000;

function pace(ready = () => true, clock = manualClock(), singles?: Singles) {
	const handed: number[][] = [];
	const made = new Pace<number>(clock, BOUNDS, (some) => void handed.push([...some]), ready, singles);
	const add = (count: number, from = 0) => {
		for (let number = from; number < from + count; number += 1) made.add(number);
	};
	return { clock, handed, add, made };
}

it('hands on a few things at once, each by itself', () => {
	const { add, handed, clock } = pace();
	add(20);
	expect(handed).toEqual(Array.from({ length: 20 }, (_, number) => [number]));
	expect(clock.pending).toBe(0);
});

it('hands on many things a minute’s worth at a time, in order, and leaves none out', async () => {
	const { add, handed, clock } = pace();
	add(1_000);
	expect(handed).toHaveLength(20);
	await clock.advance(MINUTE);
	expect(handed).toHaveLength(21);
	expect(handed[20]).toHaveLength(200);
	await clock.advance(4 * MINUTE);
	expect(handed.slice(20).map(({ length }) => length)).toEqual([200, 200, 200, 200, 180]);
	expect(handed.flat()).toEqual(Array.from({ length: 1_000 }, (_, number) => number));
	expect(clock.pending).toBe(0);
});

it('hands on one by one again when an hour has passed', async () => {
	const { add, handed, clock } = pace();
	add(20);
	await clock.advance(59 * MINUTE);
	add(1, 20);
	expect(handed).toHaveLength(20);
	await clock.advance(MINUTE);
	expect(handed.at(-1)).toEqual([20]);
	add(1, 21);
	expect(handed.at(-1)).toEqual([21]);
});

it('hands on nothing while nobody is ready, and everything later', async () => {
	let ready = false;
	const { add, handed, clock, made } = pace(() => ready);
	add(30);
	await clock.advance(10 * MINUTE);
	expect(handed).toEqual([]);
	ready = true;
	made.look();
	await clock.advance(MINUTE);
	expect(handed.flat()).toHaveLength(30);
});

it('forgets what is gone', async () => {
	const { add, handed, clock, made } = pace();
	add(30);
	made.clear();
	await clock.advance(10 * MINUTE);
	expect(handed.flat()).toHaveLength(20);
	expect(clock.pending).toBe(0);
});

it('what another connection to the queue handed on one by one counts here too', async () => {
	const clock = manualClock();
	const singles = new Singles(clock);
	const [one, other] = [pace(undefined, clock, singles), pace(undefined, clock, singles)];
	one.add(15);
	other.add(15);
	expect([one.handed.length, other.handed.length]).toEqual([15, 5]);
	await clock.advance(MINUTE);
	expect(other.handed.flat()).toHaveLength(15);
	expect(other.handed).toHaveLength(6);
});
