import { ServiceError } from '../errors';
import { saysNo, saysYes } from './yesOrNo';

/** Words that a service without trouble has for it. */
const NO_TROUBLE =
	/^\s*(|0{1,6}|200|false|none|no|null|n\/a|-|ok|success(ful(ly)?)?|no[ _-]?errors?( found)?)[\s.!]*$/i;

/** Fields by which services say that what they found is not all, when they are true. */
const OF_A_PART = /^((is_?)?(partial|timed_?out|incomplete)(_?results?)?|terminated_?early|has_?errors?)$/i;

/** Those that say so of a page which is not the last one as well, when they are true. */
const OF_A_CUT = /^((is_?|results?_?)?truncated(_?results?)?|exceeded_?transfer_?limit)$/i;

/** The same, when they are false. */
const OF_THE_END = /^(is_?)?complete(_?results?)?$/i;

/**
 * What fields tell that are there for errors, or for what was not found, beside the data or in them: what came may be a
 * part, or nothing of it. An empty text where they are filled in, and only the whole answer tells with what.
 */
export function troubleIn(value: unknown): string | undefined {
	const fields = fieldsOf(value);
	if (!fields) return undefined;
	const { success, error, errors, errorMessage, exception, failures } = fields;
	const places = [error, errors, errorMessage, exception, Array.isArray(failures) && failures];
	if (saysNo(success) || places.some(isTrouble)) return '';
	const failed = fieldsOf(fields._shards)?.failed;
	if (typeof failed === 'number' && failed > 0) return `_shards.failed: ${failed}`;
	return toldBy(fields, (name, told) => OF_A_PART.test(name) && saysYes(told));
}

/** What an answer tells by which it is no whole list, unless it is a page that others follow. */
export function cutIn(value: object): string | undefined {
	return toldBy(
		value as Record<string, unknown>,
		(name, told) => (OF_A_CUT.test(name) && saysYes(told)) || (OF_THE_END.test(name) && saysNo(told)),
	);
}

/** The error for that. @param said in the words of the service */
export function troubleAsSuccess(said: string): ServiceError {
	return new ServiceError(
		'unexpectedResponse',
		`The service answered with an error that came as a success. It said: "${said}"`,
		{ remedy: 'Try again later. If it stays, tell the service.' },
	);
}

/** A place for errors may be there with nothing in it: an object of empty fields, an entry of null. */
export function isTrouble(told: unknown): boolean {
	if (typeof told === 'string') return told.length > 50 || !NO_TROUBLE.test(told);
	if (typeof told === 'object' && told !== null) return Object.values(told).some(isTrouble);
	return told === true || (typeof told === 'number' && told !== 0 && told !== 200);
}

function toldBy(
	fields: Record<string, unknown>,
	tells: (name: string, told: unknown) => boolean,
): string | undefined {
	const field = Object.entries(fields).find(([name, told]) => !isCount(name, told) && tells(name, told));
	return field && `${field[0]}: ${String(field[1]).trim()}`;
}

/** How many sets are complete, or not yet: a service of documents may count them. */
function isCount(name: string, told: unknown): boolean {
	return typeof told === 'number' && /^(in)?complete$/i.test(name);
}

function fieldsOf(value: unknown): Record<string, unknown> | undefined {
	const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
	return isObject ? (value as Record<string, unknown>) : undefined;
}
