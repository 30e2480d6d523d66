import { createServer } from 'node:net';

/**
 * TCP ports that nothing listens to on this machine, each a different one. Another process may take one before it is used:
 * whoever starts a server on it reports that like any taken port.
 */
export async function freePorts(count: number): Promise<number[]> {
	// All are held open until the last is found, so that the system cannot hand out the same one twice.
	const servers = await Promise.all(Array.from({ length: count }, listenAnywhere));
	const ports = servers.map((server) => (server.address() as { port: number }).port);
	await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
	return ports;
}

function listenAnywhere(): Promise<ReturnType<typeof createServer>> {
	return new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen({ port: 0, host: '127.0.0.1' }, () => resolve(server));
	});
}
