import { isServiceError, ServiceError } from '../../../service/errors';

/** In words: a call that there was no time to wait for was stopped by no person. */
export function inWords(error: unknown, remedy: string): unknown {
	if (!isServiceError(error) || error.code !== 'cancelled') return error;
	return new ServiceError('timeout', 'The service took too long for a look at its sets.', {
		remedy,
		call: error.call,
	});
}
