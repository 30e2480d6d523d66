import { chain } from '../../sandbox/n8n/workflows';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { GERMAN, openEditor, type Editor } from '../support/host/editor';
import { ACTION, START, useWorld, using } from '../support/host/world';

/** At a German desk, where a date is 18.06.2026, two and a half is 2,5, and the clock is ahead of UTC. */

const world = useWorld();
let editor: Editor;
beforeAll(async () => {
	editor = await openEditor(world().n8nUrl, world().owner, GERMAN);
}, 60_000);
afterAll(() => editor?.close());

/** Opens a search with these filters. */
async function openSearch(filters: Record<string, unknown>) {
	const { n8n, serviceCredential } = world();
	const parameters = { resource: 'set', operation: 'search', limit: 3, filters };
	const search = { name: 'Sets', type: ACTION, parameters, credentials: using(serviceCredential) };
	const { id } = await n8n.workflows.create(chain('At a German desk', [START, search]));
	await editor.openWorkflow(id);
	await editor.openNode('Sets');
	const stored = async () => (await n8n.workflows.get(id)).nodes[1]?.parameters['filters'];
	return { stored };
}

async function type(parameter: string, text: string) {
	const field = editor.page.locator(`[data-test-id="parameter-input-${parameter}"] :is(input, textarea)`);
	await field.first().click();
	await field.first().fill(text);
	await editor.page.keyboard.press('Enter');
}

it.each([
	['a date as it is written there', 'modifiedAfter', '18.06.2026', 'typed as 2026-11-20 09:30:00'],
	['half a day', 'olderThanDays', '2,5', 'Use a whole number from 1 to 36500.'],
])('%s is refused with what to type, and searches for nothing else', async (_, filter, text, remedy) => {
	await openSearch({ [filter]: '' });
	await type(filter, text);
	await editor.page.locator('[data-test-id="ndv"]').getByText('Limit', { exact: true }).click();
	await editor.executeStep();
	expect((await editor.failure()).description).toContain(remedy);
	await editor.screenshot(`at a German desk ${filter}`);
	await editor.closeNode();
});

it('a date that is typed in full is stored as typed, and moved by no zone of the browser', async () => {
	const { stored } = await openSearch({ modifiedAfter: '' });
	await type('modifiedAfter', '2026-06-18 09:30:00');
	await editor.closeNode();
	await editor.page.keyboard.press('Control+s');
	const saved = async () => JSON.stringify(await stored()).includes('2026');
	await waitUntil('the workflow is saved', saved);
	expect(await stored()).toEqual({ modifiedAfter: '2026-06-18T09:30:00' });
});

it('what comes out is written as everywhere: no date and no number by the settings of the browser', async () => {
	await openSearch({});
	await editor.executeStep();
	const output = editor.page.locator('[data-test-id="output-panel"]');
	const { parcelRef, billOfLadingDate } = world().service.data.sets[0] ?? {};
	for (const view of ['schema', 'table', 'json']) {
		await output.locator(`[data-test-id="radio-button-${view}"]`).first().click();
		await output
			.getByText(parcelRef ?? '')
			.first()
			.waitFor();
		await output
			.getByText(billOfLadingDate ?? '')
			.first()
			.waitFor();
		await output
			.getByText(/\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z/)
			.first()
			.waitFor();
		expect(await output.innerText()).not.toMatch(/\b\d{1,2}\.\d{1,2}\.\d{4}\b/);
		await editor.screenshot(`at a German desk ${view}`);
	}
	await editor.closeNode();
});
