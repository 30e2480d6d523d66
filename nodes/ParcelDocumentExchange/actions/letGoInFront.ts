import type { IExecuteFunctions } from 'n8n-workflow';
import { folded } from '../../../service/model/folded';
import { documentsOf, idKey } from '../../../service/model/set';
import { isAsked } from '../parameters/askedFor';
import { passedBy, type Came, type OfOwnRun } from '../parameters/came';
import { leftOver, type Several } from '../parameters/leftOver';
import { isBlind } from '../parameters/mixedBehind';
import { ACTION, isCode, isLoop, OURS, quoted, TABLE, type Items, type Step } from '../parameters/stepKinds';
import { namesOfSets, type Known, type StepOfRun } from '../parameters/stepsInFront';
import { takenIn } from '../parameters/taken';
import { textsIn } from '../parameters/values';
import { leadsTo, mostTaken, type Around } from '../parameters/ways';

type Context = Around & Pick<IExecuteFunctions, 'getInputData'> & OfOwnRun;

/**
 * Steps in front to which several sets came, and which went on with some of them alone, though they ask nothing of each, in
 * words; so of documents, where this step gets one by one. By what came in this run: whatever step it is, and however it does
 * so.
 *
 * @param items what this step gave
 */
export function letGoInFront(context: Context, items: Items, given: readonly StepOfRun[]): string[] {
	if (goesByOneAsked(context, given)) return [];
	const got = items.filter(({ binary }) => binary).map(({ json }) => json);
	const sets = letGo(
		context,
		namesOfSets(given),
		got.map(({ setId }) => setId),
		'sets',
	);
	if (sets.length > 0 || context.getNode().parameters.operation !== 'getPdf') return sets;
	return letGo(
		context,
		namesOfDocuments(given),
		got.map(({ documentId }) => documentId),
		'documents',
	);
}

/** Whether Set goes by the one thing that a run was asked for, such as by a form: what came past it is there for something else. */
function goesByOneAsked(context: Context, given: readonly StepOfRun[]): boolean {
	const { type, parameters } = context.getNode();
	const by = takenIn({ type, parameters: parameters.setId });
	return (
		by.length > 0 &&
		by.every(({ step }) =>
			given.some(({ name, type: of, items }) => name === step && isAsked(of) && items.length === 1),
		)
	);
}

function letGo(
	context: Context,
	known: Known,
	got: readonly unknown[],
	what: 'sets' | 'documents',
): string[] {
	const idsIn = (all: unknown) => new Set(textsIn(all).flatMap((text) => known.get(folded(text)) ?? []));
	const gotten = idsIn(got);
	if (gotten.size === new Set(known.values()).size) return [];
	const several = { isEachPaper: what === 'documents', sets: Infinity };
	/** Those for which this step gave nothing. */
	const others = (all: ReadonlySet<string>) => [...all].filter((id) => !gotten.has(id));

	const held = context.getInputData().map(({ json }) => idsIn(json));
	const isHeld = what === 'sets' && held.some((ids) => ids.size > 1 && others(ids).length > 0);
	const told = isHeld ? [heldInOne(held)] : [];
	const passed = [...passedBy(context)].map(([step, came]) => ({
		step,
		came,
		arrived: idsIn(came.flatMap(({ items }) => jsonOf(items))),
	}));
	const gaveOf = new Map(passed.flatMap(({ came }) => came.map(({ from, items }) => [from, items])));
	/** Whether it comes past a step to one behind it, such as by the other input of a Merge. */
	const isPast = (step: Step, id: string) =>
		passed.some(
			({ step: one, arrived }) =>
				arrived.has(id) && leadsTo(context, step.name, one.name) && !leadsTo(context, one.name, step.name),
		);
	for (const [at, { step, came, arrived: before }] of passed.entries()) {
		const isOwn = at === 0;
		if (isOwn ? mostTaken(context, step) > 1 : chooses(context, step, several)) continue;
		const gave = isOwn ? [] : jsonOf(gaveOf.get(step.name) ?? []);
		const after = idsIn(gave);
		const lost = others(before).filter((id) => !after.has(id) && !isPast(step, id));
		// Items that name none of them, such as rows, may be one for each.
		const isFewer = isOwn || after.size > 0 || longest(came) > gave.length;
		if (before.size < 2 || lost.length === 0 || !isFewer) continue;
		const usual = leftOver(context, step, several);
		told.push(...(usual.length > 0 ? usual : [wentOn(step, before.size, after.size, what)]));
	}
	return told;
}

