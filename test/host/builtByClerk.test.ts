import { startMail, type Mail } from '../../sandbox/mail';
import { chain, type NodeSketch, type WorkflowJson } from '../../sandbox/n8n/workflows';
import { move } from '../../sandbox/service';
import { refusesPublishing } from '../support/host/refusedPublishing';
import { ACTION, START, TRIGGER, useWorld, using } from '../support/host/world';

/** What n8n publishes, runs and sends of workflows as clerks build them, and what is refused. */

const world = useWorld();
let mail: Mail;
beforeAll(async () => void (mail = await startMail()));
afterAll(() => mail.close());

const event = (options: object = {}): NodeSketch => ({
	...{ name: 'Event', type: TRIGGER, credentials: using(world().queueCredential) },
	parameters: { queue: world().queue, statuses: ['SIGNED'], options },
});
const papers = (more: object = {}): NodeSketch => ({
	...{ name: 'PDFs', type: ACTION, credentials: using(world().serviceCredential) },
	parameters: {
		...{ resource: 'document', operation: 'getAllPdfs', onePerSet: true },
		setId: { __rl: true, mode: 'id', value: '={{ $json.setId }}' },
		...more,
	},
});
const sends = async (
	subject: string,
	attachments = '={{ $json.attachments }}',
	more = {},
): Promise<NodeSketch> => ({
	...{ name: 'Mail', type: 'n8n-nodes-base.emailSend', typeVersion: 2.1 },
	parameters: {
		...{ fromEmail: 'desk@example.com', toEmail: 'boss@example.com', subject, text: 'See' },
		options: attachments === '' ? {} : { fileAttachments: attachments },
	},
	credentials: using(
		await world().n8n.credentials.create('Mail', 'smtp', {
			...{ host: '127.0.0.1', port: mail.port, secure: false, disableStartTls: true, user: '', password: '' },
		}),
	),
	...more,
});
const FIRST = '={{ $("Event").first().json.parcelReference }}';

/** What n8n says when it refuses; the workflow is published otherwise. */
async function publish(workflow: WorkflowJson): Promise<{ id: string; refused?: string }> {
	const { workflows } = world().n8n;
	const { id } = await workflows.create(workflow);
	try {
		await workflows.publish(id);
		return { id };
	} catch (error) {
		return { id, refused: String(error) };
	}
}

const signTwo = async () => {
	const { service, publisher } = world();
	const sets = service.data.sets.filter(({ status }) => status === 'drafted').slice(0, 2);
	for (const { setId } of sets) await publisher.publish(move(service.data, setId, 'sign', Date.now()));
	return sets;
};

it('mails that would mix up the sets of a batch are not published', async () => {
	const { n8n, broker, queue, vhost } = world();
	const isRefused = async (words: string, ...nodes: NodeSketch[]) => {
		const { id } = await n8n.workflows.create(chain('Refused', nodes));
		await refusesPublishing(n8n, id, words);
		expect((await broker.queueDepth(queue, vhost)).consumers).toBe(0);
		await n8n.workflows.unpublish(id).catch(() => undefined);
	};
	const several = { batchSize: 2, batchSeconds: 5 };
	await isRefused(
		'"Mail" takes what it says from one item of "Event"',
		event(several),
		papers(),
		await sends(FIRST),
	);
	const once = await sends('Papers', undefined, { executeOnce: true });
	await isRefused('Execute Once is on in the settings of "Mail"', event(several), papers(), once);
});

it('a note beside what is switched off, and a mail that goes by its own event, are published, and each set gets its own papers', async () => {
	const { n8n } = world();
	const note = chain('Note', [
		event(),
		papers({ onePerSet: false }),
		{
			...{ name: 'Drive', type: 'n8n-nodes-base.readWriteFile' },
			disabled: true,
			parameters: { operation: 'write' },
		},
		{ ...(await sends('Note', '')), name: 'Note' },
	]);
	const { id: noteId, refused } = await publish(note);
	expect(refused).toBeUndefined();
	await n8n.workflows.unpublish(noteId);

	const each = chain('Each', [
		event({ batchSize: 2, batchSeconds: 5 }),
		papers(),
		await sends('={{ $("Event").item.json.parcelReference }} of {{ $("Event").all().length }}'),
	]);
	const { id, refused: other } = await publish(each);
	expect(other).toBeUndefined();
	const sets = await signTwo();
	for (const set of sets) {
		const message = await mail.waitFor(({ subject }) => subject.startsWith(`${set.parcelRef} of`), 30_000);
		expect(message.attachments).toHaveLength(set.documents.length);
		for (const { name } of message.attachments) expect(name).toContain(set.parcelRef.replace(/[/]/g, '_'));
	}
	await n8n.workflows.unpublish(id);
});

it('where no trigger of ours sees it, a run about several sets sends none of them as those of another', async () => {
	const { n8n, serviceCredential } = world();
	const search: NodeSketch = {
		...{ name: 'Event', type: ACTION, credentials: using(serviceCredential) },
		parameters: { resource: 'set', operation: 'search', limit: 2 },
	};
	const { id } = await n8n.workflows.create(
		chain('Search', [START, search, papers(), await sends('={{ $("Event").first().json.parcelRef }}')]),
	);
	const run = await n8n.executions.finished(await n8n.workflows.run(id, 'Start'));
	expect(run.error?.message).toBe('The papers of 2 sets came, and a mail behind would not keep them apart');
	expect(run.items('Mail')).toEqual([]);
});
