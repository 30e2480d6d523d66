import { Memory } from '../../../service/queue/memory';
import { Noted } from '../../../service/queue/noted';
import { Told } from '../../../service/queue/told';
import { manualClock } from '../../support/manualClock';

const HOUR = 60 * 60_000;

describe('a memory', () => {
	/** Of so many, for a second. */
	function memory(most = 3) {
		const clock = manualClock();
		const kept = new Memory<string>(clock, most, 1_000);
		const keeps = (...keys: string[]) => {
			for (const key of keys) kept.keep(key, `${key}!`);
		};
		return { clock, kept, keeps, all: () => [...kept.values()].join(' ') };
	}

	it('has the newest of so many: what is kept again is the newest', () => {
		const { kept, keeps, all } = memory();
		keeps('a', 'b', 'c', 'a', 'd');
		expect(all()).toBe('c! a! d!');
		expect(['a', 'b', 'd'].map((key) => kept.look(key))).toEqual(['a!', undefined, 'd!']);
	});

	it('has them for their time', async () => {
		const { clock, kept, keeps, all } = memory();
		keeps('a');
		await clock.advance(999);
		expect([kept.look('a'), all()]).toEqual(['a!', 'a!']);
		await clock.advance(1);
		expect([kept.look('a'), all(), kept.take('a')]).toEqual([undefined, '', undefined]);
	});

	it('lets go of what is too old, however few there are', async () => {
		const { clock, kept, keeps } = memory(5);
		keeps('a', 'b');
		await clock.advance(1_000);
		keeps('c', 'd', 'e', 'f');
		// Both are out: none of those that are new makes room.
		keeps('g');
		expect([...kept.values()]).toEqual(['c!', 'd!', 'e!', 'f!', 'g!']);
	});

	it('gives away what is taken', () => {
		const { kept, keeps, all } = memory();
		keeps('a', 'b');
		expect([kept.take('a'), kept.take('a'), all()]).toEqual(['a!', undefined, 'b!']);
	});

	it.each([
		[499, false],
		[500, true],
		[999, true],
		[1_000, false],
	])('has what came again after %d of 1,000 for its time anew: %s', async (after, anew) => {
		const { clock, kept, keeps, all } = memory();
		keeps('a', 'b');
		await clock.advance(after);
		kept.renew('a');
		kept.renew('nothing');
		expect(kept.look('nothing')).toBeUndefined();
		if (after < 1_000) expect(all()).toBe(anew ? 'b! a!' : 'a! b!');
		await clock.advance(999);
		expect(kept.look('a')).toBe(anew ? 'a!' : undefined);
	});
});

describe('a subscriber', () => {
	it('is told the same words once an hour, and others at once', async () => {
		const clock = manualClock();
		const told = new Told(clock, { tellAgainMs: HOUR });
		const news = (who: string, words: string) => told.isNews(who, words);
		expect([news('one', 'x'), news('one', 'x'), news('one', 'y'), news('two', 'x')]).toEqual([
			...[true, false, true, true],
		]);
		await clock.advance(HOUR - 1);
		expect(news('one', 'x')).toBe(false);
		await clock.advance(1);
		expect([news('one', 'x'), news('one', 'x')]).toEqual([true, false]);
	});

	it('may be told again what a thousand others were told since', () => {
		const told = new Told(manualClock(), { tellAgainMs: HOUR });
		for (let number = 0; number <= 1_000; number += 1) told.isNews('one', String(number));
		expect([told.isNews('one', '1'), told.isNews('one', '0')]).toEqual([false, true]);
	});
});

it('the log has the same once, until ten thousand others came', () => {
	const noted = new Noted();
	expect([noted.isFirst('0'), noted.isFirst('0')]).toEqual([true, false]);
	for (let number = 1; number <= 10_000; number += 1) noted.isFirst(String(number));
	expect([noted.isFirst('1'), noted.isFirst('0')]).toEqual([false, true]);
});
