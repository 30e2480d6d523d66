import { ServiceError } from '../../../service/errors';

/** Lists and objects in each other take a stack to go through, and what JavaScript says of its end helps nobody. */
export function withoutStackTalk(error: unknown): unknown {
	if (!(error instanceof RangeError) || !/call stack/i.test(error.message)) return error;
	return new ServiceError('invalidInput', 'The input item has too many lists and objects in each other', {
		remedy: 'Give the fields that this step needs alone: the node Edit Fields in front of it takes them out.',
		cause: error,
	});
}
