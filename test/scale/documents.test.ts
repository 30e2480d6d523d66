import { defaultUser, renderPdf, startService, type ParcelSet, type Service } from '../../sandbox/service';
import type { StoredCredential } from '../../sandbox/n8n/credentials';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { eventBody } from '../support/events';
import { startScaleHost, type ScaleHost } from '../support/scaleHost';

/** PDFs in queue mode: workers fetch them and keep them in the database, the only storage all processes share. */

jest.setTimeout(300_000);

const MEBIBYTE = 1024 * 1024;
const ACTION = 'n8n-nodes-parcel-document-exchange.parcelDocumentExchange';

let scale: ScaleHost;
let service: Service;
let credential: StoredCredential;
/** Sets whose PDFs are larger than the database may hold. */
const large = new Set<string>();

beforeAll(async () => {
	const makePdf = async (set: ParcelSet, document: ParcelSet['documents'][number]) =>
		renderPdf(set, document, large.has(set.setId) ? 2 * MEBIBYTE : 0);
	[service, scale] = await Promise.all([
		startService({ makePdf }),
		startScaleHost({ workers: 2, env: { N8N_BINARY_DATA_DATABASE_MAX_FILE_SIZE: '1' } }),
	]);
	credential = await scale.main.n8n.credentials.create('Service', 'parcelDocumentExchangeApi', {
		baseUrl: service.baseUrl,
		...defaultUser,
	});
}, 300_000);
afterAll(async () => {
	await service?.close();
	await scale?.close();
});

/** Reads each PDF out of n8n's storage again. */
const READ_BACK = {
	...{ name: 'Read back', type: 'n8n-nodes-base.crypto', typeVersion: 2 },
	parameters: { action: 'hash', type: 'SHA256', binaryData: true, dataPropertyName: 'stored' },
};

/** Publishes a workflow that gets every PDF of the set of each event, and reads it back. */
async function listen(queue: string, name: string) {
	const getAllPdfs = {
		...{ name: 'PDFs', type: ACTION },
		parameters: {
			...{ resource: 'document', operation: 'getAllPdfs' },
			setId: { __rl: true, mode: 'id', value: '={{ $json.setId }}' },
		},
		credentials: { parcelDocumentExchangeApi: { id: credential.id, name: credential.name } },
	};
	return scale.main.listen({ name, queue, nodes: [getAllPdfs, READ_BACK], options: { attempts: 1 } });
}

const eventOf = ({ setId, customerId }: ParcelSet) => eventBody(1, { setId, customerId });

it('two workers get the PDFs of 30 sets: each logs in once, and every PDF is there whole', async () => {
	const { main } = scale;
	const queue = await main.newQueue();
	const id = await listen(queue, 'pdfs');
	const sets = service.data.sets.filter(({ documents }) => documents.length > 0).slice(0, 30);
	await main.service.publish(queue, ...sets.map(eventOf));
	const runs = await main.n8n.executions.finishedOf(id, sets.length, 180_000);
	await main.untilEmpty(queue);

	expect(runs.map(({ status }) => status)).toEqual(sets.map(() => 'success'));
	const files = runs.flatMap((run) => run.items('PDFs'));
	expect(files).toHaveLength(sets.reduce((sum, { documents }) => sum + documents.length, 0));
	const stored = runs.flatMap((run) => run.items('Read back').map(({ json }) => json['stored']));
	expect(stored).toEqual(files.map(({ json }) => json['sha256']));
	expect(files.every(({ json, binary }) => json['complete'] && binary?.['data']?.data === 'database')).toBe(
		true,
	);
	const begun = await Promise.all(scale.workers.map((worker) => worker.logs()));
	expect(begun.every((log) => log.includes('Worker started execution'))).toBe(true);
	expect(service.counters.byRoute['token']).toBe(2);
	await main.unpublish(id);
});

it('a PDF larger than the database may hold fails its run with a clear error, and the next is fine', async () => {
	const { main } = scale;
	const queue = await main.newQueue();
	const id = await listen(queue, 'large');
	const [first, second] = service.data.sets.filter(({ documents }) => documents.length > 0).slice(30);
	large.add(first!.setId);
	await main.service.publish(queue, eventOf(first!), eventOf(second!));
	await main.untilEmpty(queue, 60_000);
	const runs = await waitUntil('both have ended', async () => {
		const list = await main.n8n.executions.list({ workflowId: id, status: ['success', 'error'] });
		return list.length >= 3 && list;
	});
	expect(runs.filter(({ status }) => status === 'success')).toHaveLength(1);
	const failed = runs.filter(({ status }) => status === 'error');
	const errors = await Promise.all(failed.map(async (run) => (await main.n8n.executions.get(run.id)).error));
	const texts = errors.map((error) => `${error?.message} ${error?.description}`);
	expect(texts.join('\n')).toMatch(/larger|too large|exceeds/i);
	await main.unpublish(id);
});
