import { BOUNDS } from '../../../service/queue/bounds';
import type { QueueLook } from '../../../service/queue/queueLook';
import { Successor } from '../../../service/queue/successor';
import { manualClock } from '../../support/manualClock';

/** @param looks what each look says; the last one is repeated */
function watching(...looks: Array<QueueLook | 'noAnswer' | undefined>) {
	const clock = manualClock();
	const started = clock.now();
	const sureAfterMs: number[] = [];
	const successor = new Successor(
		clock,
		BOUNDS,
		async () => (looks.length > 1 ? looks.shift() : looks[0]),
		() => void sureAfterMs.push(clock.now() - started),
	);
	successor.watch();
	return { clock, successor, sureAfterMs };
}

const alone = { ready: 0, otherReaders: 0 };
const beside = { ready: 3, otherReaders: 1 };

describe('whether somebody else reads the queue', () => {
	it('is sure when it was so for a minute, and says it once', async () => {
		const { clock, successor, sureAfterMs } = watching(beside);
		successor.watch();
		await clock.advance(10 * 60_000);
		expect(sureAfterMs).toEqual([60_000]);
		expect(clock.pending).toBe(0);
	});

	it.each([
		['nobody else did', alone],
		['the broker did not answer', 'noAnswer' as const],
		['the connection was lost', undefined],
	])('begins anew where %s at one look', async (_, between) => {
		const { clock, sureAfterMs } = watching(beside, beside, between, beside);
		await clock.advance(10 * 60_000);
		expect(sureAfterMs).toEqual([120_000]);
	});

	it('is never said of one that is alone, nor after the end', async () => {
		const { clock, sureAfterMs } = watching(alone);
		await clock.advance(10 * 60_000);
		const ended = watching(beside);
		await ended.clock.advance(50_000);
		ended.successor.end();
		await ended.clock.advance(10 * 60_000);
		expect([...sureAfterMs, ...ended.sureAfterMs]).toEqual([]);
		expect(ended.clock.pending).toBe(0);
	});
});
