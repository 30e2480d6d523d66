import { ServiceError } from '../errors';
import type { Clock, Logger } from '../surroundings';
import { BodyLog } from './bodyLog';
import { Counting } from './counting';
import type { Delivery } from './delivery';
import { Message } from './message';
import { Noted } from './noted';

/** A queue that may drop what it gives out too often does so after five times at the least: {@link Bounds.spareDeliveries}. */
const LOOKS = 5;
const LEFT_ALONE_MS = 24 * 60 * 60 * 1000;

/**
 * Tests give back what they look at, and a queue that counts how often it gives an event out may drop one by that: whoever
 * builds a workflow presses "Execute step" dozens of times. What was given out so often already is not looked at again for a
 * day, and what may be dropped stands in the log.
 */
export class SparingLooks {
	/** By the place of the queue. */
	private readonly leftAloneUntil = new Map<string, number>();
	private readonly noted = new Noted();

	/**
	 * @param ready messages on the queue: where there is none, what comes was not looked at
	 * @throws {ServiceError} where another look could cost an event
	 */
	begin(place: string, queue: string, clock: Clock, ready: number): void {
		if (ready === 0) this.leftAloneUntil.delete(place);
		if (clock.now() >= (this.leftAloneUntil.get(place) ?? -Infinity)) return;
		throw new ServiceError(
			'invalidInput',
			`Tests have looked at the first events of the queue “${queue}” ${LOOKS} times, and leave them alone now`,
			{
				remedy:
					'The queue counts this and may drop an event by it. Pin the data that was shown before, or test with sample events. While the workflow is published, a test shows the next event that comes.',
			},
		);
	}

	/** One look at a queue. @returns told of each message that it holds */
	watch(place: string, queue: string, clock: Clock, logger: Logger): (delivery: Delivery) => void {
		const counting = new Counting();
		const log = new BodyLog(clock, logger, `Queue ${queue}`, this.noted);
		return (delivery) => {
			const returns = counting.returnsOf(delivery);
			log.delivered(new Message(delivery, clock.now(), returns));
			if (returns !== undefined && returns >= LOOKS - 1)
				this.leftAloneUntil.set(place, clock.now() + LEFT_ALONE_MS);
		};
	}
}
