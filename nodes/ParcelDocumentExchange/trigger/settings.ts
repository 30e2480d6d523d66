import type { IDataObject, ITriggerFunctions } from 'n8n-workflow';
import { ServiceError } from '../../../service/errors';
import { instanceKind } from '../../../service/model/instance';
import type { EventFilter, LaneOptions, RemoveWhen } from '../../../service/queue/contract';
import { ATTEMPTS, BATCH_SIZE, BATCH_WAIT, PARALLEL_RUNS } from '../descriptions/defaults';
import { isEmpty } from '../parameters/emptiness';
import { queueName } from '../parameters/queueName';
import { filterTexts, pickedEntries, wholeNumber } from '../parameters/values';

export interface TriggerSettings {
	queue: string;
	filter: EventFilter;
	options: LaneOptions;
	simplify: boolean;
	testWith: 'nextEvent' | 'sampleEvent';
}

/**
 * Everything the trigger needs of its parameters. Called inside `trigger()` only: later, n8n has no expressions at hand.
 * @throws {ServiceError} `invalidInput` naming the field
 */
export function readSettings(context: ITriggerFunctions): TriggerSettings {
	const typed = String(context.getNodeParameter('queue', '') ?? '').trim();
	const testWith = context.getNodeParameter('testWith', 'nextEvent') as TriggerSettings['testWith'];
	const needsQueue = testWith === 'nextEvent' || context.getMode() !== 'manual';
	const queue = typed === '' && !needsQueue ? '' : queueName(typed);
	const options = context.getNodeParameter('options', {}) as IDataObject;
	return {
		queue,
		testWith,
		simplify: context.getNodeParameter('simplify', true) !== false,
		filter: {
			statuses: filterTexts(context.getNodeParameter('statuses', []), 'Statuses'),
			customerIds: customers(options.customerIds),
			instances: filterTexts(options.instances, 'Instances').map((instance) =>
				instanceKind(instance).toLowerCase(),
			),
		},
		options: {
			removeWhen: removeWhen(options.removeWhen),
			keepOrder: options.keepOrder !== false,
			skipRepeats: options.skipRepeats !== false,
			parallelRuns: wholeNumber(options.parallelRuns, { label: 'Parallel Runs', ...PARALLEL_RUNS }),
			attempts: wholeNumber(options.attempts, { label: 'Attempts', ...ATTEMPTS }),
			batchSize: wholeNumber(options.batchSize, { label: 'Batch Size', ...BATCH_SIZE }),
			batchWaitMs: wholeNumber(options.batchSeconds, { label: 'Batch Wait (Seconds)', ...BATCH_WAIT }) * 1000,
		},
	};
}

/** @throws {ServiceError} `invalidInput` when customers were added and none is named: every customer's events would start runs */
function customers(chosen: unknown): string[] {
	const entries = pickedEntries(chosen, 'customerId');
	const isAdded = Array.isArray(entries) && entries.length > 0;
	if (isAdded && isEmpty(entries)) {
		throw new ServiceError('invalidInput', '"Customers" was chosen and is empty', {
			remedy:
				'Choose a customer from the list or type its ID, or take the entry away: every customer would start the workflow.',
		});
	}
	return filterTexts(entries, 'Customers').map((id) => id.toLowerCase());
}

const REMOVE_WHEN: readonly RemoveWhen[] = ['succeeded', 'finished', 'received'];

function removeWhen(value: unknown): RemoveWhen {
	const chosen = value ?? 'succeeded';
	const known = REMOVE_WHEN.find((when) => when === chosen);
	if (known) return known;
	throw new ServiceError('invalidInput', 'Remove From Queue holds none of its three choices', {
		remedy: 'Choose one of the list.',
	});
}
