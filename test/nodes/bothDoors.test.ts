import { simplifiedEvent } from '../../nodes/ParcelDocumentExchange/events/eventItem';
import { defaultUser, move, startService, steps, type Service } from '../../sandbox/service';
import { readStatusEvent } from '../../service/model/event';
import { createRandom } from '../../sandbox/service/random';
import { PollHost } from '../support/pollHost';

const MINUTE = 60_000;
const LOOKS = 48;
const CHANGES_A_LOOK = 12;

let service: Service;
beforeEach(async () => void (service = await startService()));
afterEach(() => service.close());

/** As both items have it: which set came to which status. */
const line = ({ setId, status }: { setId?: unknown; status?: unknown }) =>
	`${String(setId)} ${String(status)}`;

it.each([1, 2, 3])(
	'of a day that lost 30 %% of its events, what the poll trigger saw and no event told is what is missing (%d)',
	async (seed) => {
		const random = createRandom(seed);
		const n8n = new PollHost({
			memory: 'durable',
			credentials: { baseUrl: service.baseUrl, loginStyle: 'basic', ...defaultUser },
		});
		await n8n.start('activate');
		for (let looks = 0; looks < 3; looks++) await n8n.look();

		const byEvent = new Set<string>();
		const last = new Map<string, string>();
		const { sets } = service.data;
		const began = Math.max(...sets.map(({ modifiedAt }) => modifiedAt)) + MINUTE;
		for (let look = 0; look < LOOKS; look++) {
			// A set that moves twice between two looks is seen once, as the page of the trigger says.
			const moving = new Set<string>();
			while (moving.size < CHANGES_A_LOOK) moving.add(random.pick(sets).setId);
			for (const setId of moving) {
				const set = service.data.find(setId)!;
				const possible = steps.filter(({ leadsTo }) => leadsTo !== set.status);
				const step = random.pick(possible);
				const body = move(service.data, setId, step.name, began + look * 30 * MINUTE);
				const event = readStatusEvent(body)!;
				last.set(setId, line(event));
				const facts = { redelivered: false, attempt: 1, isSample: false };
				if (random.next() >= 0.3) byEvent.add(line(simplifiedEvent(event, facts)));
			}
			await n8n.look();
		}
		for (let looks = 0; looks < 3; looks++) await n8n.look();

		expect(n8n.failures).toEqual([]);
		const bySearch = new Map(n8n.runs.flat().map((item) => [String(item.setId), line(item)]));
		// Both doors agree on where each set has come to.
		expect(Object.fromEntries(bySearch)).toEqual(Object.fromEntries(last));
		const missing = [...last.values()].filter((each) => !byEvent.has(each));
		expect(missing.length).toBeGreaterThan(20);
		expect([...bySearch.values()].filter((each) => !byEvent.has(each)).sort()).toEqual(missing.sort());
	},
	60_000,
);
