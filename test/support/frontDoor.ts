import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Service } from '../../sandbox/service';

/** What goes out instead of the service's answer; a text or an object is a body with status 200. */
type Instead = { status?: number; headers?: Record<string, string>; body: string | Buffer | object };

/** Looks at a call; undefined lets it through to the service. */
export type Doorkeeper = (call: { method: string; path: string; times: number }) => Instead | undefined;

export interface FrontDoor {
	baseUrl: string;
	close(): Promise<void>;
}

/** A server before the service that answers some calls itself: what the service would not do on demand. */
export async function openFrontDoor(service: Service, keeper: Doorkeeper): Promise<FrontDoor> {
	const times = new Map<string, number>();
	const server = createServer((call, response) => {
		const { method = 'GET', url: path = '/' } = call;
		const count = (times.get(path) ?? 0) + 1;
		times.set(path, count);
		const instead = keeper({ method, path, times: count });
		if (!instead)
			return void passOn(call, service).then((answer) => {
				response.writeHead(answer.statusCode ?? 500, answer.headers);
				answer.pipe(response);
			});
		const { status = 200, headers = {}, body } = instead;
		call.resume();
		response.writeHead(status, headers);
		response.end(typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body));
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return {
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		close: () =>
			new Promise((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

function passOn(call: IncomingMessage, service: Service): Promise<IncomingMessage> {
	return new Promise((resolve, reject) => {
		const { method, headers, url = '/' } = call;
		const onward = request(new URL(url, service.baseUrl), { method, headers }, resolve);
		onward.on('error', reject);
		call.pipe(onward);
	});
}
