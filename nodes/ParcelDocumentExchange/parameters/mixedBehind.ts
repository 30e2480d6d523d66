import type { IExecuteFunctions, NodeTypeAndVersion } from 'n8n-workflow';
import { OURS, isLoopOfOne, quoted } from './stepKinds';
import { codeIn, oneForAll, takesFirst, textsIn } from './typedInto';

/**
 * The names of the steps that get one set after the other, together with that step: where a loop of one leads to it, and it
 * leads back there. What comes behind the loop gets all at once.
 */
export function inLoopOfOne(
	context: Pick<IExecuteFunctions, 'getParentNodes'>,
	own: string,
	inFront: readonly NodeTypeAndVersion[],
	behind: readonly NodeTypeAndVersion[],
): ReadonlySet<string> {
	const back = new Set(behind.map(({ name }) => name));
	const loops = inFront.filter((step) => isLoopOfOne(step) && back.has(step.name)).map(({ name }) => name);
	if (loops.length === 0) return new Set();
	const comesFromOwn = (name: string, seen: Set<string>): boolean => {
		if (name === own) return true;
		if (seen.has(name) || loops.includes(name)) return false;
		seen.add(name);
		return context.getParentNodes(name, { depth: 1 }).some((step) => comesFromOwn(step.name, seen));
	};
	return new Set([own, ...[...back].filter((name) => comesFromOwn(name, new Set()))]);
}

/** What papers of different sets have alike. */
const ALIKE = /^(status|vesselName|billOfLadingDate|docType|action|instance)$/;

/** Whether a Merge takes items for the same by what those of different sets have alike. */
export function matchesOthers({ parameters = {} }: Pick<NodeTypeAndVersion, 'parameters'>): boolean {
	const { mode, combineBy, fieldsToMatchString, advanced, joinMode = 'keepMatches' } = parameters;
	if (mode !== 'combine' || combineBy !== 'combineByFields' || advanced === true) return false;
	const fields = textsIn(fieldsToMatchString).join().split(',');
	return joinMode === 'keepMatches' && fields.every((field) => ALIKE.test(field.trim()));
}

/** Steps on the way to a mail, or a drive, that bring together what belongs to several sets. */
export function mixed(
	last: NodeTypeAndVersion,
	way: readonly NodeTypeAndVersion[],
	kind: 'mail' | 'drive',
): string[] {
	const [swaps, joins] =
		kind === 'mail'
			? [
					`may send the papers of one to whoever is to get those of another`,
					`sends the papers of several parcels together`,
				]
			: [
					`may file the papers of one as those of another`,
					`files the papers of several parcels as those of one`,
				];
	return way.flatMap((step) => {
		const how = JSON.stringify(step.parameters ?? {});
		const isBlind = /ByPosition"|mergeByIndex"|combineAll"|multiplex"/.test(how) || matchesOthers(step);
		if (/\.merge$/.test(step.type) && isBlind) {
			return [
				`The step ${quoted(step)} does not look whether its items belong together: with several sets in one run, ${quoted(last)} ${swaps}. Combine by Matching Fields there, by setId.`,
			];
		}
		if (/\.aggregate$/.test(step.type) && how.includes('"includeBinaries":true')) {
			return [
				`The step ${quoted(step)} puts the files of all items into one: with several sets in one run, ${quoted(last)} ${joins}. Leave it out: All PDFs of a Set in One Item makes one item of each set.`,
			];
		}
		return [];
	});
}

/**
 * Steps that say for all sets of a run what one of them gave.
 *
 * @param ofSets the names of the steps that give an item for each set
 * @param looped the names of those that get one set after the other
 */
export function takenFromOne(
	steps: readonly NodeTypeAndVersion[],
	ofSets: ReadonlySet<string>,
	looped: ReadonlySet<string>,
): string[] {
	return steps
		.filter(({ type }) => !OURS.test(type))
		.flatMap((step) => {
			const taken = oneForAll(codeIn(step));
			const isLooped = looped.has(step.name);
			const name = [...ofSets].find((one) => taken.has(one) && !(isLooped && looped.has(one)));
			if (name !== undefined) return [oneForOthers(step, name)];
			return isLooped || !takesFirst(step) ? [] : [firstForOthers(step)];
		});
}

/** A step says for all items what one item of another says. */
export const oneForOthers = (step: { name: string }, name: string): string =>
	`The step ${quoted(step)} takes what it says from one item of ${JSON.stringify(name)} for all others: with several sets in one run, the papers of one would go by what another says. Write $(${JSON.stringify(name)}).item there, as n8n does when a field is dragged.`;

/** A step says for all items what the first that comes says. */
export function firstForOthers(step: { name: string; type: string }): string {
	const told = `The step ${quoted(step)} takes what it says from the first item that comes for all others: with several sets in one run, the papers of one would go by what another says`;
	return /\.(code|function)$/.test(step.type)
		? `${told}, or to nobody. Choose Run Once for Each Item there, with $json and $binary.`
		: `${told}. Drag the field there once more: n8n then writes $json.`;
}
