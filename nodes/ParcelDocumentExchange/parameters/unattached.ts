import { BINARY_FIELD } from '../descriptions/defaults';
import { attaching, attachingNone, attachmentsOf, filing, isMail, messaging } from './attaching';
import { behindOf, comesOnlyFrom, givingBehind, inFrontOf, type Around } from './ways';
import { ACTION, keepsNames, OURS, quoted, type Step, type Steps } from './stepKinds';
import { takenAlone } from './taken';

/** What the items have of a set, and of each PDF. */
const OF_SET = /^(setId|parcelRef|shipmentRef|status|billOfLadingDate|vesselName)$/;
const OF_LIST = /^(attachments|files)$/;
const OF_PDF = /^(fileName|name|docType|documentId|mimeType|bytes|sha256|complete)$/;

/** Mails behind that leave without the papers that come to them, by what stands in their attachments: in words. */
export const unattached = (context: Around): string[] =>
	givingBehind(context).flatMap((step) => unattachedBehind(context, step));

/** The same behind one step that gives files. */
export function unattachedBehind(context: Around, step: Step): string[] {
	const steps = behindOf(context, step.name).filter(({ name }) => name !== step.name);
	return [...attachingNothing(context, step, steps), ...withoutField(context, step, steps)];
}

function attachingNothing(context: Around, step: Step, steps: Steps): string[] {
	// Beside what is switched off for a while, a mail of words is meant.
	const on = steps.filter(({ disabled }) => disabled).map((one) => ({ ...one, disabled: false }));
	if ([attaching, filing, messaging].some((taking) => taking(on).length > 0)) return [];
	if (areHandedBack(context, step, steps)) return [];
	const what = isList(step) ? 'drag the field attachments' : `write ${fieldOf(step)}`;
	return attachingNone(steps).map(
		(mail) =>
			`The mail ${quoted(mail)} attaches nothing, and no step behind ${quoted(step)} takes the files: its mails would leave without papers. Under its options, ${what} into the attachments. For a mail of words alone, use Set, Get or Document, Get Many in place of ${quoted(step)}.`,
	);
}

/** Whether the papers go back to whoever called the workflow, by a step that is its last on one of the ways. */
function areHandedBack(context: Around, step: Step, steps: Steps): boolean {
	const isCall = ({ type, parameters }: Step) =>
		/\.executeWorkflowTrigger$/.test(type) ||
		(parameters?.responseMode === 'lastNode' && parameters.responseData === 'firstEntryBinary');
	return (
		inFrontOf(context, step.name).some(isCall) &&
		steps.some(
			(one) =>
				!isMail(one) &&
				context.getChildNodes(one.name).length === 0 &&
				comesOnlyFrom(context, one.name, step.name, (between) => !isMail(between)),
		)
	);
}

/** Those that attach a field that the items do not have, as the list of a set's papers where each PDF is an item of its own. */
function withoutField(context: Around, step: Step, steps: Steps): string[] {
	if (typeof step.parameters?.onePerSet === 'string') return [];
	const triggers = inFrontOf(context, step.name).filter(({ type }) => OURS.test(type) && !ACTION.test(type));
	const known = [step, ...triggers];
	return attaching(steps)
		.filter((mail) => isMail(mail) && comesOnlyFrom(context, mail.name, step.name, keepsNames))
		.flatMap((mail) => {
			const named = attachmentsOf(mail.parameters).map(takenAlone);
			const missing = named.flatMap((one) => {
				if (!one) return [];
				const other = one.step === undefined ? step : known.find(({ name }) => name === one.step);
				const isMissing =
					other && !(other.name === step.name ? hasField(step, one.field) : !OF_LIST.test(one.field));
				return isMissing ? [{ field: one.field, other }] : [];
			});
			const [first] = missing;
			if (first === undefined || missing.length < named.length) return [];
			return [
				`The mail ${quoted(mail)} attaches the field ${first.field}, which the items of ${quoted(first.other)} do not have: its mails would leave without papers. ${remedyOf(step)}.`,
			];
		});
}

const hasField = (step: Step, field: string) =>
	OF_SET.test(field) || (isList(step) ? OF_LIST : OF_PDF).test(field);

function remedyOf(step: Step): string {
	if (isList(step)) return 'Drag the field attachments there';
	return step.parameters?.operation === 'getAllPdfs'
		? `Switch All PDFs of a Set in One Item on in ${quoted(step)}, and drag its field attachments there`
		: `Write ${fieldOf(step)} there`;
}

const isList = ({ parameters }: Step) =>
	parameters?.operation === 'getAllPdfs' && parameters.onePerSet === true;

const fieldOf = ({ parameters }: Step) => String(parameters?.binaryPropertyName ?? BINARY_FIELD);
