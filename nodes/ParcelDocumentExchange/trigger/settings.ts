import type { IDataObject, ITriggerFunctions } from 'n8n-workflow';
import { ServiceError } from '../../../service/errors';
import { instanceKind } from '../../../service/model/instance';
import type { EventFilter } from '../../../service/queue/filter';
import type { LaneOptions, RemoveWhen } from '../../../service/queue/subscription';

export interface TriggerSettings {
	queue: string;
	filter: EventFilter;
	options: LaneOptions;
	simplify: boolean;
	testWith: 'nextEvent' | 'sampleEvent';
}

/** One run is waited for until its own time limit, and so much longer. */
const GRACE_SECONDS = 30;

/**
 * Everything the trigger needs of its parameters. Called inside `trigger()` only: later, n8n has no expressions at hand.
 * @throws {ServiceError} `invalidInput` naming the field
 */
export function readSettings(context: ITriggerFunctions): TriggerSettings {
	const queue = String(context.getNodeParameter('queue', '') ?? '').trim();
	const testWith = context.getNodeParameter('testWith', 'nextEvent') as TriggerSettings['testWith'];
	const needsQueue = testWith === 'nextEvent' || context.getMode() !== 'manual';
	if (queue === '' && needsQueue) {
		throw new ServiceError('invalidInput', 'The queue name is empty', {
			remedy: 'Fill in Queue with the name the service gave you.',
		});
	}
	if (Buffer.byteLength(queue) > 255) {
		throw new ServiceError('invalidInput', 'The queue name is too long', {
			remedy: 'A queue name has at most 255 characters.',
		});
	}
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const limitSeconds = Number(context.getWorkflowSettings?.().executionTimeout ?? 0);
	return {
		queue,
		testWith,
		simplify: context.getNodeParameter('simplify', true) !== false,
		filter: {
			statuses: texts(context.getNodeParameter('statuses', [])),
			customerIds: texts(options.customerIds).map((id) => id.toLowerCase()),
			instances: texts(options.instances).map((instance) => instanceKind(instance).toLowerCase()),
		},
		options: {
			removeWhen: (options.removeWhen as RemoveWhen | undefined) ?? 'succeeded',
			parallelRuns: wholeNumber(options.parallelRuns, 5, 1, 100),
			keepOrder: options.keepOrder !== false,
			attempts: wholeNumber(options.attempts, 5, 1, 20),
			batchSize: wholeNumber(options.batchSize, 1, 1, 500),
			batchWaitMs: wholeNumber(options.batchSeconds, 2, 0, 600) * 1000,
			skipRepeats: options.skipRepeats !== false,
			runDeadlineMs: limitSeconds > 0 ? (limitSeconds + GRACE_SECONDS) * 1000 : undefined,
		},
	};
}

function texts(value: unknown): string[] {
	const list = Array.isArray(value) ? value : [value];
	return list
		.filter((entry) => typeof entry === 'string')
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
}

function wholeNumber(value: unknown, byDefault: number, lowest: number, highest: number): number {
	const number = Math.round(Number(value ?? byDefault));
	return Number.isNaN(number) ? byDefault : Math.min(highest, Math.max(lowest, number));
}
