import { Counting } from '../../../service/queue/counting';
import type { Delivery } from '../../../service/queue/delivery';

const first = (returns?: number) => ({ redelivered: false, returns }) as Delivery;
const again = (returns?: number) => ({ redelivered: true, returns }) as Delivery;

it('knows that a queue counts by what comes again', () => {
	const counting = new Counting();
	expect([counting.returnsOf(first()), counting.counts]).toEqual([undefined, false]);
	expect([counting.returnsOf(again(3)), counting.counts]).toEqual([3, true]);
	expect([counting.returnsOf(first()), counting.counts]).toEqual([undefined, true]);
});

it('takes a count that an event brought along for none', () => {
	const counting = new Counting();
	expect([counting.returnsOf(first(17)), counting.counts]).toEqual([undefined, false]);
	expect([counting.returnsOf(again()), counting.counts]).toEqual([undefined, false]);
	expect([counting.returnsOf(again(17)), counting.counts]).toEqual([undefined, false]);
});

it('learns anew at each connection: the queue may have been made anew', () => {
	const counting = new Counting();
	counting.returnsOf(again(1));
	counting.connected();
	expect(counting.counts).toBe(false);
	expect([counting.returnsOf(again()), counting.counts]).toEqual([undefined, false]);
	counting.connected();
	expect([counting.returnsOf(again(2)), counting.counts]).toEqual([2, true]);
});
