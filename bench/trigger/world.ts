import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startBroker, type Broker } from '../../sandbox/broker/broker';
import { ADMINISTRATOR } from '../../sandbox/broker/installation';
import { startN8n, type N8n } from '../../sandbox/n8n/n8n';
import { chain, type NodeSketch } from '../../sandbox/n8n/workflows';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { openPublisher } from '../../sandbox/queue';

/** A way of listening that is measured. */
export interface Way {
	by: string;
	type: string;
	credentialType: string;
	parameters(queue: string): Record<string, unknown>;
}

/** This package's trigger. */
export const ours = (by: string, options: Record<string, unknown> = {}): Way => ({
	by,
	type: 'n8n-nodes-parcel-document-exchange.parcelDocumentExchangeTrigger',
	credentialType: 'parcelDocumentExchangeQueueApi',
	parameters: (queue) => ({ queue, statuses: [], options }),
});

/** n8n's own; it removes an event when its run has succeeded, as ours does. */
export const builtIn = (by: string, options: Record<string, unknown> = {}): Way => ({
	by,
	type: 'n8n-nodes-base.rabbitmqTrigger',
	credentialType: 'rabbitmq',
	parameters: (queue) => ({
		queue,
		options: {
			acknowledge: 'executionFinishesSuccessfully',
			jsonParseBody: true,
			onlyContent: true,
			assertQueue: false,
			...options,
		},
	}),
});

interface Listening {
	workflowId: string;
	queue: string;
	/** Publishes all at once and waits until the broker has them. */
	publish(events: readonly object[]): Promise<void>;
	/** Waits until the last event is removed. */
	untilEmpty(deadlineMs: number): Promise<void>;
	end(): Promise<void>;
}

/** One RabbitMQ and one n8n with both triggers; every measurement gets a queue of its own. */
export interface World {
	broker: Broker;
	n8n: N8n;
	listen(way: Way): Promise<Listening>;
	/** Resident memory of n8n's main process, in MB. */
	memoryMb(): Promise<number>;
	/** A fresh n8n process, so that what was measured before does not count. */
	restartN8n(): Promise<void>;
	close(): Promise<void>;
}

export async function openWorld(options: {
	folder: string;
	packageTarball: string;
	/** Further variables of n8n. */
	env?: Record<string, string>;
}): Promise<World> {
	const start = (more: { packageTarball?: string } = {}) =>
		startN8n({
			folder: join(options.folder, 'n8n'),
			env: { N8N_LOG_LEVEL: 'error', ...options.env },
			...more,
		});
	const { packageTarball } = options;
	const [broker, firstN8n] = await Promise.all([startBroker(), start({ packageTarball })]);
	let n8n = firstN8n;
	let number = 0;
	const account = {
		...{ hostname: '127.0.0.1', host: '127.0.0.1', port: broker.port, vhost: '/' },
		...{ username: ADMINISTRATOR, password: broker.address.password },
	};
	const credentials: Record<string, { id: string; name: string }> = {};
	for (const type of [ours('').credentialType, builtIn('').credentialType]) {
		const { id, name } = await n8n.credentials.create(type, type, account);
		credentials[type] = { id, name };
	}

	return {
		broker,
		get n8n() {
			return n8n;
		},
		async listen({ type, credentialType, parameters }) {
			const queue = `bench-${(number += 1)}`;
			const publisher = await openPublisher({ url: broker.url(), queue });
			const trigger: NodeSketch = {
				...{ name: 'Event', type, parameters: parameters(queue) },
				credentials: { [credentialType]: credentials[credentialType] ?? { id: '', name: '' } },
			};
			const end: NodeSketch = { name: 'End', type: 'n8n-nodes-base.noOp', parameters: {} };
			const { id } = await n8n.workflows.create(chain(queue, [trigger, end], { executionOrder: 'v1' }));
			await n8n.workflows.publish(id);
			const consumers = async () => (await broker.queueDepth(queue)).consumers;
			await waitUntil('the trigger listens', async () => (await consumers()) === 1, { deadlineMs: 60_000 });
			return {
				workflowId: id,
				queue,
				publish: async (events) => void (await Promise.all(events.map((event) => publisher.publish(event)))),
				untilEmpty: async (deadlineMs) =>
					void (await waitUntil(
						'every event is removed',
						async () => {
							const { ready, unacknowledged } = await broker.queueDepth(queue);
							return ready + unacknowledged === 0;
						},
						{ deadlineMs, everyMs: 20 },
					)),
				async end() {
					await n8n.workflows.unpublish(id);
					await waitUntil('the trigger has let go', async () => (await consumers()) === 0, {
						deadlineMs: 90_000,
					});
					await publisher.close();
				},
			};
		},
		async memoryMb() {
			const status = await readFile(`/proc/${n8n.processId}/status`, 'utf8');
			return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
		},
		async restartN8n() {
			await n8n.kill();
			n8n = await start();
			// Its garbage of the start would hide what follows.
			await sleep(5_000);
		},
		close: async () => void (await Promise.all([n8n.kill(), broker.close()])),
	};
}
