import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../sandbox/process/waitUntil';
import {
	DURABLE_CURSORS,
	EVERY_THREE_SECONDS,
	startPollingHost,
	TAKEN_OVER_SOON,
} from '../support/pollingHost';

jest.setTimeout(3_600_000);

/** Fewer by PARCEL_KILLS, for who changes this test. */
const KILLS = Number(process.env['PARCEL_KILLS'] ?? 50);

it.each([
	['as it is', TAKEN_OVER_SOON],
	['with durable cursors', DURABLE_CURSORS],
])(`n8n %s, killed ${KILLS} times while sets change: no change is missed`, async (how, env) => {
	const host = await startPollingHost(KILLS * 2, env);
	const aLook = async () => {
		const before = host.calls();
		await waitUntil('a look', () => host.calls() > before, { deadlineMs: 200_000, everyMs: 5 });
	};
	const told = async (id: string, kill: number) => {
		const isTold = async () => (await host.told(id)).some(({ line }) => line === `PCL-${kill} SIGNED`);
		await waitUntil(`the change before kill ${kill} is told`, isTold, { deadlineMs: 200_000, everyMs: 100 });
	};
	/** Around the first look after a start, in a look, after it, in the run it leads to and after it, and anywhere. */
	const moments = [
		async (kill: number) => await sleep(kill * 20),
		async () => await aLook().then(async () => await sleep(Math.random() * 300)),
		async () => await aLook().then(async () => await sleep(Math.random() * 2_000)),
		async (kill: number, id: string) =>
			await told(id, kill).then(async () => await sleep(Math.random() * 300)),
		async () => await sleep(Math.random() * 5_000),
	];
	try {
		const id = await host.create(EVERY_THREE_SECONDS);
		await host.publish(id);
		const deadAt: number[] = [];
		const began = Date.now();
		for (let kill = 0; kill < KILLS; kill++) {
			host.rows[kill]!.status = 'signed';
			await moments[kill % moments.length]!(kill, id);
			host.rows[KILLS + kill]!.status = 'issued';
			deadAt.push(await host.restart());
			const seconds = Math.round((Date.now() - began) / 1000);
			const { length } = await host.told(id);
			process.stdout.write(`${how}: kill ${kill + 1} of ${KILLS}, ${seconds} s, ${length} items\n`);
		}
		const all = async () => new Set((await host.told(id)).map(({ line }) => line)).size === KILLS * 2;
		await waitUntil('every change is told', all, { deadlineMs: 300_000, everyMs: 1_000 });
		const items = await host.told(id);
		const crashed = items.filter(({ isCrashed }) => isCrashed).length;
		process.stdout.write(
			`${how}: ${KILLS} kills, ${items.length} items for ${KILLS * 2} changes, ${crashed} in runs that were killed, ${host.startedTwice} restarts in two goes\n`,
		);
		// Twice only across a kill.
		const twice = items.filter(({ line, at }, index) => {
			const before = items.slice(0, index).findLast((each) => each.line === line);
			return before && !deadAt.some((dead) => before.at <= dead && dead <= at);
		});
		expect({ twice, deadAt, items: twice.length > 0 ? items : [] }).toEqual({
			twice: [],
			deadAt,
			items: [],
		});
	} finally {
		await host.close();
	}
});
