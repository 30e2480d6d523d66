import { defaultUser, startService, type Service } from '../../sandbox/service';
import { startScaleHost, type ScaleHost } from '../scale/support/scaleHost';
import { eventBody, setIdOf } from '../support/events';
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
	await main.service.publish(queue, eventBody(1, { setId: set!.setId, customerId: set!.customerId }));
	await main.untilEmpty(queue);
	const [run] = await main.n8n.executions.finishedOf(workflow, 1);
	const files = run!.items('PDFs');
	expect(files.map(({ json }) => json['complete'])).toEqual(set!.documents.map(() => true));
	expect(files.map(({ binary }) => binary?.['data']?.data)).toEqual(set!.documents.map(() => 'database'));
	await main.unpublish(workflow);
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
