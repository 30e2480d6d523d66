import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { tokenSecrets } from '../../../service/api/login';
import { secretFree } from '../../../service/api/secretFree';

const SECRET = 'Sup3r:Secret&öre';

/** As an answer is read: from its text. */
const free = (json: string, secrets: readonly string[]) => secretFree(JSON.parse(json), json, secrets);
const freed = (value: unknown, ...secrets: string[]) => free(JSON.stringify(value), secrets);

it('a secret is masked wherever it stands in an answer, and nothing beside it', () => {
	const answer = (secret: string) => ({
		...{ a: `x ${secret} y`, list: [secret, 1, null, true, [`${secret}.`]] },
		...{ [`of ${secret}`]: { deep: [{ [secret]: secret }] }, other: 'stays', empty: '' },
	});
	expect(freed(answer(SECRET), SECRET)).toEqual(answer('***'));
	expect(freed([SECRET, 'b'], SECRET)).toEqual(['***', 'b']);
	expect(freed(SECRET, SECRET)).toBe('***');
	expect(freed({ [SECRET]: 1 }, SECRET)).toEqual({ '***': 1 });
});

it.each<[string, string]>([
	['in capitals', SECRET.toUpperCase()],
	['with percent signs', encodeURIComponent(SECRET)],
	['as HTML', SECRET.replace('&', '&amp;')],
	['with its accents apart', SECRET.normalize('NFD')],
	['with signs nobody sees', [...SECRET].join('\u200b')],
])('a secret is masked also %s', (_, spelled) => {
	expect(freed({ a: `x ${spelled} y`, [spelled]: 1 }, SECRET)).toEqual({ a: 'x *** y', '***': 1 });
});

it.each<[string, string, boolean]>([
	['six characters of two kinds', 'desk-7', true],
	['letters and digits', 'quay77', true],
	['letters and signs', 'quay-q', true],
	['digits and signs', '123-45', true],
	['five characters', 'desk7', false],
	['letters alone', 'geheimnis', false],
	['digits alone', '2026112200', false],
	['signs alone', '--------', false],
])('a secret of %s is certain to be one: %s', (_, secret, isCertain) => {
	expect(freed({ a: `of ${secret}!` }, secret)).toEqual({ a: isCertain ? 'of ***!' : `of ${secret}!` });
});

it('each of several secrets is masked, and one that could be a word stays beside one that is certain', () => {
	const said = { a: 'desk-7 or quay77 of Coffee', b: 'quay77' };
	expect(freed(said, 'Coffee', 'quay77', 'desk-7')).toEqual({ a: '*** or *** of Coffee', b: '***' });
});

it('an id stays as it is, unless it is a secret itself', () => {
	const id = '22222222-2222-4222-8222-222222222222';
	const said = { setId: id, text: `${id}!`, plain: '2222-4' };
	expect(freed(said, '2222-4')).toEqual({
		setId: id,
		text: expect.not.stringContaining('2222-4'),
		plain: '***',
	});
	expect(freed(said, id)).toEqual({ setId: '***', text: '***!', plain: '2222-4' });
});

it('signs that mean something in a pattern are no more than signs', () => {
	expect(freed({ a: 'a.b*c+d', b: 'axbxc+d' }, 'a.b*c+d')).toEqual({ a: '***', b: 'axbxc+d' });
});

it('a token may be long: it is masked as any other secret, and nothing that only begins alike', () => {
	const token = 'Ab0-'.repeat(15_000);
	const said = { a: `of ${token}!`, b: `of ${token.slice(0, 500)}!` };
	expect(freed(said, ...tokenSecrets(token))).toEqual({ ...said, a: 'of ***!' });
});

it('of a long text, a secret that is written plainly is masked wherever it stands', () => {
	const long = 'x'.repeat(70_000);
	expect(freed({ a: `${SECRET}${long}${SECRET}` }, SECRET)).toEqual({ a: `***${long}***` });
	const coded = '%41 '.repeat(10_000);
	expect(freed({ a: `${encodeURIComponent(SECRET)} ${coded}` }, SECRET)).toEqual({ a: `*** ${coded}` });
});

