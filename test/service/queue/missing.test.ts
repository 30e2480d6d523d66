import { BodyLog } from '../../../service/queue/bodyLog';
import { BOUNDS } from '../../../service/queue/bounds';
import { decode } from '../../../service/queue/decode';
import type { Lane } from '../../../service/queue/lane';
import { MissingReports } from '../../../service/queue/missing';
import { NotKept } from '../../../service/queue/notKept';
import { Noted } from '../../../service/queue/noted';
import { manualClock } from '../../support/manualClock';
import { eventBody } from '../../support/events';
import { recordingLogger } from '../../support/subscriber';

function world({ afterMs = 0, isRead = (): boolean => true } = {}) {
	const clock = manualClock();
	const logger = recordingLogger();
	const told: unknown[][] = [];
	const gone: unknown[] = [];
	const where = new Map<unknown, 'runs' | 'here' | 'away'>();
	const lane = {
		wasLetIn: () => true,
		gone: ({ raw }: { raw: Record<string, unknown> }) => void gone.push(raw['step']),
		whereIs: ({ raw }: { raw: Record<string, unknown> }) => where.get(raw['step']) ?? 'away',
		subscription: {
			key: 'workflow:node',
			title: 'Test workflow',
			report: ({ events }: { events: Array<{ raw: Record<string, unknown> }> }) =>
				void told.push(events.map(({ raw }) => raw['step'])),
		},
	} as unknown as Lane;
	const noted = new Noted();
	const notKept = new NotKept(clock, BOUNDS, logger, noted);
	const reports = new MissingReports({
		...{ clock, notKept, afterMs, isRead, bounds: BOUNDS, everyMs: BOUNDS.missingEveryMs },
		log: new BodyLog(clock, logger, 'Queue', noted),
	});
	const miss = (...steps: number[]) => {
		const events = steps.map((step) => {
			const decoded = decode(Buffer.from(JSON.stringify(eventBody(step, { step }))));
			if (!('event' in decoded)) throw new Error('no event');
			return decoded.event;
		});
		reports.add({ events: new Map([[lane, events]]), bodies: [], why: 'dropped' });
	};
	return { clock, logger, told, gone, where, miss };
}

it('tells the first at once and gathers the others', async () => {
	const { clock, told, gone, miss } = world();
	miss(1);
	expect(gone).toEqual([1]);
	await clock.advance(0);
	miss(2);
	miss(3);
	await clock.advance(BOUNDS.missingEveryMs - 1);
	expect(told).toEqual([[1]]);
	await clock.advance(1);
	expect(told).toEqual([[1], [2, 3]]);
});

it('waits for what may come again, until the queue is read', async () => {
	let isRead = false;
	const { clock, told, where, miss } = world({ afterMs: 60_000, isRead: () => isRead });
	miss(1, 2);
	await clock.advance(90_000);
	isRead = true;
	await clock.advance(29_999);
	expect(told).toEqual([]);
	where.set(2, 'here');
	await clock.advance(1);
	expect(told).toEqual([[1]]);
});

it.each([
	['runs', 'runs'],
	['waits for its turn', 'here'],
] as const)('does not report what came again before it was told, and %s', async (_, at) => {
	const { clock, logger, told, where, miss } = world();
	miss(1);
	await clock.advance(0);
	miss(2, 3);
	miss(4);
	where.set(2, at).set(4, at);
	await clock.advance(BOUNDS.missingEveryMs);
	expect(told).toEqual([[1], [3]]);
	where.set(5, at);
	miss(5);
	await clock.advance(BOUNDS.missingEveryMs);
	expect(told).toEqual([[1], [3]]);
	expect(logger.lines.join()).toContain('\\"step\\":2,');
});
