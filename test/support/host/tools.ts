import type { WorkflowJson, WorkflowNode } from '../../../sandbox/n8n/workflows';

const AI = '@n8n/n8n-nodes-langchain';
const ACTION = 'n8n-nodes-parcel-document-exchange.parcelDocumentExchange';

type Credentials = WorkflowNode['credentials'];

/** What the "let the model define it" button of the editor writes. */
const fromAI = (key: string, description: string) => `={{ $fromAI('${key}', '${description}', 'string') }}`;
const setId = { __rl: true, mode: 'id', value: fromAI('set_id', 'The setId of the set') };

/**
 * Each operation as a person hands it to a model in the editor, by `resource.operation`: what is set, and what the model
 * is asked for. A new operation needs its line here.
 */
export const TOOLS: Record<string, Record<string, unknown>> = {
	'counterparty.getAll': {
		returnAll: true,
		filters: { name: fromAI('name', 'A part of the name, or nothing') },
	},
	'customer.getAll': { returnAll: true, filters: { name: fromAI('name', 'A part of the name, or nothing') } },
	'counterparty.get': { name: fromAI('name', 'The whole name') },
	'customer.get': { name: fromAI('name', 'The whole name') },
	'set.search': {
		limit: 5,
		filters: {
			shipmentRef: fromAI('shipment_reference', 'The shipment reference to look for, or nothing'),
			status: fromAI('status', 'The status to look for, or nothing'),
		},
	},
	'set.get': { setId, lookup: {} },
	'document.getPdf': {
		setId,
		documentId: { __rl: true, mode: 'id', value: fromAI('document_id', 'The documentId of the paper') },
	},
	'document.getAllPdfs': { setId, lookup: {} },
	'document.getAll': { setId, lookup: {} },
	'queue.getStatus': { queue: fromAI('queue', 'The name of the queue') },
	'event.parse': { event: fromAI('event', 'The event as JSON') },
};

/** `set.get` is called `set_get`: n8n makes the name of the tool out of that of the node. */
export const nameOf = (operation: string) => operation.replace('.', '_');

const node = (name: string, type: string, typeVersion: number, more: Partial<WorkflowNode>) =>
	({ id: name, name, type, typeVersion, position: [0, 0], parameters: {}, ...more }) as WorkflowNode;

const toolsFor = (operations: string[], more: Partial<WorkflowNode>) =>
	operations.map((operation) => {
		const [resource, name] = operation.split('.');
		const parameters = { resource, operation: name, ...TOOLS[operation] };
		return node(nameOf(operation), `${ACTION}Tool`, 1, { parameters, ...more });
	});

/** A workflow with an agent that may use these operations. `goOn`: a tool that fails does not end the agent. */
export function agentWorkflow(
	operations: string[],
	{ service, model, goOn }: { service: Credentials; model: Credentials; goOn: boolean },
): WorkflowJson {
	const agent = node('AI Agent', `${AI}.agent`, 3, {
		parameters: {
			promptType: 'define',
			text: 'Which documents are there?',
			options: { enableStreaming: false, maxIterations: 20 },
		},
	});
	const tools = toolsFor(operations, {
		...(service && { credentials: service }),
		...(goOn && { onError: 'continueRegularOutput' }),
	});
	const to = (type: string) => ({ [type]: [[{ node: agent.name, type, index: 0 }]] });
	return {
		name: 'An agent that knows the documents',
		nodes: [
			node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
			agent,
			node('Model', `${AI}.lmChatOpenAi`, 1.2, {
				parameters: { model: { __rl: true, mode: 'id', value: 'scripted' } },
				...(model && { credentials: model }),
			}),
			...tools,
		],
		connections: {
			Start: to('main'),
			Model: to('ai_languageModel'),
			...Object.fromEntries(tools.map(({ name }) => [name, to('ai_tool')])),
		},
		// As the editor makes every workflow. In the older order, an agent goes on before its tools have answered.
		settings: { executionOrder: 'v1' },
	};
}

/** A workflow that offers these operations to the clients of an MCP server, at `/mcp/<path>`. */
export function mcpWorkflow(path: string, operations: string[], credentials: Credentials): WorkflowJson {
	const server = node('MCP Server', `${AI}.mcpTrigger`, 2, {
		parameters: { path },
		webhookId: path,
	});
	const tools = toolsFor(operations, { ...(credentials && { credentials }) });
	const link = { ai_tool: [[{ node: server.name, type: 'ai_tool', index: 0 }]] };
	return {
		name: `Papers for clients of ${path}`,
		nodes: [server, ...tools],
		connections: Object.fromEntries(tools.map(({ name }) => [name, link])),
		settings: { executionOrder: 'v1' },
	};
}
