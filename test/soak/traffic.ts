import { createHash } from 'node:crypto';
import type { ParcelSet, Service } from '../../sandbox/service';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { eventBody } from '../support/events';
import type { JournalRun } from '../support/runJournal';
import { journalNode, type TriggerHost } from '../support/triggerHost';

const ACTION = 'n8n-nodes-parcel-document-exchange.parcelDocumentExchange';

/** The traffic of an ordinary day, in small: which events are sent, and what must have come of each in the end. */
interface Traffic {
	readonly queues: readonly string[];
	readonly sent: number;
	readonly unreadable: number;
	/** Sends the next event, again and again until the broker takes it. */
	sendNext(): Promise<void>;
	/** What is missing, or came more often than it should, by workflow; none when all is well. */
	amiss(): Promise<string[]>;
	/** Runs that ended well so far. */
	readonly runs: number;
	/** PDFs in them. */
	readonly files: number;
}

type Kind = 'plain' | 'signed' | 'batched' | 'unreadable' | 'twice' | 'failing';

/** Ten events with a PDF or a batch among them; one in 20 comes twice, one in 40 fails at its first run, one in 50 cannot be read. */
function kindOf(number: number): Kind {
	if (number % 50 === 49) return 'unreadable';
	if (number % 40 === 21) return 'failing';
	if (number % 20 === 7) return 'twice';
	if (number % 10 === 3) return 'signed';
	return number % 3 === 0 ? 'batched' : 'plain';
}

/** Publishes three workflows on two queues: one for all events, one that gets the PDFs of signed sets, one in batches. */
export async function startTraffic(
	host: TriggerHost,
	service: Service,
	serviceUrl: string,
	user: { username: string; password: string },
): Promise<Traffic> {
	const [single, batched] = [await host.newQueue(), await host.newQueue()];
	const credential = await host.n8n.credentials.create('Service', 'parcelDocumentExchangeApi', {
		...{ baseUrl: serviceUrl, ...user },
	});
	const sets = service.data.sets.filter(({ documents }) => documents.length > 0);
	await host.listen({ name: 'all', queue: single });
	await host.listen({ name: 'batches', queue: batched, options: { batchSize: 20, keepOrder: false } });
	await host.listen({
		name: 'pdfs',
		queue: single,
		statuses: ['SIGNED'],
		nodes: [
			{
				name: 'PDFs',
				type: ACTION,
				parameters: {
					...{ resource: 'document', operation: 'getAllPdfs' },
					setId: { __rl: true, mode: 'id', value: '={{ $json.setId }}' },
				},
				credentials: { parcelDocumentExchangeApi: { id: credential.id, name: credential.name } },
			},
			journalOfPdfs(host),
		],
	});

	/** Transactions by workflow: one event is one transaction here. */
	const expected: Record<string, string[]> = { all: [], batches: [], pdfs: [] };
	const setOf = new Map<string, ParcelSet>();
	let sent = 0;
	let unreadable = 0;

	// Runs are seconds apart in their length, and some fail the first time.
	const failing = new Set<string>();
	const ended: JournalRun[] = [];
	host.journal.answer((run) => {
		const id = String(run.item['transactionId']);
		if (run.workflow === 'all' && run.attempt === 1 && failing.has(id)) return { status: 500 };
		ended.push(run);
		return { waitMs: (Number(`0x${id.slice(-2)}`) * 37) % 900 };
	});

	return {
		queues: [single, batched],
		get sent() {
			return sent;
		},
		get unreadable() {
			return unreadable;
		},
		async sendNext() {
			const number = (sent += 1);
			const kind = kindOf(number);
			const body = eventBody(number);
			const transaction = String(body['transactionId']);
			const set = sets[number % sets.length];
			if (kind === 'signed' && set) {
				Object.assign(body, { newStatus: 'SIGNED', setId: set.setId, customerId: set.customerId });
				setOf.set(transaction, set);
				expected['pdfs']?.push(transaction);
			}
			if (kind === 'failing') failing.add(transaction);
			if (kind === 'unreadable') unreadable += 1;
			else expected[kind === 'batched' ? 'batches' : 'all']?.push(transaction);
			const bodies =
				kind === 'unreadable' ? [Buffer.from('not an event')] : kind === 'twice' ? [body, body] : [body];
			const queue = kind === 'batched' ? batched : single;
			await waitUntil(
				'the broker takes an event',
				() =>
					host.service.publish(queue, ...bodies).then(
						() => true,
						() => false,
					),
				{ deadlineMs: 180_000, everyMs: 1_000 },
			);
		},
		async amiss() {
			const problems: string[] = [];
			for (const [workflow, wanted] of Object.entries(expected)) {
				const runs = ended.filter((run) => run.workflow === workflow);
				const seen = new Map<string, number>();
				for (const id of runs.flatMap(({ transactionIds }) => transactionIds))
					seen.set(id, (seen.get(id) ?? 0) + 1);
				const lost = wanted.filter((id) => !seen.has(id)).length;
				const repeated = [...seen.values()].filter((count) => count > 1).length;
				if (lost > 0) problems.push(`${workflow}: ${lost} of ${wanted.length} events did not run`);
				if (repeated > 0) problems.push(`${workflow}: ${repeated} events ran more than once`);
			}
			for (const run of ended.filter(({ workflow }) => workflow === 'pdfs')) {
				const set = setOf.get(String(run.item['transactionId']));
				if (!set || (await sumsOf(service, set)) !== sumsIn(run))
					problems.push(`wrong PDFs of ${set?.setId}`);
			}
			return problems;
		},
		get runs() {
			return ended.length;
		},
		get files() {
			return ended.flatMap(({ item }) => item['files'] ?? []).length;
		},
	};
}

/** One call with the event and the checksums of its PDFs. */
function journalOfPdfs(host: TriggerHost) {
	const node = journalNode(host.journal, { name: 'pdfs' });
	const jsonBody =
		"={{ JSON.stringify({ ...$('Event').first().json, files: $input.all().map((item) => item.json.sha256) }) }}";
	return { ...node, parameters: { ...node.parameters, jsonBody } };
}

const sumsIn = ({ item }: JournalRun) => [...(item['files'] as string[])].sort().join();

async function sumsOf(service: Service, set: ParcelSet): Promise<string> {
	const files = await Promise.all(set.documents.map((document) => service.pdf(set, document)));
	return files
		.map((file) => createHash('sha256').update(file).digest('hex'))
		.sort()
		.join();
}
