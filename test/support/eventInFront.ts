import type { IDataObject } from 'n8n-workflow';
import { eventItem } from '../../nodes/ParcelDocumentExchange/events/eventItem';
import { sampleEvents } from '../../nodes/ParcelDocumentExchange/events/samples';
import { move, startService, type ParcelSet, type Service } from '../../sandbox/service';
import { readStatusEvent } from '../../service/model/event';
import { runAction } from './actionNode';
import type { NodeRun } from './engine';

/** Operations about one set, behind a trigger. */
export const OF_ONE_SET = [
	{ resource: 'document', operation: 'getAllPdfs' },
	{ resource: 'document', operation: 'getPdf' },
	{ resource: 'set', operation: 'get' },
];

const facts = { redelivered: false, attempt: 1, isSample: false };

/** The item that the trigger gives for an event. */
export const byTrigger = (body: IDataObject) => eventItem(readStatusEvent(body)!, facts, true).json;

/** Items that came of those in the same places. */
export const inPlace = (all: IDataObject[]) => all.map((json, item) => ({ json, pairedItem: { item } }));

/** The trigger's sample event. */
export const sampleItem = () =>
	eventItem(sampleEvents(['SIGNED'])[0]!, { ...facts, isSample: true }, true).json;

/** One of {@link OF_ONE_SET}, which does not wait. */
export const runOfOneSet = (
	baseUrl: string,
	operation: IDataObject,
	parameters: { setId: unknown; documentId: string; lookup?: IDataObject },
	more: Partial<NodeRun>,
) =>
	runAction(
		baseUrl,
		{ lookup: {}, ...operation, ...parameters, options: { waitSeconds: 0 } } as IDataObject,
		more,
	);

/** A set that is chosen in a step, another one, and an event of that other one. */
export interface TwoSets {
	service: Service;
	chosen: ParcelSet;
	other: ParcelSet;
	event: IDataObject;
}

export async function startTwoSets(): Promise<TwoSets> {
	const service = await startService();
	const [chosen, other] = [service.data.sets[3]!, service.data.sets[140]!];
	return { service, chosen, other, event: { ...move(service.data, other.setId, 'sign', Date.now()) } };
}

/** One of {@link OF_ONE_SET} beside an item, with a document of the chosen set. */
export const runBeside = (
	{ service, chosen }: Pick<TwoSets, 'service' | 'chosen'>,
	operation: IDataObject,
	setId: unknown,
	item: IDataObject,
	more: Partial<NodeRun> = {},
) =>
	runOfOneSet(
		service.baseUrl,
		operation,
		{ setId, documentId: chosen.documents[0]!.documentId },
		{ items: [{ json: item }], ...more },
	);
