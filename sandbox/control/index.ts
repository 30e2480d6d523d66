import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import type { Mail } from '../mail';
import { isOwnHost } from '../process/ownHost';
import type { Service, StatusEvent } from '../service';
import { callsOf } from './calls';
import { createEventLog } from './events';
import { fatesOf, type QueueLook } from './fate';
import { listFiles } from './folder';
import { hasKey, needKey, newKeys } from './keys';
import { createLive, type Source } from './live';
import { refuse } from './refuse';
import { addResultRoutes } from './resultRoutes';
import { addSetRoutes } from './setRoutes';
import { mailLineOf } from './views';

/** Where to go from the page. `signIn` is shown beside them: n8n asks for it once. */
interface ControlLinks {
	n8n?: string;
	workflow?: string;
	executions?: string;
	signIn?: { email: string; password: string };
}

interface ControlOptions {
	/** 0, a free one, unless told. */
	port?: number;
	/** 127.0.0.1 unless told. */
	host?: string;
	service: Service;
	mail: Mail;
	/** Where the workflow writes its files; it may come into being later. */
	outputFolder: string;
	publish: (event: StatusEvent) => Promise<void>;
	/** Looks at the queue; without it, the page does not say what became of an event. */
	lookAtQueue?: () => Promise<QueueLook>;
	/** The sender of the example's mails: they are told apart from those of workflows of one's own. */
	exampleSender?: string;
	links?: ControlLinks;
	/** How often the page is brought up to date, in milliseconds; a second unless told. */
	everyMs?: number;
}

export interface Control {
	url: string;
	/** The same with the key, for the person who started it: everybody on this machine can open the page, but it shows and does nothing without. */
	ownUrl: string;
	close(): Promise<void>;
}

const pageFolder = join(__dirname, 'page');
const pageFiles = [
	'index.html',
	'page.css',
	'page.js',
	'ask.js',
	'list.js',
	'detail.js',
	'results.js',
	'element.js',
];
const pageTypes: Record<string, string> = {
	'.html': 'text/html; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
};

/**
 * Starts the page on which a person plays the trade: moves sets, sees the event go to the queue, and watches what
 * n8n makes of it. Throws when the port is taken.
 */
export async function startControl(options: ControlOptions): Promise<Control> {
	const { port = 0, host = '127.0.0.1', service, mail, outputFolder, publish, links = {} } = options;
	const events = createEventLog(publish);
	// A broker that is away leaves the page as it is, without a word about the queue.
	const look = async () => (await options.lookAtQueue?.().catch(() => null)) ?? null;
	const live = createLive(
		[
			['sets', () => ({ version: service.data.version })],
			['events', async () => fatesOf(events.sent, await look())],
			...(options.lookAtQueue ? [['queue', look] as Source] : []),
			['calls', () => callsOf(service)],
			['files', () => listFiles(outputFolder)],
			['mails', () => mail.messages().map((message) => mailLineOf(message, options.exampleSender))],
		],
		options.everyMs ?? 1000,
	);
	const keys = newKeys();
	const app = fastify({
		bodyLimit: 10_000,
		forceCloseConnections: true,
		routerOptions: { maxParamLength: 1000 },
	});
	guard(app);
	addPage(app);
	const { signIn, ...open } = links;
	// Everything but the page itself, which is the same for everybody.
	app.register(async (api) => {
		needKey(api, keys);
		api.get('/api/links', (request) => ({
			...{ ...open, outputFolder },
			...(hasKey(request, keys) && { pass: keys.pass, signIn }),
		}));
		addSetRoutes(api, { service, events, live });
		addResultRoutes(api, { mail, events, live, outputFolder });
	});
	await app.listen({ port, host });
	const { port: taken } = app.server.address() as AddressInfo;
	// Not localhost: a browser tries ::1 first for that name, where any user of this machine may listen on the same port.
	const url = `http://${host}:${taken}/`;
	return {
		url,
		// Behind the #, which a browser sends nowhere.
		ownUrl: `${url}#key=${keys.key}`,
		async close() {
			live.close();
			await app.close();
		},
	};
}

/**
 * The page is for the person at this machine. Another web site open in the same browser could send requests here:
 * by its own name resolved to this address (hence the check of Host), or from its own pages (hence that of Origin).
 */
function guard(app: FastifyInstance): void {
	app.addHook('onRequest', async (request, reply) => {
		const { host, method, headers } = request;
		if (!isOwnHost(headers.host)) refuse(403, 'Open this page at the address that the terminal shows');
		if (method !== 'GET' && headers.origin !== undefined && headers.origin !== `http://${host}`) {
			refuse(403, 'This page takes orders from itself only');
		}
		// A link to this page is one's own way here; what another page loads, or puts into a frame, would hold its few live connections.
		const { 'sec-fetch-site': site = 'none', 'sec-fetch-dest': place } = headers;
		if (place !== 'document' && !['none', 'same-origin'].includes(String(site))) {
			refuse(403, 'This page is for itself only');
		}
		reply.headers({
			'x-content-type-options': 'nosniff',
			'referrer-policy': 'no-referrer',
			'cross-origin-resource-policy': 'same-origin',
		});
	});
}

function addPage(app: FastifyInstance): void {
	for (const name of pageFiles) {
		const path = name === 'index.html' ? '/' : `/${name}`;
		// Read at each request: a change of the page is there after a reload.
		app.get(path, (_request, reply) => {
			reply.type(pageTypes[extname(name)] ?? 'text/plain').header('cache-control', 'no-cache');
			reply.headers({
				'content-security-policy': "default-src 'self'; img-src 'self' data:; frame-ancestors 'none'",
				// A page of another site that has opened this one could send its window elsewhere, or count its frames.
				'cross-origin-opener-policy': 'same-origin',
			});
			return readFileSync(join(pageFolder, name));
		});
	}
}
