import { ServiceError } from '../../../service/errors';
import { sendingBehind } from '../parameters/attaching';
import { gaveIn, passedBy, type OfOwnRun } from '../parameters/came';
import { ASKING, quoted, type Step } from '../parameters/stepKinds';
import { askedByName } from '../parameters/taken';
import { inFrontOf, type Around } from '../parameters/ways';

/**
 * Where branches of an If, say, lead here each by itself, and what is sent goes by whether one of them has run: it has, for
 * sets of before, and those of another branch go by what it said of them.
 *
 * @throws ServiceError `invalidInput`
 */
export function refuseRanForOthers(context: Around & OfOwnRun): void {
	const leading = sendingBehind(context);
	if (leading.length === 0) return;
	/** What a step in front asks, it goes on by at once; what it says goes on to the mail. */
	const saying = inFrontOf(context, context.getNode().name).filter(
		({ type, disabled }) => !ASKING.test(type) && !disabled,
	);
	const asking = [...leading, ...saying].flatMap((step) =>
		askedByName(step, 'isExecuted\\b').map((name) => ({ step, name })),
	);
	if (asking.length === 0) return;
	const past = new Set([...passedBy(context).values()].flat().map(({ from }) => from));
	const isBehind = (step: Step) => leading.some(({ name }) => name === step.name);
	const wrong = asking.find(
		({ step, name }) =>
			inFrontOf(context, step.name).some((one) => one.name === name) &&
			(isBehind(step) || past.has(step.name)) &&
			gaveIn(context, name).length > 0 &&
			!past.has(name),
	);
	if (!wrong) return;
	const asked = quoted(wrong);
	const place = isBehind(wrong.step) ? 'this step' : quoted(wrong.step);
	throw new ServiceError(
		'invalidInput',
		`${quoted(wrong.step)} asks whether ${asked} has run, and it has, for other sets than those that came now`,
		{
			remedy: `Nothing was handed on: the papers of these would go by what ${asked} says of others. Lead the branches into a Merge in front of ${place}, with Append as its mode, and drag what is sent from there: each item then has its own.`,
		},
	);
}
