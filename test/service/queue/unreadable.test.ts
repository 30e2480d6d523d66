import { BodyLog } from '../../../service/queue/bodyLog';
import { BOUNDS } from '../../../service/queue/bounds';
import type { Lane } from '../../../service/queue/lane';
import { Noted } from '../../../service/queue/noted';
import { Unreadable } from '../../../service/queue/unreadable';
import { message } from '../../support/message';
import { manualClock } from '../../support/manualClock';
import { recordingLogger } from '../../support/subscriber';

/** One connection to the queue. */
function connection(noted = new Noted()) {
	const told: string[] = [];
	const report = ({ messages }: { messages: Array<{ body: string }> }) =>
		void told.push(...messages.map(({ body }) => body));
	const lane = (hostIsIll: boolean, lastRefusedAt: number, lastStartedAt: number) =>
		({ hostIsIll, lastRefusedAt, lastStartedAt, subscription: { report } }) as unknown as Lane;
	const here = [lane(false, -Infinity, -Infinity)];
	let rejected = 0;
	const logger = recordingLogger();
	const clock = manualClock();
	const unreadable = new Unreadable(
		clock,
		BOUNDS,
		noted,
		new BodyLog(clock, logger, 'Queue q', noted),
		() => here,
		() => (rejected += 1),
	);
	const comes = (deaths = 0) =>
		unreadable.add({ message: message('nonsense', { deaths }), reason: 'it is nonsense', body: 'nonsense' });
	return { comes, told, rejected: () => rejected, here, lane, clock, logger };
}

describe('an unreadable message', () => {
	it('waits while the host starts nothing, and not for one workflow that it refuses beside others', async () => {
		const { comes, told, rejected, here, lane, clock } = connection();
		here.splice(0, 1, lane(true, 2, -Infinity), lane(false, -Infinity, 1));
		comes();
		expect(told).toEqual([]);
		expect(rejected()).toBe(0);
		here.splice(1, 1, lane(false, -Infinity, 3));
		await clock.advance(60_000);
		expect(told).toHaveLength(2);
		expect(rejected()).toBe(1);
	});

	it('is told of each time it is sent, and not again when it comes back as a dead letter', () => {
		const { comes, told, rejected, logger } = connection();
		comes();
		comes();
		expect(told).toHaveLength(2);
		comes(1);
		expect(told).toHaveLength(2);
		// Whole in the log before it is rejected, too: the report may not be stored yet when n8n is killed.
		expect(logger.lines.filter((line) => line.includes('nonsense'))).toHaveLength(2);
		expect(rejected()).toBe(3);
	});

	it('is told of when it died before it came here', () => {
		const { comes, told } = connection();
		comes(3);
		comes(4);
		expect(told).toEqual(['nonsense']);
	});

	it('is told of once, also when another connection gets it the next time', () => {
		const noted = new Noted();
		connection(noted).comes();
		const other = connection(noted);
		other.comes(1);
		expect(other.told).toEqual([]);
	});

	it('is told of, though the log has shown its body because it came often', () => {
		const noted = new Noted();
		new BodyLog(manualClock(), recordingLogger(), 'Queue', noted).delivered(
			message('nonsense', { returns: 2 }),
		);
		const { comes, told } = connection(noted);
		comes(1);
		expect(told).toEqual(['nonsense']);
	});
});

describe('the moments at which things end', () => {
	it('a share that was kept is settled well before its channel is closed', () => {
		expect(BOUNDS.renewAfterMs - BOUNDS.keptMs).toBeGreaterThanOrEqual(10 * BOUNDS.silenceMs);
	});
});
