import { ServiceError } from '../../../service/errors';
import { sendingBehind } from '../parameters/attaching';
import { gaveIn, passedBy, type OfOwnRun } from '../parameters/came';
import { givesAlike, passesEach, saidOfField } from '../parameters/eachSet';
import { SAME } from '../parameters/othersPapers';
import { ASKING, isCode, isLoop, quoted, type Step } from '../parameters/stepKinds';
import { askedByName, takenIn, takenOfOne, takesOfItems } from '../parameters/taken';
import { anyWay, behindOf, inFrontOf, type Around } from '../parameters/ways';

/**
 * Where branches of an If, say, lead here each by itself, and what is sent goes by whether one of them has run, or by the
 * first item that one of them gave: it has run for sets of before, and those of another branch go by what it said of them.
 *
 * @throws ServiceError `invalidInput`
 */
export function refuseRanForOthers(context: Around & OfOwnRun): void {
	const leading = sendingBehind(context);
	if (leading.length === 0) return;
	/** What a step in front asks, it goes on by at once; what it says goes on to the mail. */
	const { name: own } = context.getNode();
	const inFront = inFrontOf(context, own);
	const behind = behindOf(context).filter(({ disabled }) => !disabled);
	const saying = inFront.filter(({ type, disabled }) => !ASKING.test(type) && !disabled);
	/** What goes by nothing that came, such as a login, says the same of all. */
	const isOfItems = (from: Step, field: string) =>
		!givesAlike(context, from, field, (one) => SAME.test(one)) &&
		(takesOfItems(from.parameters) || passesEach(from) || isCode(from));
	const ways = [...passedBy(context).values()].flat();
	/** Edit Fields in each branch may have typed it for its own sets. */
	const isTypedElse = (step: Step, name: string, field: string) => {
		const typing = inFrontOf(context, step.name).filter(
			(one) => /\.set$/.test(one.type) && saidOfField(one, field).length > 0,
		);
		const typed = new Set(typing.map((one) => one.name));
		const said = JSON.stringify(gaveIn(context, name)[0]?.json[field]);
		return (
			typed.has(name) &&
			ways.some(
				({ from, items }) =>
					typed.has(from) && items.some(({ json }) => JSON.stringify(json[field]) !== said),
			)
		);
	};
	const takenOf = (step: Step) =>
		[...takenIn(step), ...takenOfOne(step)].flatMap(({ which, step: name, field }) => {
			if (which === 'linked' || name === undefined) return [];
			const from = inFront.find((one) => one.name === name);
			const isOther = (from && isOfItems(from, field)) || isTypedElse(step, name, field);
			return isOther ? [name] : [];
		});
	const asking = [...leading, ...saying].flatMap((step) => [
		...askedByName(step, 'isExecuted\\b').map((name) => ({ step, name, what: 'asks' as const })),
		...takenOf(step).map((name) => ({ step, name, what: 'takes' as const })),
	]);
	if (asking.length === 0) return;
	const past = new Set(ways.map(({ from }) => from));
	const isBehind = (step: Step) => leading.some(({ name }) => name === step.name);
	/** In a loop, what stands behind leads here too, in the next round. */
	const isBranch = (name: string) =>
		!behind.some((step) => step.name === name) ||
		anyWay(context, { name: own }, (step) => (step.name === name ? true : isLoop(step) ? false : undefined));
	const wrong = asking.find(
		({ step, name }) =>
			inFrontOf(context, step.name).some((one) => one.name === name) &&
			(isBehind(step) || past.has(step.name)) &&
			name !== own &&
			isBranch(name) &&
			gaveIn(context, name).length > 0 &&
			!past.has(name),
	);
	if (!wrong) return;
	const asked = quoted(wrong);
	const place = isBehind(wrong.step) ? 'this step' : quoted(wrong.step);
	throw new ServiceError(
		'invalidInput',
		wrong.what === 'asks'
			? `${quoted(wrong.step)} asks whether ${asked} has run, and it has, for other sets than those that came now`
			: `${quoted(wrong.step)} takes the first of ${asked}, which ran for other sets than those that came now`,
		{
			remedy: `Nothing was handed on: the papers of these would go by what ${asked} says of others. Lead the branches into a Merge in front of ${place}, with Append as its mode, and drag what is sent from there: each item then has its own.`,
		},
	);
}
