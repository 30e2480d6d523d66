import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startBroker, type Broker } from './broker/broker';
import { ADMINISTRATOR } from './broker/installation';
import { startControl } from './control';
import { EXAMPLE_SENDER, ownN8n, publishExample, type ExampleHost } from './exampleWorkflow';
import { startMail } from './mail';
import { statusesAsked } from './n8n/asked';
import { visit, type OtherN8n } from './n8n/guest';
import { startN8n, type N8nClient } from './n8n/n8n';
import { UnusableN8n } from './n8n/publicApi';
import type { Person } from './n8n/rest';
import { passwordIn } from './passwords';
import type { SandboxPorts } from './ports';
import { waitUntil } from './process/waitUntil';
import { openPublisher, queueOf } from './queue';
import { defaultUser, makeData, startService } from './service';

interface SandboxOptions {
	/** Holds all data of this sandbox. */
	folder: string;
	ports: SandboxPorts;
	/** Where n8n may write; default: `files` below `folder`. */
	outputFolder?: string;
	/** An n8n that runs already and has the package; default: one of our own. */
	otherN8n?: OtherN8n;
	/** For an n8n of our own. */
	n8nVersion?: string;
	packageTarball?: string;
	/** Shows one step: called with its title and the work. */
	step: <T>(title: string, work: () => Promise<T>) => Promise<T>;
}

export interface Sandbox {
	/** With the key, for the person who started it. */
	controlUrl: string;
	n8nUrl: string;
	workflowUrl: string;
	serviceUrl: string;
	/** As the reader of the queue, with its password. */
	queueUrl: string;
	queue: string;
	outputFolder: string;
	/** Of an n8n of our own. */
	owner?: Person;
	/** Settles when our own n8n ends by itself. */
	ended: Promise<unknown>;
	/** @returns what could not be closed, and why */
	close(): Promise<Error[]>;
}

/** Starts everything, several things at once; what has started is closed again when something fails. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
	const { folder, ports, step } = options;
	const { outputFolder = join(folder, 'files') } = options;
	await mkdir(outputFolder, { recursive: true });
	const closers: (() => Promise<unknown>)[] = [];
	const close = async () => {
		const troubles: Error[] = [];
		for (const closeOne of closers.splice(0).reverse()) {
			await closeOne().catch((trouble: Error) => troubles.push(trouble));
		}
		return troubles;
	};
	const closing = async <T>(starting: Promise<T>, closeIt: (started: T) => Promise<unknown>): Promise<T> => {
		const started = await starting;
		closers.push(() => closeIt(started));
		return started;
	};

	try {
		// n8n takes longest: it starts while everything else does.
		const n8nStarts = closing(openN8n(options, outputFolder), (n8n) => n8n.close());
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
		const { broker, reader } = await step('RabbitMQ with the queue of the customer', async () => {
			const broker = await brokerStarts;
			// Kept with the workflows that use it.
			const password = await passwordIn(join(folder, 'broker', 'events.reader'));
			const reader = { username: 'events.reader', password };
			await prepareQueue(broker, customerId, queue, reader);
			return { broker, reader };
		});
		const publisher = await closing(openPublisher({ url: broker.url({ vhost: customerId }), queue }), (it) =>
			it.close(),
		);
		const n8n = await step(n8nStep(options), () => n8nStarts);
		// Before all others, which it uses.
		closers.push(n8n.close);
		const workflow = await step('The example workflow, published', async () => {
			const published = await publishExample(n8n.host, {
				queue,
				outputFolder,
				service: { baseUrl: service.baseUrl, ...defaultUser },
				queueAccount: { host: '127.0.0.1', port: broker.port, vhost: customerId, ...reader },
				mailPort: mail.port,
			});
			await untilRead(broker, queue, customerId, n8n.url);
			return published;
		});
		const workflowUrl = `${n8n.url}/workflow/${workflow.id}`;
		const { url: n8nUrl, owner } = n8n;
		// Somebody's n8n lets the sandbox read none of its workflows.
		const { workflows } = n8n;
		const asked = workflows ? statusesAsked({ workflows }, queue) : async () => null;
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
						...(owner && { signIn: owner }),
					},
				}),
				(it) => it.close(),
			),
		);
		return {
			controlUrl: control.ownUrl,
			n8nUrl,
			workflowUrl,
			serviceUrl: service.baseUrl,
			queueUrl: broker.url({ user: reader.username, password: reader.password, vhost: customerId }),
			queue,
			outputFolder,
			...(owner && { owner }),
			ended: n8n.ended,
			close,
		};
	} catch (error) {
		await close();
		throw error;
	}
}

interface Account {
	username: string;
	password: string;
}

/** As the service sets it up: a virtual host for the customer, and an account that may only read. A kept queue is left as it is. */
async function prepareQueue(broker: Broker, vhost: string, queue: string, reader: Account): Promise<void> {
	await broker.addVhost(vhost);
	await broker.setPermissions(ADMINISTRATOR, vhost);
	await broker.declareQueue(queue, { vhost });
	await broker.deleteUser(reader.username).catch(() => undefined);
	await broker.addUser(reader.username, reader.password, null);
	await broker.setPermissions(reader.username, vhost, {
		configure: '^$',
		write: '^$',
		read: `^${queue.replaceAll('.', '\\.')}$`,
	});
}

/** The n8n of a sandbox, ours or somebody's. */
interface SandboxN8n {
	url: string;
	host: ExampleHost;
	/** Of an n8n of our own. */
	workflows?: N8nClient['workflows'];
	owner?: Person;
	ended: Promise<unknown>;
	close(): Promise<void>;
}

const n8nStep = ({ otherN8n }: SandboxOptions) =>
	otherN8n
		? `n8n at ${otherN8n.url}, which runs already`
		: 'n8n with the package, installed as n8n installs it';

async function openN8n(options: SandboxOptions, filesFolder: string): Promise<SandboxN8n> {
	const { folder, ports, otherN8n, n8nVersion, packageTarball } = options;
	if (otherN8n) {
		const guest = await visit(otherN8n, folder);
		// Its end is not ours to see.
		const ended = new Promise<never>(() => undefined);
		return { url: otherN8n.url.replace(/\/+$/, ''), host: guest, ended, close: guest.leave };
	}
	const n8n = await startN8n({
		folder: join(folder, 'n8n'),
		port: ports.n8n,
		filesFolder,
		renewPassword: true,
		...(packageTarball !== undefined && { packageTarball }),
		...(n8nVersion !== undefined && { version: n8nVersion }),
	});
	let stopped: Promise<void> | undefined;
	const close = () => (stopped ??= n8n.stop());
	const { url, workflows, owner } = n8n;
	return { url, host: ownN8n(n8n), workflows, owner, ended: n8n.exited, close };
}

const READ_DEADLINE_MS = 30_000;

/** @throws UnusableN8n when n8n took the workflow but does not come for its events */
async function untilRead(broker: Broker, queue: string, vhost: string, url: string): Promise<void> {
	const isRead = async () => (await broker.queueDepth(queue, vhost)).consumers > 0;
	await waitUntil('the queue is read', isRead, { deadlineMs: READ_DEADLINE_MS, everyMs: 300 }).catch(() => {
		throw new UnusableN8n(
			`n8n at ${url} has the workflow, but does not read the queue at 127.0.0.1:${broker.port}: where it runs in a container, that is another machine; start it with "docker run --network host".`,
		);
	});
}
