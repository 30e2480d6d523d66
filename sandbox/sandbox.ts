import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startBroker, type Broker } from './broker/broker';
import { startControl } from './control';
import { EXAMPLE_SENDER, publishExample } from './exampleWorkflow';
import { startMail } from './mail';
import { statusesAsked } from './n8n/asked';
import { startN8n } from './n8n/n8n';
import type { SandboxPorts } from './ports';
import { openPublisher, queueOf } from './queue';
import { defaultUser, makeData, startService } from './service';

export interface SandboxOptions {
	/** Holds all data of this sandbox. */
	folder: string;
	ports: SandboxPorts;
	n8nVersion?: string;
	packageTarball: string;
	/** Shows one step: called with its title and the work. */
	step: <T>(title: string, work: () => Promise<T>) => Promise<T>;
}

export interface Sandbox {
	controlUrl: string;
	n8nUrl: string;
	workflowUrl: string;
	serviceUrl: string;
	/** As the reader of the queue, with its password. */
	queueUrl: string;
	queue: string;
	outputFolder: string;
	owner: { email: string; password: string };
	/** Settles when n8n ends by itself. */
	ended: Promise<unknown>;
	close(): Promise<void>;
}

/** The account that the customer got: it may read its queue and nothing else. */
const READER = { username: 'events.reader', password: 'Quay 7: events' } as const;

/** Starts everything, several things at once; what has started is closed again when something fails. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
	const { folder, ports, step } = options;
	const outputFolder = join(folder, 'files');
	await mkdir(outputFolder, { recursive: true });
	const closers: (() => Promise<unknown>)[] = [];
	const close = async () => {
		for (const closeOne of closers.splice(0).reverse()) await closeOne().catch(() => undefined);
	};
	const closing = async <T>(starting: Promise<T>, closeIt: (started: T) => Promise<unknown>): Promise<T> => {
		const started = await starting;
		closers.push(() => closeIt(started));
		return started;
	};

	try {
		// n8n takes longest: it starts while everything else does.
		const n8nStarts = closing(
			startN8n({
				folder: join(folder, 'n8n'),
				port: ports.n8n,
				filesFolder: outputFolder,
				renewPassword: true,
				packageTarball: options.packageTarball,
				...(options.n8nVersion !== undefined && { version: options.n8nVersion }),
			}),
			(n8n) => n8n.stop(),
		);
		const brokerStarts = closing(
			startBroker({ folder: join(folder, 'broker'), port: ports.queue }),
			(broker) => broker.stop().then(() => broker.close()),
		);
		// Awaited below, one by one: until then a failure is not unhandled.
		for (const starting of [n8nStarts, brokerStarts]) starting.catch(() => undefined);

		const service = await step('The stand-in service', () =>
			closing(startService({ port: ports.service, data: makeData({ now: Date.now() }) }), (it) => it.close()),
		);
		const mail = await step('The mail catcher', () =>
			closing(startMail({ port: ports.mail }), (it) => it.close()),
		);
		const customerId = service.data.customers[0]?.customerId ?? '';
		const queue = queueOf(customerId);
		const broker = await step('RabbitMQ with the queue of the customer', async () => {
			const started = await brokerStarts;
			await prepareQueue(started, customerId, queue);
			return started;
		});
		const publisher = await closing(openPublisher({ url: broker.url({ vhost: customerId }), queue }), (it) =>
			it.close(),
		);
		const n8n = await step('n8n with the package, installed as n8n installs it', () => n8nStarts);
		const workflow = await step('The example workflow, published', () =>
			publishExample(n8n, {
				queue,
				outputFolder,
				service: { baseUrl: service.baseUrl, ...defaultUser },
				queueAccount: { host: '127.0.0.1', port: broker.port, vhost: customerId, ...READER },
				mailPort: mail.port,
			}),
		);
		const n8nUrl = n8n.url.replace('127.0.0.1', 'localhost');
		const workflowUrl = `${n8nUrl}/workflow/${workflow.id}`;
		const { owner } = n8n;
		const asked = statusesAsked(n8n, queue);
		const control = await step('The control page', () =>
			closing(
				startControl({
					port: ports.control,
					service,
					mail,
					outputFolder,
					publish: (event) => publisher.publish(event),
					lookAtQueue: async () => ({
						...(await broker.queueDepth(queue, customerId)),
						asked: await asked(),
					}),
					exampleSender: EXAMPLE_SENDER,
					links: {
						n8n: n8nUrl,
						workflow: workflowUrl,
						executions: `${workflowUrl}/executions`,
						signIn: owner,
					},
				}),
				(it) => it.close(),
			),
		);
		return {
			controlUrl: control.url,
			n8nUrl,
			workflowUrl,
			serviceUrl: service.baseUrl,
			queueUrl: broker.url({ user: READER.username, password: READER.password, vhost: customerId }),
			queue,
			outputFolder,
			owner,
			ended: n8n.exited,
			close,
		};
	} catch (error) {
		await close();
		throw error;
	}
}

/** As the service sets it up: a virtual host for the customer, and an account that may only read. A kept one is left as it is. */
async function prepareQueue(broker: Broker, vhost: string, queue: string): Promise<void> {
	await broker.addVhost(vhost);
	await broker.setPermissions('admin', vhost);
	await broker.declareQueue(queue, { vhost });
	await broker.deleteUser(READER.username).catch(() => undefined);
	await broker.addUser(READER.username, READER.password, null);
	await broker.setPermissions(READER.username, vhost, {
		configure: '^$',
		write: '^$',
		read: `^${queue.replaceAll('.', '\\.')}$`,
	});
}
