import type { IExecuteFunctions } from 'n8n-workflow';
import { textsIn } from './values';
import { behindOf } from './ways';

/** `$("Event").item`: the one that, to n8n, an item came from. */
const BY_LINK = /\$\(\s*(["'`])((?:(?!\1).){1,200})\1\s*\)\s*\.\s*(?:item|pairedItem)\b/g;

/** One for each run of a node: every item asks. */
const known = new WeakMap<IExecuteFunctions, ReadonlyMap<string, string>>();

/**
 * The steps of which a step behind, or a file name of this one, takes the item that its own came from: by their names, each
 * with the name of one that does.
 */
export function askedByLink(context: IExecuteFunctions): ReadonlyMap<string, string> {
	const found = known.get(context) ?? readAsked(context);
	known.set(context, found);
	return found;
}

function readAsked(context: IExecuteFunctions): ReadonlyMap<string, string> {
	const { name: own, parameters } = context.getNode();
	const behind = behindOf(context).filter(({ disabled }) => !disabled);
	const asking = [{ name: own, parameters: { options: parameters.options } }, ...behind];
	return new Map(
		asking.flatMap((step) =>
			textsIn(step.parameters)
				.flatMap((text) => [...text.matchAll(BY_LINK)])
				.map(([, , asked = '']) => [asked, step.name] as const),
		),
	);
}
