import { chain } from '../../sandbox/n8n/workflows';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { defaultUser, move, startService, type Service } from '../../sandbox/service';
import { connectMcp } from '../support/host/mcpClient';
import { paperByReference } from '../support/host/paperByReference';
import { startScriptedModel } from '../support/host/scriptedModel';
import { agentWorkflow, mcpWorkflow, TOOLS } from '../support/host/tools';
import { using } from '../support/host/world';
import { startScaleHost, type ScaleHost } from '../support/scaleHost';
import { eventBody, setIdOf } from '../support/events';
import { EVERY_THREE_SECONDS } from '../support/pollingHost';
import { REFUSED, refuseRunsInPostgres } from '../support/refusedRuns';
import { addressesListenedOn, isElsewhere } from '../support/listening';
import * as scenarios from '../support/triggerScenarios';

/** n8n's queue mode in small: one worker, few events. In full: test/scale. */

jest.setTimeout(120_000);

let scale: ScaleHost;
let service: Service;
beforeAll(async () => {
	[service, scale] = await Promise.all([
		startService(),
		startScaleHost({ workers: 1, env: { OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true' } }),
	]);
}, 300_000);
afterAll(async () => {
	await service?.close();
	await scale?.close();
});
afterEach(() => scale?.main.journal.clear());

it('a burst runs on the worker, each event once', async () => {
	await scenarios.burst(scale.main, 60);
	const [log] = await Promise.all(scale.workers.map((worker) => worker.logs()));
	expect(log?.split('Worker started execution').length).toBeGreaterThan(60);
});

it('the worker gets the PDFs of a set and keeps them in the database', async () => {
	const { main } = scale;
	const [set] = service.data.sets.filter(({ documents }) => documents.length > 1);
	const { id, name } = await main.n8n.credentials.create('Service', 'parcelDocumentExchangeApi', {
		baseUrl: service.baseUrl,
		...defaultUser,
	});
	const queue = await main.newQueue();
	const workflow = await main.listen({
		name: 'pdfs',
		queue,
		nodes: [
			{
				name: 'PDFs',
				type: 'n8n-nodes-parcel-document-exchange.parcelDocumentExchange',
				parameters: {
					...{ resource: 'document', operation: 'getAllPdfs' },
					setId: { __rl: true, mode: 'id', value: '={{ $json.setId }}' },
				},
				credentials: { parcelDocumentExchangeApi: { id, name } },
			},
		],
	});
	await main.service.publish(
		queue,
		eventBody(1, { setId: set!.setId, customerId: set!.customerId, parcelReference: set!.parcelRef }),
	);
	await main.untilEmpty(queue);
	const [run] = await main.n8n.executions.finishedOf(workflow, 1);
	const files = run!.items('PDFs');
	expect(files.map(({ json }) => json['complete'])).toEqual(set!.documents.map(() => true));
	expect(files.map(({ binary }) => binary?.['data']?.data)).toEqual(set!.documents.map(() => 'database'));
	await main.unpublish(workflow);
});

it('a client of an MCP server of n8n gets its answers from the worker', async () => {
	const { n8n } = scale.main;
	const account = { baseUrl: service.baseUrl, ...defaultUser };
	const credential = await n8n.credentials.create('Service for tools', 'parcelDocumentExchangeApi', account);
	const workflow = mcpWorkflow('papers', ['set.search', 'document.getPdf'], using(credential));
	const { id } = await n8n.workflows.create(workflow);
	await n8n.workflows.publish(id);
	const url = `${n8n.url}/mcp/papers`;
	const client = await waitUntil('the MCP server answers', () => connectMcp(url).catch(() => undefined));
	const [set] = service.data.sets;
	const found = await client.call('set_search', { shipment_reference: set!.shipmentRef, status: '' });
	expect(found).toEqual({ isError: false, text: expect.stringContaining(set!.setId) });
	const [paper] = set!.documents;
	const pdf = await client.call('document_getPdf', { set_id: set!.setId, document_id: paper!.documentId });
	expect(pdf).toEqual({ isError: false, text: expect.stringMatching(/"sha256":\s*"[0-9a-f]{64}"/) });
	const refused = await client.call('set_search', { shipment_reference: 'NO SUCH REFERENCE', status: '' });
	expect(refused.text).toContain('Nothing was found.');
	await client.close();
	await n8n.workflows.unpublish(id);
});

it('an agent on the worker finds a parcel by its reference and tells of a paper', async () => {
	const { n8n } = scale.main;
	const model = await startScriptedModel();
	const account = { baseUrl: service.baseUrl, ...defaultUser };
	const papers = await n8n.credentials.create('Service for an agent', 'parcelDocumentExchangeApi', account);
	const words = await n8n.credentials.create('A model', 'openAiApi', {
		...{ apiKey: 'none', url: model.baseUrl, header: false },
	});
	const workflow = agentWorkflow(Object.keys(TOOLS), {
		...{ service: using(papers), model: using(words), goOn: false },
	});
	const { id } = await n8n.workflows.create(workflow);
	const [set] = service.data.sets;
	model.follow(paperByReference(set!));
	const run = await n8n.executions.finished(await n8n.workflows.run(id, 'Start'), 60_000);
	await model.close();
	expect(run.items('AI Agent')[0]?.json['output']).toMatch(
		new RegExp(`^${set!.documents[0]!.name}: \\d+ bytes, [0-9a-f]{64}$`),
	);
});

it('"Execute step" on the worker takes nothing off the queue', async () => {
	const { main } = scale;
	const queue = await main.newQueue();
	const id = await main.create({ name: 'looks', queue, statuses: ['SIGNED'] });
	await main.service.publish(queue, eventBody(1), eventBody(2, { newStatus: 'SIGNED' }));
	const executionId = await main.n8n.workflows.run(id, 'Event', 'Event');
	const [item] = (await main.n8n.executions.finished(executionId)).items('Event');
	expect(item?.json).toMatchObject({ status: 'SIGNED', setId: setIdOf(2) });
	expect(await main.service.broker.queueDepth(queue)).toMatchObject({ ready: 2, unacknowledged: 0 });
});

it('tells of a queue on the worker, and says in a hint what the main process alone knows', async () => {
	const { main } = scale;
	const queue = await main.newQueue();
	await main.service.publish(queue, eventBody(1), eventBody(2));
	const { id: account, name } = main.credential;
	const status = {
		...{ name: 'Status', type: 'n8n-nodes-parcel-document-exchange.parcelDocumentExchange' },
		parameters: { resource: 'queue', operation: 'getStatus', queue },
		credentials: { parcelDocumentExchangeQueueApi: { id: account, name } },
	};
	const byHand = { name: 'By hand', type: 'n8n-nodes-base.manualTrigger', parameters: {} };
	const { id } = await main.n8n.workflows.create(chain('Status of a queue', [byHand, status]));
	const asked = async () =>
		await main.n8n.executions.finished(await main.n8n.workflows.run(id, 'By hand'), 60_000);
	const unknown = {
		...{ otherReaders: null, listening: null, paused: null, problem: null, lastEventAt: null, running: null },
		resting: null,
		triggers: [],
	};

	const unread = await asked();
	expect(unread.error).toBeUndefined();
	expect(unread.items('Status')[0]?.json).toEqual({ queue, waiting: 2, readers: 0, ...unknown });
	expect(await main.service.broker.queueDepth(queue)).toMatchObject({ ready: 2, unacknowledged: 0 });
	expect(JSON.stringify(unread.data)).toContain(
		'known in its main process alone, and this run took place on',
	);

	const listening = await main.listen({ name: 'listens', queue });
	await main.untilEmpty(queue);
	expect((await asked()).items('Status')[0]?.json).toEqual({ queue, waiting: 0, readers: 1, ...unknown });
	await main.unpublish(listening);
});

it('looks of the poll trigger, in the main process, start their runs on the worker, and again what could not be stored', async () => {
	const { n8n } = scale.main;
	const account = { baseUrl: service.baseUrl, ...defaultUser };
	const credential = await n8n.credentials.create('Service for looks', 'parcelDocumentExchangeApi', account);
	const changed = {
		...{ name: 'Changed', type: 'n8n-nodes-parcel-document-exchange.parcelDocumentExchangePollTrigger' },
		...{ parameters: EVERY_THREE_SECONDS, credentials: using(credential) },
	};
	const after = { name: 'After', type: 'n8n-nodes-base.noOp', parameters: {} };
	const { id } = await n8n.workflows.create(
		chain('Changed sets', [changed, after], { executionOrder: 'v1' }),
	);
	const searches = () =>
		service.requests.filter(({ path }) => path.startsWith('/v3/common/sets/search')).length;
	const before = searches();
	await n8n.workflows.publish(id);
	// Two looks are over, and the third has begun.
	const pages = Math.ceil(service.data.sets.length / 100);
	await waitUntil('the first looks', () => searches() > before + 2 * pages + 2, { deadlineMs: 60_000 });
	const drafted = service.data.sets.filter(({ status }) => status === 'drafted').map(({ setId }) => setId);
	const sign = (at: number) => move(service.data, drafted[at]!, 'sign', Date.now());
	const told = async (runs: number) =>
		(await n8n.executions.finishedOf(id, runs, 60_000)).flatMap((run) =>
			run.items('After').map(({ json }) => json['setId']),
		);
	const aLook = async () => {
		const before = searches();
		await waitUntil('a look', () => searches() > before + 2, { deadlineMs: 60_000 });
	};
	sign(0);
	const [run] = await n8n.executions.finishedOf(id, 1, 60_000);
	expect(run?.items('After').map(({ json }) => json)).toMatchObject([
		{ setId: drafted[0], status: 'SIGNED', seenBy: 'search' },
	]);
	const [log] = await Promise.all(scale.workers.map((worker) => worker.logs()));
	expect(log).toContain(`Worker started execution ${run!.id}`);

	await refuseRunsInPostgres(scale.queueMode.postgres, true);
	sign(1);
	const isRefused = async () => (await n8n.logs()).includes(REFUSED);
	await waitUntil('a run that could not be stored', isRefused, { deadlineMs: 60_000 });
	await refuseRunsInPostgres(scale.queueMode.postgres, false);
	expect((await told(2)).sort()).toEqual(drafted.slice(0, 2).sort());

	await scale.killWorker();
	await aLook();
	sign(2);
	await aLook();
	await scale.addWorker();
	expect((await told(3)).sort()).toEqual(drafted.slice(0, 3).sort());
	await aLook();
	expect(await n8n.executions.list({ workflowId: id })).toHaveLength(3);
	await n8n.workflows.unpublish(id);
});

it('nothing of it listens on another address than that of this machine', async () => {
	const addresses = await addressesListenedOn();
	// Main process and worker, each with its task broker; the worker's answer on its health; PostgreSQL, Redis and RabbitMQ.
	expect(addresses.length).toBeGreaterThan(7);
	expect(addresses.filter(isElsewhere)).toEqual([]);
});
