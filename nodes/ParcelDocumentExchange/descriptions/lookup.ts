import type { INodeProperties } from 'n8n-workflow';
import { UUID_PATTERN } from '../../../service/model/uuid';
import { instance, shipmentRef, status } from './filters';

/** A picker: From List, By ID. */
export function picker(
	field: Pick<INodeProperties, 'displayName' | 'name' | 'description' | 'required' | 'default'>,
	searchListMethod: string,
): INodeProperties {
	return {
		...field,
		type: 'resourceLocator',
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Choose…',
				typeOptions: {
					searchListMethod,
					searchable: true,
					slowLoadNotice: {
						message: 'There are many. To go on at once, choose By ID and type the ID.',
						timeout: 10_000,
					},
				},
			},
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 123e4567-e89b-42d3-a456-426614174000',
				validation: [
					{
						type: 'regex',
						properties: {
							regex: `^\\s*(${UUID_PATTERN})?\\s*$`,
							errorMessage: 'An ID looks like 123e4567-e89b-42d3-a456-426614174000',
						},
					},
				],
			},
		],
	};
}

/** A picker that takes a reference in place of an id, too. */
function byReferenceToo(...field: Parameters<typeof picker>): INodeProperties {
	const { modes = [], ...rest } = picker(...field);
	return {
		...rest,
		modes: [
			...modes,
			{
				displayName: 'By Reference',
				name: 'reference',
				type: 'string',
				placeholder: 'e.g. SHIP-2026-0147',
				hint: 'The whole shipment or parcel reference. If several sets have it, an error lists them.',
			},
		],
	};
}

/** Behind the trigger, and behind anything that gives sets, the id is already there. */
export const setId = byReferenceToo(
	{
		displayName: 'Set',
		name: 'setId',
		required: true,
		default: { mode: 'id', value: '={{ $json.setId }}' },
		description: 'The set (parcel). Behind the trigger, or a node that gives sets, it is filled in already.',
	},
	'searchSets',
);

const customerId = picker(
	{
		displayName: 'Customer or Counterparty',
		name: 'customerId',
		default: { mode: 'id', value: "={{ $json.customerId || '' }}" },
		description:
			'Look only among the sets of this customer or counterparty. Behind the trigger it is filled in already.',
	},
	'searchParties',
);

/** Where the search looks for the set: the service finds sets by these only, not by their id. */
export const lookup: INodeProperties = {
	displayName: 'Narrow the Search',
	name: 'lookup',
	type: 'collection',
	placeholder: 'Add field',
	default: { customerId: { __rl: true, mode: 'id', value: "={{ $json.customerId || '' }}" } },
	description:
		'The service cannot be asked for a set by its ID: the list is read until the set shows. These make the list shorter. Fields without a value are ignored.',
	options: [customerId, shipmentRef, status, instance],
};
