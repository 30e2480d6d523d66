import { waitUntil } from '../../sandbox/process/waitUntil';
import { eventBody, setIdOf } from './events';
import { READER } from './subscriber';
import type { TriggerHost } from './triggerHost';
import { numbers } from './numbers';

/** What the host tests do in small and the fault tests in full. Each leaves its queue empty and nothing published. */

/** At n8n's slowest on a busy machine. */
const RUN_MS = 250;
const deadlineFor = (runs: number) => ({ deadlineMs: 60_000 + runs * RUN_MS });

/** Waits until a workflow has run for each of these events, and gives how often it did for each more than once. */
async function eachRan(host: TriggerHost, workflow: string, count: number, runs = count) {
	const distinct = () => new Set(host.journal.setIdsOf(workflow)).size;
	await waitUntil(
		`workflow ${workflow} ran for ${count} events`,
		() => distinct() >= count,
		deadlineFor(runs),
	).catch((error: Error) => {
		throw new Error(`${error.message}: it ran for ${distinct()}`);
	});
	expect(distinct()).toBe(count);
	return repeated(host.journal.setIdsOf(workflow));
}

/** The ids that stand there more than once. */
export function repeated(ids: readonly string[]): string[] {
	const seen = new Set<string>();
	return ids.filter((id) => seen.size === seen.add(id).size);
}

/** Everything at once, with default settings. @returns what was measured */
export async function burst(host: TriggerHost, count: number) {
	const name = `burst-${count}`;
	const queue = await host.newQueue();
	const id = await host.listen({ name, queue });
	// n8n loads the code of a node at its first use: that is not growth.
	await host.service.publish(queue, ...numbers(20).map((n) => eventBody(count + n)));
	await eachRan(host, name, 20);
	await host.untilEmpty(queue);
	host.journal.clear();

	const before = await host.memoryMb();
	let highest = before;
	const watch = setInterval(() => {
		void host.memoryMb().then((now) => (highest = Math.max(highest, now)));
	}, 250);
	const began = Date.now();
	try {
		await host.service.publish(queue, ...numbers(count).map((n) => eventBody(n)));
		expect(await eachRan(host, name, count)).toEqual([]);
		await host.untilEmpty(queue);
	} finally {
		clearInterval(watch);
	}
	const seconds = (Date.now() - began) / 1000;
	expect(
		await host.n8n.executions.list({ workflowId: id, status: ['error', 'crashed', 'canceled'] }),
	).toEqual([]);
	await host.unpublish(id);
	return { perSecond: count / seconds, memoryBeforeMb: before, memoryGrowthMb: highest - before };
}

/** Three workflows with overlapping filters; n8n is killed while events wait for all of them. */
export async function killedWhileEventsWait(host: TriggerHost, count: number) {
	const queue = await host.newQueue();
	const kinds = ['DRAFTED', 'SIGNED', 'ISSUED'];
	const asked: Record<string, string[]> = { all: [], two: ['SIGNED', 'ISSUED'], one: ['ISSUED'] };
	const ids: string[] = [];
	for (const [name, statuses] of Object.entries(asked))
		ids.push(await host.listen({ name, queue, statuses }));
	host.journal.answer(() => ({ waitMs: 100 }));
	await host.service.publish(
		queue,
		...numbers(count).map((n) => eventBody(n, { newStatus: kinds[n % kinds.length] })),
	);
	await waitUntil('the first have run', () => host.journal.of('all').length >= 10);
	await host.killN8n();
	host.journal.answer(() => ({}));
	await host.startN8nAgain();
	for (const [name, statuses] of Object.entries(asked)) {
		const wanted = numbers(count).filter((n) => statuses.length === 0 || statuses.includes(kinds[n % 3]!));
		const repeats = await eachRan(host, name, wanted.length, 3 * count);
		// What was delivered and not removed: the limit of three workflows.
		expect(repeats.length).toBeLessThanOrEqual(50);
		expect(new Set(host.journal.setIdsOf(name))).toEqual(new Set(wanted.map(setIdOf)));
	}
	await host.untilEmpty(queue);
	for (const id of ids) await host.unpublish(id);
}

/** n8n is killed in the middle of its work. */
export async function killedDuringBurst(host: TriggerHost, count: number) {
	const queue = await host.newQueue();
	const id = await host.listen({ name: 'killed', queue });
	host.journal.answer(() => ({ waitMs: 50 }));
	await host.service.publish(queue, ...numbers(count).map((n) => eventBody(n)));
	await waitUntil('a third has run', () => host.journal.of('killed').length >= count / 3, deadlineFor(count));
	await host.killN8n();
	await host.startN8nAgain();
	const repeats = await eachRan(host, 'killed', count);
	await host.untilEmpty(queue);
	// Five run side by side.
	expect(repeats.length).toBeLessThanOrEqual(5);
	await host.unpublish(id);
}

