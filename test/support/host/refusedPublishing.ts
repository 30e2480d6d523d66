import type { N8nClient } from '../../../sandbox/n8n/n8n';
import { waitUntil } from '../../../sandbox/process/waitUntil';

/** Publishes a workflow, and waits until n8n says these words of why it did not. */
export async function refusesPublishing({ rest, workflows }: N8nClient, workflowId: string, words: string) {
	const refused = await workflows.publish(workflowId).then(() => '', String);
	// Newer versions start triggers in the background.
	const told = async (path: string) => JSON.stringify(await rest.get(path).catch(() => ''));
	const paths = [`active-workflows/error/${workflowId}`, `workflows/${workflowId}/publication-status`];
	const isSaid = async () =>
		[refused, ...(await Promise.all(paths.map(told)))].join().replaceAll('\\', '').includes(words);
	await waitUntil(`n8n says "${words}"`, isSaid, { deadlineMs: 30_000 });
}
