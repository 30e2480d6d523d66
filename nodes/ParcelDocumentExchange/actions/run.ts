import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IExecuteFunctions, INodeExecutionData, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { ServiceError } from '../../../service/errors';
import { inOneText, maskedError, nodeError, withoutStackTalk } from '../adapters/errors';
import { answerForModel, failureForModel, isTool } from '../parameters/asTool';
import { callSettings } from '../parameters/callOptions';
import { cameTwice } from './cameTwice';
import { companiesOf, type Companies } from './companies';
import { cutShort } from './cutShort';
import { filesLost } from './filesLost';
import { nameFiles, sameFiles } from './filesOfRun';
import { endingBehind, neverDone } from '../parameters/endingLoop';
import { calledOnce } from '../parameters/leftOver';
import { letGoInFront } from './letGoInFront';
import { mailsBehind } from './mailsBehind';
import { refuseMergedApart } from './mergedApart';
import { refuseMixedUp } from './mixedUp';
import type { Answer, Operation } from './operation';
import { noPapers } from '../parameters/noPapers';
import { Parameters } from '../parameters/parameters';
import { stepsInFront } from '../parameters/stepsInFront';
import { switchedOff } from '../parameters/switchedOff';
import { neverTheSame } from '../parameters/askedInVain';
import { pinnedInFront } from './aboutRun';
import { operationOf } from './table';
import { refusePlacedElsewhere } from './placedElsewhere';
import { refuseRanForOthers } from './ranForOthers';
import { rowless } from './rowless';
import { refuseRowOfOther } from './rowOfOther';
import { refuseLost } from './wouldBeLost';
import { openRun, type RunOfNode } from './work';
import { behindOf } from '../parameters/ways';
import type { Items } from '../parameters/stepKinds';

/**
 * Runs the node: the one place that walks the input items, says which item an answer came from, and decides what a
 * failure means. With "continue" set on the node a failed item becomes an item with its error; otherwise the first
 * failure stops the run, and nothing of it goes on in the background.
 */
export async function run(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const resource = String(context.getNodeParameter('resource', 0, ''));
	const name = String(context.getNodeParameter('operation', 0, ''));
	const operation = operationOf(resource, name);
	if (!operation) throw nodeError(context.getNode(), noOperation(resource, name));
	const ofNode = await openRun(context);
	const { ended, stop, hint, hints, masked, showHints, trace } = ofNode;
	const goOn = context.continueOnFail();
	const asTool = isTool(context.getNode());
	const answerItem = async (itemIndex: number): Promise<INodeExecutionData[]> => {
		try {
			return paired(await answerOf(operation, new Parameters(context, itemIndex), ofNode), itemIndex);
		} catch (error) {
			const told = maskedError(withoutStackTalk(error), masked);
			const failure = nodeError(context.getNode(), told, itemIndex);
			if (!goOn) {
				stop();
				throw asTool ? failureForModel(failure) : failure;
			}
			return [failedItem(failure, itemIndex)];
		} finally {
			ended(itemIndex);
		}
	};
	const itemIndexes = context.getInputData().map((_, itemIndex) => itemIndex);
	let items: INodeExecutionData[] = [];
	try {
		items = operation.sideBySide
			? await sideBySide(itemIndexes, answerItem, operation.inOneTurn ?? false)
			: await inTurn(itemIndexes, answerItem);
		if (!asTool) items = await keptApart(context, items, ofNode);
		sameFiles(items).forEach(hint);
		nameFiles(items, hint);
		if (!asTool) toldOfOthers(context, items).forEach(hint);
		return [asTool ? answerForModel(items, hints()) : items];
	} finally {
		showHints();
		trace(items);
	}
}

/** The items; where what stands behind would mix up those of several sets, or lose them, none of them. */
async function keptApart(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	{ masked, found, hint, workFor }: RunOfNode,
): Promise<INodeExecutionData[]> {
	let asked: Promise<Companies> | undefined;
	const companies = async () =>
		await (asked ??= companiesOf(async (inHaste) => {
			const settings = callSettings(new Parameters(context, 0).fields('options'));
			return await workFor(0, { ...settings, ...inHaste }).client();
		}));
	try {
		const steps = stepsInFront(context, 0);
		refuseMixedUp(context, items, steps);
		if (items.some(({ binary }) => binary)) {
			refuseMergedApart(context, steps);
			(await refuseRowOfOther(context, items, steps, found, companies)).forEach(hint);
			refuseRanForOthers(context);
			refusePlacedElsewhere(context, items);
		}
		refuseLost(context, items);
		return items;
	} catch (error) {
		const failure = nodeError(context.getNode(), maskedError(error, masked));
		if (!context.continueOnFail()) throw failure;
		return context.getInputData().map((_, itemIndex) => failedItem(failure, itemIndex));
	}
}

