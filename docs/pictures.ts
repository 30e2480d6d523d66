import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { selectors, type Page } from 'playwright-core';
import { connectN8n, type N8nClient } from '../sandbox/n8n/n8n';
import { chain, type WorkflowJson } from '../sandbox/n8n/workflows';
import { waitUntil } from '../sandbox/process/waitUntil';
import type { Sandbox } from '../sandbox/sandbox';
import { openEditor, type Editor } from '../test/support/host/editor';

const PICTURES = join(__dirname, 'pictures');
/** What comes and goes by itself over the page, and what differs from machine to machine: the folder, and the password. */
const HIDDEN =
	'.el-notification, .el-popper, [data-reka-popper-content-wrapper], #folder, #signIn { display: none !important }';
const SIZE = { width: 1360, height: 900 };
const ACTION = 'n8n-nodes-parcel-document-exchange.parcelDocumentExchange';
const TRIGGER = `${ACTION}Trigger`;
const POLL_TRIGGER = `${ACTION}PollTrigger`;

type Addresses = Pick<Sandbox, 'controlUrl' | 'n8nUrl' | 'workflowUrl' | 'queue' | 'owner'>;

/** A sandbox that runs, with a person at its editor and at its control page. */
interface Desk {
	editor: Editor;
	/** The control page, in a window of its own. */
	control: Page;
	n8n: N8nClient;
	queue: string;
	n8nUrl: string;
	/** The published example of the sandbox. */
	exampleId: string;
	/** Keeps what the page shows under docs/pictures. */
	keep(page: Page, name: string): Promise<void>;
}

/** Takes every picture of the pages in docs/ from a sandbox that nobody has used yet. */
export async function takePictures(
	{ controlUrl, n8nUrl, workflowUrl, queue, owner }: Addresses,
	progress: (text: string) => void = () => {},
): Promise<void> {
	mkdirSync(PICTURES, { recursive: true });
	selectors.setTestIdAttribute('data-test-id');
	if (!owner) throw new Error('Pictures are taken in an n8n of our own');
	const n8n = await connectN8n(n8nUrl, owner);
	const editor = await openEditor(n8nUrl, owner);
	try {
		await editor.page.setViewportSize(SIZE);
		const browser = editor.page.context().browser();
		if (browser === null) throw new Error('The browser has gone');
		const control = await browser.newPage({ viewport: { width: 1360, height: 1180 }, bypassCSP: true });
		await control.goto(controlUrl);
		const desk: Desk = {
			...{ editor, control, n8n, queue, n8nUrl },
			exampleId: workflowUrl.split('/').pop() ?? '',
			keep: async (page, name) => {
				progress(name);
				await page.mouse.move(0, 0);
				await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled', style: HIDDEN });
			},
		};
		await controlPage(desk);
		await installed(desk);
		await accounts(desk);
		await firstWorkflow(desk);
		await pollTrigger(desk);
		await queueStatus(desk);
		await example(desk);
		await report(desk);
	} catch (error) {
		await editor.screenshot('picture that could not be taken');
		throw error;
	} finally {
		await editor.close();
	}
}

/** First of all, while nothing else has happened. */
async function controlPage(desk: Desk): Promise<void> {
	const { control, keep } = desk;
	await press(desk, 'Sign');
	await control.locator('#mails li').first().waitFor();
	// The run ends a moment after its e-mail.
	await control.getByText('n8n is at work on it').waitFor({ state: 'hidden' });
	await keep(control, 'control-page');
}

async function installed({ editor: { page }, n8nUrl, keep }: Desk): Promise<void> {
	await page.goto(`${n8nUrl}/settings/community-nodes`);
	await page.getByText('n8n-nodes-parcel-document-exchange').waitFor();
	await keep(page, 'installed');
}

async function accounts({ editor: { page }, n8nUrl, keep }: Desk): Promise<void> {
	for (const [name, picture] of [
		['Stand-in service', 'account-service'],
		['Stand-in queue', 'account-queue'],
	] as const) {
		await page.goto(`${n8nUrl}/home/credentials`);
		await page.getByText(name, { exact: true }).click();
		await page.getByText('Connection tested successfully').waitFor();
		// The banner shows its button a moment before the words on it.
		await page.getByText('Retry', { exact: true }).waitFor();
		await page.waitForTimeout(500);
		await keep(page, picture);
	}
}

