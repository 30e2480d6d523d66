import { asError, isServiceError, type ServiceError } from '../errors';
import type { AskPage, Page } from './page';

/**
 * What comes of a page that is asked for by the way, to see what the service makes of a question: why it cannot be had is
 * an answer as well.
 *
 * @throws ServiceError `cancelled`
 */
export async function pageOrFailure(asked: ReturnType<AskPage>): Promise<Page | ServiceError> {
	try {
		return await asked;
	} catch (error) {
		if (!isServiceError(error) || error.code === 'cancelled') throw asError(error);
		return error;
	}
}

/** Whether a failure speaks of what was asked: the service refuses it. Otherwise the service is in trouble, or the way to it. */
export function isRefusal({ code, login = false }: ServiceError): boolean {
	return !login && ['rejected', 'notFound', 'unexpectedResponse', 'unauthorized'].includes(code);
}
