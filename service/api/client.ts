import type { Readable } from 'node:stream';
import { z } from 'zod';
import { ServiceError } from '../errors';
import { Counterparty, Customer } from '../model/party';
import type { SetResult } from '../model/set';
import { isUuid } from '../model/uuid';
import type { Account } from './account';
import { openCalls } from './calls';
import { sharedSignal } from './cancel';
import { pageAsker, type PagingStyle, type SetFilters } from './page';
import { scanSets, type Paging } from './pages';
import { takePdf, type PdfFacts } from './pdf';
import { CONNECTIONS } from './pool';
import type { Surroundings } from './transport';

export type { Paging, PagingStyle, PdfFacts, SetFilters, Surroundings };

/** The client of one account. Every method throws {@link ../errors ServiceError} and nothing else. */
export interface Client {
	counterparties(): Promise<Counterparty[]>;
	customers(): Promise<Customer[]>;
	/**
	 * Sets in the service's order, each once, page by page. All that match (or the first `limit`), or an error: never a
	 * part called all. A consumer that stops reading stops the paging.
	 */
	searchSets(filters: SetFilters, paging: Paging): AsyncIterable<SetResult[]>;
	/**
	 * One PDF, its first bytes `%PDF-`. `store` is handed a small one whole, in memory that is used again as soon as `store`
	 * has settled, and a larger one as a stream, which it must read to its end; it is called again, with a fresh stream,
	 * when a transfer was cut and is tried again. Its answer for the whole file is handed back.
	 */
	pdf<T>(
		setId: string,
		documentId: string,
		store: (file: Buffer | Readable) => Promise<T>,
	): Promise<PdfFacts & { stored: T }>;
}

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
	return {
		counterparties: () => calls.json({ method: 'GET', path: PARTIES }, z.array(Counterparty)),
		customers: () => calls.json({ method: 'GET', path: CUSTOMERS }, z.array(Customer)),
		searchSets: (filters, paging) =>
			scanSets(pageAsker(calls, filters, paging.style), { ...paging, width: connections, logger }),
		pdf: async (setId, documentId, store) => {
			const path = `/v3/common/sets/${idInPath('set ID', setId)}/get-single-pdf/${idInPath('document ID', documentId)}`;
			return await calls.send({ method: 'GET', path }, (answer) => takePdf(answer, store));
		},
	};
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
