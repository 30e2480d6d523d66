import type { z } from 'zod';
import { isServiceError } from '../errors';
import { systemClock } from '../surroundings';
import type { Account } from './account';
import { isSuccess, readJson, readShortText, type Answer } from './answer';
import { checkBaseUrl } from './baseUrl';
import { cancelled, throwIfCancelled } from './cancel';
import { checked } from './check';
import { logIn, loginKey, secretsOf } from './login';
import { responseError } from './responseError';
import { retrying } from './retry';
import { tokensOf, type LogIn } from './tokens';
import { nameOf, openTransport, type HttpRequest, type Surroundings } from './transport';
import { transportError } from './transportError';

/** What of a request its caller chooses. */
export interface Call {
	method: HttpRequest['method'];
	/** Below the base URL, with its query. */
	path: string;
	/** Sent as JSON. */
	body?: unknown;
}

/** Calls of one account: logged in, retried, checked. Both methods throw ServiceError, and what `read` throws. */
export interface Calls {
	/** Sends and reads; `read` is called again, with a fresh answer, when a transfer is tried again. */
	send<T>(call: Call, read: (answer: Answer) => Promise<T>): Promise<T>;
	/** Sends and reads JSON of that shape. */
	json<S extends z.ZodType>(call: Call, schema: S): Promise<z.infer<S>>;
}

export function openCalls(account: Account, surroundings: Surroundings): Calls {
	const { clock = systemClock, signal, logger, tries } = surroundings;
	const tokens = tokensOf(clock);
	const key = loginKey(account);
	const exchange = openExchange(account, surroundings);
	const logInAgain = openLogin(account, surroundings);
	const withToken = <T>(token: string, call: Call, read: (answer: Answer) => Promise<T>) =>
		retrying(
			async () => {
				const answer = await exchange(requestOf(call, token), [token]);
				if (!isSuccess(answer)) {
					if (answer.status !== 401) tokens.worked(key, token);
					throw responseError({ ...answer, text: await readShortText(answer) });
				}
				try {
					const value = await read(answer);
					// Not before: a refusal can come under HTTP 200.
					tokens.worked(key, token);
					return value;
				} finally {
					// Does nothing to a body that was read to its end, and frees the connection of any other.
					answer.body.destroy();
				}
			},
			{ clock, signal, logger, tries },
		);

	const send: Calls['send'] = async (call, read) => {
		throwIfCancelled(signal);
		const token = await tokens.current(key, logInAgain, signal);
		try {
			return await withToken(token, call, read);
		} catch (error) {
			if (!isServiceError(error) || error.httpStatus !== 401) throw error;
			const fresh = await tokens.renewed(key, token, logInAgain, signal);
			if (fresh === token) throw error;
			return await withToken(fresh, call, read);
		}
	};

	return {
		send,
		json: (call, schema) =>
			send(call, async (answer) => {
				const value = await readJson(answer);
				const status = refusalIn(value);
				if (status !== undefined) throw responseError({ ...answer, status, text: JSON.stringify(value) });
				return checked(schema, value, answer.what, answer.secrets);
			}),
	};
}

/** The status of a refusal that came under HTTP 200: the envelope's `code` mirrors the HTTP status (interface, 2.5). */
function refusalIn(value: unknown): number | undefined {
	const { code, data } = (value ?? {}) as { code?: unknown; data?: unknown };
	return typeof code === 'number' && code >= 400 && code < 600 && !data ? code : undefined;
}

function requestOf({ method, path, body }: Call, token: string): HttpRequest {
	const headers = { accept: '*/*', authorization: `Bearer ${token}` };
	if (body === undefined) return { method, path, headers };
	return {
		method,
		path,
		headers: { ...headers, 'content-type': 'application/json' },
		body: JSON.stringify(body),
	};
}

type Exchange = (request: HttpRequest, secrets: string[]) => Promise<Answer>;

/** The transport, with all that reading an answer and speaking about it needs. */
function openExchange(account: Account, surroundings: Surroundings): Exchange {
	const transport = openTransport(account, surroundings);
	const accountSecrets = secretsOf(account);
	const { host } = new URL(checkBaseUrl(account.baseUrl));
	const { signal } = surroundings;
	return async (request, secrets) => {
		const what = nameOf(request);
		const answer = await transport(request);
		const asError = (error: unknown) => (signal?.aborted ? cancelled() : transportError(error, what, host));
		return { ...answer, what, asError, secrets: [...secrets, ...accountSecrets] };
	};
}

/**
 * A login, retried by itself: inside the retries of the call that needs it, four times four tries would be sixteen.
 * Other runs may wait for the same login, so it is ended by its own signal and not by that of one run.
 */
function openLogin(account: Account, surroundings: Surroundings): LogIn {
	const { clock = systemClock, logger, tries } = surroundings;
	return (signal) => {
		const exchange = openExchange(account, { ...surroundings, signal });
		return retrying(
			() =>
				logIn(account, async ({ path, headers }) => {
					const answer = await exchange({ method: 'GET', path, headers }, []);
					return { ...answer, text: await readShortText(answer) };
				}),
			{ clock, logger, tries, signal },
		);
	};
}
