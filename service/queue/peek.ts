import type { Channel, GetMessage } from 'amqplib';
import { ServiceError } from '../errors';
import { pause, within, type Clock, type Logger } from '../surroundings';
import type { DeliveredEvent, EventFilter, QueueAddress } from './contract';
import { placeOf } from './address';
import { decode } from './decode';
import { deliveryOf, type Delivery } from './delivery';
import { isAskedFor } from './filter';
import { openLink, type OpenLink } from './link';
import { brokerError, reasonOf } from './refusal';
import { SparingLooks } from './sparingLooks';

/** Messages held at most while looking for one that matches. */
const HELD_AT_MOST = 20;
const LOOK_EVERY_MS = 2_000;
/** A test that nobody looks at any more must not hold messages for ever. */
const LONGEST_LOOK_MS = 15 * 60 * 1000;
/** Of this process. */
const LOOKS = new SparingLooks();

/** Connects, logs in and leaves again. Throws a {@link ServiceError} that says what a person can do. */
export async function tryLogin(
	address: QueueAddress,
	clock: Clock,
	logger: Logger,
	open: OpenLink = openLink,
): Promise<void> {
	const link = await open(address, 'Connection test', clock, logger);
	await link.close();
}

interface PeekOptions {
	address: QueueAddress;
	queue: string;
	filter: EventFilter;
	clock: Clock;
	logger: Logger;
	/** Ends the look; the answer is then undefined. */
	signal: AbortSignal;
	/** Asked between two looks: true when events come by another way now, which ends the look. */
	takenOver(): Promise<boolean>;
	open?: OpenLink;
}

/**
 * The next event on the queue that is asked for, without taking it: messages are held unacknowledged until one matches, then
 * all go back. Each message is fetched once only, since brokers count deliveries and drop what was delivered too often, and
 * none that was fetched often before ({@link SparingLooks}).
 * Undefined when stopped or taken over.
 * @throws {ServiceError} when the queue cannot be read, when the first 20 messages do not match, or after 15 minutes
 */
export async function peek(options: PeekOptions): Promise<DeliveredEvent | undefined> {
	const { address, queue, clock, logger, signal, open = openLink } = options;
	const link = await open(address, 'Event test', clock, logger);
	try {
		const channel = await link.openChannel();
		const { messageCount } = await channel.checkQueue(queue);
		const place = placeOf(address, queue);
		const holds = LOOKS.begin({ place, queue, ready: messageCount }, clock, logger);
		return await Promise.race([
			look(channel, options, holds),
			link.lost.then((reason) => Promise.reject(reason)),
		]);
	} catch (error) {
		if (signal.aborted) return undefined;
		throw brokerError(await reasonOf(error, link), queue);
	} finally {
		// Closing gives every held message back to its place.
		await link.close();
	}
}

async function look(
	channel: Channel,
	{ queue, filter, clock, signal, takenOver }: PeekOptions,
	holds: (delivery: Delivery) => void,
): Promise<DeliveredEvent | undefined> {
	const until = clock.now() + LONGEST_LOOK_MS;
	for (let held = 0; !signal.aborted && clock.now() < until;) {
		if (await takenOver()) return undefined;
		const message = await channel.get(queue, { noAck: false });
		if (message === false) {
			await pause(clock, LOOK_EVERY_MS, signal);
			continue;
		}
		holds(deliveryOf(queue, message, () => {}));
		const delivered = eventOf(message, clock);
		if (delivered && isAskedFor(delivered.event, filter)) return delivered;
		held += 1;
		if (held === HELD_AT_MOST) {
			throw new ServiceError(
				'notFound',
				`None of the first ${HELD_AT_MOST} events on the queue is of a chosen kind`,
				{
					remedy: 'They stay on the queue. Choose more statuses, or test with sample events.',
				},
			);
		}
	}
	if (signal.aborted) return undefined;
	throw nothingCame();
}

/**
 * What is promised, within the time of a look: whoever hands out the copies may be gone meanwhile.
 * @throws {ServiceError} after 15 minutes
 */
export async function withinLook<T>(copy: Promise<T>, clock: Clock): Promise<T> {
	return await within(clock, LONGEST_LOOK_MS, copy, nothingCame);
}

function nothingCame(): ServiceError {
	return new ServiceError('timeout', 'No event came within 15 minutes', {
		remedy: 'Start the test again, or test with sample events.',
	});
}

function eventOf(message: GetMessage, clock: Clock): DeliveredEvent | undefined {
	const decoded = decode(message.content);
	if (!('event' in decoded)) return undefined;
	return { event: decoded.event, redelivered: message.fields.redelivered, deliveredAt: clock.now() };
}
