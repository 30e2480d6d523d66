import type { WorkflowJson, WorkflowNode } from '../../sandbox/n8n/workflows';
import { startScriptedModel, type ScriptedModel } from './support/scriptedModel';
import { fromAI } from './support/tools';
import { ACTION, useWorld, using } from './support/world';

const world = useWorld();
let model: ScriptedModel;
let workflowId: string;

const AI = '@n8n/n8n-nodes-langchain';

function endsWithItsTool(): boolean {
	const [major = 0, minor = 0] = world().n8nVersion.split('.').map(Number);
	return major < 2 || (major === 2 && minor < 35);
}

/** An agent with a model and two tools of ours, as a person puts them together in the editor. */
function agentWorkflow(modelCredential: { id: string; name: string; type: string }): WorkflowJson {
	const node = (name: string, type: string, typeVersion: number, more: Partial<WorkflowNode>) =>
		({ id: name, name, type, typeVersion, position: [0, 0], parameters: {}, ...more }) as WorkflowNode;
	const credentials = using(world().serviceCredential);
	const to = (type: string) => ({ [type]: [[{ node: 'AI Agent', type, index: 0 }]] });
	return {
		name: 'An agent that knows the documents',
		nodes: [
			node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			node('AI Agent', `${AI}.agent`, 3, {
				parameters: {
					promptType: 'define',
					text: 'Which documents are there?',
					options: { enableStreaming: false },
				},
			}),
			node('Model', `${AI}.lmChatOpenAi`, 1.2, {
				parameters: { model: { __rl: true, mode: 'id', value: 'scripted' } },
				credentials: using(modelCredential),
			}),
			node('Search sets', `${ACTION}Tool`, 1, {
				parameters: {
					...{ resource: 'set', operation: 'search', limit: 5 },
					filters: { shipmentRef: fromAI('shipment_reference', 'The shipment reference to look for') },
				},
				credentials,
			}),
			node('Get a set', `${ACTION}Tool`, 1, {
				parameters: {
					...{ resource: 'set', operation: 'get', lookup: {} },
					setId: { __rl: true, mode: 'id', value: fromAI('set_id', 'The setId of the set') },
				},
				credentials,
				// Before n8n 2.35 the failure of a tool ends the agent, unless the tool is told to go on.
				...(endsWithItsTool() && { onError: 'continueRegularOutput' }),
			}),
		],
		connections: {
			Start: { main: [[{ node: 'AI Agent', type: 'main', index: 0 }]] },
			Model: to('ai_languageModel'),
			'Search sets': to('ai_tool'),
			'Get a set': to('ai_tool'),
		},
		// As the editor makes every workflow. In the older order, an agent goes on before its tools have answered.
		settings: { executionOrder: 'v1' },
	};
}

beforeAll(async () => {
	model = await startScriptedModel();
	const { n8n } = world();
	const account = await n8n.credentials.create('A model', 'openAiApi', {
		...{ apiKey: 'none', url: model.baseUrl, header: false },
	});
	workflowId = (await n8n.workflows.create(agentWorkflow(account))).id;
}, 60_000);
afterAll(() => model.close());

/** @returns the agent's last words */
async function ask(): Promise<unknown> {
	const { n8n } = world();
	const run = await n8n.executions.finished(await n8n.workflows.run(workflowId, 'Start'), 60_000);
	expect(run.items('AI Agent')).toHaveLength(1);
	return run.items('AI Agent')[0]?.json['output'];
}

it('an agent finds a set by its reference and lists its documents', async () => {
	const wanted = world().service.data.sets[40];
	model.follow(([found, set]) => {
		if (found === undefined) {
			return { tool: 'Search_sets', arguments: { shipment_reference: wanted?.shipmentRef } };
		}
		// Each set begins with its reference, and its id comes behind.
		const [, behind = ''] = found.split(`"parcelRef":"${wanted?.parcelRef}"`);
		const id = /"setId":"([^"]+)"/.exec(behind)?.[1];
		if (set === undefined) return { tool: 'Get_a_set', arguments: { set_id: id } };
		return {
			say: [...set.matchAll(/"documentId":"[^"]+","name":"([^"]+)"/g)].map(([, name]) => name).join(),
		};
	});
	expect(await ask()).toBe(wanted?.documents.map(({ name }) => name).join());
});

it('the tools of an agent say what they are for and what they need', async () => {
	model.follow(() => ({ say: 'Thank you.' }));
	await ask();
	const told = model.tools.map(({ name, description, parameters }) => ({
		...{ name, description },
		needs: Object.fromEntries(
			Object.entries(parameters.properties).map(([key, is]) => [key, is.description]),
		),
	}));
	expect(told.sort((a, b) => (a.name < b.name ? 1 : -1))).toEqual([
		{
			name: 'Search_sets',
			description: 'Search sets of trade documents in Parcel Document Exchange',
			needs: { shipment_reference: 'The shipment reference to look for' },
		},
		{
			name: 'Get_a_set',
			description: 'Get a set with its list of documents in Parcel Document Exchange',
			needs: { set_id: 'The setId of the set' },
		},
	]);
});

it('an agent is told what went wrong and what to do, and goes on', async () => {
	model.follow(([refused]) =>
		refused === undefined
			? { tool: 'Get_a_set', arguments: { set_id: 'SEGOT-1' } }
			: { say: 'I need the ID.' },
	);
	expect(await ask()).toBe('I need the ID.');
	expect(model.answers).toEqual([expect.stringMatching(/is not an ID: .* An ID looks like/)]);
});

it('an agent is told in words that nothing was found', async () => {
	model.follow(([found]) =>
		found === undefined
			? { tool: 'Search_sets', arguments: { shipment_reference: 'NO SUCH REFERENCE' } }
			: { say: 'There is none.' },
	);
	expect(await ask()).toBe('There is none.');
	expect(model.answers).toEqual([expect.stringContaining('Nothing was found.')]);
});
