import { chain } from '../../sandbox/n8n/workflows';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { eventBody } from '../support/events';
import { ACTION, TRIGGER, useWorld, using } from '../support/host/world';

const world = useWorld();

/** A workflow that asks about the queue when a person runs it. */
async function statusOf(queue: string): Promise<Record<string, unknown> | undefined> {
	const { n8n, queueCredential } = world();
	const workflow = chain('Status of the queue', [
		{ name: 'By hand', type: 'n8n-nodes-base.manualTrigger', parameters: {} },
		{
			...{ name: 'Status', type: ACTION, credentials: using(queueCredential) },
			parameters: { resource: 'queue', operation: 'getStatus', queue },
		},
	]);
	const { id } = await n8n.workflows.create(workflow);
	const run = await n8n.executions.finished(await n8n.workflows.run(id, 'By hand'));
	if (run.error) throw new Error(run.error.message);
	return run.items('Status')[0]?.json;
}

it('tells of a queue that nobody reads, then of the published trigger that reads it, and takes no event', async () => {
	const { n8n, queue, queueCredential, publisher, publish, broker, vhost } = world();
	await publisher.publish(eventBody(1));
	await publisher.publish(eventBody(2));
	await waitUntil('both are there', async () => (await broker.queueDepth(queue, vhost)).ready === 2);
	expect(await statusOf(queue)).toMatchObject({ waiting: 2, readers: 0, triggers: [] });
	expect(await broker.queueDepth(queue, vhost)).toMatchObject({ ready: 2, unacknowledged: 0 });

	const { id } = await publish(
		chain('Listening', [
			{ name: 'On event', type: TRIGGER, parameters: { queue }, credentials: using(queueCredential) },
		]),
	);
	await n8n.executions.finishedOf(id, 2);
	const emptied = async () => {
		const { ready, unacknowledged } = await broker.queueDepth(queue, vhost);
		return ready + unacknowledged === 0;
	};
	await waitUntil('the queue is empty', emptied);
	expect(await statusOf(queue)).toMatchObject({
		...{ waiting: 0, readers: 1, otherReaders: 0, listening: true, paused: false, problem: null },
		lastEventAt: expect.stringMatching(/^\d{4}-/),
		triggers: [{ trigger: 'Workflow "Listening", node "On event"', running: 0 }],
	});
});

it('says in words what is wrong', async () => {
	await expect(statusOf('nowhere')).rejects.toThrow('The queue “nowhere” was not found');
});
