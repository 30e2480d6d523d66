import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startN8n, type N8n } from '../../sandbox/n8n/n8n';
import { waitUntil } from '../../sandbox/process/waitUntil';
import type { Execution, ExecutionItem } from '../../sandbox/n8n/executions';
import { chain } from '../../sandbox/n8n/workflows';
import { defaultUser } from '../../sandbox/service';
import { newFolder } from '../../sandbox/setup/caches.mjs';
import { reply, startFakeService } from './fakeService';
import { refuseRuns } from './refusedRuns';
import { PACKED_PACKAGE } from './host/start';

const PACKAGE = 'n8n-nodes-parcel-document-exchange';

/** Parameters: n8n looks once a minute at most for each of its poll times, and takes many of them. */
export const EVERY_THREE_SECONDS = {
	pollTimes: {
		item: Array.from({ length: 20 }, (_, n) => ({ mode: 'custom', cronExpression: `${n * 3} * * * * *` })),
	},
};

/** What an n8n that was killed had begun, the next one takes over after two minutes, unless told otherwise: from 2.40 on. */
export const TAKEN_OVER_SOON = {
	N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '20',
	N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '1000',
	N8N_WORKFLOW_PUBLICATION_RECONCILE_INTERVAL_SECONDS: '2',
};

/** n8n's own names, from 2.36 on; and the same for looks. */
export const DURABLE_CURSORS = {
	...TAKEN_OVER_SOON,
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	N8N_SCHEDULER_EXECUTOR_INTERVAL: '1',
	N8N_SCHEDULER_REAPER_INTERVAL: '1',
	N8N_SCHEDULER_LEASE_DURATION: '20',
	N8N_SCHEDULER_POLL_TIMEOUT: '15',
};

/** A row of the list, as a search shows it. */
interface ListedSet {
	setId: string;
	parcelRef: string;
	status: string;
	modifiedDate: string;
}

/** A set that a run was stored for: its reference and status, and when, in milliseconds since 1970. */
interface Told {
	line: string;
	at: number;
	/** n8n was killed in this run, and shows it so. */
	isCrashed: boolean;
}

/** A real n8n with the packed package, and a service whose list of sets the test holds. */
export async function startPollingHost(sets: number, env: NodeJS.ProcessEnv = {}) {
	const rows: ListedSet[] = Array.from({ length: sets }, (_, n) => ({
		setId: `22222222-2222-4222-8222-${String(n).padStart(12, '0')}`,
		parcelRef: `PCL-${n}`,
		status: 'drafted',
		modifiedDate: `20 June 2026 10:${String(n % 60).padStart(2, '0')}`,
	}));
	const state = { isAway: false };
	const service = await startFakeService({
		calls: ({ path }) => {
			if (state.isAway) return reply(503, { message: 'away for a while' });
			const query = new URL(path, 'http://service').searchParams;
			const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit') ?? 100)];
			const results = rows.slice(offset, offset + limit);
			const data = { offset, limit, total: rows.length, count: results.length, results };
			return reply(200, { code: 200, status: 'OK', data, links: [] });
		},
	});
	const folder = await newFolder('polling-');
	const version = process.env['PARCEL_N8N_VERSION'] || undefined;
	const start = (packageTarball?: string) => startN8n({ folder, packageTarball, version, env });
	let n8n: N8n = await start(PACKED_PACKAGE).catch(async (error) => {
		await service.close();
		throw error;
	});
	const credential = await n8n.credentials.create('Service', 'parcelDocumentExchangeApi', {
		baseUrl: service.baseUrl,
		loginStyle: 'basic',
		...defaultUser,
	});
	const read = new Map<string, { workflowId: string; lines: Told[] }>();
	let startedTwice = 0;
	return {
		rows,
		state,
		/** Requests that the service had so far. */
		calls: () => service.calls.length,
		get n8n() {
			return n8n;
		},
		/** Restarts in which n8n ended once of itself. */
		get startedTwice() {
			return startedTwice;
		},
		/** From now on n8n cannot store a run, or it can again. */
		refuseRuns: async (isRefused: boolean) => await refuseRuns(folder, version, isRefused),
		async create(parameters: Record<string, unknown> = {}): Promise<string> {
			const trigger = {
				name: 'Changed',
				type: `${PACKAGE}.parcelDocumentExchangePollTrigger`,
				parameters: { pollTimes: { item: [{ mode: 'everyMinute' }] }, ...parameters },
				credentials: { parcelDocumentExchangeApi: { id: credential.id, name: credential.name } },
			};
			const after = { name: 'After', type: 'n8n-nodes-base.noOp', parameters: {} };
			return (await n8n.workflows.create(chain('Changed sets', [trigger, after], { executionOrder: 'v1' })))
				.id;
		},
		/** Publishes it and waits until the first look has come to an end: n8n publishes behind the scenes. */
		async publish(workflowId: string): Promise<void> {
			const before = service.calls.length;
			await n8n.workflows.publish(workflowId);
			await waitUntil('the first look', () => service.calls.length > before);
			let seen = 0;
			const stands = () => seen === (seen = service.calls.length);
			await waitUntil('its last search', stands, { everyMs: 2_000, deadlineMs: 60_000 });
		},
		/** What the runs of a workflow were started for, oldest first. Ask now and then: n8n lists the newest 100. */
		async told(workflowId: string): Promise<Told[]> {
			const list = await n8n.executions.list({ workflowId, status: ['success', 'crashed'], limit: 100 });
			for (const { id, createdAt, status } of list.reverse().filter((run) => !read.has(run.id))) {
				const isCrashed = status === 'crashed';
				// Killed before it had stored with what the run begins, n8n 1 cannot show it.
				const items = isCrashed
					? await n8n.executions.get(id).then(begunWith, () => [])
					: (await n8n.executions.get(id)).items('After');
				const lines = items.map(({ json }) => ({
					line: `${String(json['parcelReference'])} ${String(json['status'])}`,
					at: Date.parse(createdAt),
					isCrashed,
				}));
				read.set(id, { workflowId, lines });
			}
			return [...read.values()].filter((run) => run.workflowId === workflowId).flatMap(({ lines }) => lines);
		},
		/** `kill -9`, and started again with the package that stands in its folder. @returns when it was dead */
		async restart(): Promise<number> {
			await n8n.kill();
			const deadAt = Date.now();
			// Of one that has crashed, n8n waits ten seconds before it starts.
			await rm(join(folder, '.n8n', 'crash.journal'), { force: true });
			// One that was killed between storing a run and beginning it, n8n 2.41 cannot recover: its insights read when the
			// run began, and it ends. What keeps it running starts it again, and then that run counts as crashed.
			n8n = await start().catch(async (error: Error) => {
				if (!error.message.includes("Cannot read properties of null (reading 'getTime')")) throw error;
				startedTwice++;
				return await start();
			});
			return deadAt;
		},
		async close(): Promise<void> {
			await n8n.kill();
			await service.close();
			await rm(folder, { recursive: true, force: true, maxRetries: 5 });
		},
	};
}

/** What a run was started with, whether or not a step of it has ended. */
function begunWith({ data, items }: Execution): ExecutionItem[] {
	const { executionData } = data as { executionData?: { nodeExecutionStack?: Begun[] } };
	const waiting = executionData?.nodeExecutionStack?.[0]?.data.main[0] ?? [];
	return items('Changed').length > 0 ? items('Changed') : waiting;
}
interface Begun {
	data: { main: ExecutionItem[][] };
}

export type PollingHost = Awaited<ReturnType<typeof startPollingHost>>;
