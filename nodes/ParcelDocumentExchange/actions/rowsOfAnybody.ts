import { asksForNoItem } from '../parameters/eachSet';
import { isOfOneCustomer } from '../parameters/othersPapers';
import { quoted, type Step, type Steps } from '../parameters/stepKinds';
import type { Given } from '../parameters/stepsInFront';
import { takenIn } from '../parameters/taken';
import { inFrontOf, leadsTo, parentsOf, type Around } from '../parameters/ways';

/** What a row of a customer calls it. */
const OF_CUSTOMER = /^(customer|counterparty|client|kunden?)s?[ _-]?(id|no|nr|number|nummer|name|ref)?$/i;

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
			const sets = inFrontOf(context, step.name).flatMap((one) => gaveOf(one) ?? []);
			const customers = new Set(sets.flatMap(({ items }) => items.map(({ customerId }) => customerId)));
			const isOfCustomer = ([name, value]: [string, unknown]) =>
				OF_CUSTOMER.test(name) || (typeof value === 'string' && customers.has(value));
			const isChosen = inFront.some(
				({ name, type, disabled }) => CHOOSING.test(type) && !disabled && leadsTo(context, step.name, name),
			);
			return (
				!isChosen &&
				sets.some(({ setIds }) => setIds.size > 0) &&
				(gaveOf(step)?.items ?? []).some((row) => Object.entries(row).some(isOfCustomer))
			);
		})
		.map(
			(step) =>
				`${quoted(step)} looks a customer up by nothing that came to it, and what is sent behind goes by it: to the same address, whosever the papers are. Drag a field that tells whose they are into its filter, such as customerId of the event.`,
		);
}
