import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * Below every port that a system hands out by itself (32768 and up on Linux, 49152 on others): between the choice and
 * its use, no client and no server that asks for "any" port can come upon one of these.
 */
const LOWEST = 11_000;
const HIGHEST = 32_767;

/** From a place of its own each time: of two that choose at the same moment, neither comes upon the other's. */
let next = randomInt(LOWEST, HIGHEST);

/**
 * TCP ports that nothing listens to on this machine, each a different one, and never the same twice within some
 * twenty thousand. Somebody may take one before it is used: whoever starts a server on it reports that like any taken port.
 */
export async function freePorts(count: number): Promise<number[]> {
	const ports: number[] = [];
	for (let tried = 0; ports.length < count && tried <= HIGHEST - LOWEST; tried++) {
		const port = next;
		next = next === HIGHEST ? LOWEST : next + 1;
		if (await isFree(port)) ports.push(port);
	}
	if (ports.length < count) throw new Error(`No ${count} free ports between ${LOWEST} and ${HIGHEST}`);
	return ports;
}

/** Whether nothing on this machine listens to that port. */
export function isFree(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen({ port, host: '127.0.0.1' }, () => server.close(() => resolve(true)));
	});
}
