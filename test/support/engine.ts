import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Container } from '@n8n/di';
import type {
	IBinaryData,
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeType,
	INodeTypes,
	IRun,
	IWorkflowExecuteAdditionalData,
	NodeExecutionHint,
} from 'n8n-workflow';
import { createRunExecutionData, NodeConnectionTypes, Workflow } from 'n8n-workflow';

// n8n writes its settings under the home folder unless it is told otherwise before it is loaded.
process.env.N8N_USER_FOLDER ??= mkdtempSync(join(tmpdir(), 'engine-'));
process.env.N8N_LOG_LEVEL ??= 'silent';

type CredentialOfItem = (itemIndex: number) => ICredentialDataDecryptedObject;

export interface NodeRun {
	/** The node under test. */
	type: INodeType;
	parameters: IDataObject;
	/** Items that come in; one empty item unless told. */
	items?: INodeExecutionData[];
	/** What a first step gives, named Event, of which the items that come in say nothing; and what was typed into it. */
	before?: { items: INodeExecutionData[]; type?: string; typed?: IDataObject };
	/** A step between that one and the one that gives the items, what it gives, and what was typed into it. */
	between?: { items: INodeExecutionData[]; type: string; typed?: IDataObject };
	/** What was typed into the step that gives the items, named Input, what kind of step it is, and whether it is to run once. */
	typed?: IDataObject & { type?: string; executeOnce?: boolean };
	/** What a step named Merge gives, which brings together what Event and Input gave, in front of the node. */
	merged?: { items: INodeExecutionData[]; typed?: IDataObject };
	/** By credential type; or what its expressions come to for an input item. */
	credentials?: Record<string, ICredentialDataDecryptedObject | CredentialOfItem>;
	/** Node settings: onError, continueOnFail, retryOnFail, executeOnce … */
	settings?: Partial<INode>;
	/** Parameters of a Set-like node behind it, each an expression; their values come back as `after`. */
	after?: Record<string, string>;
	/** What kind of step that one is. */
	afterType?: string;
	/** Further steps in a row behind that one, of which nothing matters but how they are set. */
	behind?: { name: string; type: string; typeVersion?: number; parameters: IDataObject }[];
	/** Under the name that n8n gives a node that a model uses as its tool. */
	asTool?: boolean;
	/** Who started the run: a person in the editor, unless told. */
	mode?: 'manual' | 'trigger';
	/** Stops the run after so many milliseconds, as a person would. */
	cancelAfterMs?: number;
}

export interface NodeRunResult {
	run: IRun;
	/** What left the node by its first output. */
	items: INodeExecutionData[];
	/** What left it by its error output. */
	errorItems: INodeExecutionData[];
	/** What stopped the run: n8n's error, as a plain object. */
	error?: {
		name: string;
		message: string;
		description?: string | null;
		httpCode?: string;
		context?: IDataObject;
	};
	hints: NodeExecutionHint[];
	/** How often the node ran. */
	runs: number;
	after: IDataObject[];
	/** How n8n was told the run ended: `success`, `error`, `canceled`. */
	ended: string[];
}

/** Once for all runs: each time, n8n looks at its folders. */
let stored: Promise<void> | undefined;

/** Runs one node in n8n's own engine, between a node that gives the items and one that looks back at them. */
export async function runNode(asked: NodeRun): Promise<NodeRunResult> {
	const { BinaryDataService, ExecutionLifecycleHooks, WorkflowExecute } = await import('n8n-core');
	await (stored ??= Container.get(BinaryDataService).init());
	const run = createRunExecutionData();
	const workflow = workflowOf(asked);
	const mode = asked.mode ?? 'manual';
	const hooks = new ExecutionLifecycleHooks(
		mode,
		'1',
		{ id: workflow.id, name: 'test', active: false } as never,
		undefined,
	);
	const ended: string[] = [];
	hooks.addHandler('workflowExecuteAfter', ({ status }) => void ended.push(status));
	const additionalData = { ...additionalDataOf(asked), hooks } as unknown as IWorkflowExecuteAdditionalData;
	const execution = new WorkflowExecute(additionalData, mode, run);
	const running = execution.run({
		workflow,
		startNode: workflow.getNode(asked.before ? 'Event' : 'Input') ?? undefined,
	});
	const timer =
		asked.cancelAfterMs === undefined ? undefined : setTimeout(() => running.cancel(), asked.cancelAfterMs);
	const result = await running;
	clearTimeout(timer);
	return { ...readResult(result), ended };
}

/** The bytes of a file the node gave. */
export async function bytesOf(binary: IBinaryData | undefined): Promise<Buffer> {
	const { BinaryDataService } = await import('n8n-core');
	if (!binary) throw new Error('The item has no such file');
	return await Container.get(BinaryDataService).getAsBuffer(binary);
}

