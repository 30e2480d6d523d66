import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { ATTEMPTS, BATCH_SIZE, BATCH_WAIT, PARALLEL_RUNS } from './defaults';
import { picker } from './lookup';
import { simplify, numberField } from './options';
import { pickerList } from './pickerList';
import { otherStatus, statusOptions } from './statuses';

const removeWhenOptions: INodePropertyOptions[] = [
	{
		name: 'When the Workflow Has Succeeded',
		value: 'succeeded',
		description: 'Safest: a run that fails is tried again',
	},
	{
		name: 'When the Workflow Has Finished',
		value: 'finished',
		description: 'Also after a run that failed: nothing is tried again',
	},
	{
		name: 'When the Workflow Has Started',
		value: 'received',
		description:
			'Does not hold up other workflows on this queue; an event is lost if n8n stops during its run',
	},
];

/** Where the events come from. */
const queue: INodeProperties = {
	displayName: 'Queue',
	name: 'queue',
	type: 'string',
	default: '',
	placeholder: 'e.g. parcel-events',
	description: 'The name of your event queue, as the service gave it to you',
	noDataExpression: true,
};

/** What every desk may need first, what technicians set last. */
const options: INodeProperties[] = [
	pickerList(
		{
			displayName: 'Customers',
			name: 'customerIds',
			description: 'Start the workflow for these customers only',
		},
		'Add Customer',
		picker(
			{
				displayName: 'Customer',
				name: 'customerId',
				default: { mode: 'list', value: '' },
				description:
					'From List needs an account of the service, chosen above, for the list alone. By ID needs none.',
			},
			'searchCustomers',
		),
	),
	numberField(
		{
			displayName: 'Attempts',
			name: 'attempts',
			description:
				'How many times the workflow is run at most for an event that keeps failing. The waits in between are 5 seconds, 30 seconds, 2 minutes, then 10 minutes.',
		},
		ATTEMPTS,
	),
	{
		displayName: 'Remove From Queue',
		name: 'removeWhen',
		type: 'options',
		options: removeWhenOptions,
		default: 'succeeded',
		description: 'When an event leaves the queue for good',
	},
	{
		displayName: 'Skip Repeats',
		name: 'skipRepeats',
		type: 'boolean',
		default: true,
		description:
			'Whether to skip an event that was handled already in the last 24 hours. n8n remembers the newest 10,000 until it restarts.',
	},
	numberField(
		{
			displayName: 'Batch Size',
			name: 'batchSize',
			description:
				'How many events one run gets at most. With more than 1, they are also tried again and removed together.',
		},
		BATCH_SIZE,
	),
	numberField(
		{
			displayName: 'Batch Wait (Seconds)',
			name: 'batchSeconds',
			description: 'How long to wait for a batch to fill. Counts only with a batch size above 1.',
		},
		BATCH_WAIT,
	),
	numberField(
		{
			displayName: 'Parallel Runs',
			name: 'parallelRuns',
			description: 'How many runs of this workflow go on side by side at most',
		},
		PARALLEL_RUNS,
	),
	{
		displayName: 'Keep Order',
		name: 'keepOrder',
		type: 'boolean',
		default: true,
		description: 'Whether the next event of a set waits until the one before it is done',
	},
	{
		displayName: 'Instances',
		name: 'instances',
		type: 'string',
		typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Instance' },
		default: [],
		placeholder: 'e.g. hub',
		description:
			'Start the workflow for these product instances only: hub, exchange, or another as the service sends it',
	},
];

export const triggerProperties: INodeProperties[] = [
	{ ...queue, required: true, displayOptions: { hide: { testWith: ['sampleEvent'] } } },
	{
		...queue,
		displayOptions: { show: { testWith: ['sampleEvent'] } },
		hint: 'Not needed for sample events. Fill it in before you publish.',
	},
	{
		displayName: 'Statuses',
		name: 'statuses',
		type: 'multiOptions',
		options: [...statusOptions, otherStatus],
		default: [],
		description: 'The workflow starts on these statuses only',
		hint: 'Choose none to start on every status',
		noDataExpression: true,
	},
	{
		displayName: 'Test With',
		name: 'testWith',
		type: 'options',
		options: [
			{
				name: 'Next Event',
				value: 'nextEvent',
				description:
					'Shows the next event of a chosen status. It stays on the queue for the published workflow.',
			},
			{
				name: 'Sample Event',
				value: 'sampleEvent',
				description: 'Shows a made-up event for each chosen status at once, without the queue',
			},
		],
		default: 'nextEvent',
		description: 'What "Execute step" shows while you build',
		hint: 'Testing takes nothing off the queue',
		noDataExpression: true,
	},
	{ ...simplify, noDataExpression: true },
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options,
	},
];
