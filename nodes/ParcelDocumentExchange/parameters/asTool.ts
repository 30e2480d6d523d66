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

/** No items at all would reach the model as an empty text. */
export function answerForModel(items: INodeExecutionData[]): INodeExecutionData[] {
	return items.length > 0 ? items : [{ json: { result: 'Nothing was found.' }, pairedItem: { item: 0 } }];
}