function workflowOf({
	type,
	parameters,
	items,
	before,
	between,
	typed: { type: inputType = 'test.input', executeOnce = false, ...typed } = {},
	merged,
	credentials,
	settings,
	after,
	afterType = 'test.after',
	behind = [],
	asTool,
}: NodeRun): Workflow {
	const first =
		before &&
		node('Event', before.type ?? 'test.event', { parameters: (before.typed ?? {}) as INode['parameters'] });
	const way = (name: string, index = 0) => ({ node: name, type: NodeConnectionTypes.Main, index });
	const to = (name: string) => ({ main: [[way(name)]] });
	const credentialsOfNode = Object.fromEntries(
		Object.keys(credentials ?? {}).map((name) => [name, { id: name, name }]),
	);
	return new Workflow({
		id: 'workflow',
		name: 'test',
		active: false,
		nodes: [
			...(first ? [first] : []),
			...(between
				? [node('Between', between.type, { parameters: (between.typed ?? {}) as INode['parameters'] })]
				: []),
			node('Input', inputType, { parameters: typed as INode['parameters'], executeOnce }),
			...(merged
				? [node('Merge', 'n8n-nodes-base.merge', { parameters: merged.typed as INode['parameters'] })]
				: []),
			node('Node', asTool ? 'test.nodeTool' : 'test.node', {
				parameters: parameters as INode['parameters'],
				credentials: credentialsOfNode,
				...settings,
			}),
			node('After', afterType, { parameters: (after ?? {}) as INode['parameters'] }),
			...behind.map((step) => node(step.name, step.type, step as Partial<INode>)),
		],
		connections: {
			...(first && {
				Event: { main: [[way(between ? 'Between' : 'Input'), ...(merged ? [way('Merge')] : [])]] },
			}),
			...(between && { Between: to('Input') }),
			...(merged && { Merge: to('Node') }),
			...{ Input: merged ? { main: [[way('Merge', 1)]] } : to('Node'), Node: to('After') },
			...Object.fromEntries(behind.map(({ name }, index) => [behind[index - 1]?.name ?? 'After', to(name)])),
		},
		nodeTypes: nodeTypesOf({
			[first?.type ?? 'test.event']: givingItems(before?.items ?? [], Object.keys(before?.typed ?? {})),
			...(between && { [between.type]: givingItems(between.items, Object.keys(between.typed ?? {})) }),
			[inputType]: givingItems(items ?? [{ json: {} }], Object.keys(typed)),
			'n8n-nodes-base.merge': givingItems(merged?.items ?? [], Object.keys(merged?.typed ?? {})),
			'test.node': type,
			'test.nodeTool': type,
			[afterType]: lookingBack(Object.keys(after ?? {})),
			...Object.fromEntries(
				behind.map(({ type, parameters }) => [type, givingItems([], Object.keys(parameters))]),
			),
		}),
		settings: { executionOrder: 'v1', timezone: 'Europe/Amsterdam' },
	});
}

function node(name: string, type: string, own: Partial<INode>): INode {
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters: {}, ...own };
}

function nodeTypesOf(types: Record<string, INodeType>): INodeTypes {
	const find = (name: string) => {
		const type = types[name];
		if (!type) throw new Error(`No node type ${name}`);
		return type;
	};
	return { getByName: find, getByNameAndVersion: find, getKnownTypes: () => ({}) };
}

const description = (name: string, properties: INodeType['description']['properties']) => ({
	displayName: name,
	name,
	group: ['transform' as const],
	version: 1,
	description: name,
	defaults: { name },
	inputs: [NodeConnectionTypes.Main],
	outputs: [NodeConnectionTypes.Main],
	properties,
});

function givingItems(items: INodeExecutionData[], parameters: string[] = []): INodeType {
	// n8n drops parameters that no property stands for.
	const properties = parameters.map((name) => ({
		displayName: name,
		name,
		type: 'json' as const,
		default: '',
	}));
	return {
		description: description('Input', properties),
		async execute() {
			return [items];
		},
	};
}

function lookingBack(names: string[]): INodeType {
	const properties = names.map((name) => ({
		displayName: name,
		name,
		type: 'string' as const,
		default: '',
	}));
	return {
		description: description('After', properties),
		async execute() {
			return [
				this.getInputData().map((_, index) => ({
					json: Object.fromEntries(names.map((name) => [name, this.getNodeParameter(name, index)])),
					pairedItem: { item: index },
				})) as INodeExecutionData[],
			];
		},
	};
}

type DecryptedFor = [unknown, unknown, string, unknown, unknown, unknown, { itemIndex: number } | undefined];

/** What the server around the engine gives it; here only what one node can ask for. */
function additionalDataOf({ credentials = {} }: NodeRun) {
	const unused = () => {
		throw new Error('Not part of this engine');
	};
	return {
		credentialsHelper: {
			getParentTypes: () => [],
			isCredentialUsableByNode: () => true,
			getDecrypted: async (...[, , type, , , , place]: DecryptedFor) => {
				const credential = credentials[type];
				return structuredClone(
					typeof credential === 'function' ? credential(place?.itemIndex ?? 0) : credential,
				);
			},
			getCredentials: unused,
			authenticate: unused,
			preAuthentication: unused,
			runPreAuthentication: unused,
			updateCredentials: unused,
			updateCredentialsOauthTokenData: unused,
			getCredentialsProperties: () => [],
		},
		executeWorkflow: unused,
		getRunExecutionData: unused,
		currentNodeExecutionIndex: 0,
		executionId: '1',
		restApiUrl: '',
		instanceBaseUrl: '',
		formWaitingBaseUrl: 'http://localhost/form-waiting',
		webhookBaseUrl: '',
		webhookWaitingBaseUrl: 'http://localhost/webhook-waiting',
		webhookTestBaseUrl: '',
		variables: {},
		logAiEvent: () => {},
		startRunnerTask: unused,
	};
}

function readResult(run: IRun): Omit<NodeRunResult, 'ended'> {
	const { runData, error } = run.data.resultData;
	const tasks = runData.Node ?? [];
	const last = tasks.at(-1);
	const [items, errorItems] = last?.data?.main ?? [];
	const after = runData.After?.at(-1)?.data?.main?.[0] ?? [];
	return {
		run,
		items: items ?? [],
		errorItems: errorItems ?? [],
		error: error as NodeRunResult['error'],
		hints: last?.hints ?? [],
		runs: tasks.length,
		after: after.map(({ json }) => json),
	};
}
