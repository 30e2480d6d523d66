import type { INodeProperties } from 'n8n-workflow';
import { filtersOf, optionsOf, pageSize, paging, simplify, timeout, timeZone } from './options';
import { searchFilters } from './set';
import { otherStatus, statusOptions } from './statuses';

const OFFERED = ['customerIds', 'shipmentRef', 'referenceContains', 'vesselName', 'company'];

const technical = optionsOf([pageSize, paging, timeout, timeZone]);

export const pollTriggerProperties: INodeProperties[] = [
	{
		displayName: 'Statuses',
		name: 'statuses',
		type: 'multiOptions',
		options: [...statusOptions, otherStatus],
		default: [],
		description: 'The workflow starts on sets that have come to one of these statuses only',
		hint: 'Choose none to start on every status. A set that moves on twice between two looks starts the workflow once, with its last status.',
		noDataExpression: true,
	},
	filtersOf(
		[
			...searchFilters(OFFERED),
			...searchFilters(['status']).map((field) => ({
				...field,
				displayName: 'Search Status',
				description:
					'What the service is asked for, such as Active for the sets in the inbox. Nothing is asked for unless you add this; Statuses above is compared here.',
			})),
			...searchFilters(['instance', 'otherFilters']),
		],
		{
			description:
				'Several filters together narrow the search. Give them fixed values: where an expression asks for other sets in each look, nothing can be compared.',
		},
	),
	{ ...simplify, noDataExpression: true },
	{
		...technical,
		options: [
			{
				displayName: 'Runs',
				name: 'runs',
				type: 'options',
				options: [
					{
						name: 'One for All Sets of a Look',
						value: 'oneForAll',
						description: 'One run with an item for each changed set',
					},
					{
						name: 'One for Each Set',
						value: 'oneForEachSet',
						description:
							'A run for each changed set, as many as a look has time for: the others follow with the next looks',
					},
				],
				default: 'oneForAll',
				description: 'How many runs a look starts when several sets have changed',
			},
			{
				displayName: 'Start With Sets Changed Since',
				name: 'changedSince',
				type: 'dateTime',
				default: '',
				description:
					'The first look starts the workflow for sets that changed at this time or later. Without it, the first look only remembers what is there. Added after that look, it starts nothing. With other filters later, only the sets that they newly let in start it. A new name of this node would start all of them again: take this away before.',
			},
			...(technical.options ?? []),
		] as INodeProperties[],
	},
];
