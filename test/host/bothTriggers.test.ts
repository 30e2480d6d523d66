import { chain } from '../../sandbox/n8n/workflows';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { createRandom } from '../../sandbox/service/random';
import { move, steps } from '../../sandbox/service';
import { readStatusEvent } from '../../service/model/event';
import { POLL_TRIGGER, TRIGGER, useWorld, using } from '../support/host/world';
import { EVERY_THREE_SECONDS } from '../support/pollingHost';

const world = useWorld();
jest.setTimeout(240_000);

const MINUTE = 60_000;
const ROUNDS = 5;
const CHANGES = 8;
const LOST = 0.3;

/** As both items have it: which set came to which status. */
const line = ({ setId, status }: { setId?: unknown; status?: unknown }) =>
	`${String(setId)} ${String(status)}`;

it('of a day that lost 30 % of its events, the poll trigger names what no event told, beside a trigger on the queue', async () => {
	const { n8n, service, publisher, publish, queue, queueCredential, serviceCredential } = world();
	const { data, requests } = service;
	const random = createRandom(15);
	const after = { name: 'After', type: 'n8n-nodes-base.noOp', parameters: {} };
	const onEvent = {
		...{ name: 'Told', type: TRIGGER, parameters: { queue } },
		credentials: using(queueCredential),
	};
	const onChange = {
		...{ name: 'Told', type: POLL_TRIGGER, parameters: EVERY_THREE_SECONDS },
		credentials: using(serviceCredential),
	};
	const events = await publish(chain('By event', [onEvent, after], { executionOrder: 'v1' }));
	const changes = await n8n.workflows.create(chain('By search', [onChange, after], { executionOrder: 'v1' }));
	const looks = async (count: number) => {
		const searched = () => requests.filter(({ path }) => path.includes('/sets/search')).length;
		for (let look = 0; look < count; look++) {
			const before = searched();
			await waitUntil('a look', () => searched() > before, { deadlineMs: 90_000 });
			// No search any more: the look is over.
			let seen = 0;
			await waitUntil('its end', () => seen === (seen = searched()), { everyMs: 500 });
		}
	};
	const told = async (workflowId: string) => {
		const runs = await n8n.executions.list({ workflowId, status: ['success'], limit: 100 });
		const items = await Promise.all(
			runs.reverse().map(async ({ id }) => (await n8n.executions.get(id)).items('After')),
		);
		return items.flat().map(({ json }) => json);
	};
	await n8n.workflows.publish(changes.id);
	await looks(2);

	/** The events that were sent, and where each set came to last. */
	const sent: string[] = [];
	const last = new Map<string, string>();
	const began = Math.max(...data.sets.map(({ modifiedAt }) => modifiedAt)) + MINUTE;
	for (let round = 0; round < ROUNDS; round++) {
		// A set that moves twice between two looks is seen once, as the page of the trigger says.
		const moving = new Set<string>();
		while (moving.size < CHANGES) moving.add(random.pick(data.sets).setId);
		for (const setId of moving) {
			const { status } = data.find(setId)!;
			const step = random.pick(steps.filter(({ leadsTo }) => leadsTo !== status));
			const body = move(data, setId, step.name, began + round * 30 * MINUTE);
			const event = line(readStatusEvent(body)!);
			last.set(setId, event);
			if (random.next() < LOST) continue;
			await publisher.publish(body);
			sent.push(event);
		}
		await looks(2);
	}
	const all = async () => (await told(events.id)).length >= sent.length;
	await waitUntil('all events are told', all, { deadlineMs: 60_000 });
	await n8n.workflows.unpublish(changes.id);

	const byEvent = (await told(events.id)).map(line);
	expect(byEvent.sort()).toEqual(sent.sort());
	const changed = await told(changes.id);
	expect(changed).toHaveLength(ROUNDS * CHANGES);
	const bySearch = new Map(changed.map((item) => [String(item['setId']), line(item)]));
	expect(Object.fromEntries(bySearch)).toEqual(Object.fromEntries(last));
	const missing = [...last.values()].filter((each) => !byEvent.includes(each));
	expect(missing.length).toBeGreaterThan(3);
	expect([...bySearch.values()].filter((each) => !byEvent.includes(each)).sort()).toEqual(missing.sort());
	expect(await n8n.executions.list({ workflowId: changes.id, status: ['error'] })).toEqual([]);
});
