import { setTimeout as sleep } from 'node:timers/promises';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { startPollingHost } from '../support/pollingHost';

jest.setTimeout(3_600_000);

const KILLS = 50;

/** n8n's own names; it takes them from 2.36 on. */
const DURABLE_CURSORS = {
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
};

it.each([
	['as it is', {}],
	['with durable cursors', DURABLE_CURSORS],
])(`n8n %s, killed ${KILLS} times while sets change: no change is missed`, async (_, env) => {
	const host = await startPollingHost(KILLS * 2, env);
	try {
		const id = await host.create();
		await host.publish(id);
		for (let kill = 0; kill < KILLS; kill++) {
			host.rows[kill]!.status = 'signed';
			// Around the first look after a start, and anywhere between two looks.
			await sleep(kill % 2 === 0 ? kill * 20 : Math.random() * 5_000);
			host.rows[KILLS + kill]!.status = 'issued';
			await host.restart();
			await host.told(id);
		}
		const all = async () => new Set(await host.told(id)).size === KILLS * 2;
		await waitUntil('every change is told', all, { deadlineMs: 180_000 });
		const told = await host.told(id);
		process.stdout.write(`${KILLS} kills, ${told.length} items for ${KILLS * 2} changes\n`);
		// Twice around a kill at most: not again and again.
		const again = told.filter((line, index) => told.indexOf(line) !== index);
		expect(new Set(again).size).toBeLessThanOrEqual(KILLS * 2);
	} finally {
		await host.close();
	}
});
