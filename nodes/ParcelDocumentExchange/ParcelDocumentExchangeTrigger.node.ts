import type {
	INodeCredentialDescription,
	INodeType,
	INodeTypeDescription,
	ITriggerFunctions,
	ITriggerResponse,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { triggerHint } from './descriptions/builderHints';
import { triggerProperties } from './descriptions/trigger';
import {
	parcelDocumentExchangeApiTest,
	parcelDocumentExchangeQueueApiTest,
	searchCustomers,
} from './pickers/panelMethods';

/** n8n reads such a condition for a credential as for a field; its type for credentials leaves it out. */
const WHEN_CUSTOMERS_ARE_CHOSEN = {
	show: { 'options.customerIds': [{ _cnd: { exists: true } }] },
} as unknown as INodeCredentialDescription['displayOptions'];

export class ParcelDocumentExchangeTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Parcel Document Exchange Trigger',
		name: 'parcelDocumentExchangeTrigger',
		icon: { light: 'file:parcelDocumentExchange.svg', dark: 'file:parcelDocumentExchange.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ $parameter["statuses"].map((status) => status.replace("_", " ").toLowerCase().replace(/\\b[a-z]/g, (letter) => letter.toUpperCase())).join(", ") || "All statuses" }}',
		description: 'Starts the workflow when a set of trade documents is drafted, signed, issued and so on',
		eventTriggerDescription:
			'Waiting for the next status event on your queue. None due? Stop, and set Test With to Sample Event.',
		activationMessage: 'From now on, each status event of a chosen status starts this workflow.',
		triggerPanel: {
			header: 'Bring in a status event',
			executionsHelp: {
				inactive:
					'<b>While building</b>, click "Execute step" to see the next event that comes to your queue. It stays on the queue. No event due? Set Test With to Sample Event.<br /><br /><b>When you are done</b>, publish the workflow: from then on each event starts it by itself.',
				active:
					'<b>While building</b>, click "Execute step" to see a copy of the next event. The published workflow still gets the event itself.<br /><br /><b>Your published workflow</b> starts by itself on each event. Its runs are in the Executions tab.',
			},
			activationHint: 'Publish the workflow to start it by itself on each event.',
		},
		defaults: { name: 'Parcel Document Exchange Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		builderHint: triggerHint,
		credentials: [
			{
				name: 'parcelDocumentExchangeQueueApi',
				required: true,
				testedBy: 'parcelDocumentExchangeQueueApiTest',
				displayOptions: { hide: { testWith: ['sampleEvent'] } },
			},
			{
				name: 'parcelDocumentExchangeQueueApi',
				testedBy: 'parcelDocumentExchangeQueueApiTest',
				displayOptions: { show: { testWith: ['sampleEvent'] } },
			},
			{
				// For the list of customers alone: who does not filter by them is not asked.
				name: 'parcelDocumentExchangeApi',
				testedBy: 'parcelDocumentExchangeApiTest',
				displayOptions: WHEN_CUSTOMERS_ARE_CHOSEN,
			},
		],
		properties: triggerProperties,
	};

	methods = {
		credentialTest: {
			parcelDocumentExchangeQueueApiTest,
			parcelDocumentExchangeApiTest,
		},
		listSearch: {
			searchCustomers,
		},
	};

	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		if (this.getMode() === 'manual') {
			const { listenOnce } = await import('./trigger/listenOnce');
			return listenOnce(this);
		}
		const { refuseWithoutPapers } = await import('./trigger/papersOff');
		refuseWithoutPapers(this);
		const { listen } = await import('./trigger/listen');
		const { warnOfSameQueue } = await import('./trigger/sameQueue');
		return warnOfSameQueue(this, await listen(this));
	}
}
