/** One call that the service answered. Credentials travel in headers and bodies, which are not kept. */
export interface RequestRecord {
	at: number;
	method: string;
	/** Path and parameters. */
	path: string;
	status: number;
	bytes: number;
	ms: number;
}

export interface Counters {
	/** Calls answered, by route: `token`, `counterparties`, `customers`, `search`, `pdf`, `other`. */
	byRoute: Record<string, number>;
	byStatus: Record<string, number>;
	/** Calls answered, connections ever opened, and the most of each at one time. */
	requests: number;
	mostRequests: number;
	connections: number;
	mostConnections: number;
}

const mostRecords = 1000;

/** Counts what comes in, and keeps the newest 1,000 calls, newest last. */
export function createJournal() {
	const records: RequestRecord[] = [];
	const counters: Counters = {
		byRoute: {},
		byStatus: {},
		requests: 0,
		mostRequests: 0,
		connections: 0,
		mostConnections: 0,
	};
	let openRequests = 0;
	let openConnections = 0;
	return {
		records,
		counters,
		connected() {
			counters.connections += 1;
			openConnections += 1;
			counters.mostConnections = Math.max(counters.mostConnections, openConnections);
		},
		disconnected() {
			openConnections -= 1;
		},
		begun() {
			openRequests += 1;
			counters.mostRequests = Math.max(counters.mostRequests, openRequests);
		},
		answered(route: string, record: RequestRecord) {
			openRequests -= 1;
			counters.requests += 1;
			counters.byRoute[route] = (counters.byRoute[route] ?? 0) + 1;
			counters.byStatus[record.status] = (counters.byStatus[record.status] ?? 0) + 1;
			records.push(record);
			if (records.length > mostRecords) records.shift();
		},
	};
}

export type Journal = ReturnType<typeof createJournal>;
