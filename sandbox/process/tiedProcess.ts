import { spawn } from 'node:child_process';
import { openSync, closeSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';

/** A child process that cannot outlive us. */
export interface TiedProcess {
	readonly pid: number;
	readonly stdin: Writable;
	/** Present unless the output goes to a log file. */
	readonly stdout: Readable | null;
	readonly ended: boolean;
	/** Settles when the process has ended; never rejects. */
	readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
	signal(signal: NodeJS.Signals): void;
	/** SIGTERM, then SIGKILL to it and all its children when it is still there after `graceMs`. */
	stop(graceMs?: number): Promise<void>;
	/** SIGKILL to it and all its children. */
	kill(): Promise<void>;
}

/**
 * In the new process group a watcher reads a pipe that only we hold open. When we end, however we end, the pipe closes and
 * the watcher kills the group: no test run and no Ctrl-C leaves a server behind.
 */
const TIE = '(read _ <&3; kill -KILL 0) & exec "$@" 3<&-';

/** Starts `command` tied to this process. Its output goes to the end of `logFile`, or to `stdout` when there is none. */
export function startTied(
	command: string,
	args: readonly string[],
	{ env, cwd, logFile }: { env?: NodeJS.ProcessEnv; cwd?: string; logFile?: string } = {},
): TiedProcess {
	const log = logFile === undefined ? undefined : openSync(logFile, 'a', 0o600);
	const child = spawn('/bin/sh', ['-c', TIE, 'sh', command, ...args], {
		...(env && { env }),
		...(cwd && { cwd }),
		detached: true,
		stdio: ['pipe', log ?? 'pipe', log ?? 'inherit', 'pipe'],
	});
	if (log !== undefined) closeSync(log);
	const tie = child.stdio[3] as Writable;
	// Writing to a process that has just ended is no news: `exited` tells.
	for (const stream of [tie, child.stdin]) stream?.on('error', () => undefined);
	let ended = false;
	const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
		const end = (code: number | null, signal: NodeJS.Signals | null) => {
			ended = true;
			tie.destroy();
			resolve({ code, signal });
		};
		child.once('exit', end);
		child.once('error', () => end(null, null));
	});
	const pid = child.pid ?? 0;
	const send = (target: number, signal: NodeJS.Signals) => {
		if (ended || pid === 0) return;
		try {
			process.kill(target, signal);
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
		}
	};
	const kill = async () => {
		send(-pid, 'SIGKILL');
		await exited;
	};
	return {
		pid,
		stdin: child.stdin as Writable,
		stdout: child.stdout,
		get ended() {
			return ended;
		},
		exited,
		signal: (signal) => send(pid, signal),
		kill,
		stop: async (graceMs = 10_000) => {
			send(pid, 'SIGTERM');
			const timer = setTimeout(() => void kill(), graceMs);
			await exited;
			clearTimeout(timer);
		},
	};
}
