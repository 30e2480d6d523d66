import { changed, isServiceError } from '../errors';
import { systemClock } from '../surroundings';
import type { Account } from './account';
import { isSuccess, readJson, readShortText, type HttpAnswer, type Json, type JsonWanted } from './answer';
import { named } from './callName';
import { throwIfCancelled } from '../cancel';
import { logIn, loginKey, secretsOf, tokenSecrets } from './login';
import { beginningWithoutSecrets } from './masking';
import { refusedStatusIn, responseError, tellsTokenEnded } from './responseError';
import { retrying } from './retry';
import { sentenceIn, whatWasSaid } from './said';
import { tokensOf, type LogIn, type RefusalKind } from './tokens';
import { openTransport, type HttpRequest, type Surroundings } from './transport';
import { troubleAsSuccess, troubleIn } from './trouble';

/** What of a request its caller chooses. */
export interface Call extends JsonWanted {
	method: HttpRequest['method'];
	/** Below the base URL, with its query. */
	path: string;
	/** Sent as JSON. */
	body?: unknown;
	isWanted?: HttpRequest['isWanted'];
}

/** JSON of the service, with what must not be repeated of it. */
export type JsonAnswer = Json & Pick<HttpAnswer, 'secrets' | 'headers'>;

/**
 * Calls of one account: logged in and retried. Both throw ServiceError that names the call, and what `read` throws.
 * `read` is called again, with a fresh answer, when a transfer is tried again.
 */
export interface Calls {
	send<T>(call: Call, read: (answer: HttpAnswer) => Promise<T>): Promise<T>;
	/** The same for JSON that is no refusal. */
	json<T>(call: Call, read: (json: JsonAnswer) => T): Promise<T>;
	/** A sentence that goes out, without the account's secrets and the tokens that were used. */
	masked(sentence: string): string;
}

/** Tokens of an account that are remembered, to be masked. */
const MOST_TOKENS = 20;

/** Tokens that are fetched or taken for one call, since those before were refused. */
const MOST_RENEWALS = 10;

/** Characters of a sentence that goes out: it may quote a name of the service, which may be of any length. */
const LONGEST_SENTENCE = 4_000;

/** The calls of one account: logged in, tried again, and without its secrets in any error. @throws ServiceError `invalidInput` for an account that cannot be used */
export function openCalls(account: Account, surroundings: Surroundings): Calls {
	const { clock = systemClock, signal, logger, tries } = surroundings;
	const tokens = tokensOf(clock);
	const key = loginKey(account);
	const transport = openTransport(account, surroundings);

	/** A login of its own retries: inside those of the call that needs it, four times four tries would be sixteen. */
	const logInAgain: LogIn = (stop) => {
		// Other runs may wait for the same login, so it is ended by its own signal and not by that of one run.
		const way = openTransport(account, { ...surroundings, signal: stop });
		return retrying(() => logIn(account, ({ path, headers }) => way({ method: 'GET', path, headers })), {
			clock,
			logger,
			tries,
			signal: stop,
		});
	};

	const used = new Set<string>();
	const remember = (token: string) => {
		used.add(token);
		const [oldest] = used;
		if (used.size > MOST_TOKENS && oldest !== undefined) used.delete(oldest);
	};

	const once = async <T>(
		call: Call,
		tokenOf: () => Promise<string>,
		read: (answer: HttpAnswer) => Promise<T>,
	): Promise<T> => {
		let token = '';
		const answer = await transport({
			...requestOf(call),
			token: async () => {
				token = await tokenOf();
				remember(token);
				return token;
			},
		});
		try {
			if (!isSuccess(answer)) throw responseError(answer, await readShortText(answer));
			const value = await read(answer);
			tokens.worked(key, token);
			return value;
		} catch (error) {
			throw answer.redirected ? sentToLogin(error) : error;
		} finally {
			// Does nothing to a body that was read to its end, and frees the connection of any other.
			answer.body.destroy();
		}
	};

	const send: Calls['send'] = async (call, read) => {
		throwIfCancelled(signal);
		let token = '';
		let next = () => tokens.current(key, logInAgain, signal);
		let isFresh = false;
		let refusal: unknown;
		const tokenOf = async () => (token = await next());
		for (let renewals = 0; ; renewals++) {
			try {
				return await retrying(() => named(call, () => once(call, tokenOf, read)), {
					...{ clock, signal, logger, tries },
				});
			} catch (error) {
				const kind = refusalKind(error);
				if (kind === undefined || error === refusal) throw error;
				if (isFresh) tokens.refusedAgain(key, token, kind);
				// One that others had fetched may have ended as well, until this call had its turn.
				if (isFresh || renewals === MOST_RENEWALS) throw error;
				refusal = error;
				const refused = token;
				const freshly: LogIn = (stop) => {
					isFresh = true;
					return logInAgain(stop);
				};
				next = async () => {
					const other = await tokens.renew({ key, refused, kind }, freshly, signal);
					if (other === refused) throw error;
					return other;
				};
			}
		}
	};

	return {
		send,
		masked: (sentence) => {
			const safe = beginningWithoutSecrets(sentence, LONGEST_SENTENCE, [
				...[...used].flatMap(tokenSecrets),
				...secretsOf(account),
			]);
			return sentence.length > LONGEST_SENTENCE ? `${safe}…` : safe;
		},
		json: (call, read) =>
			send(call, async (answer) => {
				const json = await readJson(answer, call);
				throwRefusalIn(json, answer);
				return read({ ...json, secrets: answer.secrets, headers: answer.headers });
			}),
	};
}

