import type { IBuilderHint } from 'n8n-workflow';

const PACKAGE = 'n8n-nodes-parcel-document-exchange';
const ACTION = `${PACKAGE}.parcelDocumentExchange`;
const TRIGGER = `${PACKAGE}.parcelDocumentExchangeTrigger`;
const POLL_TRIGGER = `${PACKAGE}.parcelDocumentExchangePollTrigger`;

/** For models that build workflows in n8n's editor (2.x; older ones do not look at it). No expressions: n8n's lint forbids them here. */
export const actionHint: IBuilderHint = {
	searchHint:
		'Sets ("parcels") of trade documents such as bills of lading, and their PDFs. Behind the trigger of this package, "Get All PDFs" takes the set from the event: leave Set as it is. For one e-mail with all PDFs switch "All PDFs of a Set in One Item" on and use the field "attachments" of the item as Attachments of Send Email. As a tool it gives names, sizes and checksums, never the file: let a step of the workflow hand the file on. The operation "Get Status" of a queue tells how many events wait, who reads them and whether the trigger waits; it takes nothing off the queue.',
	relatedNodes: [
		{
			nodeType: TRIGGER,
			relationHint: 'Starts the workflow when a set is drafted, signed, issued and so on',
		},
		{ nodeType: POLL_TRIGGER, relationHint: 'Starts it on changed sets where there is no queue' },
		{ nodeType: 'n8n-nodes-base.emailSend', relationHint: 'Sends the PDFs of a set in one e-mail' },
	],
};

export const triggerHint: IBuilderHint = {
	searchHint:
		'Starts the workflow on each status event of a set of trade documents. Prefer it to the RabbitMQ Trigger for this queue: it tries failed runs again and loses no event. Its item holds no documents: add the action node with "Get All PDFs" behind it. Choose under "Statuses" which events start it.',
	relatedNodes: [{ nodeType: ACTION, relationHint: 'Gets the set of the event and all its PDFs' }],
};

export const pollTriggerHint: IBuilderHint = {
	searchHint:
		'Starts the workflow on sets of trade documents that are new or have another status, where there is no queue: n8n looks at the list at its Poll Times. With a queue, prefer the other trigger of this package, which is told every step at once. Its item holds no documents: add the action node with "Get All PDFs" behind it. Choose under "Statuses" which sets start it.',
	relatedNodes: [
		{ nodeType: ACTION, relationHint: 'Gets the set that changed and all its PDFs' },
		{ nodeType: TRIGGER, relationHint: 'Starts the workflow on each event of a queue' },
	],
};
