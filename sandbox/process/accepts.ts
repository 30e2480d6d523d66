import { connect } from 'node:net';

/** Whether a server on this machine takes connections at that port within a second. */
export function accepts(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect({ port, host: '127.0.0.1' });
		socket.setTimeout(1_000, () => socket.destroy());
		socket.once('connect', () => (resolve(true), socket.destroy()));
		socket.once('error', () => resolve(false));
		socket.once('close', () => resolve(false));
	});
}
