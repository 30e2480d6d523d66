import { startMail, type Mail } from '../../sandbox/mail';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { makeData, move } from '../../sandbox/service';
import { clerkAt, type Clerk } from '../support/host/clerk';
import { openEditor, type Editor } from '../support/host/editor';
import {
	billsByVessel,
	callByHand,
	firstWorkflow,
	lateDrafts,
	papersByForm,
	type Desk,
} from '../support/host/guide';
import { startS3, type Storage } from '../support/host/s3';
import { useWorld } from '../support/host/world';

/** The guide, and the four workflows that a clerk wanted, built by clicks in a real editor, with no expression typed. */

const SLOW = { deadlineMs: 60_000 };

const world = useWorld({ data: makeData({ now: Date.now() }) });
let [editor, mail, storage] = [] as unknown as [Editor, Mail, Storage];
let desk: Desk;
// As long as a person takes on a slow machine: none of it is measured.
jest.setTimeout(180_000);
/** What it cost when it was built, and a little more: other versions of n8n want another click here and there. */
const MOST: Record<string, { clicks: number; fields: number }> = {
	'first workflow': { clicks: 31, fields: 8 },
	'bills by vessel': { clicks: 28, fields: 5 },
	'papers by form': { clicks: 20, fields: 6 },
	'late drafts': { clicks: 26, fields: 7 },
	'call by hand': { clicks: 13, fields: 3 },
};
const done: Record<string, Record<string, number>> = {};

beforeAll(async () => {
	const { n8n, n8nUrl, owner, queue, queueCredential, serviceCredential, service } = world();
	[editor, mail, storage] = await Promise.all([openEditor(n8nUrl, owner), startMail(), startS3()]);
	const smtp = { host: '127.0.0.1', port: mail.port, secure: false, disableStartTls: true };
	const [mailAccount, storageAccount] = await Promise.all([
		n8n.credentials.create(`Mail of ${queue}`, 'smtp', smtp),
		n8n.credentials.create(`Storage of ${queue}`, 's3', storage.account),
	]);
	desk = {
		...{ queue, customer: service.data.customers[0]?.customerName ?? '', bucket: storage.bucket },
		...{ reference: service.data.sets[0]?.shipmentRef ?? '', serviceUrl: service.baseUrl },
		...{ queueAccount: queueCredential.name, serviceAccount: serviceCredential.name },
		...{ mailAccount: mailAccount.name, storageAccount: storageAccount.name },
	};
}, 90_000);
afterAll(async () => {
	process.stdout.write(`${JSON.stringify(done, null, 2)}\n`);
	await Promise.all([editor?.close(), mail?.close(), storage?.close()]);
});

/** Builds a workflow. @returns its id, once n8n has all its steps */
async function build(
	name: string,
	steps: number,
	by: (clerk: Clerk, desk: Desk) => Promise<void>,
): Promise<string> {
	const clerk = clerkAt(editor, world().n8nUrl);
	try {
		await by(clerk, desk);
	} finally {
		await editor.screenshot(`guide ${name}`);
	}
	const { clicks, fields, dragged, typed } = clerk.counts;
	done[name] = { clicks, fields, drags: dragged.length };
	expect(typed.filter((text) => text.includes('{{'))).toEqual([]);
	expect(clicks).toBeLessThanOrEqual(MOST[name]?.clicks ?? 0);
	expect(fields).toBeLessThanOrEqual(MOST[name]?.fields ?? 0);
	await editor.page.keyboard.press('Control+s');
	const id = () => /\/workflow\/(\w{8,})/.exec(editor.page.url())?.[1];
	// n8n saves along the way as well: what is saved has all steps before it has the last field.
	const whole = async () => {
		const saved = id();
		const nodes = saved && (await world().n8n.workflows.get(saved)).nodes;
		const has = (field: string) => new RegExp(`\\{\\{[^}]*\\b${field}\\b`).test(JSON.stringify(nodes));
		return nodes && nodes.length === steps && dragged.every(has) && saved;
	};
	return await waitUntil('the workflow is saved', async () => whole().catch(() => false as const), SLOW);
}

