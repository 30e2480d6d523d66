import { attaching, isMail } from './attaching';
import { passesEach } from './eachSet';
import { behindOf, comesBy, comesOnlyFrom, givingBehind, isWired, type Around } from './ways';
import { ASKING, builtOf, isLoop, quoted, type Step, type Steps } from './stepKinds';
import { isExpression, textsIn } from './values';

/** What an If asks where it looks for papers, or for a failure. */
const ASKS_FOR_PAPERS =
	/\b(error|\$?binary|attachments|files|fileName|bytes|sha256|mimeType|complete)\b|"operation":"(exists|notExists|empty|notEmpty)"/;

/** Whether a step looks for papers, or for a failure. */
export const asksForPapers = ({ type, parameters }: Step): boolean =>
	ASKING.test(type) && ASKS_FOR_PAPERS.test(builtOf({ parameters }));

/** A mail that says what failed. */
const SAYS_FAILURE = /\berror\b/i;

/** One that says something else where no papers come. */
const SAYS_OTHERWISE =
	/(\.(attachments|files)|\$binary)\b[^{}]*?(\?(?!\.)|\|\||&&|\.is(Not)?Empty\()|\$if\([^{}]*?(\.(attachments|files)|\$binary)\b/;

/** A mail that says something else where no papers come, or what failed. */
export const isMeantForFailures = ({ parameters }: Step) =>
	SAYS_FAILURE.test(JSON.stringify(parameters)) ||
	textsIn(parameters).some((text) => isExpression(text) && SAYS_OTHERWISE.test(text));

/**
 * Mails that attach the papers of a step which goes on where it fails, or which its error output leads to as they are: for
 * what fails they would leave without, green. Not those that say the failure. In words.
 */
export function failuresSent(context: Around): string[] {
	return givingBehind(context).flatMap((step) => {
		const mails = attaching(behindOf(context, step.name)).filter(
			(mail) => isMail(mail) && !isMeantForFailures(mail),
		);
		const { onError, continueOnFail } = context.workflow?.nodes?.[step.name] ?? {};
		if (onError === 'continueErrorOutput') return byErrorOutput(context, step, mails);
		const goesOn = onError === 'continueRegularOutput' || (onError === undefined && continueOnFail === true);
		return goesOn ? amongTheOthers(context, step, mails) : [];
	});
}

function amongTheOthers(context: Around, step: Step, mails: Steps) {
	return mails
		.filter((mail) =>
			comesOnlyFrom(context, mail.name, step.name, (one) => passesEach(one) && !asksForPapers(one)),
		)
		.map(
			(mail) =>
				`On Error of ${quoted(step)} is Continue: for what fails, ${quoted(mail)} would send a mail without papers. Choose Stop Workflow there, or put an If between that looks for the field error.`,
		);
}

function byErrorOutput(context: Around, step: Step, mails: Steps) {
	// What a step between writes may be what such a mail says.
	const handsOn = (one: Step) =>
		passesEach(one) && !ASKING.test(one.type) && !isLoop(one) && (one.disabled || !/\.set$/.test(one.type));
	const first = behindOf(context, step.name).filter((one) =>
		isWired(context, step.name, (output) => output > 0, one),
	);
	return mails
		.filter((mail) =>
			first.some(
				(one) => one.name === mail.name || (handsOn(one) && comesBy(context, mail, one.name, handsOn)),
			),
		)
		.map(
			(mail) =>
				`The error output of ${quoted(step)} leads to ${quoted(mail)}: for what fails, it would send a mail without papers. Lead it to a step of its own.`,
		);
}
