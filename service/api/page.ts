import { createHash } from 'node:crypto';
import { isServiceError, ServiceError } from '../errors';
import { SearchAnswer } from '../model/searchAnswer';
import { idKey, isSet, SetResult } from '../model/set';
import { MOST_JSON_BYTES } from './answer';
import type { Call, Calls, JsonAnswer } from './calls';
import { checked } from './check';
import { moreFollows, otherTotalIn, totalInHeaders } from './moreFollows';
import { sentenceIn, whatWasSaid } from './said';
import { cutIn, isTrouble, troubleAsSuccess } from './trouble';

/** Filters of a set search (interface, 2.4) as sent: an absent or empty field is not sent. */
export interface SetFilters {
	status?: string;
	instance?: string;
	customerIds?: string[];
	shipmentRef?: string;
	/** Fields the interface does not show; the named ones win. */
	otherFilters?: Record<string, unknown>;
}

/** How offset and limit are asked for: the interface does not show it (4.4). `auto`: on the URL, then in the body, else a clear error. */
export type PagingStyle = 'auto' | 'query' | 'body';

const PATH = '/v3/common/sets/search';

/**
 * Rows of one answer. Those of the interface's size are no more in the largest answer that is read; of nearly empty ones
 * there could be half a million, and each is looked at.
 */
const MOST_ROWS = 50_000;

/**
 * The largest page of many rows, in bytes, that is read: several come side by side before anybody knows how large rows are
 * from there on. Of few rows, one may be as large as an answer can be.
 */
export const LARGEST_PAGE_BYTES = 8 * 1024 * 1024;

/** A page that is larger is asked for again in so many times fewer rows. */
const SMALLER = 4;

/**
 * What a document holds as XML, beside its PDF (interface, 2.5): below `data`, `results`, its set and its list. Where else
 * something is called so, it is shown.
 */
const XML = { name: 'xmlContent', list: 'documents', levels: 6 };

/** Before it is asked for alone: a row more or less, and pages can meet. */
const FEW = 3;

/** Warnings that are repeated. */
const MOST_WARNINGS = 3;

/** One row of a page. */
export interface Row {
	/** What tells rows apart: the id; of a row without one, all that it holds. */
	key: string;
	/** As it came. */
	value: unknown;
}

/** One page of a search. */
export interface Page {
	/** How many rows come before this page. */
	offset: number;
	/** How many sets match in all, as this answer says. */
	total: number;
	rows: Row[];
	/** Whether it holds as many rows as such a page can, by what was asked for and what the service says. */
	full: boolean;
	/** Whether it says that more follows. */
	more?: boolean;
	/** How many match in all, as it says beside its total. */
	otherTotal?: number;
	/** What it warns of. */
	warning?: string;
	/** Of its text. */
	bytes: number;
	/** More rows than were asked for in the end are too large for an answer: what follows is asked for by itself. */
	isCut?: boolean;
}

/**
 * Asks for a page: so many rows at most, after so many others. An error that is handed back says that there is no such page.
 * What is not wanted any more once a connection is free for it is `cancelled`, and the service is not asked.
 */
export type AskPage = (
	offset: number,
	limit: number,
	isWanted?: Call['isWanted'],
) => Promise<Page | ServiceError>;

/** What is kept of each row. */
export interface PageWanted {
	/** All but what documents hold as XML, for who does not show it: of many sets it may be too much. */
	withoutXml?: boolean;
}

/** One page, as it was asked for. */
type Asked = Parameters<AskPage>;

/** Where offset and limit are sent: in one place, in `both`, or `nowhere`, which asks for what the service gives without them. */
type SentStyle = Exclude<PagingStyle, 'auto'> | 'both' | 'nowhere';

/** A page, with where it starts in the service's own words. */
type Answered = Page & { saidOffset: number };

/**
 * Asks for pages in a way the service obeys. Where offset and limit go is not part of the interface (4.4); its answers
 * tell whether they were read. `auto` sends them on the URL, and in the body once the service turns out to ignore or to
 * refuse them there: the second page decides, so it is asked for alone. A service that refuses them in both places is
 * asked without them, which is enough when all that matches fits into one page.
 *
 * The error for a page that is not there is the service's refusal, or `unexpectedResponse` when it sends another page.
 */
