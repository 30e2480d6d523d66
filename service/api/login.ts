import { createHash } from 'node:crypto';
import { changed, ServiceError } from '../errors';
import { bearerTokenIn } from '../model/bearerToken';
import { parsedJson } from '../model/parsedJson';
import type { Account } from './account';
import { isSuccess, readShortText, type HttpAnswer } from './answer';
import { checkBaseUrl } from './baseUrl';
import { named } from './callName';
import { refusedStatusIn, responseError } from './responseError';
import { isWebPage, whatWasSaid } from './said';

const LOGIN_PATH = '/v3/common/oauth2/token';

/** The part of an account that the token belongs to. */
export type Login = Pick<Account, 'baseUrl' | 'loginStyle' | 'username' | 'password'>;

/** What is sent to log in (interface, part 5). */
export interface LoginRequest {
	/** The whole address. */
	url: string;
	/** The path below the base URL. */
	path: string;
	/** One character per byte, as HTTP headers are written. */
	headers: Record<string, string>;
}

/** Sends a login; any HTTP status is an answer. No redirect to another origin may be followed. */
export type Send = (request: LoginRequest) => Promise<HttpAnswer>;

/**
 * Asks the token endpoint once (the service's interface, parts 4.1 and 5) and hands back the token.
 *
 * @throws ServiceError `invalidInput` for what cannot be sent, before anything is sent; `unauthorized` when refused;
 * `unexpectedResponse` when the answer holds no token; and whatever `send` throws
 */
export async function logIn(login: Login, send: Send): Promise<string> {
	const url = checkBaseUrl(login.baseUrl) + LOGIN_PATH;
	const headers = { accept: 'application/json', ...loginHeaders(login) };
	return await named({ method: 'GET', path: LOGIN_PATH }, async () => {
		const answer = await send({ url, path: LOGIN_PATH, headers });
		const text = await readShortText(answer).finally(() => answer.body.destroy());
		if (!isSuccess(answer)) throw refused(answer, text);
		const said = parsedJson(text);
		const token = bearerTokenIn(said);
		if (token !== undefined) return token;
		const status = refusedStatusIn(said);
		throw status === undefined
			? noToken(text, answer.secrets)
			: responseError({ ...answer, status }, text, true);
	});
}

/** A gateway has a page of its own for a service that is not there. */
function refused(answer: HttpAnswer, text: string): ServiceError {
	const error = responseError(answer, text, true);
	return answer.status === 404 ? changed(error, { webPage: isWebPage(text) }) : error;
}

function noToken(text: string, secrets: readonly string[]): ServiceError {
	// What is JSON may hold a token under another name or with a character that no header carries: not repeated.
	const said = /^\s*[{["]/.test(text) ? '' : whatWasSaid(text, secrets);
	const quoted = said === '' ? '' : ` It said: "${said}"`;
	return new ServiceError(
		'unexpectedResponse',
		`The answer holds no field "token" that can be used.${quoted}`,
		{
			remedy: 'Check the base URL in the credential: another service seems to answer there.',
			webPage: isWebPage(text),
		},
	);
}

/** The headers of the chosen style, as bytes of UTF-8 (the service's interface, part 5.3). */
function loginHeaders({ loginStyle, username, password }: Login): Record<string, string> {
	if (username === '') throw cannotBeSent('The user name in the credential is empty.', 'Type it.');
	return loginStyle === 'headers' ? namedHeaders(username, password) : basicHeader(username, password);
}

function basicHeader(username: string, password: string): Record<string, string> {
	if (username.includes(':')) {
		throw cannotBeSent(
			'A user name with a colon cannot be sent in the Basic style.',
			'Choose the login style "Headers" in the credential.',
		);
	}
	const base64 = Buffer.from(`${username}:${password}`, 'utf8').toString('base64');
	return { authorization: `Basic ${base64}` };
}

function namedHeaders(username: string, password: string): Record<string, string> {
	return { username: headerBytes('user name', username), password: headerBytes('password', password) };
}

/** HTTP drops spaces around a header's value and allows no control characters in it: the login would be another one. */
function headerBytes(field: string, value: string): string {
	if (/[\p{Cc}]/u.test(value) || value !== value.replace(/^[ \t]+|[ \t]+$/g, '')) {
		throw cannotBeSent(
			`A ${field} with a control character, or with a space at an end, cannot be sent in the Headers style.`,
			'Choose the login style "Basic" in the credential.',
		);
	}
	return Buffer.from(value, 'utf8').toString('latin1');
}

function cannotBeSent(message: string, remedy: string): ServiceError {
	return new ServiceError('invalidInput', message, { remedy });
}

/** What of a login must never be repeated, in the forms that no reader of {@link ./masking} sees through. */
export function secretsOf({ username, password }: Login): string[] {
	if (password === '') return [];
	const latin1 = Buffer.from(password, 'utf8').toString('latin1');
	const both = base64Of(Buffer.from(`${username}:${password}`, 'utf8'));
	// Some say it without the blanks at its ends.
	return [password, password.trim(), latin1, ...findable(both), ...codedForms(password)];
}

/** A token, and what it looks like to who has it in another code. */
export function tokenSecrets(token: string): string[] {
	return [token, ...codedForms(token)];
}

function codedForms(secret: string): string[] {
	const bytes = Buffer.from(secret, 'utf8');
	const forms = [
		...[bytes, Buffer.from(secret, 'latin1')].flatMap(base64Of),
		bytes.toString('hex'),
		[...secret].reverse().join(''),
	];
	return findable(forms);
}

/** Shorter ones would be found within ordinary words. */
function findable(forms: string[]): string[] {
	return [...new Set(forms)].filter((form) => form.length >= 8);
}

function base64Of(bytes: Buffer): string[] {
	return [bytes.toString('base64').replace(/=+$/, ''), bytes.toString('base64url')];
}

/** The name under which tokens of this login are kept: another password, user or address is another one. */
export function loginKey({ baseUrl, loginStyle, username, password }: Login): string {
	const parts = [checkBaseUrl(baseUrl), loginStyle, username, password];
	return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}
