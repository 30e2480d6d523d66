import { isServiceError, ServiceError } from '../errors';
import { SearchAnswer } from '../model/searchAnswer';
import type { SetResult } from '../model/set';
import type { Calls } from './calls';
import type { PagingStyle, SetFilters } from './client';

const PATH = '/v3/common/sets/search';

/** One page of a search. */
export interface Page {
	/** How many sets come before this page. */
	offset: number;
	/** How many sets match in all, as this answer says. */
	total: number;
	sets: SetResult[];
}

/** Asks for a page: so many sets at most, after so many others. */
export type AskPage = (offset: number, limit: number) => Promise<Page>;

type SentStyle = Exclude<PagingStyle, 'auto'>;

/**
 * Asks for pages in a way the service obeys. Where offset and limit go is not part of the interface (4.4); its answers
 * tell whether they were read. `auto` sends them on the URL, and in the body once the service turns out to ignore or to
 * refuse them there: the second page decides, so it is asked for alone.
 *
 * @returns a function that throws ServiceError `unexpectedResponse` when the service answers with another page
 */
export function pageAsker(calls: Calls, filters: SetFilters, style: PagingStyle): AskPage {
	let sent: SentStyle = style === 'body' ? 'body' : 'query';
	let settled = style !== 'auto';

	/** The page, or the service's word that it does not take the parameters there. */
	const tried = async (where: SentStyle, offset: number, limit: number): Promise<Page | ServiceError> => {
		try {
			const { data } = await calls.json(searchCall(filters, where, offset, limit), SearchAnswer);
			return { offset: data.offset, total: data.total, sets: data.results };
		} catch (error) {
			if (isServiceError(error) && error.httpStatus === 400) return error;
			throw error;
		}
	};

	return async (offset, limit) => {
		const answer = await tried(sent, offset, limit);
		if (isPageAt(answer, offset)) {
			// The first page comes whether or not its offset was read: it proves nothing.
			settled ||= offset > 0;
			return answer;
		}
		if (!settled) {
			const inBody = await tried('body', offset, limit);
			if (isPageAt(inBody, offset)) {
				sent = 'body';
				settled = true;
				return inBody;
			}
		}
		throw answer instanceof ServiceError ? answer : anotherPage(answer, offset, style);
	};
}

function isPageAt(answer: Page | ServiceError, offset: number): answer is Page {
	return !(answer instanceof ServiceError) && answer.offset === offset;
}

function searchCall(filters: SetFilters, style: SentStyle, offset: number, limit: number) {
	const body = bodyOf(filters);
	return style === 'query'
		? { method: 'POST' as const, path: `${PATH}?limit=${limit}&offset=${offset}`, body }
		: { method: 'POST' as const, path: PATH, body: { ...body, limit, offset } };
}

/** The search body (the service's interface, section 2.4): nothing is sent that was not chosen. */
export function bodyOf({ otherFilters, ...named }: SetFilters): Record<string, unknown> {
	const chosen = Object.entries(named).filter(([, value]) => value !== undefined && value.length > 0);
	return { ...otherFilters, ...Object.fromEntries(chosen) };
}

const WHERE: Record<PagingStyle, string> = {
	auto: 'neither on the URL nor in the body',
	query: 'not on the URL',
	body: 'not in the body',
};

function anotherPage(page: Page, offset: number, style: PagingStyle): ServiceError {
	const remedy =
		style === 'auto'
			? `Choose filters that match at most ${page.sets.length} sets, or ask the service how its searches are paged.`
			: 'Choose the paging "Automatic" in the options, or the other of the two ways.';
	return new ServiceError(
		'unexpectedResponse',
		`POST ${PATH}: asked for the sets from number ${offset + 1} on, the service sent those from number ${page.offset + 1} on: it reads the page ${WHERE[style]}.`,
		{ remedy },
	);
}
