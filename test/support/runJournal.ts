import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One run of a workflow, told by its own HTTP Request node while it went on. */
export interface JournalRun {
	/** The path its workflow calls. */
	workflow: string;
	/** The items' set ids: one, or those of a batch. */
	setIds: string[];
	/** Their transactions, likewise. */
	transactionIds: string[];
	/** The first item as the trigger gave it. */
	item: Record<string, unknown>;
	attempt: number;
	/** When the call came and, once answered, when it was answered; milliseconds since 1970. */
	beganAt: number;
	endedAt?: number;
}

/** What the workflow's node is answered: a status of 400 or more fails the run, a wait makes it long. */
interface JournalAnswer {
	status?: number;
	waitMs?: number;
}

/** A local server that the workflows of a test call in each run: it counts runs, exactly and at once, and decides how they end. */
export interface RunJournal {
	readonly url: string;
	readonly runs: JournalRun[];
	of(workflow: string): JournalRun[];
	/** Set ids over all runs of a workflow, in the order their runs began. */
	setIdsOf(workflow: string): string[];
	/** Decides how further runs end. */
	answer(decide: (run: JournalRun) => JournalAnswer): void;
	/** Forgets all runs and answers all with success again. */
	clear(): void;
	close(): Promise<void>;
}

export async function startRunJournal(): Promise<RunJournal> {
	let runs: JournalRun[] = [];
	let decide: (run: JournalRun) => JournalAnswer = () => ({});
	const timers = new Set<NodeJS.Timeout>();
	const server = createServer((request, response) => {
		void bodyOf(request).then((body) => {
			const items = Array.isArray(body) ? body : [body];
			const run: JournalRun = {
				workflow: (request.url ?? '').slice(1),
				setIds: items.map(({ setId }) => String(setId)),
				transactionIds: items.map(({ transactionId }) => String(transactionId)),
				item: items[0] ?? {},
				attempt: Number(items[0]?.attempt),
				beganAt: Date.now(),
			};
			runs.push(run);
			const { status = 200, waitMs = 0 } = decide(run);
			const timer = setTimeout(() => {
				timers.delete(timer);
				run.endedAt = Date.now();
				response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
			}, waitMs);
			timers.add(timer);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const of = (workflow: string) => runs.filter((run) => run.workflow === workflow);
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		get runs() {
			return runs;
		},
		of,
		setIdsOf: (workflow) => of(workflow).flatMap(({ setIds }) => setIds),
		answer: (next) => void (decide = next),
		clear: () => {
			runs = [];
			decide = () => ({});
		},
		close: () => {
			for (const timer of timers) clearTimeout(timer);
			server.closeAllConnections();
			return new Promise((resolve) => server.close(() => resolve()));
		},
	};
}

async function bodyOf(
	request: IncomingMessage,
): Promise<Record<string, unknown> | Record<string, unknown>[]> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, unknown>;
}
