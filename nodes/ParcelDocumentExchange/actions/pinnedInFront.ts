import type { IExecuteFunctions } from 'n8n-workflow';
import type { Step } from '../parameters/stepsInFront';
import { attaching, messaging } from '../parameters/attaching';
import { quoted } from '../parameters/quoted';
import { filing } from './mixedBehind';

/** How n8n's contexts hold what a person pinned; no part of what they promise. */
export interface Pinned {
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
