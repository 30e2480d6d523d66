import type { Channel, Message } from 'amqplib';

/** One delivery of one message. */
export interface Delivery {
	readonly body: Buffer;
	readonly redelivered: boolean;
	/** How often it was given back, as its headers say: {@link Counting} knows whether they speak of this queue. */
	readonly returns: number | undefined;
	/** How often it was rejected on this queue and came back by the broker's way of dead letters. */
	readonly deaths: number;
	/** On a queue that has such, higher ones are delivered first; else 0. */
	readonly priority: number;
	/** Settles on the channel that delivered it; without effect when that channel is gone. */
	settle(fate: 'remove' | 'reject'): void;
	/** Back to the queue by itself, out of its place on some types of queue. Only after {@link Session.stopTaking}. */
	giveBack(): void;
}

/**
 * A message as the wire brought it.
 * @param tell says something about it to the broker, unless its channel is gone
 */
export function deliveryOf(
	queue: string,
	{ content, fields, properties }: Message,
	tell: (say: (channel: Channel) => void) => void,
): Delivery {
	const { headers } = properties;
	const message = { fields, properties, content: EMPTY };
	return {
		body: content,
		redelivered: fields.redelivered,
		returns: count(headers?.['x-delivery-count']),
		deaths: deathsOn(queue, headers?.['x-death']),
		priority: count(properties.priority) ?? 0,
		settle: (fate) =>
			tell((channel) => {
				if (fate === 'remove') channel.ack(message);
				else channel.nack(message, false, false);
			}),
		giveBack: () => tell((channel) => channel.nack(message, false, true)),
	};
}

/** What settles a message names it by its tag; the body need not be kept for it. */
const EMPTY = Buffer.alloc(0);

function count(value: unknown): number | undefined {
	return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** RabbitMQ's record of dead letters: an entry for each queue and reason. */
function deathsOn(queue: string, record: unknown): number {
	if (!Array.isArray(record)) return 0;
	const entries = record.slice(0, 100) as Array<{ queue?: unknown; count?: unknown } | null>;
	return entries.reduce((sum, entry) => sum + (entry?.queue === queue ? (count(entry.count) ?? 0) : 0), 0);
}
