import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { signIn } from '../../sandbox/n8n/rest';
import { opening } from '../support/closing';

it('no request to n8n goes into a connection that n8n may have closed meanwhile', async () => {
	let [connections, requests] = [0, 0];
	const server = createServer((_, response) => {
		requests++;
		const data = { userManagement: { showSetupOnFirstLoad: false } };
		response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
	});
	server.on('connection', () => connections++);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	await opening(Promise.resolve({ close: async () => void server.close() }));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	const rest = await signIn(url, { email: 'owner@example.com', password: 'x' });
	await rest.get('workflows');
	expect({ connections, requests }).toEqual({ connections: 3, requests: 3 });
});
