import type { INodeProperties } from 'n8n-workflow';

/** A status or instance kind to search by: a few are known, any can be typed. */
function suggested(
	field: Pick<INodeProperties, 'displayName' | 'name' | 'description'>,
	searchListMethod: string,
	placeholder: string,
): INodeProperties {
	return {
		...field,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod, searchable: true, skipCredentialsCheckInRLC: true },
			},
			{ displayName: 'By Value', name: 'value', type: 'string', placeholder },
		],
	};
}

export const status = suggested(
	{
		displayName: 'Status',
		name: 'status',
		description:
			'Only sets with this status. Active means the sets in the inbox: finished sets have left it. Other values can be typed.',
	},
	'suggestStatuses',
	'e.g. ACTIVE',
);

export const instance = suggested(
	{
		displayName: 'Instance',
		name: 'instance',
		description: 'Only sets of this product of the service. Other values can be typed.',
	},
	'suggestInstances',
	'e.g. EXCHANGE',
);

export const shipmentRef: INodeProperties = {
	displayName: 'Shipment Reference',
	name: 'shipmentRef',
	type: 'string',
	default: '',
	placeholder: 'e.g. SHIP-2026-0147',
	description: 'Only sets with this shipment reference',
};

/** Of one company. */
export const wholeName: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. Northlight Shipping',
	description: 'The whole name of the company, in capitals or not',
};

export const name: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	placeholder: 'e.g. Shipping',
	description: 'Only companies whose name contains this text, in capitals or not',
};
