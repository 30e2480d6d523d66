import { isCalled } from '../parameters/askedFor';
import { ACTION, quoted, type Steps } from '../parameters/stepKinds';
import { takenIn, takesOfItems } from '../parameters/taken';
import { inFrontOf, ownStep, type Around } from '../parameters/ways';

/**
 * Searches in a sub-workflow that go by nothing it was called with, such as an address alone, where what is sent goes by that,
 * in words.
 */
export const searchesForAnybody = (context: Around, inFront: Steps, behind: Steps): string[] => {
	const used = new Set(behind.flatMap(takenIn).map(({ step }) => step));
	// What it found may be asked for that afterwards, or the set be taken of that.
	const asked = new Set([ownStep(context), ...inFront].flatMap(takenIn).map(({ step }) => step));
	return inFront
		.filter(({ type, disabled }) => ACTION.test(type) && !disabled)
		.filter(({ parameters }) => parameters?.operation === 'search' && !takesOfItems(parameters))
		.flatMap((search) => {
			const asking = inFrontOf(context, search.name).find(
				({ name, type }) => isCalled(type) && used.has(name) && !asked.has(name),
			);
			return asking === undefined
				? []
				: [
						`${quoted(search)} goes by nothing that came with ${quoted(asking)}, and what is sent behind goes by that: whoever is named there gets the papers of whatever the search finds. Have it called with the set too, and drag its setId into Set, or the reference into the search.`,
					];
		});
};
