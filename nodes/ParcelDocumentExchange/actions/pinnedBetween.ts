import { folded } from '../../../service/model/folded';
import { idKey, shownText, type SetResult } from '../../../service/model/set';
import { quoted } from '../parameters/quoted';
import { gave } from '../parameters/stepsInFront';
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
