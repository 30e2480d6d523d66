import { readdir, readFile, readlink } from 'node:fs/promises';
import type { TriggerHost } from '../support/triggerHost';

/** What is looked at over time. */
export const GAUGES = {
	memory: "Memory of n8n's process (MB)",
	handles: 'Open files and sockets of that process',
	broker: 'Connections to the message queue',
	service: 'Connections to the service',
	waiting: 'Events on the queues',
} as const;

export type Gauge = keyof typeof GAUGES;

/** One look. A gauge that could not be read, because the broker is away, is undefined. */
export interface Reading extends Partial<Record<Gauge, number>> {
	/** Milliseconds since the start. */
	at: number;
}

/** Reads everything once. */
export async function readGauges(
	host: TriggerHost,
	{ queues, servicePort, since }: { queues: readonly string[]; servicePort: number; since: number },
): Promise<Reading> {
	const { broker } = host.service;
	const depths = Promise.all(queues.map((queue) => broker.queueDepth(queue)));
	const [memory, handles, toBroker, toService, waiting] = await Promise.all([
		host.memoryMb(),
		readdir(`/proc/${host.n8n.processId}/fd`).then((files) => files.length),
		connectionsOf(host.n8n.processId, broker.port),
		connectionsOf(host.n8n.processId, servicePort),
		depths.then(
			(all) => all.reduce((sum, { ready, unacknowledged }) => sum + ready + unacknowledged, 0),
			() => undefined,
		),
	]);
	return { at: Date.now() - since, memory, handles, broker: toBroker, service: toService, waiting };
}

/** Open TCP connections of a process to a port of this machine. */
async function connectionsOf(processId: number, port: number): Promise<number> {
	const mine = new Set<string>();
	for (const file of await readdir(`/proc/${processId}/fd`)) {
		const target = await readlinkOrNone(`/proc/${processId}/fd/${file}`);
		const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1];
		if (inode !== undefined) mine.add(inode);
	}
	const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n').slice(1);
	return lines.filter((line) => {
		const [, , remote = '', state, , , , , , inode = ''] = line.trim().split(/\s+/);
		return state === ESTABLISHED && parseInt(remote.split(':')[1] ?? '', 16) === port && mine.has(inode);
	}).length;
}

const ESTABLISHED = '01';

const readlinkOrNone = (path: string) => readlink(path).catch(() => '');