/** How a token was refused; undefined when the error is about something else. */
function refusalKind(error: unknown): RefusalKind | undefined {
	if (!isServiceError(error)) return undefined;
	const { code, login, message } = error;
	// Under HTTP 200, in words alone: whatever else came of the answer, it quotes them.
	const isTold = code === 'unexpectedResponse' && !login && tellsTokenEnded(message);
	if (!(error.tokenRefused || error.webPage || isTold)) return undefined;
	return error.httpStatus === 401 ? 'unauthorized' : 'forbidden';
}

/** A GET that ends at another page than the one asked for: services send there who has to log in again. */
function sentToLogin(error: unknown): unknown {
	const isOther =
		isServiceError(error) && ['unexpectedResponse', 'notFound', 'rejected'].includes(error.code);
	if (!isOther) return error;
	return changed(error, { tokenRefused: true });
}

/**
 * A refusal can come under HTTP 200, whatever data it has with it. Only `code` 200 with `status` OK is an answer
 * (interface, 2.5), or JSON that speaks of neither. Some services write SUCCESS for OK.
 */
function throwRefusalIn({ value }: Json, answer: HttpAnswer): void {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return;
	const { code, status, data } = value as { code?: unknown; status?: unknown; data?: unknown };
	const refused = refusedStatusIn(value) ?? refusedStatusIn(data);
	if (refused !== undefined) throw responseError({ ...answer, status: refused }, sentenceOf(value));
	const isFine = code === undefined || code === null || (typeof code !== 'object' && Number(code) === 200);
	const isOk = status === undefined || status === null || /^\s*(ok|success)\s*$/i.test(String(status));
	const trouble = troubleIn(value) ?? troubleIn(data);
	if (isFine && isOk && trouble === undefined) return;
	throw troubleAsSuccess(whatWasSaid(trouble || sentenceOf(value), answer.secrets));
}

/** The answer without its data: what is said in so many words stands beside them. */
function sentenceOf(value: object): string {
	const { data } = value as { data?: unknown };
	const inside = sentenceIn(value) === undefined ? sentenceIn(data) : undefined;
	return JSON.stringify({
		...value,
		...(inside !== undefined && { message: inside }),
		...{ data: undefined, links: undefined },
	});
}

function requestOf({ method, path, body, isWanted }: Call): HttpRequest {
	const headers = { accept: '*/*' };
	if (body === undefined) return { method, path, headers, isWanted };
	return {
		...{ method, path, isWanted },
		headers: { ...headers, 'content-type': 'application/json' },
		body: JSON.stringify(body),
	};
}
