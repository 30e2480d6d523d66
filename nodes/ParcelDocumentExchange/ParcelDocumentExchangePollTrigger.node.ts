import type { INodeExecutionData, INodeType, INodeTypeDescription, IPollFunctions } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { pollTriggerHint } from './descriptions/builderHints';
import { pollTriggerProperties } from './descriptions/pollTrigger';
import {
	listParties,
	parcelDocumentExchangeApiTest,
	suggestInstances,
	suggestStatuses,
} from './pickers/panelMethods';

/** The trigger for who has no queue: n8n looks for changed sets at its own times. */
export class ParcelDocumentExchangePollTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Parcel Document Exchange Poll Trigger',
		name: 'parcelDocumentExchangePollTrigger',
		icon: { light: 'file:parcelDocumentExchange.svg', dark: 'file:parcelDocumentExchange.dark.svg' },
		group: ['trigger'],
		version: 1,
		polling: true,
		subtitle:
			'={{ $parameter["statuses"].map((status) => status.replace("_", " ").toLowerCase().replace(/\\b[a-z]/g, (letter) => letter.toUpperCase())).join(", ") || "All statuses" }}',
		description: 'Looks for sets of trade documents that are new or have another status, without a queue',
		activationMessage: 'From now on, n8n looks for changed sets at the times under Poll Times.',
		defaults: { name: 'Parcel Document Exchange Poll Trigger' },
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		builderHint: pollTriggerHint,
		credentials: [
			{ name: 'parcelDocumentExchangeApi', required: true, testedBy: 'parcelDocumentExchangeApiTest' },
		],
		properties: [
			{
				displayName:
					'Starts the workflow on sets that changed since the look before. The first look only remembers what is there. Renaming this node makes it begin anew.',
				name: 'notice',
				type: 'notice',
				default: '',
			},
			...pollTriggerProperties,
		],
	};

	methods = {
		credentialTest: {
			parcelDocumentExchangeApiTest,
		},
		listSearch: {
			suggestStatuses,
			suggestInstances,
		},
		loadOptions: {
			listParties,
		},
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		if (this.getMode() === 'manual') return await (await import('./poll/newestSet')).newestSet(this);
		// A second try of what was refused, n8n calls an update, as it does its own looks.
		const isPublishing = (await import('./poll/firstLook')).isFirstLook(this);
		if (isPublishing) (await import('./trigger/papersOff')).refuseWithoutPapers(this);
		return await (await import('./poll/poll')).pollForChanges(this, isPublishing);
	}
}
