import { chain, type NodeSketch, type WorkflowJson } from '../../../sandbox/n8n/workflows';
import { waitUntil } from '../../../sandbox/process/waitUntil';
import { defaultUser } from '../../../sandbox/service';
import {
	patternOf,
	type AccountMishap,
	type ListMishap,
	type Mishap,
	type Mishaps,
	type ReportMishap,
	type Told,
} from '../mishap';
import type { Stage } from './stage';
import { ACTION, READER, START, TRIGGER, using } from './world';

/** The node that has the mishap, with the kind of its account. */
const KINDS = {
	node: { type: ACTION, credential: 'parcelDocumentExchangeApi' },
	trigger: { type: TRIGGER, credential: 'parcelDocumentExchangeQueueApi' },
} as const;

type Kind = keyof typeof KINDS;

const CUSTOMERS = { resource: 'customer', operation: 'getAll', options: { timeout: 1 } };

/** Executes the node of each mishap in its panel: the panel says what happened and what to do. */
export function triesInPanel(kind: Kind, stage: () => Stage, mishaps: Mishaps): void {
	describe(`in the panel of the ${kind}`, () => {
		beforeAll(() => openAll(kind, stage(), mishaps), 180_000);

		it.each(Object.entries(mishaps))('%s says what happened and what to do', async (name, mishap) => {
			const { editor } = stage();
			await editor.openNode(name);
			try {
				await editor.executeStep();
				await mishap.meanwhile?.(stage());
				const { message, description } = await editor.failure();
				expectTold({ says: message, remedy: description }, mishap);
			} finally {
				await editor.screenshot(`error ${name}`);
				await editor.closeNode();
			}
		});
	});
}

/** Opens the list of each mishap in the panel of its node: in its place stands what happened and what to do. */
export function triesInList(stage: () => Stage, mishaps: Mishaps<ListMishap>): void {
	describe('in place of a list', () => {
		beforeAll(() => openAll('node', stage(), mishaps), 180_000);

		it.each(Object.entries(mishaps))('%s says what happened and what to do', async (name, mishap) => {
			const { editor } = stage();
			await editor.openNode(name);
			try {
				await editor.openList(mishap.parameter);
				if (mishap.typed !== undefined) await editor.searchList(mishap.typed);
				expectToldInOne(await editor.textInsteadOfList(), mishap);
			} finally {
				await editor.screenshot(`list ${name}`);
				await editor.page.keyboard.press('Escape');
				await editor.closeNode();
			}
		});
	});
}

/** Opens the account of each mishap, which n8n tests: the dialog says what happened and what to do. */
export function triesInDialog(kind: Kind, stage: () => Stage, mishaps: Mishaps<AccountMishap>): void {
	describe(`in the account of the ${kind}`, () => {
		it.each(Object.entries(mishaps))('%s says what happened and what to do', async (name, mishap) => {
			const { editor } = stage();
			const { id } = await accountOf(kind, stage(), mishap);
			try {
				expectToldInOne(await editor.failedTestOf(id), mishap);
			} finally {
				await editor.screenshot(`account ${name}`);
			}
		});
	});
}

/** Publishes a workflow with each mishap's trigger: n8n says what happened and what to do. */
export function triesToPublish(stage: () => Stage, mishaps: Mishaps): void {
	describe('when a workflow is published', () => {
		it.each(Object.entries(mishaps))('%s says what happened and what to do', async (name, mishap) => {
			const { editor, n8n } = stage();
			await mishap.before?.(stage());
			const trigger = await nodeOf('trigger', stage(), name, mishap);
			const { id } = await n8n.workflows.create(chain(name, [trigger, NEXT]));
			await editor.openWorkflow(id);
			try {
				expectToldInOne(await editor.failedPublishing(), mishap);
			} finally {
				await editor.screenshot(`publishing ${name}`);
			}
		});
	});
}

/** Lets each mishap happen to a published workflow: its failed execution says what happened and what to do. */
export function triesInExecutions(stage: () => Stage, mishaps: Mishaps<ReportMishap>): void {
	describe('in the executions of a published workflow', () => {
		it.each(Object.entries(mishaps))('%s says what happened and what to do', async (name, mishap) => {
			const { editor } = stage();
			const { workflowId, executionId } = await reported(stage(), name, mishap);
			await editor.openExecution(workflowId, executionId);
			await editor.screenshot(`execution ${name}`);
			await editor.openNode('Event');
			try {
				const { message, description } = await editor.failure();
				expectTold({ says: message, remedy: description }, mishap);
			} finally {
				await editor.screenshot(`report ${name}`);
				await editor.closeNode();
			}
		});
	});
}

