import type { IExecuteFunctions } from 'n8n-workflow';
import { hubOfProcess } from '../../../service/queue/hub';
import { queueStatus, type QueueStatus } from '../../../service/queue/status';
import { viewOf, whileListening, type QueueView } from '../../../service/queue/watch';
import { systemClock } from '../../../service/surroundings';
import { readQueueAddress } from '../adapters/queueAddress';

/** What the broker says of a queue, and what this process does with it. */
export interface QueueState extends QueueStatus, QueueView {
	/** Whether a trigger of this process listens; null where another process may have it. */
	listening: boolean | null;
}

/**
 * Asks about a queue with the account that the node has for an input item.
 *
 * @throws ServiceError saying what a person can do
 */
export async function askQueue(
	context: IExecuteFunctions,
	queue: string,
	signal: AbortSignal,
	itemIndex: number,
): Promise<QueueState> {
	const address = await readQueueAddress(context, systemClock, itemIndex);
	const { logger } = context;
	const status = await queueStatus({ address, queue, clock: systemClock, logger, signal });
	const view = viewOf(address, queue);
	if (view.triggers.length === 0) return { ...status, ...view, listening: isInQueueMode() ? null : false };
	const untap = await hubOfProcess(logger).tap(address, queue, EVERY_EVENT, () => undefined);
	untap?.();
	if (!untap) return { ...status, ...view, listening: false };
	return { ...status, ...view, triggers: whileListening(view.triggers), listening: true };
}

const EVERY_EVENT = { statuses: [], customerIds: [], instances: [] };

/** Then the triggers are in one process, and runs in others. */
function isInQueueMode(): boolean {
	return process.env['EXECUTIONS_MODE'] === 'queue';
}
