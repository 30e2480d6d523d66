import { connect, type ChannelModel, type ConfirmChannel } from 'amqplib';

interface PublisherOptions {
	/** `amqp://user:password@host:port/vhost` of an account that may write to the queue. */
	url: string;
	queue: string;
}

/** Puts events on the customer's queue, as the service does. */
export interface Publisher {
	/** Resolves when the broker has taken the event. Throws when it has not within 10 s. */
	publish(event: object): Promise<void>;
	close(): Promise<void>;
}

const deadlineMs = 10_000;

/** The queue of a customer. It holds the customer's id, as the service's queues do. */
export function queueOf(customerId: string): string {
	return `parcel.${customerId}.events`;
}

/**
 * Connects and declares the queue, durable: in the sandbox nobody else owns it.
 * A connection that was lost is opened again for the next event. Throws when the broker does not answer.
 */
export async function openPublisher({ url, queue }: PublisherOptions): Promise<Publisher> {
	let opening: Promise<Opened> | undefined;
	const opened = (): Promise<Opened> => {
		if (opening) return opening;
		const mine = open(url, queue, () => {
			if (opening === mine) opening = undefined;
		});
		opening = mine;
		return mine;
	};
	await opened();
	return {
		async publish(event) {
			const sending = opened().then(({ channel }) => send(channel, queue, event));
			await withDeadline(sending, `The broker has not taken the event within ${deadlineMs / 1000} s`);
		},
		async close() {
			const closing = opening?.then(({ connection }) => connection.close());
			opening = undefined;
			// Closed by the other side in the meantime: that is what was wanted.
			await closing?.catch(() => undefined);
		},
	};
}

interface Opened {
	connection: ChannelModel;
	channel: ConfirmChannel;
}

/** `lost` is called, perhaps more than once, when what was opened can no longer be used or never could. */
async function open(url: string, queue: string, lost: () => void): Promise<Opened> {
	let connection: ChannelModel | undefined;
	const letGo = () => {
		lost();
		connection?.close().catch(() => undefined);
	};
	try {
		connection = await connect(url, { timeout: deadlineMs });
		connection.on('error', lost);
		connection.on('close', lost);
		const channel = await connection.createConfirmChannel();
		channel.on('error', letGo);
		channel.on('close', letGo);
		await channel.assertQueue(queue, { durable: true });
		return { connection, channel };
	} catch (error) {
		letGo();
		throw error;
	}
}

function send(channel: ConfirmChannel, queue: string, event: object): Promise<void> {
	const body = Buffer.from(JSON.stringify(event));
	return new Promise((resolve, reject) => {
		channel.sendToQueue(queue, body, { persistent: true, contentType: 'application/json' }, (error) =>
			error ? reject(error as Error) : resolve(),
		);
	});
}

async function withDeadline<T>(work: Promise<T>, sentence: string): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_resolve, reject) => {
		timer = setTimeout(() => reject(new Error(sentence)), deadlineMs);
	});
	try {
		return await Promise.race([work, late]);
	} finally {
		clearTimeout(timer);
	}
}
