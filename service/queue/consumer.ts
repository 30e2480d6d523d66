import type { Channel, ConsumeMessage } from 'amqplib';
import { ServiceError } from '../errors';
import { deliveryOf, type Delivery } from './delivery';
import type { Link } from './link';
import { brokerError } from './refusal';

/** A broker that delivers so many times what was asked for obeys no limit. */
const OVERRUN = 4;

/**
 * What a consumer has anyhow. Said aloud, RabbitMQ refuses to give it one of a stream: that knows no priorities, takes no
 * event back, and leaves out, at the next connection, all that came in between.
 */
const USUAL_PRIORITY = { priority: 0 };

interface ConsumerOptions {
	queue: string;
	link: Link;
	channel: Channel;
	/** The largest limit that was ever asked for. */
	largestPrefetch: number;
	onDelivery(delivery: Delivery): void;
}

/** What reads the queue, for the life of one channel. Loses its link when the broker does what it must not. */
export class Consumer {
	/** Names it to the broker, once that has answered. */
	private tag: string | undefined;
	private unsettled = 0;
	private delivered = false;
	private stopped = false;
	private gone = false;

	constructor(private readonly options: ConsumerOptions) {}

	/** Nothing more is delivered; what was stays until it is settled, or goes back. */
	get takesNothing(): boolean {
		return this.stopped;
	}

	/** It has delivered nothing yet. */
	get isIdle(): boolean {
		return !this.delivered;
	}

	/** The broker has answered: it delivers. */
	get hasBegun(): boolean {
		return this.tag !== undefined;
	}

	async begin(): Promise<void> {
		const { channel, queue } = this.options;
		const onMessage = (message: ConsumeMessage | null) => this.receive(message);
		const { consumerTag } = await channel.consume(queue, onMessage, USUAL_PRIORITY);
		this.tag = consumerTag;
	}

	async stop(): Promise<void> {
		if (this.tag === undefined) return;
		this.stopped = true;
		await this.options.channel.cancel(this.tag);
	}

	/** Its channel is to be closed, or lost: from here on nothing is said or heard over it. */
	end(): Channel {
		this.gone = true;
		return this.options.channel;
	}

	private receive(message: ConsumeMessage | null): void {
		const { link, queue, largestPrefetch } = this.options;
		if (!message) {
			link.lose(new ServiceError('unavailable', 'The message queue ended the subscription'));
			return;
		}
		if (this.gone || link.isLost) return;
		this.delivered = true;
		this.unsettled += 1;
		if (this.unsettled > OVERRUN * largestPrefetch) {
			link.lose(overrun(largestPrefetch));
			return;
		}
		this.options.onDelivery(deliveryOf(queue, message, (say) => this.tell(say)));
	}

	private tell(say: (channel: Channel) => void): void {
		const { link, channel } = this.options;
		if (link.isLost || this.gone) return;
		this.unsettled -= 1;
		try {
			say(channel);
		} catch (error) {
			link.lose(brokerError(error));
		}
	}
}

function overrun(prefetch: number): ServiceError {
	return new ServiceError(
		'unexpectedResponse',
		`The message queue delivered more than ${OVERRUN} times the ${prefetch} messages it was asked for`,
		{ remedy: 'Tell the service: its message queue does not obey the limit of a reader (basic.qos).' },
	);
}
