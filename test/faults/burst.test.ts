import { startTriggerHost, type TriggerHost } from '../support/triggerHost';
import { burst } from '../support/triggerScenarios';

jest.setTimeout(1_800_000);

let host: TriggerHost;
beforeAll(async () => {
	// With this limit n8n collects its garbage early: what is measured is what is held.
	host = await startTriggerHost({ env: { NODE_OPTIONS: '--max-old-space-size=640' } });
}, 120_000);
afterAll(() => host?.close());
afterEach(() => host?.journal.clear());

describe('a burst with default settings runs each event once, leaves nothing, and keeps memory flat', () => {
	it.each([1_000, 10_000])(
		'of %d events',
		async (count) => {
			const measured = await burst(host, count);
			console.info(`${count} events:`, measured);
			expect(measured.memoryGrowthMb).toBeLessThan(300);
		},
		3_600_000,
	);
});
