import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findHost } from '../../sandbox/n8n/host';
import type { ExecutionStatus } from '../../sandbox/n8n/executions';
import { startN8n, type N8n } from '../../sandbox/n8n/n8n';
import { chain, type NodeSketch } from '../../sandbox/n8n/workflows';
import { defaultUser } from '../../sandbox/service';
import { makeCertificates, type Certificates } from '../../sandbox/tls/certificates';
import { hangBell, type Bell } from './bell';
import { startRaw, type Raw } from './raw';
import { startStandIn, type StandIn, type StandInOptions } from './standIn';

/** One run of a workflow: what its one node took, by n8n's own clock, and what came out. */
export interface Measured {
	ms: number;
	/** The most resident memory that n8n's process had in the run, and what it had before, in MB. */
	peakMb: number;
	beforeMb: number;
	/** Items of the node. */
	items: { json: Record<string, unknown>; binary?: Record<string, { bytes?: number }> }[];
}

/** A stand-in of the service with the accounts that both nodes use for it. */
export interface Place extends StandIn {
	/** Of this package. */
	credential: { id: string; name: string };
	/** n8n's own "Header Auth", with a token that is good for the whole bench: HTTP Request logs in at no cost. */
	headerAuth: { id: string; name: string };
	token: string;
	ca: string | undefined;
}

/** One n8n, and what is measured against it. */
export interface World {
	n8n: N8n;
	raw: Raw;
	/** The same in a process whose heap is as large as that of n8n. */
	rawBesideHeap: Raw;
	folder: string;
	place(options: Omit<StandInOptions, 'tls'> & { tls?: boolean }): Promise<Place>;
	/** Runs one node over the given items. */
	run(node: NodeSketch, items: object[]): Promise<Measured>;
	close(): Promise<void>;
}

const RUN_DEADLINE_MS = 180_000;
const LOOK_EVERY_MS = 10_000;

/**
 * For minutes after many files were removed, ext4 looks past each of their inodes before it makes a new file; rounds that
 * clear up after themselves slow the next ones down, ever more. So where there are more files than this, all stay to the end.
 */
const FEW_FILES = 100;

/** Whether what a download of so many files left behind may be removed between rounds. */
export function mayBeRemoved(files: number): boolean {
	return files <= FEW_FILES;
}

/** About 200 MB: what n8n's heap holds after its start. */
const OBJECTS_IN_N8N = 850_000;

export async function openWorld(options: { folder: string; packageTarball: string }): Promise<World> {
	const certificates = await makeCertificates(join(options.folder, 'certificates'));
	const [host, bell, n8n] = await Promise.all([
		findHost(),
		hangBell(),
		startN8n({
			...options,
			folder: join(options.folder, 'n8n'),
			// Both nodes check certificates: HTTP Request knows this authority from here, ours from its credential.
			env: {
				NODE_EXTRA_CA_CERTS: certificates.caFile,
				N8N_LOG_LEVEL: 'warn',
				...(process.env.N8N_NODE_OPTIONS && { NODE_OPTIONS: process.env.N8N_NODE_OPTIONS }),
			},
		}),
	]);
	const raw = startRaw(host.node);
	const rawBesideHeap = startRaw(host.node, OBJECTS_IN_N8N);
	const places: StandIn[] = [];
	return {
		n8n,
		raw,
		rawBesideHeap,
		folder: options.folder,
		run: (node, items) => run(n8n, bell, node, items),
		async place({ tls = false, ...more }) {
			const { server } = certificates;
			const standIn = await startStandIn({
				...more,
				...(tls && { tls: { key: server.key, cert: server.certificate } }),
			});
			places.push(standIn);
			return await furnish(n8n, standIn, tls ? certificates : undefined);
		},
		async close() {
			raw.close();
			rawBesideHeap.close();
			bell.close();
			await Promise.all([n8n.kill(), ...places.map((place) => place.close())]);
		},
	};
}

async function furnish(n8n: N8n, standIn: StandIn, certificates: Certificates | undefined): Promise<Place> {
	const { baseUrl } = standIn;
	const ca = certificates?.ca;
	const token = await logIn(baseUrl, ca);
	const credential = await n8n.credentials.create(baseUrl, 'parcelDocumentExchangeApi', {
		baseUrl,
		loginStyle: 'basic',
		...defaultUser,
		ignoreSslIssues: false,
		caCertificate: ca ?? '',
	});
	const headerAuth = await n8n.credentials.create(baseUrl, 'httpHeaderAuth', {
		name: 'Authorization',
		value: `Bearer ${token}`,
	});
	return { ...standIn, credential, headerAuth, token, ca };
}

async function logIn(baseUrl: string, ca: string | undefined): Promise<string> {
	const { Agent, request } = await import('undici');
	const { username, password } = defaultUser;
	const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
	const dispatcher = new Agent({ connect: { ca } });
	const { body } = await request(`${baseUrl}/v3/common/oauth2/token`, {
		headers: { authorization },
		dispatcher,
	});
	const { token } = (await body.json()) as { token: string };
	await dispatcher.close();
	return token;
}

interface NodeRun {
	executionTime: number;
	data?: { main?: (Measured['items'] | null)[] };
}

/** The items are pinned on the trigger: getting them takes no time, and they come the same way to every node. */
async function run(n8n: N8n, bell: Bell, node: NodeSketch, items: object[]): Promise<Measured> {
	const start = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} };
	const workflow = chain(node.name, [start, node, bell.node], { executionOrder: 'v1' });
	const pinData = { Start: items.map((json) => ({ json })) };
	const { id } = await n8n.workflows.create({ ...workflow, pinData });
	const beforeMb = await memoryMb(n8n, 'VmRSS');
	await writeFile(`/proc/${n8n.processId}/clear_refs`, '5');
	const executionId = await n8n.workflows.run(id, 'Start');
	await ended(n8n, bell, id);
	const peakMb = await memoryMb(n8n, 'VmHWM');
	const { status, error, data } = await n8n.executions.finished(executionId);
	if (status !== 'success') throw new Error(`${node.name} ended with ${status}: ${error?.message}`);
	const { runData } = (data as { resultData: { runData: Record<string, NodeRun[]> } }).resultData;
	const [nodeRun] = runData[node.name] ?? [];
	if (!nodeRun) throw new Error(`${node.name} did not run`);
	const given = nodeRun.data?.main?.[0] ?? [];
	if (mayBeRemoved(given.filter(({ binary }) => binary).length)) {
		await n8n.executions.delete([executionId]);
		await n8n.workflows.delete(id);
	}
	return { ms: nodeRun.executionTime, peakMb, beforeMb, items: given };
}

/** Waits for the bell, or for a run that failed and will never ring; looks seldom, so that looking costs nothing. */
async function ended(n8n: N8n, bell: Bell, workflowId: string): Promise<void> {
	const status: ExecutionStatus[] = ['error', 'crashed', 'canceled'];
	const deadline = Date.now() + RUN_DEADLINE_MS;
	while (Date.now() < deadline) {
		if (await bell.rung(LOOK_EVERY_MS)) return;
		if ((await n8n.executions.list({ workflowId, status })).length > 0) return;
	}
}

/** VmHWM is the most since `clear_refs` was last written 5 to. */
async function memoryMb({ processId }: N8n, field: 'VmRSS' | 'VmHWM'): Promise<number> {
	const status = await readFile(`/proc/${processId}/status`, 'utf8');
	return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
}