export function pageAsker(
	calls: Pick<Calls, 'json'>,
	filters: SetFilters,
	style: PagingStyle,
	{ withoutXml = false }: PageWanted = {},
): AskPage {
	let sent: SentStyle = style === 'body' ? 'body' : 'query';
	let settled = style !== 'auto';
	/** Where the service begins to count: its first page says. */
	let base = 0;
	let firstKeys: readonly string[] = [];
	/** What the service said against the parameters on the URL. */
	let refusal: ServiceError | undefined;
	/** As many rows as an answer can hold, as far as is known. */
	let most = Infinity;

	/** The page; in as many rows as an answer can hold. */
	const fitting = async (where: SentStyle, ...[offset, limit, isWanted]: Asked): Promise<Answered> => {
		for (let asked = Math.min(limit, most); ; asked = most) {
			try {
				const call = searchCall(filters, where, offset, asked);
				// Who does not read the limit gives all at once, however few rows are asked for. The first page comes alone, and may
				// be all there is, of a service that has no other one.
				const isAlone = asked <= FEW || where === 'nowhere' || (offset === 0 && asked === limit);
				const mostBytes = isAlone ? undefined : LARGEST_PAGE_BYTES;
				const wanted = { isWanted, mostBytes, leftOut: withoutXml ? XML : undefined };
				let came = 0;
				const answer = await calls.json({ ...call, ...wanted }, (json) => {
					({ came } = json);
					return answered(json, offset, asked);
				});
				// A few large sets among small ones do not make all pages after them small.
				const isSmall = answer.bytes * 2 < LARGEST_PAGE_BYTES && came * 2 < MOST_JSON_BYTES;
				if (asked === most && isSmall) most *= 2;
				return asked < limit ? { ...answer, isCut: true } : answer;
			} catch (error) {
				if (!isServiceError(error) || !error.tooLarge || where === 'nowhere') throw error;
				if (asked === 1) throw setTooLarge(offset, error);
				most = Math.max(asked > FEW ? FEW : 1, Math.floor(asked / SMALLER));
			}
		}
	};

	/** The page, or the service's word that it does not take the parameters there. */
	const tried = async (where: SentStyle, ...asked: Asked): Promise<Answered | ServiceError> => {
		try {
			return await fitting(where, ...asked);
		} catch (error) {
			if (isServiceError(error) && refusesPage(error, asked[0])) return error;
			throw error;
		}
	};

	/** The same; in the body, where the URL may not be read: who reads no limit gives all at once, however few rows are asked for. */
	const triedFirst = async (...asked: Asked): Promise<Answered | ServiceError> => {
		const [offset, limit] = asked;
		try {
			return await tried(sent, ...asked);
		} catch (error) {
			const isOpen = !settled && sent === 'query' && offset === 0;
			if (!isOpen || !isServiceError(error) || !error.tooLarge) throw error;
			most = Infinity;
			const inBody = await tried('body', ...asked);
			if (!isPage(inBody, offset, limit)) throw error;
			sent = 'body';
			return inBody;
		}
	};

	/** True for the page that was asked for, as far as the answer tells. */
	const isPage = (answer: Answered | ServiceError, offset: number, limit: number): answer is Answered => {
		if (answer instanceof ServiceError) return false;
		if (offset === 0) return answer.saidOffset <= 1 || answer.rows.length >= answer.total;
		const known = new Set(firstKeys);
		const { rows } = answer;
		// The beginning of the list, once more, has as many rows as it can.
		const isWhole = rows.length >= Math.min(limit, firstKeys.length);
		// Asked for from a row of the first page on, a list that ends there gives some rows of that page, and not the first.
		const hasFirst = rows.some(({ key }) => key === firstKeys[0]);
		const onlyKnown = isWhole && hasFirst && rows.every(({ key }) => known.has(key));
		const here = answer.saidOffset === offset || answer.saidOffset === offset + base;
		return here && (settled || !onlyKnown);
	};

	/** True for the beginning of the list in place of another page, and for more rows than were asked for: neither was read. */
	const isAnew = ({ rows }: Page, offset: number, limit: number): boolean =>
		offset > 0 && rows.length > limit && rows[0]!.key === firstKeys[0];

	const taken = (answer: Answered, offset: number, where: SentStyle): Page => {
		sent = where;
		if (offset === 0) {
			base = answer.saidOffset === 1 ? 1 : 0;
			firstKeys = answer.rows.map(({ key }) => key);
		}
		// The first page comes whether or not its offset was read, and so does an empty one: they prove nothing.
		settled ||= offset > 0 && answer.rows.length > 0;
		return answer;
	};

	return async (...asked) => {
		const [offset, limit] = asked;
		let answer = await triedFirst(...asked);
		if (sent === 'both' && !settled && answer instanceof ServiceError) {
			sent = 'query';
			answer = await tried(sent, ...asked);
		}
		if (isPage(answer, offset, limit)) {
			const page = taken(answer, offset, sent);
			// The list is given whole, as it seems: the proof of it, which is as large, is asked for once and not twice.
			if (!settled && page.rows.length > limit) sent = 'both';
			return page;
		}
		// Neither place is obeyed.
		if (sent === 'both' && !(answer instanceof ServiceError)) return anotherPage(answer, offset, style);
		if (!settled) {
			if (answer instanceof ServiceError) refusal ??= answer;
			const inBody = await tried('body', ...asked);
			if (isPage(inBody, offset, limit) && !isAnew(inBody, offset, limit))
				return taken(inBody, offset, 'body');
			const plain = offset === 0 ? await tried('nowhere', ...asked) : undefined;
			const isAll = plain && !(plain instanceof ServiceError) && plain.rows.length >= plain.total;
			if (isAll) return taken(plain, offset, 'nowhere');
		}
		if (answer instanceof ServiceError) return answer;
		return refusal ?? anotherPage(answer, offset, style);
	};
}

