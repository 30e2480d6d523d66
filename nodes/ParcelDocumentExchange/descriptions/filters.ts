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
		description:
			'Only sets of one of the two products of the service, Exchange or Hub. Other values can be typed.',
	},
	'suggestInstances',
	'e.g. EXCHANGE',
);

/** A text to search by. */
export function typed(
	displayName: string,
	name: string,
	placeholder: string,
	description: string,
): INodeProperties {
	return { displayName, name, type: 'string', default: '', placeholder, description };
}

export const shipmentRef = typed(
	'Shipment Reference',
	'shipmentRef',
	'e.g. SHIP-2026-0147',
	'Only sets with this shipment reference',
);

/** Of one company. */
export const wholeName: INodeProperties = {
	...typed('Name', 'name', 'e.g. Northlight Shipping', 'The whole name of the company, in capitals or not'),
	required: true,
};

export const name = typed(
	'Name',
	'name',
	'e.g. Shipping',
	'Only companies whose name contains this text, in capitals or not',
);
