import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const KEPT_LINES = 200;

/**
 * In the new process group a watcher reads a pipe that only we hold open. When we end, however we end, the pipe closes and the
 * watcher kills the group: no install goes on in a folder that the next try clears away.
 */
const TIE = '(read _ <&3; kill -KILL 0) & exec "$@" 3<&-';

/**
 * Runs a program to its end and hands out each line it prints. It ends with us at the latest, unless `tied` is false.
 * @returns `{ code, output }`: the exit code (`null` when it was killed; 127 when there is no such program) and its last lines
 */
export function runCommand(command, args, { cwd, env = process.env, onLine = () => {}, tied = true } = {}) {
	return new Promise((resolve) => {
		const [program, all] = tied ? ['/bin/sh', ['-c', TIE, 'sh', command, ...args]] : [command, args];
		const stdio = ['ignore', 'pipe', 'pipe', ...(tied ? ['pipe'] : [])];
		const child = spawn(program, all, { cwd, env, stdio, detached: tied });
		const kept = [];
		const take = (line) => {
			kept.push(line);
			if (kept.length > KEPT_LINES) kept.shift();
			onLine(line);
		};
		for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', take);
		child.stdio[3]?.on('error', () => {});
		child.once('error', (error) => take(error.message));
		// The watcher holds the output open: it goes when the program has gone.
		child.once('exit', () => child.stdio[3]?.destroy());
		child.once('close', (code) =>
			resolve({ code: code !== null && code >= 0 ? code : null, output: kept.join('\n') }),
		);
	});
}