/** Whether a refusal may be about offset and limit: 400 and 422 speak of parameters, 204, 404 and 416 of a page beyond the end. */
export function refusesPage({ httpStatus = 0 }: ServiceError, offset: number): boolean {
	return [400, 422].includes(httpStatus) || (offset > 0 && [204, 404, 416].includes(httpStatus));
}

/** Whether a refusal says that the list has no such page, and so has ended before it. */
export function isBehindEnd({ code, httpStatus }: ServiceError): boolean {
	return code === 'notFound' || httpStatus === 416;
}

/** @throws ServiceError `unexpectedResponse` that names the field */
function answered({ value, bytes, secrets, headers }: JsonAnswer, offset: number, limit: number): Answered {
	const envelope = checked(SearchAnswer, value, secrets);
	const { data } = envelope;
	const { offset: saidOffset, count } = data;
	const results = data.results ?? [];
	if (results.length > MOST_ROWS) throw tooManyRows();
	// A page that counts more rows than it holds keeps some back: they are due like those of the total.
	const isShort = typeof count === 'number' && Number.isSafeInteger(count) && count > results.length;
	const total = Math.max(data.total, isShort ? count : 0, totalInHeaders(headers));
	const more = moreFollows(headers, envelope, data);
	const otherTotal = otherTotalIn(envelope, data);
	const end = offset + results.length;
	// Of a page that others follow it says no more than that.
	const cut = cutIn(envelope) ?? cutIn(data);
	if (cut !== undefined && end >= total) throw troubleAsSuccess(whatWasSaid(cut, secrets));
	// One odd row hides nothing; where all are odd, this is something else.
	if (results.length > 0 && !results.some(isSet))
		checked(SetResult, results[0], secrets, ['data', 'results', 0]);
	const rows = rowsOf(results);
	// A service may give smaller pages than asked for, and says so.
	const most = typeof data.limit === 'number' && data.limit > 0 ? Math.min(limit, data.limit) : limit;
	const full = rows.length >= most || more || otherTotal > end;
	const warning = warningIn(envelope, secrets) ?? warningIn(data, secrets);
	return { offset, total, rows, bytes, full, more, otherTotal, warning, saidOffset: saidOffset ?? offset };
}

