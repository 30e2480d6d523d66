import { readdir, readFile, readlink } from 'node:fs/promises';

/** Linux' own word for a socket that takes connections. */
const LISTENING = '0A';
/** 127.0.0.1 and ::1, as Linux writes them. */
const OF_THIS_MACHINE = ['0100007F', '00000000000000000000000001000000'];

/** An address that other machines reach. */
export const isElsewhere = (local: string) => !OF_THIS_MACHINE.includes(local.split(':')[0] ?? '');

/** The addresses, as `/proc/net` writes them, where this process and all below it take TCP connections. */
export async function addressesListenedOn(): Promise<string[]> {
	const listening = new Map<string, string>();
	for (const table of ['tcp', 'tcp6']) {
		const lines = (await readFile(`/proc/net/${table}`, 'utf8')).split('\n').slice(1);
		for (const line of lines) {
			const [, local = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
			if (state === LISTENING) listening.set(`socket:[${inode}]`, local);
		}
	}
	const addresses: string[] = [];
	for (const pid of await descendantsOf(process.pid)) {
		const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
		for (const fd of files) {
			const target = await readlink(`/proc/${pid}/fd/${fd}`).catch(() => '');
			const local = listening.get(target);
			if (local !== undefined) addresses.push(local);
		}
	}
	return addresses;
}

/** This process and all below it. */
async function descendantsOf(root: number): Promise<number[]> {
	const pids = (await readdir('/proc')).map(Number).filter((pid) => pid > 0);
	const parents = new Map<number, number>();
	for (const pid of pids) {
		const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
		parents.set(pid, Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
	}
	const isOurs = (pid: number | undefined): boolean =>
		pid !== undefined && pid > 1 && (pid === root || isOurs(parents.get(pid)));
	return pids.filter(isOurs);
}
