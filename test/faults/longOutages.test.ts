import { setTimeout as sleep } from 'node:timers/promises';
import { startTriggerHost, type TriggerHost } from '../support/triggerHost';
import * as scenarios from '../support/triggerScenarios';

jest.setTimeout(1_800_000);

let host: TriggerHost;
beforeAll(async () => {
	host = await startTriggerHost();
}, 120_000);
afterAll(() => host?.close());
afterEach(() => host?.journal.clear());

it('three workflows on one queue each get all 1,000 events that waited when n8n was killed', () =>
	scenarios.killedWhileEventsWait(host, 1_000));

it('a workflow that is published again 20 times during a burst misses nothing', () =>
	scenarios.publishedAgain(host, { times: 20, events: 400 }));

it('a workflow that is published and unpublished 50 times leaves nothing behind at the broker', () =>
	scenarios.onAndOff(host, 50));

it('n8n killed during a burst: every event runs, only those in flight twice', () =>
	scenarios.killedDuringBurst(host, 600));

it('n8n stopped during a burst: what runs ends and is removed, nothing runs twice', () =>
	scenarios.stoppedDuringBurst(host, 200));

it('the broker away while n8n starts: the workflow stays published and listens when it is there', () =>
	scenarios.brokerAwayAtStart(host, 45_000));

it('the broker restarted, killed and frozen five times: every event runs, none twice', async () => {
	const { broker } = host.service;
	const restart = { label: 'restart', go: () => broker.stop(), back: () => broker.start() };
	const kill = { label: 'kill', go: () => broker.kill(), back: () => broker.start() };
	const freeze = {
		label: 'frozen for 90 s',
		go: async () => (broker.pause(), sleep(90_000)),
		back: async () => broker.resume(),
	};
	await scenarios.brokerOutages(host, 1_000, [restart, kill, freeze, kill, restart]);
});
