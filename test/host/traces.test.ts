import { rm } from 'node:fs/promises';
import { startN8n, type N8n } from '../../sandbox/n8n/n8n';
import { chain } from '../../sandbox/n8n/workflows';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { defaultUser, startService, type Service } from '../../sandbox/service';
import { newFolder } from '../../sandbox/setup/caches.mjs';
import { tracesForAll } from '../support/hostVersion';
import { PACKED_PACKAGE } from '../support/host/start';
import { startTraceReceiver, type TraceReceiver } from '../support/host/traceReceiver';
import { ACTION, using } from '../support/host/world';

/** An n8n of its own, which sends its traces (OpenTelemetry) to a receiver of ours. */

jest.setTimeout(120_000);
let [n8n, service, receiver, folder] = [] as unknown as [N8n, Service, TraceReceiver, string];

beforeAll(async () => {
	folder = await newFolder('tracing-');
	[receiver, service] = await Promise.all([startTraceReceiver(), startService()]);
	const version = process.env['PARCEL_N8N_VERSION'];
	n8n = await startN8n({
		folder,
		packageTarball: PACKED_PACKAGE,
		env: {
			N8N_OTEL_ENABLED: 'true',
			N8N_OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
			N8N_OTEL_TRACES_PRODUCTION_ONLY: 'false',
			// A batch of spans is sent after so long.
			OTEL_BSP_SCHEDULE_DELAY: '200',
		},
		...(version && { version }),
	});
}, 180_000);
afterAll(async () => {
	await n8n?.kill();
	await Promise.all([service?.close(), receiver?.close()]);
	await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});

it('a run tells n8n its set, bytes, searches and tries: in its data, and to who receives traces', async () => {
	const credential = await n8n.credentials.create('Service', 'parcelDocumentExchangeApi', {
		baseUrl: service.baseUrl,
		...defaultUser,
	});
	const { setId } = service.data.sets[5]!;
	const workflow = chain('Traced', [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} },
		{
			name: 'PDFs',
			type: ACTION,
			parameters: {
				...{ resource: 'document', operation: 'getAllPdfs' },
				setId: { __rl: true, mode: 'id', value: setId },
			},
			credentials: using(credential),
		},
	]);
	const { id } = await n8n.workflows.create(workflow);
	const run = await n8n.executions.finished(await n8n.workflows.run(id, 'Start'));
	const bytes = run.items('PDFs').reduce((sum, { json }) => sum + Number(json['bytes']), 0);
	const { byRoute, requests } = service.counters;
	const told = { sets: 1, set: setId, bytes, searches: byRoute['search'], tries: requests };
	const { resultData } = run.data as {
		resultData: { runData: Record<string, { metadata?: { tracing?: unknown } }[]> };
	};
	expect(resultData.runData['PDFs']?.map(({ metadata }) => metadata?.tracing)).toEqual([told]);

	if (tracesForAll(n8n.version)) {
		const isTold = () => receiver.attributes().has('n8n.node.custom.tries');
		await waitUntil('the span has come', isTold, { deadlineMs: 30_000 });
		const received = [...receiver.attributes()].filter(([key]) => key.startsWith('n8n.node.custom.'));
		const expected = Object.entries(told).map(([key, value]) => [`n8n.node.custom.${key}`, String(value)]);
		expect(received.sort()).toEqual(expected.sort());
	}
	for (const secret of [defaultUser.password, Buffer.from(defaultUser.password).toString('base64')]) {
		expect(receiver.received().includes(secret)).toBe(false);
	}
});
