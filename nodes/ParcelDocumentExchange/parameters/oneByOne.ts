import type { IExecuteFunctions, NodeTypeAndVersion } from 'n8n-workflow';
import { isLoop, isLoopOfOne } from './stepKinds';

/**
 * The names of the steps that get one item after the other, in a loop of one: in it, what a step gave first is what it gave
 * for that item.
 *
 * @param looped those of a loop around the step that gives the files, by `inLoopOfOne`
 * @param inFront of that step
 * @param behind it
 */
export function oneByOne(
	context: Pick<IExecuteFunctions, 'getParentNodes'>,
	looped: ReadonlySet<string>,
	inFront: readonly NodeTypeAndVersion[],
	behind: readonly NodeTypeAndVersion[],
): ReadonlySet<string> {
	const isBehind = new Set(behind.map(({ name }) => name));
	// Between the loop and that step.
	const before = looped.size > 0 ? inFront.filter((step) => isBehind.has(step.name) && !isLoop(step)) : [];
	const loops = behind.filter((step) => isLoopOfOne(step) && !looped.has(step.name));
	const inFrontOf = (name: string) => new Set(context.getParentNodes(name).map((step) => step.name));
	const within = loops.flatMap((loop) => {
		const leading = inFrontOf(loop.name);
		return behind.filter(
			({ name }) => leading.has(name) && name !== loop.name && inFrontOf(name).has(loop.name),
		);
	});
	return new Set([...looped, ...[...before, ...within, ...loops].map(({ name }) => name)]);
}
