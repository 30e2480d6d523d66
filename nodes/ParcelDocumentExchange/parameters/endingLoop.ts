import { ACTION, ASKING, BRANCHES, isLoop, quoted, readsRows, type Step, type Steps } from './stepKinds';
import { isObject, textsIn } from './values';
import {
	anyWay,
	behindOf,
	comesOnlyFrom,
	givingBehind,
	insideOf,
	isClosed,
	isWired,
	leadsTo,
	type Around,
} from './ways';

/**
 * Steps in a loop that may give nothing. n8n then has nothing to lead back, and the loop ends, green: what it had still to
 * give gets nothing. In words.
 *
 * @param steps around the loop
 */
export function endingLoop(context: Around, loop: Step, steps: Steps): string[] {
	const inside = insideOf(context, loop, steps);
	const isStop = (name: string, from: string, to: string) =>
		name === to ? true : name === from ? false : undefined;
	const leadsWithin = (from: Step, to: Step) =>
		anyWay(context, to, ({ name }) => isStop(name, loop.name, from.name));
	// What asks in front of a step leads past it only what does not come to it.
	const isPassed = (step: Step) =>
		anyWay(context, loop, (one) =>
			ASKING.test(one.type) && leadsWithin(one, step) ? false : isStop(one.name, step.name, loop.name),
		);
	return inside
		.filter((step) => !step.disabled && mayGiveNone(context, step, [loop, ...inside]) && !isPassed(step))
		.map(
			(step) =>
				`Where ${quoted(step)} gives no item by a line that leads back to the loop ${quoted(loop)}, the loop ends: the papers of those that it has still to give would go to nobody. Take the loop out: each step goes through all items by itself.`,
		);
}

/** The same of the loops behind a step in which others get the papers: where one ends in its first round, none of those runs. */
export function endingBehind(context: Around): string[] {
	const behind = behindOf(context);
	const giving = givingBehind(context);
	return behind
		.filter((step) => isLoop(step) && !step.disabled)
		.filter((loop) => insideOf(context, loop, giving).length > 0)
		.flatMap((loop) => endingLoop(context, loop, behind));
}

/** @param back the loop, and the steps from which a way leads back to it */
function mayGiveNone(context: Around, { name, type, parameters = {} }: Step, back: Steps): boolean {
	if (context.workflow?.nodes?.[name]?.alwaysOutputData === true) return false;
	if (/\.(filter|removeDuplicates)$/.test(type)) return true;
	if (/\.switch$/.test(type) && mayMatchNone(parameters)) return true;
	if (BRANCHES.test(type)) {
		const isBack = (output: number) =>
			back.some((step) => isWired(context, name, (one) => one === output, step));
		return context.getConnections !== undefined && !outputsOf({ type, parameters }).every(isBack);
	}
	const { operation } = parameters;
	if (ACTION.test(type)) {
		return (
			operation === 'search' || (operation === 'getAllPdfs' && textsIn(parameters.documentTypes).length > 0)
		);
	}
	return readsRows({ type, parameters });
}

/** Whether a Switch gives nothing where none of its rules matches. */
function mayMatchNone({ mode, options, fallbackOutput }: Record<string, unknown>): boolean {
	const chosen = isObject(options) ? options.fallbackOutput : undefined;
	return mode !== 'expression' && [undefined, 'none', -1].includes((chosen ?? fallbackOutput) as undefined);
}

/** The outputs by which an If or a Switch may give all that came; of a Switch, as far as rules say. */
function outputsOf({ type, parameters = {} }: Pick<Step, 'type' | 'parameters'>): number[] {
	const { options, rules } = parameters;
	const values = Object.values(isObject(rules) ? rules : {}).find(Array.isArray) ?? [];
	const { fallbackOutput }: Record<string, unknown> = isObject(options) ? options : {};
	const more = fallbackOutput === 'extra' ? 1 : 0;
	return [...Array(/\.if$/.test(type) ? 2 : values.length + more).keys()];
}

/**
 * Steps that get the papers behind the output Done of a loop to which nothing leads back: that output gives nothing, ever. In
 * words.
 */
export function neverDone(context: Around): string[] {
	if (context.getConnections === undefined) return [];
	const behind = behindOf(context);
	return behind
		.filter((step) => isLoop(step) && step.typeVersion > 1 && !step.disabled && !isClosed(context, step))
		.flatMap((loop) => {
			const ofRounds = behind.filter((step) =>
				isWired(context, loop.name, (output) => output === (loop.typeVersion < 3 ? 0 : 1), step),
			);
			return givingBehind(context)
				.filter(({ name }) => comesOnlyFrom(context, name, loop.name, () => true))
				.filter(({ name }) => !ofRounds.some((one) => one.name === name || leadsTo(context, one.name, name)))
				.map(
					(giving) =>
						`Nothing leads back to the loop ${quoted(loop)}, which then gives nothing by its output Done: ${quoted(giving)} behind it gets no set, and no papers go to anybody. Take the loop out: each step goes through all items by itself.`,
				);
		});
}
