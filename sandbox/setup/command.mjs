import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const KEPT_LINES = 200;

/**
 * Runs a program to its end and hands out each line it prints.
 * @returns `{ code, output }`: the exit code (`null` when it could not start or was killed) and its last lines
 */
export function runCommand(command, args, { cwd, env = process.env, onLine = () => {} } = {}) {
	return new Promise((resolve) => {
		const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
		const kept = [];
		const take = (line) => {
			kept.push(line);
			if (kept.length > KEPT_LINES) kept.shift();
			onLine(line);
		};
		for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on('line', take);
		child.once('error', (error) => take(error.message));
		child.once('close', (code) =>
			resolve({ code: code !== null && code >= 0 ? code : null, output: kept.join('\n') }),
		);
	});
}
