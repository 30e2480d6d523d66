import type { INode, JsonObject } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import {
	changed,
	isServiceError,
	messageOf,
	ServiceError,
	type ServiceErrorCode,
} from '../../../service/errors';

/** What the service or the way to it said: n8n shows these with the HTTP status. The others are about the node's own work. */
const SAID_BY_SERVICE: ReadonlySet<ServiceErrorCode> = new Set([
	'unauthorized',
	'notFound',
	'rejected',
	'rateLimited',
	'unavailable',
	'timeout',
	'network',
	'certificate',
]);

/** What a person can do, where the error itself does not say. */
const REMEDY: Partial<Record<ServiceErrorCode, string>> = {
	unauthorized: 'Check the user name and the password in the credential.',
	notFound: 'Check the IDs.',
	rateLimited: 'Wait a little, then try again.',
	unavailable: 'Try again later. Retry On Fail in the node settings does it by itself.',
	timeout: 'Try again, or raise Timeout in the options.',
	network: 'Check the base URL in the credential, and whether n8n can reach that address.',
	certificate: 'Add the certificate of your certificate authority to the credential.',
};

/** Whatever was thrown, in sentences that may go out: nothing else of it is shown. */
export function maskedError(error: unknown, masked: (sentence: string) => string): unknown {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) return error;
	if (!isServiceError(error)) {
		const safe = masked(messageOf(error));
		return safe === messageOf(error) ? error : new Error(safe);
	}
	const remedy = remedyOf(error);
	return changed(error, {
		message: masked(error.message),
		remedy: remedy === undefined ? undefined : masked(remedy),
		cause: undefined,
	});
}

/** Lists and objects in each other take a stack to go through, and what JavaScript says of its end helps nobody. */
export function withoutStackTalk(error: unknown): unknown {
	if (!(error instanceof RangeError) || !/call stack/i.test(error.message)) return error;
	return new ServiceError('invalidInput', 'The input item has too many lists and objects in each other', {
		remedy: 'Give the fields that this step needs alone: the node Edit Fields in front of it takes them out.',
		cause: error,
	});
}

/** What happened and what to do, in one text, where n8n shows no more than that. */
export function inOneText(told: { message: string; description?: string | null }): string {
	const { message, description } = told;
	return [message, description].filter(Boolean).join(/[.!?]$/.test(message) ? ' ' : '. ');
}

/**
 * n8n's error for whatever was thrown: what happened as its message, what to do as its description, the input item named.
 * An error of n8n is handed back itself, since n8n ignores a new message when one of its errors is wrapped again.
 */
export function nodeError(
	node: INode,
	error: unknown,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError || error instanceof NodeOperationError) {
		if (itemIndex !== undefined) error.context.itemIndex ??= itemIndex;
		return error;
	}
	if (!isServiceError(error)) {
		return new NodeOperationError(node, error instanceof Error ? error : messageOf(error), { itemIndex });
	}
	const { code, message, call } = error;
	// The call is for whoever runs the service, and asks for it.
	const description = [remedyOf(error), call && `(${call})`].filter(Boolean).join(' ');
	if (!SAID_BY_SERVICE.has(code)) {
		return new NodeOperationError(node, message, { itemIndex, description });
	}
	const answer: JsonObject = { message };
	const wrapped = new NodeApiError(node, answer, {
		message,
		description,
		httpCode: error.httpStatus?.toString(),
		itemIndex,
	});
	// n8n replaces a message that names a common code (ECONNREFUSED, ETIMEDOUT, 404 …) by a general one; ours says more.
	wrapped.message = message;
	return wrapped;
}

/**
 * The same where n8n shows an error's message and, of some errors only, the description: all in the message, so that
 * nothing is missing and nothing stands there twice. There is little room: without the call.
 */
export function nodeErrorInOneText(node: INode, error: unknown): NodeApiError | NodeOperationError {
	const failure = nodeError(node, error);
	const description = isServiceError(error) ? remedyOf(error) : failure.description;
	failure.message = inOneText({ message: failure.message, description });
	failure.description = undefined;
	return failure;
}

function remedyOf({ remedy, code }: ServiceError): string | undefined {
	return remedy ?? REMEDY[code];
}
