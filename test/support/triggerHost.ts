import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import type { QueueOptions } from '../../sandbox/broker/administration';
import type { BrokerOptions } from '../../sandbox/broker/broker';
import type { CredentialValues, StoredCredential } from '../../sandbox/n8n/credentials';
import { startN8n, type N8n } from '../../sandbox/n8n/n8n';
import { chain, type NodeSketch } from '../../sandbox/n8n/workflows';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { newFolder } from '../../sandbox/setup/caches.mjs';
import { startTestQueue, type TestQueue } from './queue';
import { startRunJournal, type RunJournal } from './runJournal';
import { READER } from './subscriber';
import { PACKED_PACKAGE } from './host/start';

const PACKAGE = 'n8n-nodes-parcel-document-exchange';
const TRIGGER_TYPE = `${PACKAGE}.parcelDocumentExchangeTrigger`;
const CREDENTIAL_TYPE = 'parcelDocumentExchangeQueueApi';

interface ListeningWorkflow {
	/** Names it, and is the path under which its runs stand in the journal. */
	name: string;
	queue: string;
	statuses?: string[];
	simplify?: boolean;
	testWith?: 'nextEvent' | 'sampleEvent';
	options?: Record<string, unknown>;
	/** Workflow settings, such as `{ executionTimeout: 60 }`. */
	settings?: Record<string, unknown>;
	/** What follows the trigger. Default: one call to the journal. */
	nodes?: NodeSketch[];
}

/** A private RabbitMQ and a private n8n with the packed package: both may be killed. And a journal of all runs. */
export interface TriggerHost {
	readonly n8n: N8n;
	readonly service: TestQueue;
	readonly journal: RunJournal;
	readonly credential: StoredCredential;
	/** A queue nobody used before. */
	newQueue(options?: QueueOptions): Promise<string>;
	create(workflow: ListeningWorkflow): Promise<string>;
	/** Publishes a workflow and waits until its trigger has joined. */
	publish(id: string): Promise<void>;
	/** Creates and publishes. @returns the workflow's id */
	listen(workflow: ListeningWorkflow): Promise<string>;
	unpublish(id: string): Promise<void>;
	/** Nothing is left on the queue, neither ready nor unacknowledged. */
	untilEmpty(queue: string, deadlineMs?: number): Promise<void>;
	untilConsuming(queue: string, deadlineMs?: number): Promise<void>;
	/** `kill -9` and, unless told otherwise, a start in the same folder. */
	killN8n(): Promise<void>;
	/** SIGTERM. @returns how long n8n took to end, in milliseconds */
	stopN8n(): Promise<number>;
	startN8nAgain(): Promise<void>;
	/** Resident memory of n8n's main process, in megabytes. */
	memoryMb(): Promise<number>;
	close(): Promise<void>;
}

export async function startTriggerHost(
	options: { broker?: BrokerOptions; env?: NodeJS.ProcessEnv } = {},
): Promise<TriggerHost> {
	if (!existsSync(PACKED_PACKAGE)) {
		throw new Error('There is no packed package: run "npm test -- --only host", which makes it.');
	}
	const folder = await newFolder('trigger-');
	// From "npm test -- --n8n", as for the other tests in a real n8n.
	const version = process.env['PARCEL_N8N_VERSION'] || undefined;
	const journal = await startRunJournal();
	const service = await startTestQueue(options.broker);
	const firstN8n = startN8n({ folder, packageTarball: PACKED_PACKAGE, version, env: options.env });
	let n8n = await firstN8n.catch(async (error) => {
		await Promise.all([service.close(), journal.close()]);
		throw error;
	});
	const credential = await n8n.credentials.create('Event queue', CREDENTIAL_TYPE, accountOf(service));
	let queues = 0;

	const host: TriggerHost = {
		get n8n() {
			return n8n;
		},
		service,
		journal,
		credential,
		newQueue: (options) => service.declare(`events-${(queues += 1)}`, options),
		async create(workflow) {
			const stored = await n8n.workflows.create(
				chain(
					workflow.name,
					[triggerNode(workflow, credential), ...(workflow.nodes ?? [journalNode(journal, workflow)])],
					{ executionOrder: 'v1', ...workflow.settings },
				),
			);
			return stored.id;
		},
		async publish(id) {
			const { nodes } = await n8n.workflows.get(id);
			const queue = nodes.map(({ parameters }) => parameters['queue']).find(Boolean);
			const before = await prefetchOf(service, String(queue));
			await n8n.workflows.publish(id);
			// Whoever joins raises the limit of the one consumer.
			await waitUntil(
				`workflow ${id} listens`,
				async () => (await prefetchOf(service, String(queue))) > before,
				{ deadlineMs: 30_000 },
			);
		},
		async listen(workflow) {
			const id = await host.create(workflow);
			await host.publish(id);
			return id;
		},
		unpublish: async (id) => void (await n8n.workflows.unpublish(id)),
		// After a start of n8n, what has run stays for 40 s, for workflows that start later.
		async untilEmpty(queue, deadlineMs = 90_000) {
			let depth = await service.broker.queueDepth(queue);
			await waitUntil(
				`queue ${queue} is empty`,
				async () => {
					depth = await service.broker.queueDepth(queue);
					return depth.ready + depth.unacknowledged === 0;
				},
				{ deadlineMs },
			).catch((error: Error) => {
				throw new Error(`${error.message}: ${JSON.stringify(depth)}`);
			});
		},
		untilConsuming: async (queue, deadlineMs = 30_000) =>
			void (await waitUntil(
				`queue ${queue} has a consumer`,
				async () => (await service.broker.queueDepth(queue)).consumers > 0,
				{ deadlineMs },
			)),
		killN8n: () => n8n.kill(),
		async stopN8n() {
			const began = Date.now();
			await n8n.stop();
			return Date.now() - began;
		},
		async startN8nAgain() {
			n8n = await startN8n({ folder, port: Number(new URL(n8n.url).port), version, env: options.env });
		},
		async memoryMb() {
			const status = await readFile(`/proc/${n8n.processId}/status`, 'utf8');
			return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
		},
		async close() {
			await Promise.all([n8n.kill(), service.close(), journal.close()]);
			await rm(folder, { recursive: true, force: true, maxRetries: 5 });
		},
	};
	return host;
}

async function prefetchOf({ broker }: TestQueue, queue: string): Promise<number> {
	const consumers = (await broker.consumers()).filter((consumer) => consumer.queue === queue);
	return consumers.reduce((sum, { prefetch }) => sum + prefetch, 0);
}

function accountOf({ broker }: TestQueue): CredentialValues {
	return {
		host: '127.0.0.1',
		port: broker.port,
		vhost: '/',
		username: READER.user,
		password: READER.password,
		tls: false,
	};
}

function triggerNode(workflow: ListeningWorkflow, { id, name }: StoredCredential): NodeSketch {
	const { queue, statuses = [], simplify = true, testWith = 'nextEvent', options = {} } = workflow;
	return {
		name: 'Event',
		type: TRIGGER_TYPE,
		parameters: { queue, statuses, simplify, testWith, options },
		credentials: { [CREDENTIAL_TYPE]: { id, name } },
	};
}

/** One call with the items of the run, whatever their number. */
export function journalNode({ url }: RunJournal, { name }: Pick<ListeningWorkflow, 'name'>): NodeSketch {
	return {
		name: 'Journal',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			method: 'POST',
			url: `${url}/${name}`,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ JSON.stringify($input.all().map((item) => item.json)) }}',
			options: { timeout: 300_000 },
		},
		executeOnce: true,
	};
}
