import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { startMail, type Mail } from '../../sandbox/mail';
import { ownN8n, publishExample } from '../../sandbox/exampleWorkflow';
import { chain } from '../../sandbox/n8n/workflows';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { move } from '../../sandbox/service';
import { savesReports } from '../support/hostVersion';
import { ACTION, START, TRIGGER, useWorld, using } from '../support/host/world';

const world = useWorld();

it('finds the sets of the service when a person runs the workflow', async () => {
	const { n8n, service, serviceCredential } = world();
	const search = {
		...{ name: 'Search', type: ACTION, credentials: using(serviceCredential) },
		parameters: { resource: 'set', operation: 'search', limit: 3 },
	};
	const { id } = await n8n.workflows.create(chain('Search sets', [START, search]));
	const run = await n8n.executions.finished(await n8n.workflows.run(id, 'Start'));
	expect(run.error).toBeUndefined();
	expect(run.items('Search').map(({ json }) => json['setId'])).toEqual(
		service.data.sets.slice(0, 3).map(({ setId }) => setId),
	);
});

it('starts a published workflow for each event and removes the event', async () => {
	const { n8n, broker, publisher, queue, vhost, service, queueCredential } = world();
	const listen = {
		...{ name: 'Event', type: TRIGGER, credentials: using(queueCredential) },
		parameters: { queue, statuses: ['SIGNED'] },
	};
	const { id } = await world().publish(
		chain('Listen', [listen, { ...START, name: 'End', type: 'n8n-nodes-base.noOp' }]),
	);
	const setId = service.data.sets[0]?.setId ?? '';
	await publisher.publish(move(service.data, setId, 'draft', Date.now()));
	await publisher.publish(move(service.data, setId, 'sign', Date.now()));

	const [run] = await n8n.executions.finishedOf(id, 1);
	expect(run).toMatchObject({ status: 'success', mode: 'trigger' });
	expect(run?.items('Event')[0]?.json).toMatchObject({
		setId,
		status: 'SIGNED',
		isSample: false,
		attempt: 1,
	});
	const isEmpty = async () => {
		const { ready, unacknowledged } = await broker.queueDepth(queue, vhost);
		return ready + unacknowledged === 0;
	};
	await waitUntil('both events are off the queue', isEmpty);
	await n8n.workflows.unpublish(id);
});

it('who publishes two triggers of one workflow that read one queue is told so', async () => {
	const { n8n, n8nVersion, n8nLogFile, queue, queueCredential } = world();
	const triggers = ['First', 'Second'].map((name, index) => ({
		...{ id: name, name, type: TRIGGER, typeVersion: 1, credentials: using(queueCredential) },
		...{ position: [0, 200 * index] as [number, number], parameters: { queue } },
	}));
	const { id } = await world().publish({ name: 'Two triggers', nodes: triggers, connections: {} });
	const words = `Two triggers of this workflow read the queue ${queue}`;
	const isTold = async () => {
		const [told] = await n8n.executions.list({ workflowId: id, status: ['error'] });
		const message = told && (await n8n.executions.get(told.id)).error?.message;
		return savesReports(n8nVersion)
			? message?.startsWith(words)
			: readFileSync(n8nLogFile, 'utf8').includes(words);
	};
	await waitUntil('it is told', isTold, { deadlineMs: 30_000 });
	await n8n.workflows.unpublish(id);
});

describe('the template "papers to folder and mail"', () => {
	let mail: Mail;
	beforeAll(async () => (mail = await startMail()));
	afterAll(() => mail.close());

	it('writes every PDF of a signed set and sends them in one e-mail', async () => {
		const { n8n, broker, publisher, queue, vhost, service, filesFolder } = world();
		const stored = await publishExample(ownN8n(n8n), {
			queue,
			outputFolder: filesFolder,
			service: { baseUrl: service.baseUrl, username: 'documentation.desk', password: 'Quay 7: Göteborg' },
			queueAccount: {
				host: '127.0.0.1',
				port: broker.port,
				vhost,
				username: 'reader',
				password: 'read: only',
			},
			mailPort: mail.port,
		});
		const set = service.data.sets.find(({ status }) => status === 'drafted');
		await publisher.publish(move(service.data, set?.setId ?? '', 'sign', Date.now()));

		const message = await mail.waitFor(() => true, 30_000);
		expect(message.subject).toBe(`Parcel ${set?.parcelRef}: ${set?.documents.length} documents`);
		const files = (await readdir(filesFolder)).sort();
		expect(message.attachments.map(({ name }) => name).sort()).toEqual(files);
		for (const { name, bytes } of message.attachments) {
			expect(bytes.equals(readFileSync(join(filesFolder, name)))).toBe(true);
			expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
		}
		const [run] = await n8n.executions.finishedOf(stored.id, 1);
		expect(run?.error).toBeUndefined();
		await n8n.workflows.unpublish(stored.id);
		expect(mail.messages()).toHaveLength(1);
	});
});
