import type { IncomingMessage } from 'node:http';
import type { ServiceData } from './data';
import { readJson } from './body';
import { Refusal } from './refusal';
import { createSearch, uuid, type SearchOptions } from './search';
import type { Shelf } from './shelf';
import type { TokenDesk } from './token';

/** A body to send: an object goes as JSON, bytes go as a PDF. */
export type Answer = object | Buffer;

export interface Route {
	name: string;
	method: 'GET' | 'POST';
	path: RegExp;
	open?: true;
	answer(request: IncomingMessage, url: URL, captured: string[]): Answer | Promise<Answer>;
}

interface RouteParts {
	data: ServiceData;
	tokens: TokenDesk;
	shelf: Shelf;
	search: SearchOptions;
	/** How long after a change of its set a PDF is not there yet, in milliseconds. */
	pdfReadyAfterMs: number;
	clock: () => number;
}

/** The five calls of the service's interface, section 4. Every route but the token's asks for a token. */
export function createRoutes({ data, tokens, shelf, search, pdfReadyAfterMs, clock }: RouteParts): Route[] {
	const find = createSearch(data, search);
	return [
		{
			name: 'token',
			method: 'GET',
			path: /^\/v3\/common\/oauth2\/token$/,
			open: true,
			answer(request) {
				const user = tokens.userOf(request.headers);
				if (!user) throw new Refusal(401, 'The user name or the password is wrong');
				return { token: tokens.issue(user) };
			},
		},
		{
			name: 'counterparties',
			method: 'GET',
			path: /^\/v3\/common\/counterparties$/,
			answer: () => data.counterparties,
		},
		{
			name: 'customers',
			method: 'GET',
			path: /^\/v3\/exchange\/customers$/,
			answer: () => data.customers,
		},
		{
			name: 'search',
			method: 'POST',
			path: /^\/v3\/common\/sets\/search$/,
			answer: async (request, url) => find(await readJson(request), url.searchParams),
		},
		{
			name: 'pdf',
			method: 'GET',
			path: /^\/v3\/common\/sets\/([^/]*)\/get-single-pdf\/([^/]*)$/,
			answer(_request, _url, [setId = '', documentId = '']) {
				if (!uuid.test(setId)) throw new Refusal(400, 'The id of the set must be a UUID');
				if (!uuid.test(documentId)) throw new Refusal(400, 'The id of the document must be a UUID');
				const set = data.find(setId);
				if (!set) throw new Refusal(404, `There is no set ${setId}`);
				const document = set.documents.find((one) => one.documentId === documentId.toLowerCase());
				if (!document) throw new Refusal(404, `Set ${setId} has no document ${documentId}`);
				const age = clock() - set.modifiedAt;
				if (age >= 0 && age < pdfReadyAfterMs) throw new Refusal(404, 'The PDF is not ready yet');
				return shelf(set, document);
			},
		},
	];
}
