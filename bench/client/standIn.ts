import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { ServiceOptions } from '../../sandbox/service';

/** The stand-in's options as they go to its process, and what it holds. */
export interface StandInOptions extends Pick<ServiceOptions, 'tls' | 'latencyMs' | 'pageMax'> {
	sets: number;
	documentsPerSet?: number;
	/** The newest stands first, unless told. */
	oldestFirst?: boolean;
	/** Characters of `xmlContent` in the first document of each set. */
	xmlCharacters?: number;
	/** Least size of every PDF. */
	pdfBytes: number;
}

export interface DocumentAddress {
	setId: string;
	documentId: string;
}

interface EventWork {
	events: { setId: string; customerId: string }[];
	/** Pages of 100 that hold the sets of the customers concerned. */
	pages: number;
	/** Documents of all these sets. */
	pdfs: number;
}

export interface StandInQuestion {
	id: number;
	ask: 'counters' | 'documents' | 'events' | 'setIds' | 'sha256';
	count?: number;
	setId?: string;
	documentId?: string;
}

/** The first, with id 0, is the base URL. */
export interface StandInAnswer {
	id: number;
	value: unknown;
}

interface Counters {
	byRoute: Record<string, number>;
	connections: number;
	mostConnections: number;
}

/** A stand-in of the service in its own process, so that it shares no event loop with anything that is measured. */
export interface StandIn {
	baseUrl: string;
	counters(): Promise<Counters>;
	documents(count: number): Promise<DocumentAddress[]>;
	events(count: number): Promise<EventWork>;
	/** Of all sets, in the order of the list. */
	setIds(): Promise<string[]>;
	sha256(address: DocumentAddress): Promise<string>;
	close(): Promise<void>;
}

const START_DEADLINE_MS = 60_000;

export async function startStandIn(options: StandInOptions): Promise<StandIn> {
	const child = fork(join(__dirname, 'standInProcess.ts'), [JSON.stringify(options)], {
		execArgv: ['--require', require.resolve('tsx/cjs'), '--max-old-space-size=4096'],
	});
	const waiting = new Map<number, (value: unknown) => void>();
	child.on('message', ({ id, value }: StandInAnswer) => waiting.get(id)?.(value));
	const answer = (id: number) =>
		new Promise((resolve, reject) => {
			const late = setTimeout(() => reject(new Error('The stand-in does not answer')), START_DEADLINE_MS);
			child.once('exit', () => reject(new Error('The stand-in has ended')));
			waiting.set(id, (value) => {
				clearTimeout(late);
				waiting.delete(id);
				resolve(value);
			});
		});
	child.setMaxListeners(0);
	let ids = 0;
	const ask = async <T>(question: Omit<StandInQuestion, 'id'>): Promise<T> => {
		const id = (ids += 1);
		child.send({ id, ...question });
		return (await answer(id)) as T;
	};
	return {
		baseUrl: (await answer(0)) as string,
		counters: () => ask({ ask: 'counters' }),
		documents: (count) => ask({ ask: 'documents', count }),
		events: (count) => ask({ ask: 'events', count }),
		setIds: () => ask({ ask: 'setIds' }),
		sha256: (address) => ask({ ask: 'sha256', ...address }),
		close: async () => {
			child.removeAllListeners('exit');
			child.kill();
			if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
		},
	};
}