/** The machine shuts down in order: what runs ends and is removed, the rest waits for the next start. */
export async function stoppedDuringBurst(host: TriggerHost, count: number) {
	const queue = await host.newQueue();
	const id = await host.listen({ name: 'stopped', queue, options: { parallelRuns: 10 } });
	host.journal.answer(() => ({ waitMs: 1_500 }));
	await host.service.publish(queue, ...numbers(count).map((n) => eventBody(n)));
	await waitUntil('some run', () => host.journal.of('stopped').length >= 15, { deadlineMs: 60_000 });
	const tookMs = await host.stopN8n();
	const begun = [...host.journal.of('stopped')];
	// A busy broker needs a moment to see that the process is gone.
	const depth = await waitUntil('nobody reads the queue', async () => {
		const now = await host.service.broker.queueDepth(queue);
		return now.consumers === 0 && now;
	});
	host.journal.answer(() => ({}));
	await host.startN8nAgain();
	// n8n gives itself 30 seconds before it leaves by force.
	expect(tookMs).toBeLessThan(25_000);
	expect(begun.filter(({ endedAt }) => endedAt === undefined)).toEqual([]);
	expect(depth).toEqual({ ready: count - begun.length, unacknowledged: 0, consumers: 0 });
	expect(await eachRan(host, 'stopped', count)).toEqual([]);
	await host.untilEmpty(queue);
	await host.unpublish(id);
}

interface BrokerOutage {
	label: string;
	go(): Promise<void>;
	/** Resolves when the broker is there again. */
	back(): Promise<void>;
}

/** The broker goes and comes back, again and again, while events run. */
export async function brokerOutages(host: TriggerHost, count: number, outages: readonly BrokerOutage[]) {
	const queue = await host.newQueue();
	const id = await host.listen({ name: 'outages', queue });
	host.journal.answer(() => ({ waitMs: 50 }));
	await host.service.publish(queue, ...numbers(count).map((n) => eventBody(n)));
	for (const [index, { label, go, back }] of outages.entries()) {
		const share = ((index + 1) * count) / (outages.length + 2);
		await waitUntil(
			`${share} have run (before: ${label})`,
			() => host.journal.of('outages').length >= share,
			deadlineFor(count),
		);
		await go();
		await back();
		await host.untilConsuming(queue, 60_000);
	}
	// The process remembers what ended well: nothing at all is repeated.
	expect(await eachRan(host, 'outages', count)).toEqual([]);
	await host.untilEmpty(queue);
	await host.unpublish(id);
}

/** One of two workflows is published again and again while events flow. */
export async function publishedAgain(
	host: TriggerHost,
	{ times, events }: { times: number; events: number },
) {
	const queue = await host.newQueue();
	const ids = [await host.listen({ name: 'stays', queue }), await host.listen({ name: 'changes', queue })];
	const publishing = (async () => {
		for (const n of numbers(times)) {
			const some = numbers(events / times).map((m) => eventBody((n * events) / times + m));
			await host.service.publish(queue, ...some);
			await new Promise((resolve) => setTimeout(resolve, 300));
		}
	})();
	for (const n of numbers(times)) {
		const { nodes } = await host.n8n.workflows.get(ids[1]!);
		const [trigger, ...others] = nodes;
		// n8n starts a trigger again only when it was changed.
		const parameters = { ...trigger!.parameters, options: { attempts: 3 + (n % 2) } };
		await host.n8n.workflows.update(ids[1]!, { nodes: [{ ...trigger!, parameters }, ...others] });
		await host.n8n.workflows.publish(ids[1]!);
	}
	await publishing;
	for (const name of ['stays', 'changes']) expect(await eachRan(host, name, events, 2 * events)).toEqual([]);
	await host.untilEmpty(queue);
	for (const id of ids) await host.unpublish(id);
}

/** The connections to the broker that the trigger's account holds. */
export async function readers(host: TriggerHost) {
	return (await host.service.broker.connections()).filter(({ user }) => user === READER.user);
}

/** A workflow is published and unpublished, again and again: the broker keeps nothing of it. */
export async function onAndOff(host: TriggerHost, times: number) {
	const hasLetGo = () => waitUntil('it has let go', async () => (await readers(host)).length === 0);
	const queue = await host.newQueue();
	const id = await host.create({ name: 'on-and-off', queue });
	// A connection goes a second or two after its last workflow: that of the test before is none of this one's.
	await hasLetGo();
	for (let time = 0; time < times; time += 1) {
		await host.publish(id);
		expect(await readers(host)).toHaveLength(1);
		await host.unpublish(id);
		await hasLetGo();
	}
	expect(await host.service.broker.consumers()).toEqual([]);
}

/** The broker is away when n8n starts: n8n starts all the same, and events flow as soon as it is there. */
export async function brokerAwayAtStart(host: TriggerHost, awayMs: number) {
	const queue = await host.newQueue();
	const id = await host.listen({ name: 'early', queue });
	await host.service.publish(queue, eventBody(1));
	await eachRan(host, 'early', 1);
	await host.stopN8n();
	await host.service.publish(queue, eventBody(2));
	await host.service.broker.stop();
	await host.startN8nAgain();
	await new Promise((resolve) => setTimeout(resolve, awayMs));
	expect(await host.n8n.workflows.get(id)).toMatchObject({ active: true });
	await host.service.broker.start();
	await host.untilConsuming(queue, 60_000);
	expect(await eachRan(host, 'early', 2)).toEqual([]);
	await host.untilEmpty(queue);
	await host.unpublish(id);
}
