import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { SetupProblem } from './steps.mjs';

const LOOK_AGAIN_MS = 200;
const DEADLINE_MS = 15 * 60_000;

/**
 * Takes a file or folder for this process. What is taken is a name among Linux's abstract sockets: the system itself frees
 * it when its holder ends, however it ends, so there is no lock file to be left behind and judged.
 * @returns a function that frees it; `undefined` while another process has taken it
 */
export function take(path) {
	const name = `parcel-document-exchange-${createHash('sha256').update(path).digest('hex')}`;
	const server = createServer((socket) => socket.destroy()).unref();
	return new Promise((resolve) => {
		// Any other error: a system without such names, where nobody is guarded from anybody.
		server.once('error', ({ code }) => resolve(code === 'EADDRINUSE' ? undefined : async () => {}));
		server.listen(`\0${name}`, () => resolve(() => new Promise((freed) => server.close(freed))));
	});
}

/**
 * Runs `work` on a file or folder while no other command does.
 * @throws SetupProblem when another one does for longer than 15 minutes
 */
export async function inTurn(path, work) {
	const end = Date.now() + DEADLINE_MS;
	let free = await take(path);
	while (free === undefined) {
		if (Date.now() > end)
			throw new SetupProblem(
				`Another command has been busy with ${path} for 15 minutes: end it and try again.`,
			);
		await sleep(LOOK_AGAIN_MS);
		free = await take(path);
	}
	try {
		return await work();
	} finally {
		await free();
	}
}
