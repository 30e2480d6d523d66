import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startN8n, type N8n } from '../../sandbox/n8n/n8n';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { chain } from '../../sandbox/n8n/workflows';
import { defaultUser } from '../../sandbox/service';
import { reply, startFakeService } from './fakeService';

const PACKAGE = 'n8n-nodes-parcel-document-exchange';
const PACKED_PACKAGE = join(__dirname, '..', '..', '.sandbox', 'package.tgz');

/** A row of the list, as a search shows it. */
export interface ListedSet {
	setId: string;
	parcelRef: string;
	status: string;
	modifiedDate: string;
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
	const folder = await mkdtemp(join(tmpdir(), 'parcel-polling-'));
	const version = process.env['PARCEL_N8N_VERSION'] || undefined;
	const start = () => startN8n({ folder, packageTarball: PACKED_PACKAGE, version, env });
	let n8n: N8n = await start().catch(async (error) => {
		await service.close();
		throw error;
	});
	const credential = await n8n.credentials.create('Service', 'parcelDocumentExchangeApi', {
		baseUrl: service.baseUrl,
		loginStyle: 'basic',
		...defaultUser,
	});
	const read = new Map<string, { workflowId: string; lines: string[] }>();
	return {
		rows,
		state,
		get n8n() {
			return n8n;
		},
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
		async told(workflowId: string): Promise<string[]> {
			const list = await n8n.executions.list({ workflowId, status: ['success'], limit: 100 });
			for (const { id } of list.reverse().filter((run) => !read.has(run.id))) {
				const items = (await n8n.executions.get(id)).items('After');
				const lines = items.map(({ json }) => `${String(json['parcelReference'])} ${String(json['status'])}`);
				read.set(id, { workflowId, lines });
			}
			return [...read.values()].filter((run) => run.workflowId === workflowId).flatMap(({ lines }) => lines);
		},
		async restart(): Promise<void> {
			await n8n.kill();
			n8n = await start();
		},
		async close(): Promise<void> {
			await n8n.kill();
			await service.close();
			await rm(folder, { recursive: true, force: true, maxRetries: 5 });
		},
	};
}
export type PollingHost = Awaited<ReturnType<typeof startPollingHost>>;