const NEXT: NodeSketch = { name: 'Next', type: 'n8n-nodes-base.noOp', parameters: {} };

/** @returns the failed execution that is the report: one in which the node behind the trigger did not run */
async function reported(stage: Stage, name: string, mishap: ReportMishap) {
	const n8n = (await mishap.by?.(stage)) ?? stage.n8n;
	const queue = await stage.newQueue(`reports of ${name}`);
	const account = await accountOf('trigger', { ...stage, n8n }, mishap);
	const trigger: NodeSketch = {
		...{ name: 'Event', type: TRIGGER, credentials: using(account) },
		parameters: { queue, options: mishap.options ?? {} },
	};
	const next = (await mishap.next?.(n8n)) ?? NEXT;
	const workflow = chain(name, [trigger, next], mishap.settings);
	const workflowId = await stage.publishOn(queue, workflow, n8n);
	await mishap.happens(stage, queue, n8n);
	const report = async () => {
		const failed = await n8n.executions.list({ workflowId, status: ['error'] });
		const read = await Promise.all(failed.map(({ id }) => n8n.executions.get(id)));
		return read.find(({ nodes }) => !nodes.includes(next.name));
	};
	const { id } = await waitUntil('there is a report', report, { deadlineMs: 90_000 });
	return { workflowId, executionId: id };
}

/** Creates and opens a workflow with a node for each mishap. */
async function openAll(kind: Kind, stage: Stage, mishaps: Mishaps): Promise<void> {
	const lines: NodeSketch[][] = [];
	for (const [name, mishap] of Object.entries(mishaps)) {
		await mishap.before?.(stage);
		const node = await nodeOf(kind, stage, name, mishap);
		const inputs = [mishap.input ?? []].flat().map((input, place) => inputOf(name, place, input));
		lines.push([...inputs, node]);
	}
	const { id } = await stage.n8n.workflows.create(grid(lines));
	await stage.editor.openWorkflow(id);
}

/** A node that gives this item. */
const inputOf = (name: string, place: number, input: object): NodeSketch => ({
	...{ name: `Input ${place + 1} of ${name}`, type: 'n8n-nodes-base.set', typeVersion: 3.4 },
	parameters: { mode: 'raw', jsonOutput: JSON.stringify(input), options: {} },
});

async function nodeOf(kind: Kind, stage: Stage, name: string, mishap: Mishap): Promise<NodeSketch> {
	const usual = kind === 'node' ? CUSTOMERS : { queue: stage.queue };
	return {
		...{ name, type: KINDS[kind].type, credentials: using(await accountOf(kind, stage, mishap)) },
		parameters: mishap.parameters?.(stage) ?? usual,
	};
}

/** An account that is right but for what is told. */
async function accountOf(kind: Kind, stage: Stage, { account, instead }: AccountMishap) {
	const { n8n, broker, vhost, service, serve } = stage;
	const wrong = typeof account === 'function' ? await account(stage) : account;
	const right =
		kind === 'node'
			? { baseUrl: (instead ? await serve(instead(stage)) : service).baseUrl, ...defaultUser }
			: { host: '127.0.0.1', port: broker.port, vhost, ...READER };
	return await n8n.credentials.create('Account', KINDS[kind].credential, { ...right, ...wrong });
}

/** The lines of nodes in rows, each behind the start. */
function grid(lines: NodeSketch[][]): WorkflowJson {
	const { nodes } = chain('Mishaps', [START, ...lines.flat()]);
	const placed = nodes.map((node, index) => ({
		...node,
		position: [220 * (index % 6), 180 * Math.floor(index / 6)] as [number, number],
	}));
	const firsts = lines.map(([first]) => ({ node: first?.name ?? '', type: 'main', index: 0 }));
	const connections: WorkflowJson['connections'] = { [START.name]: { main: [firsts] } };
	for (const line of lines) Object.assign(connections, chain('', line).connections);
	return { name: 'Mishaps', nodes: placed, connections };
}

function expectTold(read: Told, { says, remedy }: Told): void {
	expect(read).toEqual({
		says: expect.stringMatching(`^${patternOf(says)}$`),
		remedy: expect.stringMatching(patternOf(remedy)),
	});
}

/** Where n8n shows one text, the remedy follows, and stands there once. */
function expectToldInOne(read: string, { says, remedy }: Told): void {
	const oneLine = read.replace(/\s+/g, ' ');
	expect(oneLine.split(new RegExp(patternOf(remedy)))).toHaveLength(2);
	expect(oneLine).toMatch(new RegExp(`${patternOf(says)}\\.? ${patternOf(remedy)}`));
}
