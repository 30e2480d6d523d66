import type { N8nClient } from './n8n';

const TRIGGER = /\.parcelDocumentExchangeTrigger$/;
/** Who publishes a workflow sees its statuses on the page so soon. */
const KEPT_MS = 5_000;

/**
 * The statuses that the published workflows of an n8n ask for on a queue; null when one asks for all, or when n8n does not
 * answer. An answer is kept for a moment: a page asks each second.
 */
export function statusesAsked({ workflows }: Pick<N8nClient, 'workflows'>, queue: string) {
	let kept: readonly string[] | null = null;
	let askedAt = -Infinity;
	return async (): Promise<readonly string[] | null> => {
		if (Date.now() - askedAt < KEPT_MS) return kept;
		askedAt = Date.now();
		kept = await read(workflows, queue).catch(() => null);
		return kept;
	};
}

async function read(workflows: N8nClient['workflows'], queue: string): Promise<readonly string[] | null> {
	const published = (await workflows.list()).filter(({ active }) => active);
	const stored = await Promise.all(published.map(({ id }) => workflows.get(id)));
	const triggers = stored
		.flatMap(({ nodes }) => nodes)
		.filter(({ type, parameters }) => TRIGGER.test(type) && parameters['queue'] === queue);
	const chosen = triggers.map(({ parameters }) => (parameters['statuses'] ?? []) as string[]);
	return chosen.some((statuses) => statuses.length === 0) ? null : chosen.flat();
}
