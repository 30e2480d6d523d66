import { connect } from 'amqplib';
import type { QueueOptions } from '../../sandbox/broker/administration';
import { startBroker, type Broker, type BrokerOptions } from '../../sandbox/broker/broker';
import { READER } from './subscriber';

/** A broker with a queue that our reader may only read, as the service's customers may. */
export interface TestQueue {
	broker: Broker;
	/** Publishes bodies as they are (buffers) or as JSON, and waits until the broker has them. */
	publish(queue: string, ...bodies: unknown[]): Promise<void>;
	/** Declares a queue and gives the reader the right to read it. */
	declare(queue: string, options?: QueueOptions): Promise<string>;
	/** Messages on it that nobody has, counted by the broker at this moment. */
	ready(queue: string): Promise<number>;
	close(): Promise<void>;
}

export async function startTestQueue(options: BrokerOptions = {}): Promise<TestQueue> {
	const broker = await startBroker(options);
	await broker.addUser(READER.user, READER.password, null);
	await broker.setPermissions(READER.user, '/', { configure: '^$', write: '^$', read: '.*' });
	return {
		broker,
		async declare(queue, options) {
			await broker.declareQueue(queue, options);
			return queue;
		},
		async publish(queue, ...bodies) {
			const connection = await connect(broker.url());
			connection.on('error', () => {});
			try {
				const channel = await connection.createConfirmChannel();
				for (const body of bodies) {
					const content = Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
					channel.sendToQueue(queue, content, { persistent: true });
				}
				await channel.waitForConfirms();
			} finally {
				await connection.close().catch(() => {});
			}
		},
		async ready(queue) {
			const connection = await connect(broker.url());
			const channel = await connection.createChannel();
			const { messageCount } = await channel.checkQueue(queue);
			await connection.close();
			return messageCount;
		},
		close: () => broker.close(),
	};
}
