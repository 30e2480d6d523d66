import { Names } from '../../../service/queue/names';

it('knows one queue by all the names that were learnt of it, one after another and in pairs', () => {
	const names = new Names();
	expect(names.areOne('a', 'a')).toBe(true);
	expect(names.areOne('a', 'b')).toBe(false);
	expect(names.learn('a', 'b')).toBe(true);
	expect(names.learn('c', 'd')).toBe(true);
	expect(names.areOne('b', 'c')).toBe(false);
	expect(names.learn('b', 'c')).toBe(true);
	expect(names.areOne('d', 'a')).toBe(true);
	expect(names.learn('d', 'a')).toBe(false);
	expect(names.areOne('e', 'a')).toBe(false);
});