/** The three nodes of docs/first-workflow.md, each run by itself as a person does who builds them. */
async function firstWorkflow(desk: Desk): Promise<void> {
	const { editor, n8n, keep } = desk;
	const { page } = editor;
	const { id } = await n8n.workflows.create(await threeNodes(desk));
	await addingNodes(desk);
	await editor.openWorkflow(id);
	await editor.openNode('Parcel Document Exchange Trigger');
	await keep(page, 'trigger');
	await editor.closeNode();

	await runOnce(desk, 1);
	await keepCanvas(desk, 'first-workflow');
	await editor.openNode('Parcel Document Exchange Trigger');
	await showOutput(page, 'Schema', 'parcelReference');
	await keep(page, 'trigger-output');
	await editor.closeNode();
	await editor.openNode('Get all PDFs of a set');
	await showOutput(page, 'Binary', 'application/pdf');
	await keep(page, 'all-pdfs');
	await editor.closeNode();
	await editor.openNode('Send an Email');
	await keep(page, 'e-mail');
	await editor.closeNode();
}

async function addingNodes({ editor: { page }, n8nUrl, keep }: Desk): Promise<void> {
	await page.goto(`${n8nUrl}/workflow/new`);
	await page.getByTestId('canvas-plus-button').first().click();
	await page.getByTestId('node-creator-search-bar').fill('parcel');
	await page.getByText('Starts the workflow when a set').first().waitFor();
	await keep(page, 'add-node');
}

/** "Fetch Test Event" of the trigger that needs no queue. */
async function pollTrigger(desk: Desk): Promise<void> {
	const trigger = {
		...{ name: 'Parcel Document Exchange Poll Trigger', type: POLL_TRIGGER },
		parameters: { statuses: ['ISSUED'] },
		credentials: await credential(desk.n8n, 'Stand-in service'),
	};
	await keepOutput(desk, chain('Without a queue', [trigger]), 'parcelReference', 'poll-trigger');
}

/** The queue of the published example, which its trigger reads. */
async function queueStatus(desk: Desk): Promise<void> {
	const { n8n, queue } = desk;
	const byHand = { name: 'By hand', type: 'n8n-nodes-base.manualTrigger', parameters: {} };
	const getStatus = {
		...{ name: 'Get the status of a queue', type: ACTION },
		parameters: { resource: 'queue', operation: 'getStatus', queue },
		credentials: await credential(n8n, 'Stand-in queue'),
	};
	await keepOutput(desk, chain('How the queue is', [byHand, getStatus]), 'waiting', 'queue-status');
}

/** The last step of a workflow, executed alone. @param field is in what it gives */
async function keepOutput(desk: Desk, workflow: WorkflowJson, field: string, name: string): Promise<void> {
	const { editor, n8n, keep } = desk;
	const { id } = await n8n.workflows.create(workflow);
	await editor.openWorkflow(id);
	await editor.openNode(workflow.nodes.at(-1)?.name ?? '');
	await editor.executeStep();
	await showOutput(editor.page, 'Schema', field);
	await keep(editor.page, name);
	await editor.closeNode();
}

/** The published example: the canvas after a run, and the list of runs. */
async function example(desk: Desk): Promise<void> {
	const { editor, n8nUrl, exampleId, keep } = desk;
	const { page } = editor;
	await editor.openWorkflow(exampleId);
	await runOnce(desk, 0);
	await keepCanvas(desk, 'workflow');

	await page.goto(`${n8nUrl}/workflow/${exampleId}/executions`);
	await page.getByText('Succeeded in').first().waitFor();
	await keep(page, 'executions');
}

