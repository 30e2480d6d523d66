import type { IExecuteFunctions, INodeExecutionData, ISourceData, ITaskData } from 'n8n-workflow';
import { isLoop, type Items, type Step } from './stepKinds';
import { inFrontOf, ownStep, type InFront } from './ways';

/** What came to a step in this run, by one of its inputs. */
export interface Came {
	/** The step that gave it. */
	from: string;
	/** Which of its runs. */
	run: number;
	input: number;
	/** All of it, also where Execute Once then took the first alone. */
	items: Items;
}

/** How n8n's contexts hold what the steps of a run gave, and to whom; no part of what they promise. */
interface OfRun {
	executeData?: { source?: Record<string, Sources> | null };
	runExecutionData?: {
		resultData?: { runData?: Record<string, ReadonlyArray<Pick<ITaskData, 'source' | 'data'>>> };
	} | null;
}

/** What tells of it. */
export type OfOwnRun = Pick<IExecuteFunctions, 'getNode'> & OfRun;

type Sources = ReadonlyArray<ISourceData | null>;

/**
 * By what it was given in fact, and not by how the workflow is wired: an If gives each of its outputs a part.
 *
 * @param run which of the runs of a step in front; the last, unless told
 */
export function cameTo(context: OfOwnRun, name: string, run = -1): Came[] {
	const runData = context.runExecutionData?.resultData?.runData ?? {};
	const isOwn = name === context.getNode().name;
	const sources: Sources = (isOwn ? context.executeData?.source?.main : runData[name]?.at(run)?.source) ?? [];
	return sources.flatMap((source, input) => {
		if (!source) return [];
		const { previousNode, previousNodeOutput = 0, previousNodeRun = 0 } = source;
		const items = runData[previousNode]?.[previousNodeRun]?.data?.main?.[previousNodeOutput] ?? [];
		return [{ from: previousNode, run: previousNodeRun, input, items }];
	});
}

/** What came to a step; to a loop, all that it is to give in turn. */
export const cameInto = (context: OfOwnRun, step: Step, run: number): Came[] =>
	cameTo(context, step.name, isLoop(step) ? 0 : run);

/** The node itself, and the steps that what came to it has passed in this run, the nearest first, each with what came to it. */
export function passedBy(context: OfOwnRun & InFront): ReadonlyMap<Step, readonly Came[]> {
	const own = ownStep(context);
	const inFront = inFrontOf(context, own.name);
	const passed = new Map([[own, cameTo(context, own.name)]]);
	// Those that are found on the way are looked at too.
	for (const came of passed.values()) {
		for (const { from, run } of came) {
			const step = inFront.find(({ name }) => name === from);
			if (step && !passed.has(step)) passed.set(step, cameInto(context, step, run));
		}
	}
	return passed;
}

/** The items that an item was made of, as n8n links them. */
export function originsOf({ pairedItem }: INodeExecutionData, inputs: readonly Came[]) {
	const links = Array.isArray(pairedItem) ? pairedItem : [pairedItem];
	return links.flatMap((link) => {
		const { item, input = 0 } = typeof link === 'object' ? link : { item: link ?? -1 };
		const came = inputs.find((one) => one.input === input);
		const origin = came?.items[item];
		return came && origin ? [{ came, origin }] : [];
	});
}

/** What a step gave by its first output; the last time, where it ran several times. */
export const gaveIn = (context: OfRun, step: string): Items =>
	context.runExecutionData?.resultData?.runData?.[step]?.at(-1)?.data?.main?.[0] ?? [];
