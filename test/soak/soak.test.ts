import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultUser, startService, type Service } from '../../sandbox/service';
import { openFrontDoor, type FrontDoor } from '../support/frontDoor';
import { startTriggerHost, type TriggerHost } from '../support/triggerHost';
import { readGauges, type Gauge, type Reading } from './gauges';
import { writePage, type Fault } from './page';
import { startTraffic } from './traffic';

/** n8n at work for a long time, with faults on the way: nothing is lost, and nothing grows. From `npm run test:soak`. */

const PROJECT = join(__dirname, '..', '..');
const MINUTE = 60_000;
const minutes = Number(process.env['PARCEL_SOAK_MINUTES'] ?? 10);
/** After the start, n8n goes on loading and compiling code for a while. */
const WARM_UP_MS = Math.min(3 * MINUTE, (minutes * MINUTE) / 4);
const FAULT_EVERY_MS = Math.min(2.5 * MINUTE, (minutes * MINUTE) / 5);
/** No fault so near to the end: what it held up is done before the last readings. */
const LAST_FAULT_MS = (minutes - 1.5) * MINUTE;
const EVENTS_PER_SECOND = 2;
const READ_EVERY_MS = 5_000;

jest.setTimeout((minutes + 20) * MINUTE);

let host: TriggerHost;
let service: Service;
let door: FrontDoor;
let refuses = false;

beforeAll(async () => {
	service = await startService();
	door = await openFrontDoor(service, () =>
		refuses ? { status: 503, body: { errorMessage: 'Down for a moment' } } : undefined,
	);
	// Executions that are kept would make n8n's own database grow.
	host = await startTriggerHost({ env: { EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none' } });
}, 180_000);
afterAll(async () => {
	await host?.close();
	await door?.close();
	await service?.close();
});

/** Each is gone when it resolves. */
const faults: Record<string, () => Promise<void>> = {
	'queue restarted': async () => {
		await host.service.broker.stop();
		await sleep(5_000);
		await host.service.broker.start();
	},
	'service says 503 for 30 s': async () => {
		refuses = true;
		await sleep(30_000);
		refuses = false;
	},
	'queue killed': async () => {
		await host.service.broker.kill();
		await sleep(5_000);
		await host.service.broker.start();
	},
	'queue frozen for 40 s': async () => {
		host.service.broker.pause();
		await sleep(40_000);
		host.service.broker.resume();
	},
};

it(`${minutes} minutes of mixed events with faults: nothing is lost, doubled or left, and nothing grows`, async () => {
	const traffic = await startTraffic(host, service, door.baseUrl, defaultUser);
	const { queues } = traffic;
	const servicePort = Number(new URL(door.baseUrl).port);
	const since = Date.now();
	const elapsed = () => Date.now() - since;
	const isOver = () => elapsed() >= minutes * MINUTE;

	const sending = (async () => {
		while (!isOver()) {
			// An outage holds events up; what was to come meanwhile comes at once when it is over, as from the service.
			const due = Math.floor((elapsed() / 1_000) * EVENTS_PER_SECOND);
			while (traffic.sent < due) await traffic.sendNext();
			await sleep(200);
		}
	})();

	const happened: Fault[] = [];
	const disturbing = (async () => {
		const names = Object.keys(faults);
		for (let next = FAULT_EVERY_MS; next <= LAST_FAULT_MS; next += FAULT_EVERY_MS) {
			await sleep(Math.max(0, next - elapsed()));
			const name = names[happened.length % names.length]!;
			const from = elapsed();
			await faults[name]!();
			happened.push({ name, from, to: elapsed() });
		}
	})();

	const readings: Reading[] = [];
	const reading = (async () => {
		while (!isOver()) {
			readings.push(await readGauges(host, { queues, servicePort, since }));
			await sleep(READ_EVERY_MS);
		}
	})();

	await Promise.all([sending, disturbing, reading]);
	for (const queue of queues) await host.untilEmpty(queue, 15 * MINUTE);
	const end = await readGauges(host, { queues, servicePort, since });
	const amiss = await traffic.amiss();
	const shownUnreadable = (await host.n8n.logs()).split('is not a status event').length - 1;

	/** The middle of a gauge in a fifth of the time that counts: the first after the warm-up, and the last. */
	const middleOf = (gauge: Gauge, fifth: 0 | 4) => {
		const length = (minutes * MINUTE - WARM_UP_MS) / 5;
		const from = WARM_UP_MS + fifth * length;
		const values = readings
			.filter(({ at }) => at >= from && at <= from + length)
			.flatMap((one) => one[gauge] ?? [])
			.sort((a, b) => a - b);
		return values[Math.floor(values.length / 2)] ?? NaN;
	};
	const growth = (gauge: Gauge) => ({ from: middleOf(gauge, 0), to: middleOf(gauge, 4) });
	const result = {
		...{ minutes, sent: traffic.sent, runs: traffic.runs, files: traffic.files },
		...{ faults: happened, readings, memory: growth('memory'), handles: growth('handles') },
	};
	console.info(
		JSON.stringify({ ...result, readings: readings.length, end, amiss, shownUnreadable }, null, 1),
	);
	await writeFile(join(PROJECT, '.sandbox', 'soak.json'), JSON.stringify(result));

	expect(amiss).toEqual([]);
	// Each unreadable body is reported by both workflows of its queue, in the log once for each.
	expect(shownUnreadable).toBeGreaterThanOrEqual(2 * traffic.unreadable);
	expect(happened.length).toBeGreaterThanOrEqual(Math.floor(LAST_FAULT_MS / FAULT_EVERY_MS));
	expect(end).toMatchObject({ waiting: 0, broker: queues.length });
	expect(Math.max(...readings.map(({ broker = 0 }) => broker))).toBeLessThanOrEqual(queues.length);
	expect(Math.max(...readings.map((one) => one.service ?? 0))).toBeLessThanOrEqual(8);
	expect(result.memory.to).toBeLessThan(result.memory.from + 100);
	expect(result.handles.to).toBeLessThanOrEqual(result.handles.from + 5);
	// Every outage ends, and n8n's log says so.
	expect(await host.n8n.logs()).toContain('listening again');
	// The page says that all this held.
	if (process.env['PARCEL_SOAK_PAGE']) await writePage(result);
});
