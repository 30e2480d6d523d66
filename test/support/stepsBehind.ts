import type {
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	NodeTypeAndVersion,
} from 'n8n-workflow';
import { mailsBehind } from '../../nodes/ParcelDocumentExchange/actions/mailsBehind';

/** Workflows as the node sees the steps around it, with PDFs as its name. */

export interface Step extends NodeTypeAndVersion {
	/** Steps that it leads to, by its outputs; `#2` is the second input of one. */
	to: string[][];
}
export const step = (
	name: string,
	type: string,
	parameters: INodeParameters = {},
	...to: string[][]
): Step => ({
	...{ name, typeVersion: 3, disabled: false, parameters, to },
	type: type.includes('.') ? type : `n8n-nodes-base.${type}`,
});
export const mail = (attachments = '={{ $json.attachments }}', more: INodeParameters = {}) =>
	step('Mail', 'emailSend', { options: { fileAttachments: attachments }, ...more });
export const pdfs = (...to: string[][]) =>
	step('PDFs', 'x.parcelDocumentExchange', { operation: 'getAllPdfs' }, ...(to.length > 0 ? to : [['Mail']]));
export const event = (...to: string[]) => step('Event', 'x.parcelDocumentExchangeTrigger', {}, to);
export const poll = (options: INodeParameters = {}) =>
	step('Event', 'x.parcelDocumentExchangePollTrigger', { options }, ['PDFs']);

export const pollTo = (next: string) => ({ ...poll(), to: [[next]] });

const reached = (steps: Step[], from: string, next: (name: string) => string[], depth = Infinity) => {
	const found = new Set<string>();
	let level = [from];
	for (let far = 0; far < depth && level.length > 0; far++) {
		level = level.flatMap(next).filter((name) => !found.has(name));
		level.forEach((name) => found.add(name));
	}
	// n8n counts no step among those around itself.
	return steps.filter(({ name }) => found.has(name) && name !== from);
};

export const ofSet = (setId = 'a', papers = 2): INodeExecutionData => {
	const fields = Array.from({ length: papers }, (_, index) => `data_${index}`);
	return {
		json: { setId, attachments: fields.join(','), files: fields.map((binaryField) => ({ binaryField })) },
		binary: Object.fromEntries(fields.map((field) => [field, { mimeType: '', data: '' }])),
	};
};
export const ofPdf: INodeExecutionData = {
	json: { setId: 'a' } as IDataObject,
	binary: { data: { mimeType: '', data: '' } },
};

/** What a step sees of the others. */
export function wired(steps: Step[]) {
	const leadsTo = (one?: Step) => one?.to.flat().map((end) => end.replace(/#\d$/, '')) ?? [];
	const behind = (name: string) => leadsTo(steps.find((one) => one.name === name));
	const inFront = (name: string) => steps.filter((one) => leadsTo(one).includes(name)).map((one) => one.name);
	const wires = (end: string) =>
		steps.flatMap(({ name: node, to }) =>
			to.flatMap((names, index) => (names.includes(end) ? [{ node, index }] : [])),
		);
	return {
		getChildNodes: (name: string) => reached(steps, name, behind),
		getParentNodes: (name: string, options?: { depth?: number }) =>
			reached(steps, name, inFront, options?.depth),
		getConnections: ({ name }: { name: string }) => [wires(name), wires(`${name}#2`)],
	};
}

export function told(
	steps: Step[],
	{
		items = [ofSet()],
		own = {} as Partial<INode>,
		given = [] as Parameters<typeof mailsBehind>[2],
		/** Those with Execute Once. */
		once = [] as string[],
	} = {},
): string[] {
	const { type, parameters } = steps.find(({ name }) => name === 'PDFs') ?? {};
	const node = { name: 'PDFs', type, parameters, ...own };
	return mailsBehind(
		{
			getNode: () => node as INode,
			...wired(steps),
			workflow: { nodes: Object.fromEntries(once.map((name) => [name, { executeOnce: true }])) },
		},
		items,
		given,
	);
}