it('behind texts that cost much to look through, a secret that is written plainly is still masked', () => {
	for (const costly of ['&%41 '.repeat(10_000), 'ö'.repeat(50_000), `${SECRET} ${'x'.repeat(40_000)}`]) {
		const texts = Array.from({ length: 60 }, () => costly);
		const { last } = freed({ texts, last: ['short', `x ${SECRET}`] }, SECRET) as { last: string[] };
		expect(last).toEqual(['short', 'x ***']);
	}
});

it('an answer without a secret, or for an account without one, is handed back as it came', () => {
	for (const json of ['{"a":"b"}', '{"a":"ö %41"}', '[]', 'null', '7']) {
		const value: unknown = JSON.parse(json);
		const as = JSON.stringify(value);
		for (const secrets of [[], ['geheim'], [SECRET]]) {
			expect(secretFree(value, json, secrets)).toBe(value);
			expect(JSON.stringify(value)).toBe(as);
		}
	}
});

it('behind texts that cost much to look through, what may be a secret written in another way is not looked at', () => {
	const coded = encodeURIComponent(SECRET);
	const lastBehind = (costly: string, times: number) => {
		const texts = Array.from({ length: times }, () => costly);
		return (freed({ texts, last: `x ${coded}` }, SECRET) as { last: string }).last;
	};
	for (const [costly, times] of [
		['&%41 '.repeat(10_000), 10],
		['ö'.repeat(50_000), 60],
		[`${SECRET} ${'x'.repeat(40_000)}`, 5],
	] as const) {
		expect(lastBehind(costly, times)).toBe(`x ${coded}`);
		expect(lastBehind(costly, 0)).toBe('x ***');
	}
	expect(lastBehind('&%41 '.repeat(10_000), 5)).toBe('x ***');
	expect(lastBehind('ö'.repeat(50_000), 40)).toBe('x ***');
});

it('a secret that is written in another way is found wherever it stands, also where few texts could hide one', () => {
	const coded = encodeURIComponent(SECRET);
	const others = Array.from({ length: 300 }, (_, number) => ({
		port: 'Göteborg',
		number,
		rate: 1e21,
		ok: true,
	}));
	const answers: ((secret: string) => unknown)[] = [
		(secret) => [secret, ...others],
		(secret) => [...others, { of: `x ${secret}` }],
		(secret) => [...others, { [secret]: null }, 7],
		(secret) => ({ a: 'Malmö', b: [`x ${secret} y`, 'Ålesund'] }),
		(secret) => ['ö', secret, { é: secret, [secret]: 'ü' }],
		(secret) => `${secret} ö`,
	];
	for (const answer of answers) {
		for (const space of [undefined, '\t']) {
			const json = JSON.stringify(answer(coded), null, space);
			expect(json).not.toContain('\\');
			expect(free(json, [SECRET, 'desk-7'])).toEqual(answer('***'));
		}
		expect(freed(answer('desk\u200b-7'), SECRET, 'desk-7')).toEqual(answer('***'));
		const open = JSON.stringify(answer('Århus'));
		const value: unknown = JSON.parse(open);
		expect(secretFree(value, open, [SECRET])).toBe(value);
		expect(value).toEqual(answer('Århus'));
	}
});

it.each([
	['in its first letter', 'édesk-7', 'Édesk-7'],
	['in its last letter', 'desk-7é', 'desk-7É'],
	['in a mark behind its last letter', 'desk-7é', 'desk-7e\u0301'],
	['in its last sign', 'desk-7', 'desk-&#55;'],
])(
	'a secret that is written in another way %s alone is found at both ends of a text',
	(_, secret, spelled) => {
		for (const answer of [
			(name: string) => [name],
			(name: string) => ({ a: `x ${name}`, b: `${name} y` }),
			(name: string) => ({ port: 'Malmö', [name]: 'Århus', last: name }),
		])
			expect(freed(answer(spelled), secret)).toEqual(answer('***'));
	},
);

it('what is known of texts that hide none keeps no answer in memory', () => {
	setFlagsFromString('--expose-gc');
	const collectGarbage = runInNewContext('gc') as () => void;
	const secrets = [SECRET];
	const heldAfter = (answers: number) => {
		for (let number = 0; number < answers; number++)
			free(JSON.stringify({ long: 'x'.repeat(1_000_000), port: `Göteborg, berth ${number}` }), secrets);
		collectGarbage();
		return process.memoryUsage().heapUsed / 1_000_000;
	};
	const before = heldAfter(1);
	expect(heldAfter(100) - before).toBeLessThan(20);
});
