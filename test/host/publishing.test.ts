import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ParcelDocumentExchange } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchange.node';
import { chain, type NodeSketch, type WorkflowJson } from '../../sandbox/n8n/workflows';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { withValue } from '../../sandbox/exampleWorkflow';
import { publishesWithChecks } from '../support/hostVersion';
import { openEditor, type Editor } from '../support/host/editor';
import { addressed, importTemplate, templateFile } from '../support/host/template';
import { ACTION, TRIGGER, useWorld, using } from '../support/host/world';

const world = useWorld();
let editor: Editor;
beforeAll(async () => void (editor = await openEditor(world().n8nUrl, world().owner)), 60_000);
afterAll(() => editor?.close());

const MAIL = 'n8n-nodes-base.emailSend';
const NEEDS_MORE = [
	MAIL,
	'n8n-nodes-base.s3',
	'n8n-nodes-base.googleDrive',
	'n8n-nodes-base.microsoftSharePoint',
];
const templates = readdirSync(join(__dirname, '..', '..', 'workflows')).map(
	(file) => file.split('.')[0] ?? '',
);

/** Publishes by API. @returns what n8n says when it refuses */
async function refusal(id: string): Promise<string | undefined> {
	const { workflows } = world().n8n;
	try {
		await workflows.publish(id);
		await workflows.unpublish(id);
		return undefined;
	} catch (error) {
		return String(error);
	}
}

/** Publishes in the editor what stands open there, and waits until its trigger listens, where it has one. */
async function publishInEditor(id: string): Promise<void> {
	const { n8n, broker, queue, vhost } = world();
	await editor.publish();
	const isPublished = async () => (await n8n.workflows.get(id)).active;
	await waitUntil('the workflow is published', isPublished, { deadlineMs: 30_000 });
	const { nodes } = await n8n.workflows.get(id);
	const listens = async () => (await broker.queueDepth(queue, vhost)).consumers > 0;
	if (nodes.some(({ type }) => type === TRIGGER)) await waitUntil('the trigger listens', listens);
	await n8n.workflows.unpublish(id);
}

/** A template as a person has it who did all that its note asks for. */
async function filledIn(file: string): Promise<WorkflowJson> {
	const { credentials } = world().n8n;
	const account = async (type: string, values: Record<string, unknown>) =>
		using(await credentials.create(`For ${file}`, type, values));
	const smtp = await account('smtp', { host: '127.0.0.1', port: 1 });
	const storage = await account('s3', { endpoint: 'http://127.0.0.1:1', region: 'us-east-1' });
	const google = await account('googleDriveOAuth2Api', {});
	const microsoft = await account('microsoftSharePointOAuth2Api', { subdomain: 'example' });
	const chosen = { __rl: true, mode: 'id', value: 'chosen' };
	return ownAddress(
		importTemplate(world(), file, {
			[MAIL]: addressed(smtp),
			'n8n-nodes-base.s3': (node) => ({
				...{ ...node, credentials: storage },
				parameters: { ...node.parameters, bucketName: 'papers' },
			}),
			'n8n-nodes-base.googleDrive': (node) => ({ ...node, credentials: google }),
			'n8n-nodes-base.microsoftSharePoint': (node) => ({
				...{ ...node, credentials: microsoft },
				parameters: { ...node.parameters, site: chosen, folder: chosen },
			}),
			'n8n-nodes-base.set': (node) => withValue(withValue(node, 'top', 'a'), 'folder', '/tmp'),
		}),
	);
}

/** Other tests publish the same templates, and an address is one workflow's alone. */
const ownAddress = (workflow: WorkflowJson) =>
	JSON.parse(JSON.stringify(workflow).replace(/parcel-(replay|look-up)/g, '$&-publishing')) as WorkflowJson;

/** Makes the editor write the workflow anew: it leaves out what is as it comes. */
async function saveInEditor(id: string): Promise<void> {
	const { workflows } = world().n8n;
	const { versionId } = await workflows.get(id);
	await editor.openWorkflow(id);
	await editor.page.locator('[data-test-id="canvas-node"]').first().click();
	await editor.page.keyboard.press('d');
	await editor.page.keyboard.press('d');
	await editor.page.keyboard.press('Control+s');
	const isSaved = async () => (await workflows.get(id)).versionId !== versionId;
	await waitUntil('the workflow is saved', isSaved);
}

describe.each(templates)('the template "%s", with its accounts of ours alone', (file) => {
	let workflow: WorkflowJson;
	let needsMore: boolean;
	let id: string;
	beforeAll(async () => {
		const smtp = await world().n8n.credentials.create('Mail', 'smtp', { host: '127.0.0.1', port: 1 });
		workflow = ownAddress(
			importTemplate(world(), file, { [MAIL]: (node) => ({ ...node, credentials: using(smtp) }) }),
		);
		needsMore = workflow.nodes.some(({ type }) => NEEDS_MORE.includes(type));
		({ id } = await world().n8n.workflows.create(workflow));
	});

	it('is published by nobody while something is missing: not by API, not in the editor, not after a save', async () => {
		if (!publishesWithChecks(world().n8nVersion)) return;
		const missing = needsMore ? expect.stringMatching(/Missing/) : undefined;
		expect(await refusal(id)).toEqual(missing);
		await editor.openWorkflow(id);
		const button = editor.page.getByRole('button', { name: 'Publish', exact: true }).first();
		await button.waitFor();
		expect(await button.isDisabled()).toBe(needsMore);
		await editor.screenshot(`template ${file}`);
		await saveInEditor(id);
		expect(await refusal(id)).toEqual(missing);
	});
});

