import type { IExecuteFunctions, INodeExecutionData, INodeType, INodeTypeDescription } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { actionHint } from './descriptions/builderHints';
import { counterpartyProperties, customerProperties } from './descriptions/party';
import { documentProperties } from './descriptions/document';
import { eventProperties } from './descriptions/event';
import { queueProperties } from './descriptions/queue';
import { resource } from './descriptions/resource';
import { setProperties } from './descriptions/set';
import {
	listParties,
	parcelDocumentExchangeApiTest,
	parcelDocumentExchangeQueueApiTest,
	searchDocuments,
	searchDocumentTypes,
	searchParties,
	searchSets,
	suggestInstances,
	suggestStatuses,
} from './pickers/panelMethods';

/** The action node. n8n loads it at every start, so whatever does the work is loaded at first use. */
export class ParcelDocumentExchange implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Parcel Document Exchange',
		name: 'parcelDocumentExchange',
		icon: { light: 'file:parcelDocumentExchange.svg', dark: 'file:parcelDocumentExchange.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle:
			'={{ ({ "counterparty get": "Get counterparty", "counterparty getAll": "Get counterparties", "customer get": "Get customer", "customer getAll": "Get customers", "document getAll": "Get documents", "document getAllPdfs": "Get all PDFs", "document getPdf": "Get PDF", "event parse": "Parse event", "queue getStatus": "Get status of queue", "set get": "Get set", "set search": "Search sets" })[$parameter["resource"] + " " + $parameter["operation"]] || $parameter["operation"] }}',
		description: 'Find sets of trade documents and get their PDFs',
		defaults: { name: 'Parcel Document Exchange' },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		usableAsTool: true,
		builderHint: actionHint,
		credentials: [
			{
				name: 'parcelDocumentExchangeApi',
				required: true,
				testedBy: 'parcelDocumentExchangeApiTest',
				displayOptions: { hide: { resource: ['event', 'queue'] } },
			},
			{
				name: 'parcelDocumentExchangeQueueApi',
				required: true,
				testedBy: 'parcelDocumentExchangeQueueApiTest',
				displayOptions: { show: { resource: ['queue'] } },
			},
		],
		properties: [
			resource,
			...counterpartyProperties,
			...customerProperties,
			...documentProperties,
			...eventProperties,
			...queueProperties,
			...setProperties,
		],
	};

	methods = {
		credentialTest: {
			parcelDocumentExchangeApiTest,
			parcelDocumentExchangeQueueApiTest,
		},
		listSearch: {
			searchParties,
			searchSets,
			searchDocuments,
			searchDocumentTypes,
			suggestStatuses,
			suggestInstances,
		},
		loadOptions: {
			listParties,
		},
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await (await import('./actions/run')).run(this);
	}
}
