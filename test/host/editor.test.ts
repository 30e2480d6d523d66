import { chain } from '../../sandbox/n8n/workflows';
import { openEditor, type Editor } from './support/editor';
import { ACTION, TRIGGER, useWorld, using } from './support/world';

const world = useWorld();
let editor: Editor;

beforeAll(async () => (editor = await openEditor(world().n8nUrl)), 60_000);
afterAll(() => editor?.close());

it('shows the panel of each node', async () => {
	const { n8n, queue, serviceCredential, queueCredential } = world();
	const { id } = await n8n.workflows.create(
		chain('Panels', [
			{ name: 'Parcel event', type: TRIGGER, parameters: { queue }, credentials: using(queueCredential) },
			{
				...{ name: 'All PDFs', type: ACTION, credentials: using(serviceCredential) },
				parameters: { resource: 'document', operation: 'getAllPdfs' },
			},
		]),
	);
	await editor.openWorkflow(id);
	await editor.screenshot('workflow');
	const ofN8nItself = [...editor.problems];

	await editor.openNode('Parcel event');
	await editor.page.getByText('Queue', { exact: true }).first().waitFor();
	await editor.screenshot('trigger panel');
	await editor.closeNode();

	await editor.openNode('All PDFs');
	await editor.page.getByText('Document Types').first().waitFor();
	await editor.screenshot('action panel');
	await editor.closeNode();
	expect(editor.problems).toEqual(ofN8nItself);
});
