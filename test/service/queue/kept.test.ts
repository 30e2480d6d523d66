import { BOUNDS } from '../../../service/queue/bounds';
import { Kept } from '../../../service/queue/kept';
import { Message } from '../../../service/queue/message';
import type { Delivery } from '../../../service/queue/session';
import { manualClock } from '../../support/manualClock';
import { recordingLogger } from '../../support/subscriber';

const BODY = 'no event';

function delivered(facts: Partial<Delivery> = {}): Message {
	const body = Buffer.from(BODY);
	const settle = () => undefined;
	return new Message({ body, redelivered: false, returns: undefined, deaths: 0, settle, ...facts }, 0);
}

const kept = () => new Kept(manualClock(), BOUNDS, recordingLogger(), 'Queue q');

describe('an unreadable message', () => {
	it('that comes back as a dead letter is no news', () => {
		const memory = kept();
		expect(memory.isNew(delivered(), BODY)).toBe(true);
		expect(memory.isNew(delivered({ deaths: 1 }), BODY)).toBe(false);
		expect(memory.isNew(delivered({ deaths: 2 }), BODY)).toBe(false);
	});

	it('is news as a dead letter that nobody here saw before', () => {
		const memory = kept();
		expect(memory.isNew(delivered({ deaths: 3 }), BODY)).toBe(true);
		expect(memory.isNew(delivered({ deaths: 4 }), BODY)).toBe(false);
	});

	it('is news also where the log shows it, since it was delivered often', () => {
		const memory = kept();
		memory.noteReturns(delivered({ returns: 5 }));
		expect(memory.isNew(delivered({ deaths: 1 }), BODY)).toBe(true);
	});

	it('that is sent once more is told once more', () => {
		const memory = kept();
		expect([memory.isNew(delivered(), BODY), memory.isNew(delivered(), BODY)]).toEqual([true, true]);
	});
});
