import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { isOwnHost } from '../process/ownHost';
import type { Journal } from './journal';
import { Refusal } from './refusal';
import type { Answer, Route } from './routes';
import type { TokenDesk } from './token';

interface ListenerParts {
	routes: Route[];
	tokens: TokenDesk;
	journal: Journal;
	latencyMs: number;
}

/** Answers every request: the route's answer with 200, or a refusal as `{ errorMessage }` with its status. */
export function createListener({ routes, tokens, journal, latencyMs }: ListenerParts): RequestListener {
	return async (request, response) => {
		const at = Date.now();
		const started = performance.now();
		const path = (request.url ?? '/').slice(0, 2000);
		const method = request.method ?? '';
		let name = 'other';
		let bytes = 0;
		journal.begun();
		response.once('close', () => {
			const ms = Math.round(performance.now() - started);
			journal.answered(name, {
				at,
				method,
				path: path.slice(0, 500),
				status: response.statusCode,
				bytes,
				ms,
			});
		});
		if (latencyMs > 0) await sleep(latencyMs);
		try {
			if (!isOwnHost(request.headers.host)) {
				throw new Refusal(403, 'The stand-in is reached as localhost or by its address only');
			}
			const url = urlOf(path);
			const route = routeOf(routes, method, url.pathname);
			name = route.name;
			if (!route.open && !tokens.isGood(request.headers)) {
				throw new Refusal(401, 'The token is missing, wrong or no longer valid');
			}
			bytes = send(response, 200, await answerOf(route, request, url));
		} catch (error) {
			const refusal = error instanceof Refusal ? error : new Refusal(500, 'The service failed');
			bytes = send(response, refusal.status, { errorMessage: refusal.message }, refusal.headers);
		}
	};
}

function urlOf(path: string): URL {
	if (!URL.canParse(path, 'http://service')) throw new Refusal(400, 'The address cannot be read');
	return new URL(path, 'http://service');
}

function routeOf(routes: Route[], method: string, path: string): Route {
	const here = routes.filter((route) => route.path.test(path));
	const route = here.find((one) => one.method === method);
	if (route) return route;
	if (here.length === 0) throw new Refusal(404, `There is nothing at ${path.slice(0, 200)}`);
	throw new Refusal(405, `${method} is not possible here`, {
		allow: here.map((one) => one.method).join(', '),
	});
}

function answerOf(route: Route, request: IncomingMessage, url: URL): Answer | Promise<Answer> {
	return route.answer(request, url, route.path.exec(url.pathname)?.slice(1) ?? []);
}

function send(
	response: ServerResponse,
	status: number,
	body: Answer,
	headers: Record<string, string> = {},
): number {
	const isPdf = Buffer.isBuffer(body);
	const bytes = isPdf ? body : Buffer.from(JSON.stringify(body));
	const contentType = isPdf ? 'application/pdf' : 'application/json;charset=UTF-8';
	response.writeHead(status, { 'content-type': contentType, 'content-length': bytes.length, ...headers });
	response.end(bytes);
	return bytes.length;
}