it.each(templates)(
	'the template "%s" is imported from its file in the editor: all its steps, and not to be published as it comes',
	async (file) => {
		const { n8n, n8nUrl, n8nVersion } = world();
		const { page } = editor;
		const { nodes } = JSON.parse(readFileSync(templateFile(file), 'utf8')) as WorkflowJson;
		await page.goto(`${n8nUrl}/workflow/new`);
		await page.locator('[data-test-id="canvas-plus-button"]').first().waitFor();
		await page.locator('[data-test-id="workflow-import-input"]').first().setInputFiles(templateFile(file));
		await page.locator('[data-test-id="canvas-node"]').first().waitFor();
		await editor.screenshot(`template imported ${file}`);
		await page.keyboard.press('Control+s');
		const saved = async () => {
			const id = /\/workflow\/(\w{8,})/.exec(page.url())?.[1];
			const stored = id ? await n8n.workflows.get(id).catch(() => undefined) : undefined;
			return stored && stored.nodes.length === nodes.length && stored;
		};
		const stored = await waitUntil('the workflow is saved', saved, { deadlineMs: 30_000 });
		const names = (all: WorkflowJson['nodes']) => all.map(({ name }) => name).sort();
		expect(names(stored.nodes)).toEqual(names(nodes));
		// n8n chooses an account by itself where there is one of its kind: the form needs nothing else.
		const needsMore = nodes.some(({ type }) => NEEDS_MORE.includes(type));
		if (!needsMore || !publishesWithChecks(n8nVersion)) return;
		const button = page.getByRole('button', { name: 'Publish', exact: true }).first();
		expect(await button.isDisabled()).toBe(true);
		expect(await refusal(stored.id)).toMatch(/Missing/);
	},
);

it.each(templates)(
	'the template "%s", filled in as its note says, is published in the editor after a save there',
	async (file) => {
		const { id } = await world().n8n.workflows.create(await filledIn(file));
		await saveInEditor(id);
		await publishInEditor(id);
	},
);

it('a workflow with every operation is published by API and in the editor, after a save there', async () => {
	const { n8n, serviceCredential, queueCredential, service, queue } = world();
	const { setId, documents } = service.data.sets[0]!;
	const operations: Record<string, unknown>[] = [
		{ resource: 'counterparty', operation: 'getAll' },
		{ resource: 'counterparty', operation: 'get', name: 'Harbour Lane' },
		{ resource: 'customer', operation: 'get', name: 'Harbour Lane' },
		{ resource: 'document', operation: 'getAll' },
		{ resource: 'customer', operation: 'getAll' },
		{ resource: 'set', operation: 'search' },
		{ resource: 'set', operation: 'get' },
		{ resource: 'document', operation: 'getAllPdfs' },
		{
			...{ resource: 'document', operation: 'getAllPdfs' },
			documentTypes: [{ documentType: { __rl: true, mode: 'list', value: 'BILL_OF_LADING' } }],
		},
		{ resource: 'document', operation: 'getAllPdfs', documentTypes: ['Bill of lading'] },
		{
			...{ resource: 'document', operation: 'getAllPdfs' },
			setId: { __rl: true, mode: 'reference', value: 'SHIP-1' },
		},
		{
			...{ resource: 'document', operation: 'getPdf', setId: { __rl: true, mode: 'id', value: setId } },
			documentId: { __rl: true, mode: 'id', value: documents[0]?.documentId },
		},
		{ resource: 'event', operation: 'parse' },
		{ resource: 'queue', operation: 'getStatus', queue },
	];
	const nodes = operations.map((parameters, index): NodeSketch => ({
		...{ name: `Step ${index}`, type: ACTION, parameters },
		...(parameters['resource'] !== 'event' && {
			credentials: using(parameters['resource'] === 'queue' ? queueCredential : serviceCredential),
		}),
	}));
	const start = {
		name: 'Every day',
		type: 'n8n-nodes-base.scheduleTrigger',
		typeVersion: 1.2,
		parameters: {},
	};
	const offered = new ParcelDocumentExchange().description.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options = [] }) =>
			options.map(
				(option) => `${displayOptions?.show?.['resource']?.[0]} ${(option as { value: string }).value}`,
			),
		);
	const tried = operations.map(({ resource, operation }) => `${resource} ${operation}`);
	expect([...new Set(tried)].sort()).toEqual(offered.sort());
	const { id } = await n8n.workflows.create(chain('All', [start, ...nodes]));
	expect(await refusal(id)).toBeUndefined();
	await saveInEditor(id);
	expect(await refusal(id)).toBeUndefined();
	await editor.openWorkflow(id);
	await publishInEditor(id);
});