/** What the steps around this one would make of its items, where they would send or file other papers than meant, or none. */
function toldOfOthers(context: IExecuteFunctions, items: Items): string[] {
	const behind = behindOf(context);
	const asked = neverTheSame(behind, items);
	if (!items.some(({ binary }) => binary)) {
		return [
			...asked,
			...switchedOff(context),
			...noPapers(context),
			...neverDone(context),
			...(items.length > 1 ? endingBehind(context) : []),
			...calledOnce(context, items.length),
		];
	}
	const steps = stepsInFront(context, 0);
	const told = [
		...filesLost(context),
		...mailsBehind(context, items, steps),
		...letGoInFront(context, items, steps),
		...cutShort(context),
		...rowless(context, items),
		...cameTwice(context.getInputData(), items),
		...pinnedInFront(context, steps),
		...noPapers(context),
		...asked,
	];
	return [...new Set(told)];
}

/** The choice that n8n itself adds to both lists. It leads to another node, and does nothing here. */
const CUSTOM_API_CALL = '__CUSTOM_API_CALL__';

function noOperation(resource: string, name: string): ServiceError {
	if ([resource, name].includes(CUSTOM_API_CALL)) {
		return new ServiceError(
			'invalidInput',
			'A custom API call is made by the HTTP Request node, not by this one',
			{
				remedy:
					'Add an HTTP Request node in place of this one. Under Authentication, choose Predefined Credential Type, then Parcel Document Exchange API.',
			},
		);
	}
	return new ServiceError('invalidInput', `There is no operation "${name}" for "${resource}"`, {
		remedy: 'Choose the resource and the operation again.',
	});
}

/** Reading first, before anything is waited for: what one item has wrong fails that item alone. */
async function answerOf(
	operation: Operation<unknown>,
	parameters: Parameters,
	{ workFor }: RunOfNode,
): Promise<Answer[]> {
	const work = workFor(parameters.itemIndex, callSettings(parameters.fields('options')));
	return await operation.answer(operation.read(parameters), work);
}

type AnswerItem = (itemIndex: number) => Promise<INodeExecutionData[]>;

async function inTurn(itemIndexes: number[], answerItem: AnswerItem): Promise<INodeExecutionData[]> {
	const output: INodeExecutionData[] = [];
	for (const itemIndex of itemIndexes) {
		for (const item of await answerItem(itemIndex)) output.push(item);
	}
	return output;
}

/**
 * Answers in the order of the items, whichever came first. Waits for all, so that a failed run leaves nothing behind.
 * n8n takes long to resolve the expressions of hundreds of items: unless they must be read in one turn, the calls of the
 * first go out meanwhile.
 */
async function sideBySide(
	itemIndexes: number[],
	answerItem: AnswerItem,
	inOneTurn: boolean,
): Promise<INodeExecutionData[]> {
	const failures: unknown[] = [];
	const outputs: Promise<INodeExecutionData[]>[] = [];
	for (const itemIndex of itemIndexes) {
		if (failures.length > 0) break;
		const output = answerItem(itemIndex).catch((error: unknown) => {
			failures.push(error);
			return [];
		});
		outputs.push(output);
		if (!inOneTurn) await nextTurn();
	}
	const answers = await Promise.all(outputs);
	if (failures.length > 0) throw failures[0];
	return answers.flat();
}

function paired(answers: Answer[], itemIndex: number): INodeExecutionData[] {
	return answers.map(({ json, binary }) => ({
		json: withoutErrorField(json),
		...(binary && { binary }),
		pairedItem: { item: itemIndex },
	}));
}

/**
 * The item of a failure: what happened and what to do, in the one field by which every version of n8n knows such an item
 * and adds the fields of the input item to it on the error branch. With an `error` beside `json`, or with more fields in
 * it, they throw those away again, or take the item for a good one.
 */
function failedItem(failure: NodeApiError | NodeOperationError, itemIndex: number): INodeExecutionData {
	return { json: { error: inOneText(failure) }, pairedItem: { item: itemIndex } };
}

/** A field `error` at the top makes n8n take a good item for a failed one, and run the whole node again. */
function withoutErrorField(json: Answer['json']): Answer['json'] {
	if (!('error' in json)) return json;
	const { error, ...rest } = json;
	return { ...rest, errorField: error };
}
