import type { IncomingHttpHeaders } from 'node:http';
import { saysNo, saysYes } from './yesOrNo';

/** Fields by which services say that a list goes on, when they are true. */
const GOES_ON = /^(has_?(more|next)(_?(pages?|results?))?|more(_?results)?)$/i;

/** Those that lead to what follows, when anything stands in them. */
const LEADS_ON = /^next(_?(page|offset|cursor|link|url|(page_?)?token))?$/i;

/** Those that say whether this is the end, when they are false. */
const IS_LAST = /^(is_?)?(last(_?page)?|done)$/i;

/**
 * Whether an answer says that more follows what it holds. The interface pages by position and total alone (2.5); services
 * that page in another way as well say it in a header, among the links, or in a field beside the rows.
 *
 * @param objects those of the answer that speak of the list
 */
export function moreFollows(headers: IncomingHttpHeaders, ...objects: readonly object[]): boolean {
	if (each(headers.link).some(linksOn)) return true;
	return objects.some((object) => leadsOn(object) || linksHaveNext((object as { links?: unknown }).links));
}

/** How many entries there are in all, as the headers of an answer say, the most of what they say; 0 when they do not. */
export function totalInHeaders(headers: IncomingHttpHeaders): number {
	const named = [headers['x-total-count'], headers['x-total'], headers['total-count']].flatMap(each);
	const ranges = each(headers['content-range']).map(
		(range) => /^[\w-]+\s+\d{1,9}-\d{1,9}\/(\d{1,9})$/.exec(range)?.[1] ?? '',
	);
	return Math.max(0, ...[...named, ...ranges].filter((text) => /^\d{1,9}$/.test(text)).map(Number));
}

/** A gateway may add one of its own. */
function each(header: string | string[] | undefined): string[] {
	return String(header ?? '')
		.split(',')
		.map((text) => text.trim());
}

function leadsOn(object: object): boolean {
	return Object.entries(object).some(([name, value]) => {
		if (GOES_ON.test(name)) return saysYes(value);
		// A number is that of the last page.
		if (IS_LAST.test(name)) return typeof value !== 'number' && saysNo(value);
		return LEADS_ON.test(name) && isThere(value);
	});
}

const isThere = (value: unknown) =>
	(typeof value === 'string' && value.trim() !== '') || (typeof value === 'number' && value > 0);

/** `Link: <…>; rel="next"` (RFC 8288). */
function linksOn(header: string): boolean {
	return header.split(';').some((part) => {
		const [name, value = ''] = part.split('=') as [string, string?];
		return name.trim().toLowerCase() === 'rel' && isNext(value.replaceAll('"', ''));
	});
}

const isNext = (relation: unknown) => typeof relation === 'string' && /(^|\s)next(\s|$)/i.test(relation);

/** A list of links with a relation each, or an object of them by relation. */
function linksHaveNext(links: unknown): boolean {
	if (typeof links !== 'object' || links === null) return false;
	if (!Array.isArray(links)) return leadsTo((links as { next?: unknown }).next);
	return links.some((link: unknown) => {
		const { rel, relation } = (link ?? {}) as Record<string, unknown>;
		return (isNext(rel) || isNext(relation)) && leadsTo(link);
	});
}

function leadsTo(link: unknown): boolean {
	if (typeof link !== 'object' || link === null) return isThere(link);
	const { href, url, uri, link: inside } = link as Record<string, unknown>;
	return [href, url, uri, inside].some(isThere);
}

/** Names under which services say how many entries there are, where the interface has `total` (2.5). */
const OTHER_NAMES =
	/^(total_?(count|elements?|results?|hits|items|records|rows|sets|entries|matches|found)|num_?found|(results?|items|sets|hits)_?total)$/i;

/** What is said of pages may stand in an object of its own. */
const PLACES = ['meta', 'metadata', 'page', 'paging', 'pagination'];

/**
 * The largest number of entries that objects of an answer name in other places than the interface's `total`; 0 where they
 * name none. It may count what the filters leave out, so it makes no list a part: it is a reason to look behind its end.
 */
export function otherTotalIn(...objects: readonly object[]): number {
	const inside = objects.flatMap((object) =>
		PLACES.map((place) => (object as Record<string, unknown>)[place]).filter(
			(value): value is object => typeof value === 'object' && value !== null && !Array.isArray(value),
		),
	);
	return [
		...objects.flatMap((object) => numbersIn(object, OTHER_NAMES)),
		...inside.flatMap((object) => [...numbersIn(object, OTHER_NAMES), ...numbersIn(object, /^total$/i)]),
	].reduce((most, number) => Math.max(most, number), 0);
}

function numbersIn(object: object, names: RegExp): number[] {
	return Object.entries(object)
		.filter(([name, value]) => names.test(name) && /^\d{1,9}$/.test(shown(value)))
		.map(([, value]) => Number(value));
}

const shown = (value: unknown) => (typeof value === 'object' ? '' : String(value));
