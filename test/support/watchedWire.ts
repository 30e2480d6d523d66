import { connect, createServer, type AddressInfo } from 'node:net';

/** A way to a port on which a test does something while a certain word is on its way. */
export async function watchedWire(port: number, word: string, meanwhile: () => Promise<void>) {
	const server = createServer((near) => {
		const far = connect(port, '127.0.0.1');
		near.on('data', async (bytes) => {
			near.pause();
			if (bytes.includes(word)) await meanwhile();
			far.write(bytes);
			near.resume();
		});
		far.on('data', (bytes) => near.write(bytes));
		near.on('error', () => far.destroy()).on('close', () => far.destroy());
		far.on('error', () => near.destroy()).on('close', () => near.destroy());
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return { port: (server.address() as AddressInfo).port, close: () => server.close() };
}
