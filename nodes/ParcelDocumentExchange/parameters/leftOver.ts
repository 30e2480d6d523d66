import { isAnswered, quoted, type Step, type Steps } from './stepKinds';
import { isExpression, textsIn } from './values';
import { behindOf, givingBehind, isOnce, mostTaken, type Around, type InFront, type Whole } from './ways';

/** What there is more than one of, behind a step that gives files. */
export interface Several {
	/** An item for each paper, and not for each set. */
	isEachPaper: boolean;
	/** How many sets a run may be about. */
	sets: number;
}

const PAPER = /\b(documentId|fileName|sha256)\b/;
const SET = /\b(setId|transactionId|parcelRef(erence)?)\b/;

const lossOf = (isEachPaper: boolean) =>
	isEachPaper
		? 'the other papers would go to nobody'
		: 'with several sets in one run, the papers of the others would go to nobody';

/** What has a step that waits for an answer ask for each. */
export const ASKED_EACH =
	'Put it into a loop, Loop Over Items, by which it asks for each, or have each set start a run of its own.';

/** Where a step takes the first of as many items alone, or those of a first round, in words. */
export function tooFew(context: InFront & Whole, step: Step, items: number, isEachPaper = false): string[] {
	const most = mostTaken(context, step);
	if (most >= items) return [];
	if (isAnswered(step) && !isOnce(context, step.name)) {
		return [
			`The step ${quoted(step)} asks once for all items that come, and goes on with one answer: ${lossOf(isEachPaper)}. ${ASKED_EACH}`,
		];
	}
	return [
		isOnce(context, step.name)
			? `Execute Once is on in the settings of ${quoted(step)}, which then takes the first item alone: ${lossOf(isEachPaper)}. Switch it off there.`
			: `Nothing leads back to the loop ${quoted(step)}, which then gives ${most === 1 ? 'the first item' : `the first ${most} items`} alone: ${lossOf(isEachPaper)}. Lead a line back to it from the last step behind it, or take it out: each step goes through all items by itself.`,
	];
}

/**
 * Where a step goes on with some of the items alone, such as the first: the papers of the others go to nobody, in words.
 *
 * @param step that leads to a mail or a drive, or is one
 */
export function leftOver(context: InFront & Whole, step: Step, { isEachPaper, sets }: Several): string[] {
	if (!isEachPaper && sets === 1) return [];
	const loss = lossOf(isEachPaper);
	const told = tooFew(context, step, isEachPaper ? Infinity : sets, isEachPaper);
	if (isLimit(step)) {
		const most = String(step.parameters?.maxItems ?? 1);
		told.push(
			`The step ${quoted(step)} lets no more items through than ${isExpression(most) ? 'it says' : most}: ${loss}. Take it out.`,
		);
	}
	const alike = alikeIn(step, isEachPaper);
	if (alike !== undefined) {
		told.push(
			`The step ${quoted(step)} takes items for the same by ${alike}, and leaves all but one out: ${loss}. Compare ${isEachPaper ? 'fileName' : 'setId'} there.`,
		);
	}
	return told;
}

/** Sub-workflows behind a step of which no other gets the papers, where they are called for the first item alone, in words. */
export const calledOnce = (context: Around, items: number): string[] =>
	givingBehind(context).length > 0
		? []
		: behindOf(context)
				.filter(({ type, disabled }) => /\.executeWorkflow$/.test(type) && !disabled)
				.flatMap((step) => tooFew(context, step, items));

/** Whether it lets no more than so many items through. */
const isLimit = ({ type, parameters }: Step) =>
	/\.limit$/.test(type) || (/\.itemLists$/.test(type) && parameters?.operation === 'limit');

/** By what Remove Duplicates takes items for the same that are not. */
function alikeIn({ type, parameters = {} }: Step, isEachPaper: boolean): string | undefined {
	const isOfLists = /\.itemLists$/.test(type) && parameters.operation === 'removeDuplicates';
	if (!isOfLists && !/\.removeDuplicates$/.test(type)) return undefined;
	const { operation = 'removeDuplicateInputItems', compare, fieldsToCompare, dedupeValue } = parameters;
	const isOfRun = isOfLists || operation === 'removeDuplicateInputItems';
	const by = isOfRun && compare === 'selectedFields' ? fieldsToCompare : isOfRun ? undefined : dedupeValue;
	const text = textsIn(by).join(', ');
	if (text === '' || (isEachPaper ? PAPER : SET).test(text)) return undefined;
	return text
		.replace(/^=|[{}]/g, '')
		.trim()
		.slice(0, 60);
}

/** Steps that answer with one file, where there are several. */
export function answeringWithOne(inFront: Steps, behind: Steps): string[] {
	const answers = [
		...behind.filter(
			({ type, parameters }) => /\.respondToWebhook$/.test(type) && parameters?.respondWith === 'binary',
		),
		...inFront.filter(
			({ type, parameters }) =>
				/\.webhook$/.test(type) &&
				parameters?.responseMode === 'lastNode' &&
				parameters.responseData === 'firstEntryBinary',
		),
	];
	return arePacked(behind)
		? []
		: answers.map(
				(step) =>
					`${quoted(step)} answers with the first file alone: the other papers would go to nobody. Switch All PDFs of a Set in One Item on, and put n8n’s Compression between, which makes one file of the field attachments.`,
			);
}

/** One file that was packed of all of them is meant. */
const arePacked = (behind: Steps) =>
	behind.some(({ type }) => /\.(compression|convertToFile|code)$/.test(type));

/** Form endings, which give of a field the file of the first item, where each paper is an item of its own. */
export const endingWithOne = (behind: Steps): string[] =>
	arePacked(behind)
		? []
		: behind
				.filter(
					({ type, parameters }) =>
						/\.form$/.test(type) &&
						parameters?.operation === 'completion' &&
						parameters.respondWith === 'returnBinary',
				)
				.map(
					(step) =>
						`${quoted(step)} gives the first file alone: the other papers would go to nobody. Switch All PDFs of a Set in One Item on, and drag its field attachments into Input Data Field Name there.`,
				);
