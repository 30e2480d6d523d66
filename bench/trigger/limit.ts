import { connect } from 'amqplib';
import type { Broker } from '../../sandbox/broker/broker';
import { ADMINISTRATOR } from '../../sandbox/broker/installation';
import { openPublisher } from '../../sandbox/queue';
import { createHub } from '../../service/queue/hub';
import type { LaneOptions } from '../../service/queue/contract';
import { systemClock } from '../../service/surroundings';
import { eventBody } from '../../test/support/events';
import { silent } from '../../test/support/silent';

/** Events a second of a plain amqplib consumer that parses and acknowledges, so many in flight: what the broker can do. */
export async function plainConsumer(broker: Broker, count: number, inFlight: number): Promise<number> {
	const queue = await filledQueue(broker, count);
	const connection = await connect(broker.url());
	try {
		const channel = await connection.createChannel();
		await channel.prefetch(inFlight);
		const began = performance.now();
		await new Promise<void>((resolve) => {
			let seen = 0;
			void channel.consume(queue, (message) => {
				if (message === null) return;
				JSON.parse(message.content.toString('utf8'));
				channel.ack(message);
				if ((seen += 1) === count) resolve();
			});
		});
		return (count * 1_000) / (performance.now() - began);
	} finally {
		await connection.close();
	}
}

/** Events a second of this package's queue code with runs that take no time: what it costs beside n8n. */
export async function withoutN8n(
	broker: Broker,
	count: number,
	changes: Pick<LaneOptions, 'parallelRuns'> & Partial<LaneOptions>,
): Promise<number> {
	const queue = await filledQueue(broker, count);
	const address = {
		...{ host: '127.0.0.1', port: broker.port, vhost: '/', tls: false },
		...{ username: ADMINISTRATOR, password: broker.address.password },
		...{ caCertificate: '', clientCertificate: '', clientKey: '', passphrase: '', serverName: '' },
	};
	let seen = 0;
	let began = 0;
	let done = () => {};
	const finished = new Promise<void>((resolve) => (done = resolve));
	const member = await createHub(silent, systemClock).subscribe(
		{
			...{ key: 'bench', title: 'Bench', queue, options: { ...OPTIONS, ...changes } },
			filter: { statuses: [], customerIds: [], instances: [] },
			readAddress: async () => address,
			run: async (events) => {
				began ||= performance.now();
				if ((seen += events.length) === count) done();
				return { kind: 'succeeded' };
			},
			report: () => {},
		},
		false,
	);
	await finished;
	const perSecond = (count * 1_000) / (performance.now() - began);
	await member.leave();
	return perSecond;
}

const OPTIONS: Omit<LaneOptions, 'parallelRuns'> = {
	removeWhen: 'succeeded',
	keepOrder: true,
	attempts: 5,
	batchSize: 1,
	batchWaitMs: 2_000,
	skipRepeats: true,
};
let queues = 0;

async function filledQueue(broker: Broker, count: number): Promise<string> {
	const queue = `limit-${(queues += 1)}`;
	const publisher = await openPublisher({ url: broker.url(), queue });
	await Promise.all(Array.from({ length: count }, (_, number) => publisher.publish(eventBody(number))));
	await publisher.close();
	return queue;
}
