import { rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { startBroker, type Broker } from '../../../sandbox/broker/broker';
import { startN8n, type N8nClient } from '../../../sandbox/n8n/n8n';
import type { WorkflowJson } from '../../../sandbox/n8n/workflows';
import { waitUntil } from '../../../sandbox/process/waitUntil';
import { openPublisher } from '../../../sandbox/queue';
import { newFolder } from '../../../sandbox/setup/caches.mjs';
import { makeCertificates, type Certificates } from '../../../sandbox/tls/certificates';
import { startFakeService, type FakeService, type FakeServiceOptions } from '../fakeService';
import { makeOddCertificates, type OddCertificates } from '../oddCertificates';
import { openEditor, type BrowserSettings, type Editor } from './editor';
import { PACKED_PACKAGE } from './start';
import { READER, useWorld, type World } from './world';

/** A world with an editor, in which things can be put wrong. */
export interface Stage extends World {
	editor: Editor;
	certificates: Certificates;
	odd: OddCertificates;
	/** A service that does as it is told. */
	serve(options?: FakeServiceOptions): Promise<FakeService>;
	/** Something else that listens at a port of 127.0.0.1. @returns the port */
	listen(onConnection: (socket: Socket) => void): Promise<number>;
	/** A broker that wants a client certificate and shows one for the host name queue.example.com. */
	secureBroker(): Promise<Broker>;
	/** A queue of that name, which the account may read unless the name begins with `secret`. */
	newQueue(queue: string): Promise<string>;
	send(queue: string, ...events: object[]): Promise<void>;
	/** Creates and publishes a workflow whose trigger listens to this queue, and waits until it does. @returns its id */
	publishOn(queue: string, workflow: WorkflowJson, by?: N8nClient): Promise<string>;
	/** Done after the last test. */
	later(close: () => Promise<unknown>): void;
}

interface StageOptions {
	/** The variables of an n8n of its own; without, the one of all tests. */
	env?: () => Promise<NodeJS.ProcessEnv>;
	/** Of the browser. */
	settings?: BrowserSettings;
}

/** Sets the stage before the first test of a file and clears it after the last. */
export function useStage({ env, settings }: StageOptions = {}): () => Stage {
	let stage: Stage | undefined;
	const closers: (() => Promise<unknown>)[] = [];
	const later = (close: () => Promise<unknown>) => void closers.push(close);
	// Before that of the world: Jest calls them in this order.
	afterAll(async () => {
		for (const close of closers.splice(0).reverse()) await close().catch(() => undefined);
	}, 60_000);
	const world = useWorld();

	beforeAll(async () => {
		const folder = await newFolder('stage-');
		later(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
		const own =
			env &&
			(await startN8n({
				folder: join(folder, 'n8n'),
				packageTarball: PACKED_PACKAGE,
				version: process.env['PARCEL_N8N_VERSION'] || undefined,
				env: await env(),
			}));
		if (own) later(() => own.kill());
		const n8n = own ?? world().n8n;
		const editor = await openEditor(n8n.url, own?.owner ?? world().owner, settings);
		later(() => editor.close());

		const certificates = await makeCertificates(join(folder, 'certificates'));
		const odd = await makeOddCertificates(join(folder, 'odd'), certificates);
		const { broker, vhost } = world();
		const rights = { configure: '^$', write: '^$', read: '^(?!secret).*' };
		await broker.setPermissions(READER.username, vhost, rights);

		let secure: Promise<Broker> | undefined;
		const startSecure = async () => {
			const tls = { ...certificates.otherServer, caFile: certificates.caFile, clientCertificateNeeded: true };
			const started = await startBroker({ tls });
			later(() => started.close());
			return started;
		};
		stage = {
			...world(),
			...{ n8n, n8nUrl: n8n.url, editor, certificates, odd, later },
			async serve(options) {
				const service = await startFakeService(options);
				later(() => service.close());
				return service;
			},
			async listen(onConnection) {
				const sockets = new Set<Socket>();
				const server = createServer((socket) => {
					sockets.add(socket.on('error', () => undefined));
					onConnection(socket);
				});
				await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
				later(async () => {
					server.close();
					for (const socket of sockets) socket.destroy();
				});
				return (server.address() as AddressInfo).port;
			},
			secureBroker: () => (secure ??= startSecure()),
			async newQueue(queue) {
				await broker.declareQueue(queue, { vhost });
				return queue;
			},
			async send(queue, ...events) {
				const publisher = await openPublisher({ url: broker.url({ vhost }), queue });
				for (const event of events) await publisher.publish(event);
				await publisher.close();
			},
			async publishOn(queue, workflow, { workflows } = n8n) {
				const { id } = await workflows.create(workflow);
				later(() => workflows.unpublish(id));
				await workflows.publish(id);
				const listens = async () => (await broker.queueDepth(queue, vhost)).consumers > 0;
				await waitUntil('the trigger listens', listens);
				return id;
			},
		};
	}, 120_000);

	return () => {
		if (stage === undefined) throw new Error('The stage is set within tests only');
		return stage;
	};
}