const jsonOf = (items: Items) => items.map(({ json }) => json);

const longest = (came: readonly Came[]) => Math.max(0, ...came.map(({ items }) => items.length));

/** The documents that our steps listed, by their IDs. */
function namesOfDocuments(given: readonly StepOfRun[]): Known {
	const listed = given
		.filter(({ type }) => OURS.test(type))
		.flatMap(({ items }) => items.flatMap((item) => [item, ...documentsOf(item)]));
	return new Map(
		listed.flatMap(({ documentId }) =>
			typeof documentId === 'string' ? [[folded(documentId), idKey(documentId)] as const] : [],
		),
	);
}

/** Steps that look at what each item says, and may leave it out for that. */
const ASKS_EACH = /\.(if|filter|switch|compareDatasets|textClassifier)$/;

/** Steps that look for something that belongs to each, such as an address: nobody asked them to leave out what has none. */
const looksUp = ({ type }: Step) => TABLE.test(type) || /\.merge$/.test(type);

/** Those that are there to let some go: by whether a row is there, or what matches nothing. */
const asksWhether = ({ parameters: { operation, joinMode } = {} }: Step): boolean =>
	['rowExists', 'rowNotExists'].includes(String(operation)) || joinMode === 'keepNonMatches';

const CHOOSING_CODE = /\b(if|filter|find|sort|reduce|some|every|has)\b|\?/;

/** `{{ $json.documents.find((one) => one.docType === "BILL_OF_LADING").documentId }}` */
const CHOOSING_FIELD = /\.\s*(find|findLast|filter)\s*\(/;

/** Whether a step may leave items out for what they say, as far as anybody can tell. */
function chooses(context: Context, step: Step, several: Several): boolean {
	const { type, disabled, parameters = {} } = step;
	if (disabled || /Trigger$/.test(type)) return true;
	if (mostTaken(context, step) !== Infinity) return false;
	if (isLoop(step)) return true;
	if (/\.set$/.test(type)) return CHOOSING_FIELD.test(textsIn(parameters).join('\n'));
	if (isCode(step)) return CHOOSING_CODE.test(textsIn(parameters).join('\n'));
	if (looksUp(step)) return asksWhether(step);
	if (/\.removeDuplicates$/.test(type)) {
		return leftOver(context, step, several).length === 0;
	}
	return ASKS_EACH.test(type) || (ACTION.test(type) && parameters.operation === 'search');
}

function heldInOne(held: ReadonlyArray<ReadonlySet<string>>): string {
	const most = Math.max(...held.map(({ size }) => size));
	return `The input item holds ${most} sets, and Set gives one: the papers of the others would go to nobody. Put this step in front of the one that makes one item of several, such as Aggregate, or put Split Out between.`;
}

function wentOn(step: Step, came: number, went: number, what: string): string {
	if (looksUp(step) && !isBlind(step)) {
		return `${came} ${what} came to ${quoted(step)}, and it found something for ${went === 0 ? 'fewer' : went}: the papers of the others would go to nobody. If they are meant too, see that there is a row for each.`;
	}
	return `${came} ${what} came to ${quoted(step)}, and it went on with ${went === 0 ? 'fewer items' : went}: the papers of the others would go to nobody. If they are meant too, have it hand each on, or take it out.`;
}
