import { ServiceError } from '../../../service/errors';
import { BOUNDS } from '../../../service/queue/bounds';
import { addressOf, subscriber } from '../../support/subscriber';
import { listening } from '../../support/withoutBroker';

const address = addressOf({ port: 1 } as never);
const MINUTE = 60_000;

/** Reads the queue, and asks for nothing that comes there. */
const asksForNothing = (key = 'reads:node') =>
	subscriber(address, 'events', {
		key,
		filter: { statuses: ['SURRENDERED' as never], customerIds: [], instances: [] },
	});

/** Its credential cannot be read until it is let in. */
function outside(key: string, queue = 'events') {
	let isIn = false;
	const readAddress = async () => {
		if (!isIn) throw new ServiceError('unavailable', 'The vault is shut');
		return address;
	};
	return { subscription: subscriber(address, queue, { key, readAddress }), letIn: () => (isIn = true) };
}

describe('what nobody asks for', () => {
	/** @returns whether what comes now stays on the queue */
	const keeps = async ({ reading, deliver }: ReturnType<typeof listening>, set: number) => {
		const current = reading().at(-1)!;
		const before = current.asked.length;
		await deliver(set, current);
		return !current.asked.slice(before).includes('ack');
	};

	it('is removed where a person published the workflow', async () => {
		const world = listening();
		await world.hub.subscribe(asksForNothing(), false);
		await world.clock.advance(2_000);
		expect(await keeps(world, 1)).toBe(false);
	});

	it('is kept while n8n starts its workflows, and removed then', async () => {
		const world = listening();
		await world.hub.subscribe(asksForNothing(), true);
		await world.clock.advance(10_000);
		expect(await keeps(world, 1)).toBe(true);
		await world.clock.advance(BOUNDS.startGapMs);
		expect(world.reading().at(-1)!.asked).toContain('ack');
		expect(await keeps(world, 2)).toBe(false);
	});

	it('is kept also while the one that reads the queue is published again', async () => {
		const world = listening();
		const member = await world.hub.subscribe(asksForNothing(), true);
		await world.clock.advance(10_000);
		await member.leave();
		await world.hub.subscribe(asksForNothing(), false);
		await world.clock.advance(10_000);
		expect(await keeps(world, 1)).toBe(true);
	});

	it('is kept again when n8n starts its workflows anew, after all had left', async () => {
		const world = listening();
		const member = await world.hub.subscribe(asksForNothing(), true);
		await world.clock.advance(20 * MINUTE);
		await member.leave();
		await world.clock.advance(BOUNDS.returnMs + MINUTE);
		await world.hub.subscribe(asksForNothing(), true);
		await world.clock.advance(10_000);
		expect(await keeps(world, 1)).toBe(true);
	});

	it('is kept again also where the one that left before had never been let in', async () => {
		const world = listening();
		const { subscription } = outside('outside:node');
		const { filter } = asksForNothing();
		const member = await world.hub.subscribe({ ...subscription, filter }, true);
		await world.clock.advance(20 * MINUTE);
		await member.leave();
		await world.hub.subscribe(asksForNothing(), true);
		await world.clock.advance(10_000);
		expect(await keeps(world, 1)).toBe(true);
	});

	it('is kept also where one that was never let in leaves before the last is let in', async () => {
		const world = listening();
		const { hub, clock } = world;
		const { filter } = asksForNothing();
		const member = await hub.subscribe({ ...outside('outside:node').subscription, filter }, true);
		const last = outside('last:node');
		await hub.subscribe({ ...last.subscription, filter }, false);
		await member.leave();
		last.letIn();
		await clock.advance(BOUNDS.admitAgainMs + 10_000);
		expect(await keeps(world, 1)).toBe(true);
	});
});

it('what comes for a workflow that cannot be let in yet is kept for it, also where its queue is read later than it came', async () => {
	const { hub, clock, deliver, reading } = listening();
	const { subscription, letIn } = outside('outside:node');
	const elsewhere = outside('elsewhere:node', 'other');
	await hub.subscribe(subscription, false);
	await hub.subscribe(elsewhere.subscription, false);
	await hub.subscribe(subscriber(address, 'events', { key: 'reads:node' }), false);
	await clock.advance(2_000);
	const [first] = reading();
	await deliver(1);
	letIn();
	elsewhere.letIn();
	await clock.advance(BOUNDS.admitAgainMs + 2_000);
	expect([subscription.runs.length, elsewhere.subscription.runs.length]).toEqual([1, 0]);
	expect(first!.asked).toContain('ack');
});

it('what comes is not kept for a workflow of another queue that cannot be let in yet', async () => {
	const { hub, clock, deliver, reading } = listening();
	await hub.subscribe(subscriber(address, 'events', { key: 'reads:node' }), false);
	await clock.advance(2_000);
	await hub.subscribe(outside('elsewhere:node', 'other').subscription, false);
	await deliver(1);
	expect(reading()[0]!.asked).toContain('ack');
});
