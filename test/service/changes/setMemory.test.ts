import { keyPrint, SetMemory, type Shown } from '../../../service/changes/setMemory';
import { quietMsOf } from '../../support/work';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2025, 0, 1);
const shown = (status: string, transaction = '', instant: number | null = null): Shown => ({
	...{ status, transaction, instant },
});

/** Sets of two years, each with a transaction of its own, in the middle of a pass. */
const many = (count: number) => {
	const memory = new SetMemory(200_000);
	for (let n = 0; n < count; n++) {
		const status = ['DRAFTED', 'SIGNED', 'ISSUED', 'TITLE_HELD'][n % 4]!;
		memory.learn(`set-${n}`, shown(status, `t${n}`, START + ((n * 7919) % 1_051_200) * MINUTE), 1 + (n % 2));
	}
	return memory;
};

it('tells new sets, those with another status, and the same ones apart, before and after it was stored', () => {
	const memory = many(1_000);
	for (const each of [memory, SetMemory.unpacked(memory.packed(), 200_000)!]) {
		expect(each.size).toBe(1_000);
		expect(each.knows('set-4', shown('DRAFTED', 't4'))).toBe('same');
		expect(each.knows('set-4', shown('SIGNED', 't4'))).toBe('other');
		expect(each.knows('set-4', shown('DRAFTED', 't5'))).toBe('other');
		expect(each.knows('set-1000', shown('SIGNED', 't1000'))).toBe('new');
		expect(each.passesSince('set-4', 3)).toBe(2);
		const at = START + 4 * 7919 * MINUTE;
		expect(each.isOlder('set-4', shown('SIGNED', '', at - MINUTE))).toBe(true);
		expect(each.isOlder('set-4', shown('SIGNED', '', at + MINUTE))).toBe(false);
		expect(each.isAsOld('set-4', shown('SIGNED', '', at + MINUTE / 2))).toBe(true);
		expect(each.isAsOld('set-4', shown('SIGNED', '', null))).toBe(true);
	}
});

it('keeps 100,000 sets in less than 1 MB of text, and reads them back', () => {
	const packed = many(100_000).packed();
	expect(packed.length).toBeLessThan(1_000_000);
	const read = SetMemory.unpacked(packed, 200_000)!;
	expect(read.size).toBe(100_000);
	expect(read.packed()).toBe(packed);
});

it('packs again only what has changed', async () => {
	const memory = many(20_000);
	const packed = memory.packed();
	const read = SetMemory.unpacked(packed, 200_000)!;
	const ms = await quietMsOf(() => {
		for (let n = 0; n < 50; n++) {
			read.learn('set-0', shown('DRAFTED', 't0', START), 1);
			expect(read.packed()).toBe(packed);
		}
	});
	expect(ms).toBeLessThan(500);
	read.learn('set-0', shown('SIGNED', 't0', START), 1);
	expect(read.packed()).not.toBe(packed);
});

it('holds n8n up for no more than a moment where a few of 100,000 sets change, one after the other, and loses none', async () => {
	let memory = many(100_000);
	memory.packed();
	const ms = await quietMsOf(() => {
		for (let n = 0; n < 50; n++) {
			memory.learn(`set-${n}`, shown('RETURNED'), 3);
			memory.packed();
		}
	});
	expect(ms).toBeLessThan(1_000);
	expect(memory.packed().length).toBeLessThan(1_000_000);
	for (let n = 50; n < 2_500; n++) {
		memory.learn(n % 2 ? `set-${n}` : `new-${n}`, shown('RETURNED'), 3);
		if (n % 7 === 0) memory.untell(keyPrint(`set-${n + 50_000}`), 3);
		if (n % 400 === 0) memory = SetMemory.unpacked(memory.packed(), 200_000)!;
	}
	const text = memory.packed();
	const read = SetMemory.unpacked(text, 200_000)!;
	expect(read.packed()).toBe(text);
	expect(read.size).toBe(memory.size);
	for (let n = 0; n < 2_500; n++) {
		const key = n < 50 || n % 2 ? `set-${n}` : `new-${n}`;
		expect(read.knows(key, shown('RETURNED'))).toBe('same');
	}
	expect(read.knows('set-50056', shown('DRAFTED', 't50056'))).toBe('other');
});

