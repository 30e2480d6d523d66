import type { INode, INodeExecutionData, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { inOneText } from '../adapters/errors';

/** Whether a model uses the node as its tool: n8n makes a second type of it then, with this ending. */
export function isTool({ type }: INode): boolean {
	return type.endsWith('Tool');
}

/** A model is told the message of an error and nothing else of it. */
export function failureForModel<E extends NodeApiError | NodeOperationError>(failure: E): E {
	failure.message = inOneText(failure);
	// The MCP server of n8n 2.8 tells it to the model as well.
	failure.stack = `${failure.name}: ${failure.message}`;
	return failure;
}

/**
 * No items at all would reach the model as an empty text. What the editor shows beside the items would not reach it: it
 * would take a part of a list for all of it.
 */
export function answerForModel(items: INodeExecutionData[], hints: readonly string[]): INodeExecutionData[] {
	const told = (json: INodeExecutionData['json']) => ({ json, pairedItem: { item: 0 } });
	const found = items.length > 0 ? items : [told({ result: 'Nothing was found.' })];
	return [...found, ...hints.map((hint) => told({ hint }))];
}