/** What a person sees when a workflow has failed for the last time. */
async function report(desk: Desk): Promise<void> {
	const { editor, n8n, queue, n8nUrl, keep } = desk;
	const { page } = editor;
	const queueAccount = await credential(n8n, 'Stand-in queue');
	const { id } = await n8n.workflows.create(
		chain('A workflow that fails', [
			{
				name: 'Parcel Document Exchange Trigger',
				type: TRIGGER,
				parameters: { queue, statuses: ['ISSUED', 'TITLE_HELD'], options: { attempts: 1 } },
				credentials: queueAccount,
			},
			{
				name: 'Stop and Error',
				type: 'n8n-nodes-base.stopAndError',
				parameters: { errorMessage: 'The drive is full' },
			},
		]),
	);
	await n8n.workflows.publish(id);
	// n8n starts the trigger in the background and does not say when it listens.
	await page.waitForTimeout(8_000);
	await press(desk, 'Issue');
	await waitUntil(
		'the report is there',
		async () => (await n8n.executions.list({ workflowId: id })).length >= 2,
	);
	await page.goto(`${n8nUrl}/workflow/${id}/executions`);
	// The newest is the report.
	await editor.openNode('Parcel Document Exchange Trigger');
	await page.getByText('The workflow failed').first().waitFor();
	await keep(page, 'report');
	await n8n.workflows.unpublish(id);
}

async function threeNodes({ n8n, queue }: Desk): Promise<WorkflowJson> {
	return chain('My first parcel workflow', [
		{
			name: 'Parcel Document Exchange Trigger',
			type: TRIGGER,
			parameters: { queue, statuses: ['SIGNED', 'ISSUED'] },
			credentials: await credential(n8n, 'Stand-in queue'),
		},
		{
			name: 'Get all PDFs of a set',
			type: ACTION,
			parameters: { resource: 'document', operation: 'getAllPdfs', onePerSet: true },
			credentials: await credential(n8n, 'Stand-in service'),
		},
		{
			name: 'Send an Email',
			type: 'n8n-nodes-base.emailSend',
			typeVersion: 2.1,
			parameters: {
				fromEmail: 'documents@example.com',
				toEmail: 'desk@example.com',
				subject: '=Parcel {{ $json.parcelRef }} is {{ $json.status }}',
				emailFormat: 'text',
				text: 'The documents are attached. They are copies for reading.',
				options: { appendAttribution: false, fileAttachments: '={{ $json.attachments }}' },
			},
			credentials: await credential(n8n, 'Stand-in mail server'),
		},
	]);
}

async function credential(n8n: N8nClient, name: string) {
	const found = (await n8n.credentials.list()).find((one) => one.name === name);
	if (found === undefined) throw new Error(`The sandbox has no credential "${name}"`);
	return { [found.type]: { id: found.id, name } };
}

/** Takes a step with the set at that place of the list: its event is on the queue then. */
async function press({ control }: Desk, step: string, place = 0): Promise<void> {
	await control.locator('#list button, #list a').nth(place).click();
	await control
		.locator('#detail .actions button')
		.filter({ hasText: new RegExp(`^${step}`) })
		.first()
		.click();
	await control.locator('.told').getByText('is on the queue').waitFor();
}

/** "Execute workflow", and an event for it to wait for. */
async function runOnce(desk: Desk, place: number): Promise<void> {
	const { page } = desk.editor;
	await page.getByTestId('execute-workflow-button').click();
	await page.getByText('Waiting for the next status event').first().waitFor();
	// The editor says so a moment before the trigger listens, and shows nothing when that begins.
	await page.waitForTimeout(3_000);
	await press(desk, 'Sign', place);
	await page.getByText('Workflow executed successfully').first().waitFor({ state: 'attached' });
}

async function showOutput(page: Page, view: string, text: string): Promise<void> {
	const output = page.getByTestId('output-panel');
	await output.getByText(view, { exact: true }).click();
	await output.getByText(text, { exact: true }).first().waitFor();
}

/** Keeps the canvas alone, in a window as high as it needs. */
async function keepCanvas({ editor: { page }, keep }: Desk, name: string): Promise<void> {
	await page.setViewportSize({ width: SIZE.width, height: 680 });
	await page.getByTestId('zoom-to-fit').click();
	// The trigger shows a button as long as the mouse was last seen near it; the one below gets its words back after the run.
	await page.mouse.move(SIZE.width / 2, 120);
	await page.waitForTimeout(1_500);
	await keep(page, name);
	await page.setViewportSize(SIZE);
}
