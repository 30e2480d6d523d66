import type { INode } from 'n8n-workflow';
import { BINARY_FIELD } from '../descriptions/defaults';
import { attachingNone, attachmentsOf } from '../parameters/attaching';
import { KEEPING, quoted, type Items, type Step, type Steps } from '../parameters/stepKinds';
import type { StepOfRun } from '../parameters/stepsInFront';
import { taken } from '../parameters/taken';
import { isExpression, textsIn } from '../parameters/values';
import { handsFieldOn } from '../parameters/handedOn';

/** Steps that leave the names of fields and files as they are, but for what is written into them. */
const NAMES_STAY = /\.(set|merge|dateTime|readWriteFile)$/;

/** One of a list. */
const ONE_OF = /\[\s*\d|\.\s*(?:at|first|last|pop|shift|slice|substring)\s*\(/;

interface BehindFiles {
	own: INode;
	/** The steps between. */
	way: Steps;
	items: Items;
	given: readonly Pick<StepOfRun, 'name' | 'items'>[];
}

/** Attachments by names that the items do not have, or that only those of this run have, in words. */
export function attachedWrong(mail: Step, behind: BehindFiles): string[] {
	const named = attachmentsOf(mail.parameters);
	const missing = named.flatMap((text) => missingField(mail, text, behind));
	if (missing.length > 0) return missing.slice(0, 1);
	if (!haveList(behind.items) || !behind.way.every(leavesNames)) return [];
	const typed = namesTyped(named, behind.items);
	if (typed.length > 0) {
		return [
			`${quoted(mail)} attaches ${typed.join(', ')}, as typed: the papers of a set that has more would be missing. Drag the field attachments of this step there.`,
		];
	}
	return named.some((text) => isOneOfSeveral(text, behind.items))
		? [
				`${quoted(mail)} attaches what an expression picks out of the files: papers of a set would be missing. Drag the field attachments of this step there.`,
			]
		: [];
}

/** Of the steps behind that are no mails, those that take files by names that only the items of this run have. */
export function takenByName(
	steps: Steps,
	{ items, wayTo }: { items: Items; wayTo: (step: Step) => Step[] },
): string[] {
	if (!haveList(items)) return [];
	return steps.flatMap((step) => {
		const typed = namesTyped(textsIn(step.parameters), items);
		if (typed.length === 0 || !wayTo(step).every(leavesNames)) return [];
		const remedy = /\.(compression|form)$/.test(step.type)
			? 'Drag the field attachments of this step there'
			: 'Where each PDF is to be taken, lead a line there from a step of its own with All PDFs of a Set in One Item off';
		return [
			`${quoted(step)} takes ${typed.join(', ')}, as typed: the papers of a set that has more would be missing. ${remedy}.`,
		];
	});
}

const leavesNames = ({ type }: Step) => KEEPING.test(type) || NAMES_STAY.test(type);

/** Whether an item holds all papers of a set, and the list of them. */
export const haveList = (items: Items): boolean =>
	items.some(({ binary, json }) => binary !== undefined && 'attachments' in json);

const filesOf = (items: Items) => [...new Set(items.flatMap(({ binary }) => Object.keys(binary ?? {})))];

/** `data_0` and its like, typed or in an expression. */
function namesTyped(texts: readonly string[], items: Items): string[] {
	const fields = new Set(filesOf(items).map((field) => field.replace(/_\d+$/, '')));
	const words = texts.flatMap((text) => text.match(/[\w$-]+_\d+/g) ?? []);
	return [...new Set(words.filter((word) => fields.has(word.replace(/_\d+$/, ''))))];
}

/** Whether an expression comes to less than all names of the files: n8n takes them joined by commas. */
function isOneOfSeveral(text: string, items: Items): boolean {
	if (!isExpression(text) || /join\s*\(/.test(text)) return false;
	const fields = taken(text).map(({ field }) => field);
	// What a step between writes may be a list as well.
	if (!fields.every((field) => items.some(({ json }) => Object.hasOwn(json, field)))) return false;
	const from = text.lastIndexOf('attachments');
	return from === -1 || ONE_OF.test(text.slice(from));
}

/** Where all that an attachment is made of is missing from the items, mails leave without papers, green. */
function missingField(mail: Step, text: string, behind: BehindFiles): string[] {
	const fields = isExpression(text) ? taken(text) : [];
	const lost = fields.map(({ step, field }) => whyMissing(step, field, behind));
	const [first] = lost;
	if (first === undefined || lost.includes(undefined)) return [];
	return [
		`${quoted(mail)} attaches the field ${first.field}, ${first.why}: its mails would leave without papers. ${first.remedy}.`,
	];
}

interface Missing {
	field: string;
	why: string;
	remedy: string;
}

/** @param step whose item it is; undefined for the one that comes */
function whyMissing(step: string | undefined, field: string, behind: BehindFiles): Missing | undefined {
	const { own, way, items, given } = behind;
	const remedy = remedyOf(own, items);
	if (step !== undefined && step !== own.name) {
		const other = given.find(({ name }) => name === step);
		const isMissing =
			other && other.items.length > 0 && !other.items.some((item) => Object.hasOwn(item, field));
		return isMissing ? { field, remedy, why: `which the items of ${quoted(other)} do not have` } : undefined;
	}
	const isInItems = items.some(({ binary, json }) => binary !== undefined && Object.hasOwn(json, field));
	const passed = step === undefined ? way.map((one) => ({ one, on: handsFieldOn(one, field) })) : [];
	const letsGo = passed.find(({ on }) => on === false)?.one;
	if (isInItems && letsGo) {
		const keeps = remedyWhereLetGo(letsGo, own);
		return { field, remedy: keeps, why: `which ${quoted(letsGo)} does not hand on` };
	}
	const mayBeWritten = passed.some(({ on }) => on === undefined);
	return isInItems || mayBeWritten ? undefined : { field, remedy, why: 'which these items do not have' };
}

const remedyWhereLetGo = (letsGo: Step, own: INode) =>
	/\.convertToFile$/.test(letsGo.type)
		? 'Lead a line of its own from this step to the mail'
		: `Drag the field attachments of ${quoted(own)} there: that step is chosen above the input`;

function remedyOf(own: INode, items: Items): string {
	if (haveList(items)) return 'Drag the field attachments of this step there';
	const [field = BINARY_FIELD] = filesOf(items);
	return own.parameters.operation === 'getAllPdfs'
		? 'Switch All PDFs of a Set in One Item on in this step, and drag its field attachments there'
		: `Attach ${field} there`;
}

/** Mails that attach nothing, where nothing behind takes the files either: in words. */
export function attachingNothing(steps: Steps, items: Items): string[] {
	const what = haveList(items) ? 'drag the field attachments' : `write ${BINARY_FIELD}`;
	return attachingNone(steps).map(
		(mail) =>
			`${quoted(mail)} attaches nothing, and no step behind this one takes the files: its mails would leave without papers. Under its options, ${what} into the attachments.`,
	);
}
