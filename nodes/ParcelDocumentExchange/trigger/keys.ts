/** The nodes that listen in this process, a version that is being replaced beside its next one. */
const listening = new Set<{ key: string; name: string }>();

/** Keys of nodes that were met beside another one of their ID. */
const copies = new Set<string>();

/**
 * Who a node is to the queue. A node keeps its ID when it is renamed. n8n takes in workflows in which two nodes have the
 * same: with one key, the second would take the place of the first, whose events would start nothing. A copy stays one for
 * as long as the process lives: published again before its original, it would go on with what the original had begun.
 *
 * @param id of the node, and of its workflow
 */
export function subscriberKey(id: string, name: string): string {
	const asCopy = `${id}:${name}`;
	const isTaken = [...listening].some((other) => other.key === id && other.name !== name);
	if (isTaken) copies.add(asCopy);
	return copies.has(asCopy) ? asCopy : id;
}

/** @returns what ends it */
export function listens(key: string, name: string): () => void {
	const listener = { key, name };
	listening.add(listener);
	return () => void listening.delete(listener);
}
