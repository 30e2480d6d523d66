import { keyPrint, SetMemory } from '../../../service/changes/setMemory';

const many = (count: number) => {
	const memory = new SetMemory(200_000);
	for (let n = 0; n < count; n++) {
		memory.learn(`set-${n} transaction`, ['DRAFTED', 'SIGNED', 'ISSUED', 'TITLE_HELD'][n % 4]!, n % 3);
	}
	return memory;
};

it('tells new sets, those with another status, and the same ones apart, before and after it was stored', () => {
	const memory = many(1_000);
	for (const each of [memory, SetMemory.unpacked(memory.packed(), 200_000)!]) {
		expect(each.size).toBe(1_000);
		expect(each.knows('set-4 transaction', 'DRAFTED')).toBe('same');
		expect(each.knows('set-4 transaction', 'SIGNED')).toBe('other status');
		expect(each.knows('set-1000 transaction', 'SIGNED')).toBe('new');
	}
});

it('keeps 100,000 sets in less than 1 MB of text, and reads them back', () => {
	const packed = many(100_000).packed();
	expect(packed.length).toBeLessThan(1_000_000);
	const read = SetMemory.unpacked(packed, 200_000)!;
	expect(read.size).toBe(100_000);
	expect(read.packed()).toBe(packed);
});

it('counts a forgotten set as new', () => {
	const memory = many(10);
	memory.forget(keyPrint('set-4 transaction'));
	expect(memory.knows('set-4 transaction', 'DRAFTED')).toBe('new');
	expect(memory.knows('set-5 transaction', 'SIGNED')).toBe('same');
});

it('forgets first what the service no longer shows, and says when there is no room', () => {
	const memory = new SetMemory(3);
	memory.learn('gone', 'ISSUED', 1);
	memory.learn('seen before', 'ISSUED', 2);
	memory.learn('seen now', 'ISSUED', 3);
	expect(memory.makeRoom(3)).toBe(true);
	expect(memory.size).toBe(2);
	memory.learn('new', 'ISSUED', 3);
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
