import { parse } from 'flatted';
import { waitUntil } from '../process/waitUntil';
import type { N8nRest } from './rest';

export type ExecutionStatus =
	'new' | 'running' | 'waiting' | 'success' | 'error' | 'crashed' | 'canceled' | 'unknown';

interface ExecutionSummary {
	id: string;
	workflowId: string;
	mode: string;
	status: ExecutionStatus;
	createdAt: string;
	/** What n8n had created but not begun when it was killed, it begins at its next start. */
	startedAt: string;
}

export interface ExecutionItem {
	json: Record<string, unknown>;
	binary?: Record<string, { fileName?: string; mimeType: string; bytes?: number; id?: string; data: string }>;
	pairedItem?: unknown;
	error?: unknown;
}

interface ExecutionFailure {
	message: string;
	description?: string | null;
	name?: string;
	node?: { name: string };
	context?: Record<string, unknown>;
}

/** What a run left behind, node by node. */
export interface Execution extends ExecutionSummary {
	/** Undefined when nothing failed. */
	error: ExecutionFailure | undefined;
	/** Nodes that ran, in n8n's order. */
	nodes: string[];
	/** The items of a node's first output (or another), over all its runs. */
	items(node: string, output?: number): ExecutionItem[];
	/** The run data as n8n keeps it. */
	data: unknown;
}

interface ExecutionFilter {
	workflowId?: string;
	status?: ExecutionStatus[];
	/** Newest first, at most this many. Default 100. */
	limit?: number;
}

interface RunData {
	resultData?: { error?: ExecutionFailure; runData?: Record<string, NodeRun[]> };
}
interface NodeRun {
	data?: { main?: (ExecutionItem[] | null)[] };
	error?: ExecutionFailure;
}

const FINISHED: readonly ExecutionStatus[] = ['success', 'error', 'crashed', 'canceled'];

export function executionsOf(rest: N8nRest) {
	const list = async ({ limit = 100, ...filter }: ExecutionFilter = {}) => {
		const query = { filter: JSON.stringify(filter), limit: String(limit) };
		return (await rest.get<{ results: ExecutionSummary[] }>('executions', query)).results;
	};
	const get = async (id: string): Promise<Execution> => {
		const { data, ...summary } = await rest.get<ExecutionSummary & { data: string }>(`executions/${id}`);
		const run = (parse(data) ?? {}) as RunData;
		const byNode = run.resultData?.runData ?? {};
		return {
			...summary,
			error: run.resultData?.error,
			nodes: Object.keys(byNode),
			items: (node, output = 0) => (byNode[node] ?? []).flatMap(({ data: out }) => out?.main?.[output] ?? []),
			data: run,
		};
	};

	return {
		list,
		get,
		delete: (ids: string[]) => rest.send('POST', 'executions/delete', { ids }),
		stop: (id: string) => rest.send('POST', `executions/${id}/stop`),
		/** Waits for the end of one execution and reads it. */
		finished: async (id: string, deadlineMs = 30_000): Promise<Execution> => {
			await waitUntil(
				`execution ${id} ends`,
				async () => FINISHED.includes((await rest.get<ExecutionSummary>(`executions/${id}`)).status),
				{ deadlineMs, everyMs: 100 },
			);
			return get(id);
		},
		/** Waits until a workflow has `count` finished executions. @returns them, oldest first */
		finishedOf: (workflowId: string, count: number, deadlineMs = 30_000): Promise<Execution[]> =>
			waitUntil(
				`workflow ${workflowId} has ${count} finished executions`,
				async () => {
					const done = await list({ workflowId, status: [...FINISHED], limit: count });
					if (done.length < count) return false;
					return Promise.all(done.reverse().map(({ id }) => get(id)));
				},
				{ deadlineMs, everyMs: 200 },
			),
	};
}
