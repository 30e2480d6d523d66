import { Aliases } from '../../../service/queue/aliases';

it('knows one queue by all the names that were learnt of it, one after another and in pairs', () => {
	const aliases = new Aliases();
	expect(aliases.areOne('a', 'a')).toBe(true);
	expect(aliases.areOne('a', 'b')).toBe(false);
	expect(aliases.learn('a', 'b')).toBe(true);
	expect(aliases.learn('c', 'd')).toBe(true);
	expect(aliases.areOne('b', 'c')).toBe(false);
	expect(aliases.learn('b', 'c')).toBe(true);
	expect(aliases.areOne('d', 'a')).toBe(true);
	expect(aliases.learn('d', 'a')).toBe(false);
	expect(aliases.areOne('e', 'a')).toBe(false);
});
