import { randomUUID } from 'node:crypto';
import { connectBroker, type BrokerClient } from '../../../sandbox/broker/client';
import { connectN8n, type N8nClient } from '../../../sandbox/n8n/n8n';
import type { StoredCredential } from '../../../sandbox/n8n/credentials';
import type { NodeSketch, StoredWorkflow, WorkflowJson } from '../../../sandbox/n8n/workflows';
import { waitUntil } from '../../../sandbox/process/waitUntil';
import { openPublisher, queueOf, type Publisher } from '../../../sandbox/queue';
import { defaultUser, startService, type Service, type ServiceOptions } from '../../../sandbox/service';
import { SHARED_HOST, type SharedHost } from './start';

export const PACKAGE = 'n8n-nodes-parcel-document-exchange';
export const ACTION = `${PACKAGE}.parcelDocumentExchange`;
export const POLL_TRIGGER = `${PACKAGE}.parcelDocumentExchangePollTrigger`;
export const TRIGGER = `${PACKAGE}.parcelDocumentExchangeTrigger`;

/** The step by which a person starts a workflow. */
export const START: NodeSketch = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} };

/** The shared n8n and RabbitMQ, and for this test file alone: a stand-in service, a virtual host, an empty queue, accounts. */
export interface World extends Omit<SharedHost, 'broker'> {
	n8n: N8nClient;
	broker: BrokerClient;
	service: Service;
	customerId: string;
	vhost: string;
	queue: string;
	/** Puts events on `queue`, as the service does. */
	publisher: Publisher;
	serviceCredential: StoredCredential;
	queueCredential: StoredCredential;
	/** Creates and publishes a workflow whose trigger listens to `queue`, and waits until it does. */
	publish(workflow: WorkflowJson): Promise<StoredWorkflow>;
}

/** Who may read the queue and nothing else. */
export const READER = { username: 'reader', password: 'read: only' };

/** Makes the world before the first test of a file and takes it down after the last: workflows unpublished, queue deleted. */
export function useWorld(serviceOptions: ServiceOptions = {}): () => World {
	// Jest takes no time limit from the settings of one project.
	jest.setTimeout(120_000);
	let world: World | undefined;
	const closers: (() => Promise<unknown>)[] = [];

	beforeAll(async () => {
		const shared = JSON.parse(process.env[SHARED_HOST] ?? '{}') as SharedHost;
		const broker = connectBroker(shared.broker);
		closers.push(() => broker.close());
		const [n8n, service] = await Promise.all([
			connectN8n(shared.n8nUrl, shared.owner),
			startService(serviceOptions),
		]);
		closers.push(() => service.close());

		const customerId = service.data.customers[0]?.customerId ?? '';
		// Of a queue's name, events are kept for minutes for those that another file has just unpublished: whatever the vhost.
		const [vhost, queue] = [`test-${randomUUID()}`, queueOf(randomUUID())];
		await addReader(broker, vhost, queue);
		closers.push(() => broker.deleteVhost(vhost));
		const publisher = await openPublisher({ url: broker.url({ vhost }), queue });
		closers.push(() => publisher.close());

		const name = vhost.slice(0, 13);
		const serviceCredential = await n8n.credentials.create(`Service ${name}`, 'parcelDocumentExchangeApi', {
			baseUrl: service.baseUrl,
			...defaultUser,
		});
		const account = { host: '127.0.0.1', port: broker.port, vhost, ...READER };
		const queueCredential = await n8n.credentials.create(
			`Queue ${name}`,
			'parcelDocumentExchangeQueueApi',
			account,
		);
		const publish = async (workflow: WorkflowJson) => {
			const { consumers: before } = await broker.queueDepth(queue, vhost);
			const stored = await n8n.workflows.create(workflow);
			closers.push(() => n8n.workflows.unpublish(stored.id));
			await n8n.workflows.publish(stored.id);
			// One consumer for the whole process: a second workflow on the queue joins it.
			const listens = async () => (await broker.queueDepth(queue, vhost)).consumers >= Math.max(1, before);
			await waitUntil('the trigger listens', listens);
			return stored;
		};
		world = {
			...{ ...shared, n8n, broker, service, customerId, vhost, queue, publisher },
			...{ serviceCredential, queueCredential, publish },
		};
	}, 60_000);

	afterAll(async () => {
		for (const close of closers.splice(0).reverse()) await close().catch(() => undefined);
	}, 60_000);

	return () => {
		if (world === undefined) throw new Error('The world is there within tests only');
		return world;
	};
}

/** The account a customer gets: it may read its queue and nothing else. */
async function addReader(broker: BrokerClient, vhost: string, queue: string): Promise<void> {
	await broker.addVhost(vhost);
	await broker.setPermissions('admin', vhost);
	await broker.declareQueue(queue, { vhost });
	const isThere = broker.addUser(READER.username, READER.password, null);
	await isThere.catch(() => undefined);
	const read = `^${queue.replaceAll('.', '\\.')}$`;
	await broker.setPermissions(READER.username, vhost, { configure: '^$', write: '^$', read });
}

/** A node's `credentials`, from stored ones. */
export const using = (...credentials: StoredCredential[]): Record<string, { id: string; name: string }> =>
	Object.fromEntries(credentials.map(({ id, name, type }) => [type, { id, name }]));
