import { isServiceError } from '../errors';

/** Does the work of a call; an error of ours then says which call it was: `GET /v3/…`, without the query. */
export async function named<T>(
	{ method, path }: { method: string; path: string },
	work: () => Promise<T>,
): Promise<T> {
	try {
		return await work();
	} catch (error) {
		if (isServiceError(error)) error.call ??= `${method} ${path.replace(/\?.*$/s, '')}`;
		throw error;
	}
}
