import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { readStatusEvent } from '../../service/model/event';
import { eventBody, setIdOf } from '../support/events';
import { startTriggerHost, type TriggerHost } from '../support/triggerHost';
import { numbers } from '../support/numbers';

jest.setTimeout(3_600_000);

const MINUTE = 60_000;
/** How long what the workflow needs is away. */
const AWAY_MS = 20 * MINUTE;

let host: TriggerHost;
beforeAll(async () => {
	host = await startTriggerHost();
}, 120_000);
afterAll(() => host?.close());

it('what the workflow needs is away for 20 minutes: all 100 events are handled, in order, with one report', async () => {
	const queue = await host.newQueue({ type: 'quorum', deliveryLimit: 20 });
	const id = await host.listen({ name: 'away', queue });
	const bodies = (from: number) =>
		numbers(100).map((n) => eventBody(from + (n % 25), { step: from + n, updatedDate: `step ${n}` }));

	// Undisturbed, for comparison.
	const began = Date.now();
	await host.service.publish(queue, ...bodies(1_000));
	await waitUntil('all have run', () => host.journal.of('away').length === 100, { deadlineMs: 120_000 });
	const undisturbedMs = Date.now() - began;
	await host.untilEmpty(queue);
	host.journal.clear();

	let away = true;
	host.journal.answer(() => ({ status: away ? 503 : 200 }));
	await host.service.publish(queue, ...bodies(0));
	await sleep(AWAY_MS);
	const failed = host.journal.of('away').length;
	away = false;
	const backAt = Date.now();
	const succeeded = () => host.journal.of('away').slice(failed);
	await waitUntil('it goes on', () => succeeded().length > 0, { deadlineMs: 11 * MINUTE });
	const resumedAt = Date.now();
	await waitUntil('all have run', () => succeeded().length >= 100, { deadlineMs: 5 * MINUTE });
	const drainedMs = Date.now() - resumedAt;
	await host.untilEmpty(queue);

	const waits = await host.n8n.executions.list({ workflowId: id, status: ['error'], limit: 100 });
	const read = await Promise.all(waits.map(({ id: execution }) => host.n8n.executions.get(execution)));
	const reports = read.filter(({ nodes }) => !nodes.includes('Journal'));
	process.stdout.write(
		`${failed} failed runs, ${reports.length} reports, resumed after ${Math.round((resumedAt - backAt) / 1_000)} s, drained in ${drainedMs} ms (undisturbed ${undisturbedMs} ms)\n`,
	);
	expect(succeeded()).toHaveLength(100);
	expect(failed).toBeLessThanOrEqual(60);
	expect(reports).toHaveLength(1);
	const sent = bodies(0).map((body) => readStatusEvent(body)!);
	for (const set of numbers(25).map(setIdOf)) {
		const ran = succeeded().filter(({ setIds }) => setIds[0] === set);
		expect(ran.map(({ item }) => item['eventId'])).toEqual(
			sent.filter(({ setId }) => setId === set).map(({ eventId }) => eventId),
		);
	}
	expect(resumedAt - backAt).toBeLessThan(10 * MINUTE);
	expect(drainedMs).toBeLessThan(2 * undisturbedMs + 10_000);
	await host.unpublish(id);
});
