import type { N8nRest } from './rest';

/** A workflow as n8n exports and imports it. */
export interface WorkflowJson {
	name: string;
	nodes: WorkflowNode[];
	/** By node and kind of output: `main`, or what hangs below an agent (`ai_tool`, `ai_languageModel`). */
	connections: Record<string, Record<string, ({ node: string; type: string; index: number }[] | null)[]>>;
	settings?: Record<string, unknown>;
	pinData?: Record<string, unknown>;
}

export interface WorkflowNode {
	id: string;
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string; name: string }>;
	[more: string]: unknown;
}

export interface StoredWorkflow extends WorkflowJson {
	id: string;
	active: boolean;
	versionId: string;
}

/** A node for {@link chain}; id, position and version are filled in. */
export type NodeSketch = Pick<WorkflowNode, 'name' | 'type' | 'parameters'> & Partial<WorkflowNode>;

/** A workflow whose nodes follow each other in one line. */
export function chain(
	name: string,
	nodes: NodeSketch[],
	settings: Record<string, unknown> = {},
): WorkflowJson {
	const complete = nodes.map((node, index) => ({
		id: `node-${index}`,
		typeVersion: 1,
		position: [200 * index, 0] as [number, number],
		...node,
	}));
	const links: WorkflowJson['connections'] = {};
	complete.slice(1).forEach((next, index) => {
		links[complete[index]?.name ?? ''] = { main: [[{ node: next.name, type: 'main', index: 0 }]] };
	});
	return { name, nodes: complete, connections: links, settings };
}

export function workflowsOf(rest: N8nRest) {
	const get = (id: string) => rest.get<StoredWorkflow>(`workflows/${id}`);
	/** n8n 2 has drafts and a published version; n8n 1 has one switch. */
	const setActive = async (id: string, active: boolean): Promise<StoredWorkflow> => {
		const { versionId } = await get(id);
		if (!(await hasPublishing())) return rest.send('PATCH', `workflows/${id}`, { active, versionId });
		return rest.send(
			'POST',
			`workflows/${id}/${active ? 'activate' : 'deactivate'}`,
			active ? { versionId } : {},
		);
	};
	let major: number | undefined;
	const hasPublishing = async () => {
		major ??= Number.parseInt((await rest.get<{ versionCli: string }>('settings')).versionCli, 10);
		return major >= 2;
	};

	return {
		get,
		list: () => rest.get<{ id: string; name: string; active: boolean }[]>('workflows'),
		/** With what the editor always writes: without `pinData`, n8n cannot run a part of a workflow a second time. */
		create: (workflow: WorkflowJson) =>
			rest.send<StoredWorkflow>('POST', 'workflows', {
				...{ settings: {}, pinData: {} },
				...workflow,
				active: false,
			}),
		update: (id: string, change: Partial<WorkflowJson>) =>
			get(id).then(({ versionId }) =>
				rest.send<StoredWorkflow>('PATCH', `workflows/${id}`, { ...change, versionId }),
			),
		/** n8n's "Publish". Its triggers start in the background: they may not listen yet when this returns. */
		publish: (id: string) => setActive(id, true),
		unpublish: (id: string) => setActive(id, false),
		/** Archives it first: n8n deletes nothing else. */
		delete: async (id: string) => {
			await rest.send('POST', `workflows/${id}/archive`, {}).catch(() => undefined);
			await rest.send('DELETE', `workflows/${id}`);
		},
		/** "Execute workflow" from the named trigger, up to `destination` where given. @returns the execution's id */
		run: async (id: string, trigger: string, destination?: string) => {
			const answer = await rest.send<{ executionId?: string }>('POST', `workflows/${id}/run`, {
				workflowData: await get(id),
				triggerToStartFrom: { name: trigger },
				...(destination !== undefined && { destinationNode: { nodeName: destination, mode: 'inclusive' } }),
			});
			if (answer.executionId === undefined)
				throw new Error('n8n waits for a webhook instead of running the workflow');
			return answer.executionId;
		},
	};
}
