import { createHash } from 'node:crypto';
import { letsAgentGoOn } from '../support/hostVersion';
import { paperByReference } from '../support/host/paperByReference';
import { startScriptedModel, type ScriptedModel } from '../support/host/scriptedModel';
import { agentWorkflow, nameOf, TOOLS } from '../support/host/tools';
import { useWorld, using } from '../support/host/world';

const world = useWorld();
let model: ScriptedModel;
let workflowId: string;

beforeAll(async () => {
	model = await startScriptedModel();
	const { n8n, n8nVersion, serviceCredential, queueCredential } = world();
	const account = await n8n.credentials.create('A model', 'openAiApi', {
		...{ apiKey: 'none', url: model.baseUrl, header: false },
	});
	const workflow = agentWorkflow(Object.keys(TOOLS), {
		service: using(serviceCredential, queueCredential),
		model: using(account),
		goOn: !letsAgentGoOn(n8nVersion),
	});
	workflowId = (await n8n.workflows.create(workflow)).id;
}, 60_000);
afterAll(() => model.close());

/** @returns the agent's last words */
async function ask(): Promise<unknown> {
	const { n8n } = world();
	const run = await n8n.executions.finished(await n8n.workflows.run(workflowId, 'Start'), 60_000);
	expect(run.items('AI Agent')).toHaveLength(1);
	return run.items('AI Agent')[0]?.json['output'];
}

it('an agent finds a set by its reference, lists its papers, and tells name, size and checksum of one', async () => {
	const wanted = world().service.data.sets[40]!;
	model.follow(paperByReference(wanted));
	const bytes = await world().service.pdf(wanted, wanted.documents[0]!);
	const checksum = createHash('sha256').update(bytes).digest('hex');
	expect(await ask()).toBe(`${wanted.documents[0]?.name}: ${bytes.length} bytes, ${checksum}`);
});

it('an agent may use every operation; an empty text of its is one that was left out', async () => {
	const { service } = world();
	const { setId, shipmentRef, documents } = service.data.sets[41]!;
	const customer = service.data.customers[0]!.customerName;
	const uses: Record<string, Record<string, string>> = {
		'counterparty.get': { name: service.data.counterparties[0]!.customerName },
		'counterparty.getAll': { name: '' },
		'customer.get': { name: customer },
		'customer.getAll': { name: ' ' },
		'document.getAll': { set_id: setId },
		'document.getAllPdfs': { set_id: setId },
		'document.getPdf': { set_id: setId, document_id: documents[0]!.documentId },
		'event.parse': { event: '{"newStatus":"Title held","parcelReference":"PCL-1"}' },
		'queue.getStatus': { queue: world().queue },
		'set.get': { set_id: setId },
		'set.search': { shipment_reference: shipmentRef, status: '' },
	};
	expect(Object.keys(uses).sort()).toEqual(Object.keys(TOOLS).sort());
	const turns = Object.entries(uses);
	model.follow((answers) => {
		const [operation, args] = turns[answers.length] ?? [];
		return operation ? { tool: nameOf(operation), arguments: args ?? {} } : { say: 'I have seen all.' };
	});
	expect(await ask()).toBe('I have seen all.');
	const said = Object.fromEntries(turns.map(([operation], index) => [operation, model.answers[index]]));
	for (const [operation, answer] of Object.entries(said)) {
		expect({ operation, answer }).toEqual({
			operation,
			answer: expect.not.stringMatching(/"error"|Nothing was found/),
		});
	}
	expect(said['customer.get']).toContain(customer);
	expect(said['customer.getAll']).toContain(customer);
	expect(said['event.parse']).toContain('TITLE_HELD');
	expect(said['queue.getStatus']).toContain('waiting');
	expect(said['set.search']).toContain(setId);
	for (const { documentId } of documents) {
		for (const operation of ['document.getAll', 'document.getAllPdfs', 'set.get']) {
			expect(said[operation]).toContain(documentId);
		}
	}
});

it('the tools of an agent say what they are for and what they need', async () => {
	model.follow(() => ({ say: 'Thank you.' }));
	await ask();
	expect(model.tools.map(({ name }) => name).sort()).toEqual(Object.keys(TOOLS).map(nameOf).sort());
	for (const { description, parameters } of model.tools) {
		expect(description).toMatch(/^[A-Z].+ in Parcel Document Exchange$/);
		for (const need of Object.values(parameters.properties)) expect(need.description).toMatch(/\w{3}/);
	}
	const search = model.tools.find(({ name }) => name === 'set_search');
	expect(search?.description).toBe('Search sets of trade documents in Parcel Document Exchange');
});

it('an agent is told what went wrong and what to do, and goes on', async () => {
	model.follow(([refused]) =>
		refused === undefined ? { tool: 'set_get', arguments: { set_id: 'SEGOT-1' } } : { say: 'I need the ID.' },
	);
	expect(await ask()).toBe('I need the ID.');
	expect(model.answers).toEqual([expect.stringMatching(/is not an ID: .* An ID looks like/)]);
});

it('an agent is told in words that nothing was found', async () => {
	model.follow(([found]) =>
		found === undefined
			? { tool: 'set_search', arguments: { shipment_reference: 'NO SUCH REFERENCE', status: '' } }
			: { say: 'There is none.' },
	);
	expect(await ask()).toBe('There is none.');
	expect(model.answers).toEqual([expect.stringContaining('Nothing was found.')]);
});