it('reads what stands behind as the newer one, and nothing that is no such text', () => {
	const memory = many(2_000);
	const whole = memory.packed();
	memory.learn('set-4', shown('SIGNED', 't9', START + HOUR), 7);
	const text = memory.packed();
	expect(text.startsWith(`${whole}.`)).toBe(true);
	expect(SetMemory.unpacked(text, 2_000)?.knows('set-4', shown('SIGNED', 't9'))).toBe('same');
	for (const broken of [`${whole}.`, `${text}.${whole}`, `${whole}.x`, `.${whole}`, `${whole}.${whole}`]) {
		expect(SetMemory.unpacked(broken, 2_000)).toBeUndefined();
	}
});

it('knows of a set that may not have been told its date alone', () => {
	const memory = many(10);
	memory.untell(keyPrint('set-4'), 1);
	memory.untell(keyPrint('set-11'), 1);
	const at = START + 4 * 7919 * MINUTE;
	expect(memory.knows('set-4', shown('DRAFTED', 't4', at))).toBe('other');
	expect(memory.isAsOld('set-4', shown('DRAFTED', 't4', at))).toBe(true);
	expect(memory.isOlder('set-4', shown('SIGNED', 't4', at - MINUTE))).toBe(true);
	expect(memory.passesSince('set-4', 1)).toBe(2);
	expect(memory.knows('set-5', shown('SIGNED', 't5'))).toBe('same');
	expect(memory.knows('set-11', shown('SIGNED', 't5'))).toBe('new');
});

it('forgets first what the service no longer shows, and says when there is no room', () => {
	const memory = new SetMemory(3);
	memory.learn('gone', shown('ISSUED'), 1);
	memory.learn('seen before', shown('ISSUED'), 2);
	memory.learn('seen now', shown('ISSUED'), 3);
	expect(memory.makeRoom(3)).toBe(true);
	expect(memory.size).toBe(2);
	memory.learn('new', shown('ISSUED'), 3);
	expect(memory.makeRoom(3)).toBe(false);
});

it.each([
	['nothing', undefined],
	['a number', 7],
	['no base64', '…'],
	['cut', many(100).packed().slice(0, 80)],
	['another text', Buffer.from('hello').toString('base64')],
	['more than is remembered', many(10_000).packed()],
])('answers nothing for what is no memory: %s', (_, text) => {
	expect(SetMemory.unpacked(text, 1_000)).toBeUndefined();
});

describe('what another memory knows besides', () => {
	const since = Date.UTC(2026, 5, 20);
	const DAY = 24 * HOUR;
	const memoryOf = (sets: Record<string, number | null>, most = 10) => {
		const memory = new SetMemory(most);
		for (const [key, instant] of Object.entries(sets)) memory.learn(key, shown('SIGNED', '', instant), 1);
		return memory;
	};

	it('is taken over where it was modified since a time, in any zone, and is not known', () => {
		const memory = memoryOf({ known: since });
		const other = memoryOf({ late: since + DAY, zone: since - DAY / 2, early: since - 2 * DAY, never: null });
		other.learn('known', shown('ISSUED', '', since + DAY), 1);
		memory.takeOver(other, since, since + DAY);
		// Of a set without a date, nobody knows when it was.
		expect(memory.size).toBe(4);
		for (const key of ['late', 'zone', 'known', 'never'])
			expect(memory.knows(key, shown('SIGNED'))).toBe('same');
		expect(SetMemory.unpacked(memory.packed(), 10)!.has('zone')).toBe(true);
	});

	it('is taken over, however long ago the time is', () => {
		const other = memoryOf({ now: since, soon: since + 9 * DAY, long: since - 3_000 * DAY, never: null });
		for (const year of [1970, 2000, 2010]) {
			const memory = memoryOf({});
			memory.takeOver(other, Date.UTC(year, 0), since);
			expect(['now', 'soon', 'long', 'never'].filter((key) => !memory.has(key))).toEqual([]);
		}
	});

	it('is taken over from the newest on, as far as there is room', () => {
		const memory = memoryOf({ known: since }, 3);
		memory.takeOver(
			memoryOf({ never: null, a: since + DAY, b: since + 3 * DAY, c: since + 2 * DAY }),
			since,
			since,
		);
		expect(['never', 'a', 'b', 'c'].filter((key) => memory.has(key))).toEqual(['b', 'c']);
	});
});
