import type { IExecuteFunctions, NodeTypeAndVersion } from 'n8n-workflow';
import type { Wired } from '../parameters/ways';

/** What a Merge of n8n hands on of its inputs, as its versions write it. */
interface Merge {
	mode?: unknown;
	output?: unknown;
	useDataOfInput?: unknown;
	joinMode?: unknown;
	outputDataFrom?: unknown;
}

/**
 * Of the steps that lead to a Merge beside the files, those of which it hands on items that got none.
 *
 * @param inside the step that gives the files, and all behind it
 */
export function inputsWithoutPapers(
	context: Pick<IExecuteFunctions, 'getParentNodes'> & Wired,
	merge: NodeTypeAndVersion,
	inside: ReadonlySet<string>,
): string[] {
	const parameters: Merge = merge.parameters ?? {};
	const { mode = 'append', joinMode = 'keepMatches' } = parameters;
	const others = context
		.getParentNodes(merge.name, { depth: 1 })
		.map(({ name }) => name)
		.filter((name) => !inside.has(name));
	if (mode === 'append') return others;
	if (mode === 'combine' && /^keep(Everything|NonMatches)$/.test(String(joinMode))) return others;
	const chosen = inputHandedOn(parameters);
	if (chosen === undefined || !context.getConnections) return [];
	const wires = context.getConnections({ name: merge.name }, 'main')[chosen - 1] ?? [];
	const names = wires.map(({ node }) => node);
	return names.some((name) => inside.has(name)) ? [] : names;
}

/** The steps whose items a Merge hands on: those of the input that is chosen, or of all where it joins them; undefined where nobody can tell. */
export function inputsHandedOn(
	context: Pick<IExecuteFunctions, 'getParentNodes'> & Wired,
	merge: NodeTypeAndVersion,
): string[] | undefined {
	const parameters: Merge = merge.parameters ?? {};
	const chosen = inputHandedOn(parameters);
	if (chosen === undefined) {
		if (parameters.mode !== 'combine') return undefined;
		return context.getParentNodes(merge.name, { depth: 1 }).map(({ name }) => name);
	}
	return context.getConnections?.({ name: merge.name }, 'main')[chosen - 1]?.map(({ node }) => node);
}

/** The input of which all comes out, from 1; undefined where no one does. */
function inputHandedOn({
	mode,
	output,
	useDataOfInput,
	joinMode,
	outputDataFrom,
}: Merge): number | undefined {
	const numberIn = (value: unknown) => {
		const [digits] = /\d+/.exec(String(value)) ?? [];
		return digits === undefined ? undefined : Number(digits);
	};
	if (mode === 'chooseBranch') return numberIn(useDataOfInput ?? output) ?? 1;
	if (mode !== 'combine') return undefined;
	if (/^enrichInput\d$/.test(String(joinMode))) return numberIn(joinMode);
	return /^input\d$/.test(String(outputDataFrom)) ? numberIn(outputDataFrom) : undefined;
}
