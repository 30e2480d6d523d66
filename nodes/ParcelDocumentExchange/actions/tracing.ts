import type { IExecuteFunctions } from 'n8n-workflow';
import type { Surroundings } from '../../../service/api/transport';
import { idKey } from '../../../service/model/set';
import { isUuid } from '../../../service/model/uuid';
import type { Items } from '../parameters/stepKinds';

/** What a run of the node did, for who watches n8n: it stands in the run's data, and on the node's span where n8n traces (2.22). */
export interface Tracing {
	/** Counts a request to the service. */
	sent: NonNullable<Surroundings['sent']>;
	/**
	 * Tells n8n how much was asked and what came of it: `searches` (pages of the search asked for), `tries` (all requests:
	 * logins and repeats too), and of the items `sets` (different ones), `set` (the ID where it is one), `bytes` (of PDFs).
	 */
	trace(items: Items): void;
}

export function openTracing(context: IExecuteFunctions): Tracing {
	let searches = 0;
	let tries = 0;
	return {
		sent(method) {
			tries++;
			// The one call that is no GET.
			if (method === 'POST') searches++;
		},
		trace(items) {
			if (runsInAnotherNode(context)) return;
			const tracing = { ...factsOf(items), searches, tries };
			// Older versions of n8n keep it and show it nowhere.
			context.setMetadata?.({ tracing });
		},
	};
}

/** Below an agent, older versions of n8n run a tool inside that node: what it tells would be said of the agent. */
function runsInAnotherNode(context: object): boolean {
	return 'getNextRunIndex' in context;
}

function factsOf(items: Items): Record<string, string | number> {
	const sets = new Map<string, string>();
	let bytes = 0;
	for (const { json } of items) {
		// Any other text may be whatever somebody wrote there.
		if (typeof json.setId === 'string' && isUuid(json.setId)) sets.set(idKey(json.setId), json.setId);
		bytes += bytesOf(json);
		if (Array.isArray(json.files)) for (const file of json.files) bytes += bytesOf(file);
	}
	const [only] = sets.values();
	return { sets: sets.size, ...(sets.size === 1 && only !== undefined && { set: only }), bytes };
}

/** Of an item of a PDF, or of one of the files of a set in one item. */
function bytesOf(file: unknown): number {
	const { sha256, bytes } = (file ?? {}) as { sha256?: unknown; bytes?: unknown };
	return typeof sha256 === 'string' && typeof bytes === 'number' ? bytes : 0;
}
