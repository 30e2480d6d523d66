import type { IExecuteFunctions } from 'n8n-workflow';
import { folded } from '../../../service/model/folded';
import { idKey, shownText, type SetResult } from '../../../service/model/set';
import { attaching, filing, messaging } from '../parameters/attaching';
import { quoted } from '../parameters/stepKinds';
import { gave, type Step } from '../parameters/stepsInFront';
import type { About } from './aboutRun';

/**
 * In a run by a person: a step between the event and this one gave another set than the event's, and that one alone. Most
 * likely its data is pinned, of an earlier run. n8n does not tell, and published workflows pin nothing.
 */
export function pinnedBetween({ steps, behindItem }: About, set: SetResult): string | undefined {
	const names = [set.parcelRef, set.shipmentRef].map((name) => folded(shownText(name) ?? ''));
	const all = steps.flatMap(({ events }) => events);
	const linked = [...behindItem()];
	const events = linked.length > 0 ? linked : all;
	const [event] = events;
	const isAbout = ({ setId, parcelReference }: (typeof events)[number]) =>
		setId === null ? names.includes(folded(parcelReference ?? '')) : idKey(setId) === idKey(set.setId);
	if (!event || all.some(isAbout)) return undefined;
	const giving = steps.find(
		(step) =>
			step.events.length === 0 &&
			gave(step, set.setId) &&
			!events.some(({ setId }) => setId !== null && gave(step, setId)),
	);
	if (!giving) return undefined;
	const called = event.parcelReference ?? event.setId;
	return `The event is about ${called}, and these are the papers of ${shownText(set.parcelRef) ?? set.setId}, which ${quoted(giving)} gave. If that step is pinned, its data is of an earlier run: unpin it.`;
}

/** How n8n's contexts hold what a person pinned; no part of what they promise. */
interface Pinned {
	runExecutionData?: { resultData?: { pinData?: Record<string, unknown> } } | null;
}

/** What starts a run, and is pinned to try it. */
const STARTS = /Trigger$|\.webhook$/;

/**
 * In a run by a person: steps in front that gave sets, and are pinned, where a mail or a drive stands behind, in words. n8n
 * takes what they gave in an earlier run, whatever is asked for in them now. Of a run with events, what differs is told.
 */
export function pinnedInFront(
	context: Pick<IExecuteFunctions, 'getNode' | 'getChildNodes'> & Pinned,
	steps: readonly Pick<Step, 'name' | 'type' | 'setIds' | 'events'>[],
): string[] {
	if (steps.some(({ events }) => events.length > 0)) return [];
	const pinned = context.runExecutionData?.resultData?.pinData ?? {};
	const behind = context.getChildNodes(context.getNode().name, { includeNodeParameters: true });
	const [last] = [...attaching(behind), ...filing(behind), ...messaging(behind)];
	if (!last) return [];
	return steps
		.filter(({ name, type, setIds }) => setIds.size > 0 && !STARTS.test(type) && Object.hasOwn(pinned, name))
		.map(
			(step) =>
				`${quoted(step)} is pinned: it gives the sets of an earlier run, whatever stands in it now, and ${quoted(last)} sends their papers all the same. Unpin it.`,
		);
}
