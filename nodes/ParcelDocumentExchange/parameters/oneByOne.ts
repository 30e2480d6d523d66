import type { IExecuteFunctions, NodeTypeAndVersion } from 'n8n-workflow';
import { inLoopOfOne, isLoopOfOne } from './mixedBehind';

/**
 * The names of the steps that get one item after the other, in a loop of one: in it, what a step gave first is what it gave
 * for that item.
 *
 * @param own the step that gives the files
 * @param inFront of it
 * @param behind it
 */
export function oneByOne(
	context: Pick<IExecuteFunctions, 'getParentNodes'>,
	own: string,
	inFront: readonly NodeTypeAndVersion[],
	behind: readonly NodeTypeAndVersion[],
): ReadonlySet<string> {
	const looped = inLoopOfOne(context, own, inFront, behind);
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
	return new Set([...looped, ...[...before, ...within].map(({ name }) => name)]);
}

const isLoop = ({ type }: NodeTypeAndVersion) => /\.splitInBatches$/.test(type);
