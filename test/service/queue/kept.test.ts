import { BOUNDS } from '../../../service/queue/bounds';
import { Kept } from '../../../service/queue/kept';
import { Message } from '../../../service/queue/message';
import { Noted } from '../../../service/queue/noted';
import type { Clock } from '../../../service/surroundings';

const clock: Clock = { now: () => 0, after: (_ms, work) => (work(), () => {}) };

function keeper(noted = new Noted()) {
	const lines: unknown[] = [];
	const write = (_message: string, meta?: unknown) => void lines.push(meta);
	const logger = { debug: write, info: write, warn: write, error: write };
	return { kept: new Kept(clock, BOUNDS, logger, 'Queue parcels', noted), lines };
}

function message(body: string, { deaths = 0, returns = 0 } = {}): Message {
	const delivery = {
		body: Buffer.from(body),
		redelivered: returns > 0,
		returns,
		deaths,
		priority: 0,
		settle: () => {},
		giveBack: () => {},
	};
	return new Message(delivery, 0);
}

describe('an unreadable message', () => {
	it('is told of each time it is sent, and not again when it comes back as a dead letter', () => {
		const { kept } = keeper();
		expect(kept.isNew(message('nonsense'), 'nonsense')).toBe(true);
		expect(kept.isNew(message('nonsense'), 'nonsense')).toBe(true);
		expect(kept.isNew(message('nonsense', { deaths: 1 }), 'nonsense')).toBe(false);
	});

	it('is told of when it died before it came here', () => {
		const { kept } = keeper();
		expect(kept.isNew(message('nonsense', { deaths: 3 }), 'nonsense')).toBe(true);
		expect(kept.isNew(message('nonsense', { deaths: 4 }), 'nonsense')).toBe(false);
	});

	it('is told of once, also when another connection gets it the next time', () => {
		const noted = new Noted();
		keeper(noted).kept.isNew(message('nonsense'), 'nonsense');
		expect(keeper(noted).kept.isNew(message('nonsense', { deaths: 1 }), 'nonsense')).toBe(false);
	});

	it('is told of, though the log has shown its body because it came often', () => {
		const { kept, lines } = keeper();
		kept.noteReturns(message('nonsense', { returns: 2 }));
		expect(lines).toEqual([{ events: ['nonsense'] }]);
		expect(kept.isNew(message('nonsense', { deaths: 1, returns: 2 }), 'nonsense')).toBe(true);
	});
});

describe('a body that comes often', () => {
	it('stands in the log once, from its third delivery on', () => {
		const { kept, lines } = keeper();
		for (const returns of [0, 1, 2, 3]) kept.noteReturns(message('{"newStatus":"Signed"}', { returns }));
		expect(lines).toHaveLength(1);
	});
});

describe('the moments at which things end', () => {
	it('a share that was kept is settled well before its channel is closed', () => {
		expect(BOUNDS.renewAfterMs - BOUNDS.keptMs).toBeGreaterThanOrEqual(10 * BOUNDS.silenceMs);
	});
});
