import { ServiceError } from '../errors';
import type { Clock, Logger } from '../surroundings';
import { BodyLog } from './bodyLog';
import { BOUNDS } from './bounds';
import { Counting } from './counting';
import type { Delivery } from './delivery';
import { Message } from './message';
import { Noted } from './noted';

/** A queue that may drop what it gives out too often does so after five times at the least: {@link Bounds.spareDeliveries}. */
const LOOKS = BOUNDS.spareDeliveries;
const LEFT_ALONE_MS = 24 * 60 * 60 * 1000;

interface LeftAlone {
	until: number;
	/** Where no more than so many wait on the queue, as many are gone as were looked at: others come first. */
	whileMoreThan: number;
}

/**
 * Tests give back what they look at, and a queue that counts how often it gives an event out may drop one by that: whoever
 * builds a workflow presses "Execute step" dozens of times. What was given out so often already is not looked at again for a
 * day, as long as it is there, and what may be dropped stands in the log.
 */
export class SparingLooks {
	/** By the place of the queue. */
	private readonly leftAlone = new Map<string, LeftAlone>();
	private readonly noted = new Noted();

	/**
	 * One look at a queue.
	 * @param ready messages on the queue
	 * @returns told of each message that it holds
	 * @throws {ServiceError} where another look could cost an event
	 */
	begin(
		{ place, queue, ready }: { place: string; queue: string; ready: number },
		clock: Clock,
		logger: Logger,
	): (delivery: Delivery) => void {
		const before = this.leftAlone.get(place);
		if (before && ready > before.whileMoreThan && clock.now() < before.until) throw leavesAlone(queue);
		this.leftAlone.delete(place);
		const counting = new Counting();
		const log = new BodyLog(clock, logger, `Queue ${queue}`, this.noted);
		let held = 0;
		let isOften = false;
		return (delivery) => {
			const returns = counting.returnsOf(delivery);
			log.delivered(new Message(delivery, clock.now(), returns));
			held += 1;
			isOften ||= returns !== undefined && returns >= LOOKS - 1;
			if (!isOften) return;
			const whileMoreThan = Math.max(0, ready - held);
			this.leftAlone.set(place, { until: clock.now() + LEFT_ALONE_MS, whileMoreThan });
		};
	}
}

function leavesAlone(queue: string): ServiceError {
	return new ServiceError(
		'invalidInput',
		`Of the first events of the queue “${queue}”, one or more were given out ${LOOKS} times, and tests leave them alone now`,
		{
			remedy:
				'The queue counts this and may drop an event by it. Pin the data that was shown before, or test with sample events. While the workflow is published, a test shows the next event that comes.',
		},
	);
}