/** In one line. */
function warningIn(object: object, secrets: readonly string[]): string | undefined {
	const { warnings, warning = warnings } = object as { warnings?: unknown; warning?: unknown };
	if (!isTrouble(warning)) return undefined;
	const told: unknown[] = Array.isArray(warning)
		? warning.filter(isTrouble).slice(0, MOST_WARNINGS)
		: [warning];
	const texts = told.map((each) =>
		typeof each === 'string' ? each : (sentenceIn(each) ?? JSON.stringify(each)),
	);
	return whatWasSaid(texts.join('; '), secrets);
}

/**
 * Each row with what tells it apart. A set that stands in a page twice, with different contents, is two rows: one of
 * them may hold papers that the other does not.
 */
function rowsOf(results: readonly unknown[]): Row[] {
	const rows = results.map((value) => ({
		key: isSet(value) ? idKey(value.setId) : contentKey(value),
		value,
	}));
	const first = new Map<string, Row>();
	const differing = new Set<string>();
	/** Each made once: the first row of many may be as large as an answer can be. */
	const contents = new Map<Row, string>();
	const contentOf = (row: Row) => {
		const content = contents.get(row) ?? contentKey(row.value);
		contents.set(row, content);
		return content;
	};
	for (const row of rows) {
		const other = first.get(row.key);
		if (!other) first.set(row.key, row);
		else if (contentOf(other) !== contentOf(row)) differing.add(row.key);
	}
	return rows.map((row) => (differing.has(row.key) ? { ...row, key: `${row.key} ${contentOf(row)}` } : row));
}

function contentKey(row: unknown): string {
	return `row ${createHash('sha256').update(JSON.stringify(row)).digest('base64')}`;
}

function searchCall(filters: SetFilters, style: SentStyle, offset: number, limit: number) {
	const body = bodyOf(filters);
	const method = 'POST' as const;
	const isOnUrl = style === 'query' || style === 'both';
	const isInBody = style === 'body' || style === 'both';
	return {
		method,
		path: isOnUrl ? `${PATH}?limit=${limit}&offset=${offset}` : PATH,
		body: isInBody ? { ...body, limit, offset } : body,
	};
}

/** The search body (the service's interface, section 2.4): nothing is sent that was not chosen. */
export function bodyOf({ otherFilters, ...named }: SetFilters): Record<string, unknown> {
	const chosen = Object.entries(named).filter(([, value]) => value !== undefined && value.length > 0);
	return { ...otherFilters, ...Object.fromEntries(chosen) };
}

function tooManyRows(): ServiceError {
	const most = MOST_ROWS.toLocaleString('en');
	return new ServiceError('unexpectedResponse', `The answer holds more than ${most} rows.`, {
		remedy:
			'Choose filters that match fewer sets, and tell the service that it sends more than it was asked for.',
	});
}

function setTooLarge(offset: number, { call }: ServiceError): ServiceError {
	return new ServiceError(
		'unexpectedResponse',
		`Set number ${offset + 1} of the list alone is too large to read.`,
		{
			remedy: 'Choose filters that leave it out, and tell the service.',
			call,
			tooLarge: true,
		},
	);
}

const WHERE: Record<PagingStyle, string> = {
	auto: 'neither in the address nor in the body',
	query: 'in the address',
	body: 'in the body',
};

function anotherPage(page: Answered, offset: number, style: PagingStyle): ServiceError {
	const remedy =
		style === 'auto'
			? `Choose filters that match at most ${page.rows.length} sets, or ask the service how its searches are paged.`
			: 'Put Paging in the options on Automatic, or on the other of the two ways.';
	const wrong =
		page.saidOffset === offset
			? 'only sets it had sent before'
			: `those from number ${page.saidOffset + 1} on`;
	return new ServiceError(
		'unexpectedResponse',
		`Asked for the sets from number ${offset + 1} on, the service sent ${wrong}: it does not go by the page asked for, ${WHERE[style]}.`,
		{ remedy, call: `POST ${PATH}` },
	);
}
