import fc from 'fast-check';
import { readStatusEvent } from '../../../service/model/event';
import { BOUNDS } from '../../../service/queue/bounds';
import { Entries } from '../../../service/queue/entries';
import { Repeats } from '../../../service/queue/repeats';
import { eventBody } from '../../support/events';
import '../../support/fuzz';
import { manualClock } from '../../support/manualClock';
import { quietMsOf } from '../../support/work';

function entriesOf() {
	const clock = manualClock();
	const entries = new Entries(clock, new Repeats(clock, BOUNDS));
	const add = (number: number) => {
		const event = readStatusEvent(eventBody(number))!;
		const share = {
			bytes: 500,
			returns: undefined,
			deaths: 0,
			number,
			from: {},
			overtakes: () => false,
			settle: () => {},
		};
		entries.add({ event, redelivered: false, deliveredAt: 0 }, share, false);
	};
	return { entries, add, numbers: () => [...entries].map(({ number }) => number) };
}

it('has its events in the order of their delivery, however they come, while others end', () => {
	const comes = fc.record({ number: fc.nat(1_000), ends: fc.option(fc.nat(60), { nil: undefined }) });
	fc.assert(
		fc.property(fc.uniqueArray(comes, { selector: ({ number }) => number, maxLength: 60 }), (steps) => {
			const { entries, add, numbers } = entriesOf();
			const expected = new Set<number>();
			for (const { number, ends } of steps) {
				add(number);
				expected.add(number);
				const ended = ends === undefined ? undefined : [...entries][ends];
				if (!ended) continue;
				entries.end(ended, 'remove', true);
				expected.delete(ended.number);
			}
			expect(numbers()).toEqual([...expected].sort((a, b) => a - b));
			expect(entries.count).toBe(expected.size);
		}),
	);
});

it('takes in at once what a newer version asks for of thousands delivered before', async () => {
	const { add, entries } = entriesOf();
	const count = 10_000;
	add(count);
	const ms = await quietMsOf(() => {
		for (let number = 0; number < count; number += 1) add(number);
	});
	// It took half a minute where each looked at all others.
	expect(ms).toBeLessThan(5_000);
	expect(entries.count).toBe(count + 1);
});