it('the first workflow of the guide: built, published and run', async () => {
	const { n8n, service, publisher } = world();
	const set = service.data.sets.find(
		({ status, documents }) =>
			status === 'drafted' && documents.some(({ name }) => name === 'Bill of lading'),
	);
	await publisher.publish(move(service.data, set?.setId ?? '', 'sign', Date.now()));
	const id = await build('first workflow', 3, firstWorkflow);
	// The event that was looked at while building is still there.
	await clerkAt(editor, world().n8nUrl).publish();
	const { subject, attachments } = await mail.waitFor(({ subject }) => subject.includes('SIGNED'), 60_000);
	await n8n.workflows.unpublish(id);
	expect(subject).toBe(`${set?.parcelRef} is SIGNED`);
	expect(attachments).toHaveLength(set?.documents.length ?? 0);
});

it('issued parcels of one customer: their bills of lading, a folder for each vessel', async () => {
	const { n8n, service, publisher, broker, queue, vhost } = world();
	const id = await build('bills by vessel', 3, billsByVessel);
	await n8n.workflows.publish(id);
	const listens = async () => (await broker.queueDepth(queue, vhost)).consumers > 0;
	await waitUntil('the trigger listens', listens, SLOW);
	const ours = service.data.customers[0]?.customerId;
	const set = service.data.sets.find(({ customerId, vesselName }) => customerId === ours && vesselName);
	await publisher.publish(move(service.data, set?.setId ?? '', 'issue', Date.now()));
	await waitUntil('the bill is there', async () => (await storage.objects()).size > 0, SLOW);
	await n8n.workflows.unpublish(id);
	const keys = [...(await storage.objects()).keys()];
	expect(keys).toHaveLength(1);
	expect(keys[0]).toMatch(new RegExp(`^${set?.vesselName}/.*Bill of lading.*\\.pdf$`));
});

it('a form with a reference: the sets of it, and their PDFs', async () => {
	const { n8n, n8nUrl } = world();
	const id = await build('papers by form', 3, papersByForm);
	await n8n.workflows.publish(id);
	const { webhookId } = (await n8n.workflows.get(id)).nodes[0] as { webhookId?: string };
	const form = new FormData();
	form.set('field-0', desk.reference);
	const submit = () => fetch(`${n8nUrl}/form/${webhookId}`, { method: 'POST', body: form });
	await waitUntil('the form takes the reference', async () => (await submit()).ok, SLOW);
	const ended = async () => {
		const runs = await n8n.executions.list({ workflowId: id, status: ['success', 'error'] });
		return runs.find(({ mode }) => mode !== 'manual');
	};
	const run = await n8n.executions.get((await waitUntil('the run ends', ended, SLOW)).id);
	expect([run.error?.message, run.nodes.at(-1)]).toEqual([undefined, 'Get all PDFs of a set']);
	await n8n.workflows.unpublish(id);
});

it('drafts of more than three days: a table in a mail', async () => {
	const { n8n, service } = world();
	const id = await build('late drafts', 4, lateDrafts);
	const run = await n8n.executions.finished(await n8n.workflows.run(id, 'Schedule Trigger'));
	expect(run.error).toBeUndefined();
	const { html } = await mail.waitFor(({ subject }) => subject === 'Drafts that wait for approval', 20_000);
	const late = service.data.sets.filter(
		({ status, modifiedAt }) => status === 'drafted' && modifiedAt < Date.now() - 3 * 24 * 3_600_000,
	);
	expect(late.length).toBeGreaterThan(0);
	expect(html).toContain('<table');
	for (const { parcelRef } of late.slice(0, 10)) expect(html).toContain(parcelRef);
});

it('a call that no step of ours offers', async () => {
	await build('call by hand', 2, callByHand);
});
