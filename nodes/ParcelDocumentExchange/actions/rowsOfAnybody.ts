import type { IDataObject } from 'n8n-workflow';
import { asksForNoItem } from '../parameters/eachSet';
import { isCalled } from '../parameters/askedFor';
import { isOfOneCustomer } from '../parameters/othersPapers';
import { ACTION, builtOf, quoted, type Step, type Steps } from '../parameters/stepKinds';
import type { Given } from '../parameters/stepsInFront';
import { takenIn, takesOfItems } from '../parameters/taken';
import { inFrontOf, leadsTo, ownStep, parentsOf, type Around } from '../parameters/ways';

/** What a row of a customer calls it. */
export const OF_CUSTOMER =
	/(?:^|\.)(customer|counterparty|client|company|consignee|consignor|kunden?|firma)s?[ ._-]?(id|no|nr|number|nummer|name|ref)?$/i;

/** What sets of several customers say alike. */
const ALIKE = /^(status|action|instance|message|isSample)$/;

/** Steps by which one of several rows may be chosen for a set. */
const CHOOSING = /\.(if|filter|switch|merge|compareDatasets|code)$/;

/**
 * Steps between a set and its papers that give rows of customers and ask for nothing that came to them, where what is sent
 * goes by such a row, in words: a customer that was typed into the filter to try it, or no filter at all, gives the same
 * address whosever the papers are.
 *
 * @param behind the steps behind the papers that are on
 */
export function rowsOfAnybody(
	context: Around,
	inFront: Steps,
	behind: Steps,
	given: readonly Given[],
): string[] {
	if (isOfOneCustomer(inFront)) return [];
	const used = new Set(behind.flatMap(takenIn).map(({ step }) => step));
	const gaveOf = ({ name }: Step) => given.find((one) => one.name === name);
	const takesOf = (step: Step, from: Step) => {
		const isNext = parentsOf(context, step.name).some(({ name }) => name === from.name);
		return takenIn(step).some((taken) => taken.step === from.name || (!taken.step && isNext));
	};
	const isUsed = (step: Step) =>
		used.has(step.name) || inFront.some((one) => used.has(one.name) && takesOf(one, step));
	return inFront
		.filter((step) => asksForNoItem(step) && isUsed(step) && gaveOf(step)?.setIds.size === 0)
		.filter((step) => {
			const before = inFrontOf(context, step.name);
			const sets = before.flatMap((one) => gaveOf(one) ?? []);
			const rows = (gaveOf(step)?.items ?? []).flatMap((row) => Object.entries(row));
			const said = new Set(sets.flatMap(({ items }) => items.flatMap(saysOfItself)));
			const isChosen = inFront.some(({ name, type, disabled, parameters }) => {
				if (!CHOOSING.test(type) || disabled) return false;
				const built = builtOf({ parameters });
				// In front, by what is asked for here too: the row is that of what went this way.
				return (
					leadsTo(context, step.name, name) ||
					rows.some(([, value]) => isName(value) && built.includes(value))
				);
			});
			return (
				!isChosen &&
				sets.some(({ setIds }) => setIds.size > 0) &&
				rows.some(([name, value]) => OF_CUSTOMER.test(name) || said.has(value))
			);
		})
		.map(
			(step) =>
				`${quoted(step)} looks an address up by nothing that came to it, and what is sent behind goes by it: to the same one, whosever the papers are. Drag a field that tells whose they are into its filter, such as customerId of the event.`,
		);
}

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

/** Shorter texts stand in any row, by chance. */
const isName = (value: unknown): value is string => typeof value === 'string' && value.length >= 3;

const saysOfItself = (item: IDataObject): unknown[] =>
	Object.entries(item).flatMap(([name, value]) => (isName(value) && !ALIKE.test(name) ? [value] : []));
