import type { INodeExecutionData, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { hubOfProcess } from '../../../service/queue/hub';
import { peek, withinLook } from '../../../service/queue/peek';
import type { DeliveredEvent } from '../../../service/queue/contract';
import { systemClock } from '../../../service/surroundings';
import { nodeError } from '../adapters/errors';
import { readQueueAddress } from '../adapters/queueAddress';
import { eventItem } from '../events/eventItem';
import { sampleEvents } from '../events/samples';
import { readSettings, type TriggerSettings } from './settings';

/**
 * "Execute step" in the editor: shows one event and takes nothing away. Samples need no queue; otherwise a copy of the
 * next event that a published workflow of this process receives, or else a look at the queue that gives everything back.
 *
 * n8n replaces `emit` only after `trigger()` has returned, and calls the close function while the run still goes on:
 * so everything happens in `manualTriggerFunction`, and closing only stops the look.
 */
export function listenOnce(context: ITriggerFunctions): ITriggerResponse {
	const settings = settingsOf(context);
	const stopped = new AbortController();
	return {
		closeFunction: async () => stopped.abort(),
		manualTriggerFunction: async () => {
			try {
				const items =
					settings.testWith === 'sampleEvent'
						? samples(settings)
						: await nextEvent(context, settings, stopped.signal);
				if (items.length > 0) context.emit([items]);
			} catch (error) {
				stopped.abort();
				throw nodeError(context.getNode(), error);
			}
		},
	};
}

function settingsOf(context: ITriggerFunctions): TriggerSettings {
	try {
		return readSettings(context);
	} catch (error) {
		throw nodeError(context.getNode(), error);
	}
}

function samples({ filter, simplify }: TriggerSettings): INodeExecutionData[] {
	const facts = { redelivered: false, attempt: 1, isSample: true };
	return sampleEvents(filter.statuses).map((event) => eventItem(event, facts, simplify));
}

/** The next event that is asked for; none when the test was stopped. */
async function nextEvent(
	context: ITriggerFunctions,
	{ queue, filter, simplify }: TriggerSettings,
	signal: AbortSignal,
): Promise<INodeExecutionData[]> {
	const address = await readQueueAddress(context);
	const { logger } = context;
	let untap: (() => void) | undefined;
	let copyTo!: (event: DeliveredEvent | undefined) => void;
	const copied = new Promise<DeliveredEvent | undefined>((resolve) => (copyTo = resolve));
	signal.addEventListener('abort', () => copyTo(undefined), { once: true });
	const tap = async () => {
		untap ??= await hubOfProcess(logger).tap(address, queue, filter, copyTo);
		return untap !== undefined;
	};
	try {
		const look = { address, queue, filter, clock: systemClock, logger, signal, takenOver: tap };
		const found = (await tap()) ? undefined : await peek(look);
		const event = found ?? (await withinLook(copied, systemClock));
		if (!event) return [];
		return [
			eventItem(event.event, { redelivered: event.redelivered, attempt: 1, isSample: false }, simplify),
		];
	} finally {
		untap?.();
	}
}
