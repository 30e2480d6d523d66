import { connect } from 'amqplib';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { createHub } from '../../service/queue/hub';
import { systemClock } from '../../service/surroundings';
import { eventBody, setIdOf } from '../support/events';
import { startTestQueue } from '../support/queue';
import { addressOf, recordingLogger, subscriber } from '../support/subscriber';
import { forAll } from '../support/forAll';

jest.setTimeout(120_000);

const service = forAll(startTestQueue);

/** A table in a table and so on, as the protocol writes it, each under the name "a". */
function tables(levels: number): Buffer {
	const level = (index: number) => {
		const head = Buffer.from('\x01aF____', 'latin1');
		head.writeUInt32BE((levels - 1 - index) * head.length, 3);
		return head;
	};
	return Buffer.concat(Array.from({ length: levels }, (_, index) => level(index)));
}

/** amqplib cannot write such headers either: on the wire, bytes of the same length are made a table. */
async function publishWithTables(queue: string, levels: number, body: unknown): Promise<void> {
	const connection = await connect(service.broker.url());
	const { stream } = connection.connection as unknown as { stream: { write(bytes: Buffer): boolean } };
	const write = stream.write.bind(stream);
	const bytes = tables(levels);
	stream.write = (sent) => {
		const at = sent.indexOf(bytes);
		const typeAndLength = 5;
		if (at >= 0) sent.write('F', at - typeAndLength);
		return write(sent);
	};
	const channel = await connection.createConfirmChannel();
	channel.sendToQueue(queue, Buffer.from(JSON.stringify(body)), { headers: { deep: bytes } });
	await channel.waitForConfirms();
	await connection.close();
}

it.each(['classic', 'quorum'] as const)(
	'runs an event whose headers amqplib cannot read, and those behind it, on a %s queue',
	async (type) => {
		const queue = await service.declare(`headers-${type}`, { type });
		await publishWithTables(queue, 8_000, eventBody(1));
		await service.publish(queue, eventBody(2), eventBody(3));
		const logger = recordingLogger();
		const one = subscriber(addressOf(service.broker), queue);
		const member = await createHub(logger, systemClock).subscribe(one, false);
		await member.untilListening();
		await waitUntil('all have run', () => one.runs.length >= 3, { deadlineMs: 20_000 });
		expect(one.setIds).toEqual([1, 2, 3].map(setIdOf));
		expect(logger.lines.filter((line) => line.includes('not listening'))).toEqual([]);
		await member.leave();
	},
);

it('sees by its headers how often such an event was delivered, so that all bodies are in the log before a quorum queue may drop them', async () => {
	const queue = await service.declare('headers-counted', { type: 'quorum' });
	await publishWithTables(queue, 8_000, eventBody(1));
	await service.publish(queue, eventBody(2));
	const logger = recordingLogger();
	for (let process = 0; process < 3; process += 1) {
		const one = subscriber(addressOf(service.broker), queue, {
			options: { parallelRuns: 2 },
			outcome: () => ({ kind: 'shutdown' }),
		});
		const member = await createHub(logger, systemClock).subscribe(one, false);
		await waitUntil('both have run', () => one.runs.length >= 2, { deadlineMs: 20_000 });
		await member.leave();
		await waitUntil('both are back', async () => (await service.ready(queue)) === 2, { deadlineMs: 20_000 });
	}
	const told = logger.lines.filter((line) => line.includes('delivered for the third time')).join();
	expect([1, 2].filter((number) => told.includes(setIdOf(number)))).toEqual([1, 2]);
});
