import type { Readable } from 'node:stream';
import * as z from 'zod';
import { ServiceError } from '../errors';
import { asParty, PartyWithId, type Party } from '../model/party';
import { asRow, isSet, type SetResult, type SetRow } from '../model/set';
import { isUuid } from '../model/uuid';
import type { Account } from './account';
import { openCalls, type Calls, type JsonAnswer } from './calls';
import { sharedSignal } from '../cancel';
import { checked } from './check';
import { moreFollows, totalInHeaders } from './moreFollows';
import { Narrower } from './narrower';
import {
	pageAsker,
	type AskPage,
	type PageWanted,
	type PagingStyle,
	type Row,
	type SetFilters,
} from './page';
import { searchRows, type Paging } from './pages';
import { takePdf, type PdfFacts } from './pdf';
import { CONNECTIONS } from './pool';
import type { Surroundings } from './transport';

export type { Paging, PagingStyle, PdfFacts, SetFilters, Surroundings };

/** The client of one account. Every method throws {@link ../errors ServiceError} and nothing else. */
export interface Client {
	/** As the service sent them, odd ones too; an error where it says that they are a part. */
	counterparties(wanted?: PartiesWanted): Promise<Party[]>;
	customers(wanted?: PartiesWanted): Promise<Party[]>;
	/**
	 * Sets as the service sent them, odd ones too, in its order, each once, page by page. All that match (or the first
	 * `limit`), or an error: never a part called all. A consumer that stops reading stops the paging.
	 */
	searchSets(filters: SetFilters, paging: Paging): AsyncIterable<SetRow[]>;
	/**
	 * The same for who looks for sets by their ids: both ends of the list come first, and what is no set that could be
	 * found is left out.
	 */
	lookThroughSets(filters: SetFilters, paging: Paging): AsyncIterable<SetResult[]>;
	/** The pages of a search, one by one, for who goes through them in an order of his own. */
	setPages(filters: SetFilters, style: PagingStyle, wanted?: PageWanted): AskPage;
	/** What such a search is compared with, where its end may not be the end of the list, or it may leave a customer out. */
	narrower(filters: SetFilters, style: PagingStyle): Pick<Narrower, 'showMore' | 'customerLeftOut'>;
	/**
	 * One PDF: `%PDF-` is among its first bytes. `store` is handed a small one whole, in memory that is used again as soon as `store`
	 * has settled, and a larger one as a stream, which it must read to its end; it is called again, with a fresh stream,
	 * when a transfer was cut and is tried again. Its answer for the whole file is handed back.
	 */
	pdf<T>(
		setId: string,
		documentId: string,
		store: (file: Buffer | Readable) => Promise<T>,
	): Promise<PdfFacts & { stored: T }>;
	/** A sentence that goes out to people, such as an error or a hint, without the account's secrets. */
	masked(sentence: string): string;
}

interface PartiesWanted {
	/** Gives what there is where others get an error: for a list to choose from, beside which the rest can be typed. */
	partIsFine?: boolean;
}

/**
 * Pages that wait for a connection while all are taken: with none, a connection whose answer has come would rest until
 * that was looked at. Of more, nothing is gained.
 */
const AHEAD = 2;

const PARTIES = '/v3/common/counterparties';
const CUSTOMERS = '/v3/exchange/customers';

/**
 * Opens the client of an account. Nothing is sent before the first call. Connections and tokens are shared by all
 * clients of one account in the process.
 *
 * @throws ServiceError `invalidInput` when the base URL cannot be used
 */
export function openClient(account: Account, surroundings: Surroundings): Client {
	const calls = openCalls(account, { ...surroundings, signal: sharedSignal(surroundings.signal) });
	const { logger, connections = CONNECTIONS } = surroundings;
	const narrower = (filters: SetFilters, style: PagingStyle) =>
		new Narrower(filters, (others) => pageAsker(calls, others, style));
	const rows = (filters: SetFilters, paging: Paging) =>
		searchRows(pageAsker(calls, filters, paging.style, paging), {
			...paging,
			...{ width: connections + AHEAD, logger },
			narrower: narrower(filters, paging.style),
		});
	return {
		masked: calls.masked,
		counterparties: (wanted) => listParties(calls, PARTIES, wanted),
		customers: (wanted) => listParties(calls, CUSTOMERS, wanted),
		searchSets: (filters, paging) => mapped(rows(filters, paging), shownRows),
		lookThroughSets: (filters, paging) =>
			mapped(rows(filters, { ...paging, endsFirst: true }), (page) =>
				page.map(({ value }) => value).filter(isSet),
			),
		setPages: (filters, style, wanted) => pageAsker(calls, filters, style, wanted),
		narrower,
		pdf: async (setId, documentId, store) => {
			const path = `/v3/common/sets/${idInPath('set ID', setId)}/get-single-pdf/${idInPath('document ID', documentId)}`;
			const endless = new Set<string>();
			return await calls.send({ method: 'GET', path }, (answer) => takePdf(answer, store, endless));
		},
	};
}

async function* mapped<V, R>(pages: AsyncIterable<V>, map: (page: V) => R): AsyncGenerator<R> {
	for await (const page of pages) yield map(page);
}

/** @throws ServiceError `unexpectedResponse` for what cannot be shown as a set: leaving it out would give a part for all */
function shownRows(page: readonly Row[]): SetRow[] {
	return page.map(({ value }) => {
		const row = asRow(value);
		if (row) return row;
		throw new ServiceError('unexpectedResponse', 'The service sent something among the sets that is none.', {
			remedy: 'Try again. If it stays, tell the service: a field of "results" is no object.',
		});
	});
}

function listParties(
	calls: Calls,
	path: string,
	{ partIsFine = false }: PartiesWanted = {},
): Promise<Party[]> {
	return calls.json({ method: 'GET', path }, (json) => {
		const parties = partiesIn(json);
		const total = totalInHeaders(json.headers);
		if (partIsFine || (total <= parties.length && !moreFollows(json.headers))) return parties;
		throw partOfParties(parties.length, total);
	});
}

function partOfParties(count: number, total: number): ServiceError {
	const of = total > count ? `${count} of ${total}` : `the first ${count}`;
	return new ServiceError(
		'unexpectedResponse',
		`The service gives ${of} companies, and says that there are more.`,
		{
			remedy:
				'A part would look like all, so nothing is given. Tell the service: this list is to come whole. Meanwhile the ID of a company can be typed wherever one is chosen.',
		},
	);
}

const List = z.custom<unknown[]>(Array.isArray);

/** One odd party hides nothing; where all are odd, this is something else. The first fault is the error: there may be a million. */
function partiesIn({ value, secrets }: JsonAnswer): Party[] {
	const entries = checked(List, value, secrets);
	const isAny = entries.some((entry) => typeof asRow(entry)?.customerId === 'string');
	if (entries.length > 0 && !isAny) checked(PartyWithId, entries[0], secrets, [0]);
	return entries.map(asParty);
}

/** An id as it may stand in a URL. What is no id of the service is refused before anything is sent. */
function idInPath(name: string, id: string): string {
	const trimmed = id.trim();
	if (isUuid(trimmed)) return trimmed;
	throw new ServiceError(
		'invalidInput',
		`The ${name} is not an ID of the service: ${JSON.stringify(id.slice(0, 60))}.`,
		{
			remedy:
				'An ID looks like 11111111-1111-4111-8111-111111111111. If the ID came from the service, tell the service.',
		},
	);
}
