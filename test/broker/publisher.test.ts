import { connect } from 'amqplib';
import { startBroker, type Broker } from '../../sandbox/broker/broker';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { openPublisher, queueOf } from '../../sandbox/queue';

let broker: Broker;
const queue = queueOf('11111111-1111-4111-8111-111111111111');
beforeAll(async () => {
	broker = await startBroker();
}, 60_000);
afterAll(() => broker.close());

const arrived = async () => {
	const connection = await connect(broker.url());
	try {
		const channel = await connection.createChannel();
		const bodies: unknown[] = [];
		for (let message = await channel.get(queue); message; message = await channel.get(queue)) {
			bodies.push({ ...JSON.parse(message.content.toString()), mode: message.properties.deliveryMode });
			channel.ack(message);
		}
		return bodies;
	} finally {
		await connection.close();
	}
};

test('declares the queue of the customer, and an event published is one event on it, kept on disk', async () => {
	const publisher = await openPublisher({ url: broker.url(), queue });
	expect(await broker.queueDepth(queue)).toEqual({ ready: 0, unacknowledged: 0, consumers: 0 });
	await publisher.publish({ newStatus: 'Signed', parcelReference: 'Göteborg' });
	await publisher.close();
	expect(await arrived()).toEqual([{ newStatus: 'Signed', parcelReference: 'Göteborg', mode: 2 }]);
	await waitUntil('the connection is gone', async () => (await broker.connections()).length === 0);
});

test('goes on after the broker closed its connection', async () => {
	const publisher = await openPublisher({ url: broker.url(), queue });
	await broker.closeConnections();
	await waitUntil('the connection is gone', async () => (await broker.connections()).length === 0);
	await publisher.publish({ number: 2 });
	await publisher.close();
	expect(await arrived()).toEqual([{ number: 2, mode: 2 }]);
});

test('goes on after the broker was away, and says so while it is', async () => {
	const publisher = await openPublisher({ url: broker.url(), queue });
	await broker.stop();
	await expect(publisher.publish({ number: 3 })).rejects.toThrow();
	await broker.start();
	await publisher.publish({ number: 4 });
	await publisher.close();
	expect(await arrived()).toEqual([{ number: 4, mode: 2 }]);
}, 90_000);

test('leaves no connection behind when the queue cannot be had', async () => {
	await broker.addUser('reader', 'secret');
	await broker.setPermissions('reader', '/', { configure: '^$', write: '^$', read: '.*' });
	const url = broker.url({ user: 'reader', password: 'secret' });
	await expect(openPublisher({ url, queue: 'not.mine' })).rejects.toThrow('ACCESS_REFUSED');
	await waitUntil('the connection is gone', async () => (await broker.connections()).length === 0);
});
