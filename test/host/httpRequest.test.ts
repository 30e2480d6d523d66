import { chain } from '../../sandbox/n8n/workflows';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { startFakeService, type FakeService } from '../support/fakeService';
import { openEditor, type Editor } from '../support/host/editor';
import { ACTION, START, useWorld, using } from '../support/host/world';

const world = useWorld();
let editor: Editor;
let elsewhere: FakeService;
beforeAll(async () => {
	elsewhere = await startFakeService();
	editor = await openEditor(world().n8nUrl, world().owner);
}, 60_000);
afterAll(() => Promise.all([editor?.close(), elsewhere?.close()]));

const parameter = (name: string) => editor.page.locator(`[data-test-id="parameter-input-${name}"]`);
const choices = () => editor.page.locator('[role=option]').locator('visible=true');
const output = () => editor.page.locator('[data-test-id="output-panel"]');

const typeUrl = (url: string) => parameter('url').locator('input, textarea').first().fill(url);

async function chooseCredentialType(typed: string): Promise<void> {
	await parameter('authentication').click();
	await choices().filter({ hasText: 'Predefined Credential Type' }).click();
	// It fades, and its choices would be taken for those of the next one.
	await waitUntil('the first list is gone', async () => (await choices().count()) === 0);
	await parameter('nodeCredentialType').click();
	await editor.page.keyboard.type(typed);
	await waitUntil('the list is searched', async () => [1, 2, 3].includes(await choices().count()));
}

it("n8n's HTTP Request offers the account of the service, that of the queue not, and calls with it", async () => {
	const { n8n, service, serviceCredential } = world();
	const node = { name: 'Call', type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, parameters: {} };
	const { id } = await n8n.workflows.create(chain('By hand', [START, node]));
	await editor.openWorkflow(id);
	await editor.openNode('Call');
	await typeUrl(`${service.baseUrl}/v3/exchange/customers`);
	await chooseCredentialType('parcel');
	expect(await choices().allInnerTexts()).toEqual(['Parcel Document Exchange API']);
	await choices().click();
	await editor.page.locator('[data-test-id="node-credentials-select"]').first().click();
	await editor.page.getByText(serviceCredential.name, { exact: true }).locator('visible=true').last().click();
	await editor.executeStep();
	await output()
		.getByText(service.data.customers[0]?.customerName ?? '')
		.first()
		.waitFor();
	await editor.screenshot('HTTP Request with the account');

	await typeUrl(elsewhere.baseUrl);
	await editor.executeStep();
	const refusal = `This account is for ${service.baseUrl}, and the call goes to ${elsewhere.baseUrl}: it was not made.`;
	expect((await editor.failure()).message).toContain(refusal);
	await editor.screenshot('HTTP Request to another server');
	expect(elsewhere.connections()).toBe(0);
	await editor.closeNode();
});

it.each(['resource', 'operation'])('"Custom API Call" as %s leads there, and a run says so', async (list) => {
	const { n8n, serviceCredential } = world();
	const parameters = { resource: 'set', operation: 'search' };
	const node = { name: 'Sets', type: ACTION, parameters, credentials: using(serviceCredential) };
	const { id } = await n8n.workflows.create(chain('Custom', [START, node]));
	await editor.openWorkflow(id);
	await editor.openNode('Sets');
	await parameter(list).click();
	await choices().filter({ hasText: 'Custom API Call' }).click();
	await editor.page.getByText('Use the HTTP Request node to make a custom API call').waitFor();
	await editor.executeStep();
	const { message, description } = await editor.failure();
	expect(message).toBe('A custom API call is made by the HTTP Request node, not by this one');
	expect(description).toContain('Predefined Credential Type, then Parcel Document Exchange API');
	await editor.screenshot(`custom API call as ${list}`);
	await editor.closeNode();
});
