import { createServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { makeData, type ServiceData } from './data';
import { createJournal, type Counters, type RequestRecord } from './journal';
import { createListener } from './listener';
import type { ParcelDocument, ParcelSet } from './parcel';
import { createRoutes } from './routes';
import type { SearchOptions } from './search';
import { createShelf } from './shelf';
import { createTokenDesk, type User } from './token';

export { makeData, type ServiceData } from './data';
export { draftSet, isStepName, move, nextStep, steps, type StatusEvent, type Step } from './life';
export type { ParcelDocument, ParcelSet } from './parcel';
export { renderPdf } from './pdf';
export { resultOf } from './search';

export interface ServiceOptions {
	/** 0, a free one, unless told. */
	port?: number;
	/** 127.0.0.1 unless told. */
	host?: string;
	/** PEM texts; the service then speaks HTTPS. */
	tls?: { key: string; cert: string };
	/** A pause before every answer, in milliseconds. */
	latencyMs?: number;
	users?: User[];
	/** An hour unless told. */
	tokenLifetimeSeconds?: number;
	opaqueTokens?: boolean;
	/** Where `limit` and `offset` are read from; the URL unless told. */
	pagingStyle?: SearchOptions['pagingStyle'];
	/** The page size when none is asked for, and the largest; 100 and 100 unless told. */
	pageDefault?: number;
	pageMax?: number;
	/** `narrow`: documents are listed only when the search names a shipment. */
	documentsInSearch?: SearchOptions['documents'];
	/** `part`: a search for a shipment also finds those whose reference holds what was asked for. */
	references?: SearchOptions['references'];
	/** How long after a change of its set a PDF answers 404, in milliseconds. */
	pdfReadyAfterMs?: number;
	/** Least size of a PDF, in bytes, for measuring. */
	pdfBytes?: number;
	/** Makes the PDFs in place of the stand-in, for measuring: drawing one takes milliseconds. */
	makePdf?: (set: ParcelSet, document: ParcelDocument) => Promise<Buffer>;
	data?: ServiceData;
	/** Milliseconds since 1970. */
	clock?: () => number;
}

export interface Service {
	baseUrl: string;
	data: ServiceData;
	counters: Counters;
	/** The newest 1,000 calls, newest last. */
	requests: RequestRecord[];
	/** The bytes that the service sends for a document. */
	pdf(set: ParcelSet, document: ParcelDocument): Promise<Buffer>;
	/** Refuses every token given so far. */
	forgetTokens(): void;
	close(): Promise<void>;
}

/** The user of a service that is told no other. Its password holds what careless code breaks on. */
export const defaultUser: User = { username: 'documentation.desk', password: 'Quay 7: Göteborg' };

/**
 * Starts the stand-in of the service, written from the service's interface document alone.
 * Throws when the port is taken.
 */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
	const { port = 0, host = '127.0.0.1', tls, data = makeData(), clock = Date.now } = options;
	const tokens = createTokenDesk({
		users: options.users ?? [defaultUser],
		lifetimeSeconds: options.tokenLifetimeSeconds ?? 3600,
		opaque: options.opaqueTokens ?? false,
		clock,
	});
	const shelf = options.makePdf ?? createShelf(options.pdfBytes ?? 0);
	const { pagingStyle = 'url', pageMax = 100, pageDefault = Math.min(100, pageMax) } = options;
	const search = {
		pagingStyle,
		pageDefault,
		pageMax,
		documents: options.documentsInSearch ?? 'always',
		references: options.references ?? 'whole',
	} as const;
	const routes = createRoutes({
		data,
		tokens,
		shelf,
		search,
		pdfReadyAfterMs: options.pdfReadyAfterMs ?? 0,
		clock,
	});
	const journal = createJournal();
	const listener = createListener({ routes, tokens, journal, latencyMs: options.latencyMs ?? 0 });
	const server = tls ? createTlsServer(tls, listener) : createServer(listener);
	server.requestTimeout = 30_000;
	server.on('connection', (socket) => {
		journal.connected();
		socket.once('close', () => journal.disconnected());
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, host, resolve);
	});
	const address = server.address() as AddressInfo;
	return {
		baseUrl: `${tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
		data,
		counters: journal.counters,
		requests: journal.records,
		pdf: shelf,
		forgetTokens: () => tokens.forget(),
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}
