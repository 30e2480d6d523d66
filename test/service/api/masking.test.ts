import { secretsOf } from '../../../service/api/login';
import { beginningWithoutSecrets, withoutSecrets } from '../../../service/api/masking';
import { whatWasSaid } from '../../../service/api/said';
import { apiAccount } from '../../support/apiAccount';

const each = (text: string, write: (code: number, character: string) => string) =>
	[...text].map((character) => write(character.codePointAt(0) ?? 0, character)).join('');
const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0');
const percent = (text: string) => [...Buffer.from(text)].map((byte) => `%${hex(byte, 2)}`).join('');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const json = (text: string) => JSON.stringify(text).slice(1, -1);
const html = (text: string) =>
	each(
		text,
		(_, character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[character] ?? character,
	);

/** As HTML can write what stands in the passwords below. */
const NAMES: Record<string, string> = {
	...{ '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', ':': 'colon', '/': 'sol', '%': 'percnt', '\\': 'bsol' },
	...{ '+': 'plus', ö: 'ouml', ß: 'szlig' },
};
const octal = (text: string) =>
	[...Buffer.from(text)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`);

const USER = 'jörg.desk';

/** The ways in which services repeat what they were sent. */
const SPELLINGS: Record<string, (secret: string) => string> = {
	'as it is': (secret) => secret,
	'without the blanks at its ends': (secret) => secret.trim(),
	'with percent signs where they must be': encodeURIComponent,
	'with a percent sign for each byte': percent,
	'with percent signs in capitals': (secret) => percent(secret).toUpperCase(),
	'with a percent sign for each byte of Latin 1': (secret) =>
		[...Buffer.from(secret, 'latin1')].map((byte) => `%${hex(byte, 2)}`).join(''),
	'with percent signs twice': (secret) => encodeURIComponent(encodeURIComponent(secret)),
	'as a form sends it': (secret) => encodeURIComponent(secret).replaceAll('%20', '+'),
	'in base64': base64,
	'in base64, behind the user name': (secret) => base64(`${USER}:${secret}`),
	'in base64 for URLs, behind the user name': (secret) =>
		Buffer.from(`${USER}:${secret}`).toString('base64url'),
	'as a Basic header': (secret) => `Basic ${base64(`${USER}:${secret}`)}`,
	'in hex': (secret) => Buffer.from(secret).toString('hex'),
	'as UTF-16 read byte by byte': (secret) => Buffer.from(secret, 'utf16le').toString('latin1'),
	'with control characters in between': (secret) => [...secret].join('\u0001\u001f\u007f'),
	'as JSON writes it': json,
	'as JSON in JSON': (secret) => json(json(secret)),
	'as JSON with codes': (secret) => each(secret, (code) => `\\u${hex(code, 4)}`),
	'as a script writes it': (secret) => each(secret, (code) => `\\u{${hex(code, 1)}}`),
	'with percent signs and codes, as old scripts do': (secret) => each(secret, (code) => `%u${hex(code, 4)}`),
	'as HTML writes it': html,
	'as HTML with codes': (secret) => each(secret, (code) => `&#${code};`),
	'as HTML with hex codes': (secret) => each(secret, (code) => `&#x${hex(code, 2)};`),
	'as HTML with codes of one width': (secret) =>
		each(secret, (code) => `&#${String(code).padStart(8, '0')};`),
	'as HTML with hex codes of one width': (secret) => each(secret, (code) => `&#x${hex(code, 8)};`),
	'as HTML with names': (secret) =>
		each(secret, (_, character) => (NAMES[character] ? `&${NAMES[character]};` : character)),
	'with an octal code for each byte': (secret) => octal(secret).join(''),
	'with octal codes for what is not ASCII': (secret) =>
		each(secret, (code, character) => (code > 127 ? octal(character).join('') : json(character))),
	'as HTML in JSON': (secret) => json(html(secret)),
	'in capitals': (secret) => secret.toUpperCase(),
	'in capitals, with the one of ß': (secret) => secret.replaceAll('ß', 'ẞ').toUpperCase(),
	'in small letters': (secret) => secret.toLowerCase(),
	'in capitals and small letters by turns': (secret) => {
		let count = 0;
		return each(secret, (_, character) => (count++ % 2 ? character.toLowerCase() : character.toUpperCase()));
	},
	'with its accents apart': (secret) => secret.normalize('NFD'),
	'with signs nobody sees in between': (secret) => [...secret].join('\u200b'),
	'as bytes taken for Latin 1': (secret) => Buffer.from(secret).toString('latin1'),
	backwards: (secret) => [...secret].reverse().join(''),
};

const PASSWORDS = [
	'Quay 7: Göteborg',
	'Sesam "öffne" & dich/7',
	'S3cr<et>%41\\n+x',
	'correct-h0rse-battery',
	' Quay 7, Malmö ',
	'Hafenstraße 7',
];

describe.each(PASSWORDS)('the password %s', (password) => {
	const secrets = secretsOf(apiAccount('https://service.example', { username: USER, password }));

	it.each(Object.entries(SPELLINGS))('is not repeated %s', (_label, spell) => {
		const spelled = spell(password);
		const text = `User refused (${spelled}), try again`;
		const safe = withoutSecrets(text, secrets);
		expect(safe).toContain('***');
		expect(safe).not.toContain(spelled);
		expect(safe).toMatch(/^User refused \(.*\), try again$/);
		// Nor a piece of it that would do.
		expect(safe.length).toBeLessThanOrEqual('User refused (Basic ******===), try again'.length);
		expect(whatWasSaid(JSON.stringify({ message: text }), secrets)).not.toContain(spelled);
	});
});

/** Of all names of signs and marks, since a password can hold each. */
it.each([
	...[
		'! excl',
		'# num',
		'$ dollar',
		'% percnt',
		'( lpar',
		') rpar',
		'* ast',
		'+ plus',
		', comma',
		'. period',
	],
	...[
		'/ sol',
		': colon',
		'; semi',
		'= equals',
		'? quest',
		'@ commat',
		'[ lsqb',
		'[ lbrack',
		'\\ bsol',
		'] rsqb',
	],
	...[
		'] rbrack',
		'^ Hat',
		'_ lowbar',
		'` grave',
		'{ lcub',
		'{ lbrace',
		'| verbar',
		'| vert',
		'} rcub',
		'} rbrace',
	],
	...[
		'ß szlig',
		'æ aelig',
		'ø oslash',
		'§ sect',
		'€ euro',
		'£ pound',
		'° deg',
		'è egrave',
		'é eacute',
		'ê ecirc',
	],
	...['ñ ntilde', 'Ü Uuml', 'å aring', 'ç ccedil', 'š scaron', "' apos"],
])('what HTML writes by its name is not repeated: %s', (written) => {
	const [sign = '', name = ''] = written.split(' ');
	expect(withoutSecrets(`of Quay7&${name};north.`, [`Quay7${sign}north`])).toBe('of ***.');
});

describe('a sentence that is too long to be read to its end', () => {
	const password = 'Quay 7: Göteborg';
	const secrets = secretsOf(apiAccount('https://service.example', { username: USER, password }));
	/** What is masked is short: what stands behind it is shown, though it stands where the sentence is cut. */
	const token = (length: number) => `eyJ${'a'.repeat(length)}.b.c`;

	it.each(Object.entries(SPELLINGS))('shows no part of a password: %s', (_label, spell) => {
		const spelled = spell(password);
		for (let part = 4; part <= spelled.length; part += 3) {
			const before = `${token(2_990)} ${token(2_987 - part)} not for `;
			const said = whatWasSaid(
				JSON.stringify({ message: `${before}${spelled} ${'x'.repeat(500)}` }),
				secrets,
			);
			expect(said).not.toContain(spelled.slice(0, 4));
		}
	});

	it.each([1_000, 2_100, 3_000, 5_000, 8_000])('shows no part of a secret of %i characters', (length) => {
		const secret = Array.from({ length }, (_, index) => (index * 7919).toString(36))
			.join('')
			.slice(0, length);
		const isIn = (said: string) =>
			Array.from({ length: length - 8 }, (_, at) => secret.slice(at, at + 8)).some((part) =>
				said.includes(part),
			);
		const other = ['with percent signs in capitals', 'as HTML with hex codes', 'as it is'];
		for (const front of ['No: ', `No${' '.repeat(3_900)}`, `No${'\u200b'.repeat(1_950)}`, token(3_000)]) {
			for (const spelled of other.map((name) => SPELLINGS[name]!(secret))) {
				const text = `${front} ${spelled} is not taken`;
				expect(isIn(beginningWithoutSecrets(text, 4_000, [secret]))).toBe(false);
				// Where it is written plainly, also what is said of it is shown.
				if (spelled === secret) expect(whatWasSaid(text, [secret])).toMatch(/\*\*\* is not taken$/);
			}
		}
	});

	it('is shown from its beginning', () => {
		expect(whatWasSaid(`Not for you. ${'Ask us. '.repeat(2_000)}`, secrets)).toMatch(
			/^Not for you\. Ask us\..*…$/,
		);
	});
});

describe('ordinary words stay', () => {
	const sentences = [
		'The password of this user has expired: ask the desk for a new one.',
		'Basic authentication is required, and a Bearer token is not accepted here.',
		'Set 22222222-2222-4222-8222-222222222222 (B/L 2026-11-20, MV AURORA) was not found; 100% sure &amp; final.',
		'Bearer authentication-failed. See https://service.example/help?topic=login+page%20two',
		'L’utilisateur n’a pas accès à Göteborg.',
	];

	it.each(sentences)('when the password is not among them: %s', (sentence) => {
		for (const password of [
			...PASSWORDS,
			'pass',
			'auth',
			'ten',
			'a',
			'is',
			'word',
			'1',
			'7',
			'Sesam',
			'x1y2',
		]) {
			const secrets = secretsOf(apiAccount('https://service.example', { username: USER, password }));
			const isWord = new RegExp(
				`(?<![\\p{L}\\p{N}])${password.replace(/[^\p{L}\p{N}]/gu, '.')}(?![\\p{L}\\p{N}])`,
				'iu',
			);
			if (isWord.test(sentence)) continue;
			expect({ password, safe: withoutSecrets(sentence, secrets) }).toEqual({ password, safe: sentence });
		}
	});

	it.each([
		[
			'Quay',
			'The quay is closed, and quayside work with it.',
			'The *** is closed, and quayside work with it.',
		],
		['pw', 'pw is no pwd', '*** is no pwd'],
		['word', 'A password is no word.', 'A password is no ***.'],
	])('and a password that is a word (%s) takes no others along', (password, sentence, safe) => {
		const secrets = secretsOf(apiAccount('https://service.example', { username: USER, password }));
		expect(withoutSecrets(sentence, secrets)).toBe(safe);
	});
});

it.each([
	['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl', '***'],
	['sent eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl away', 'sent *** away'],
	['x-eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2ln', 'x-***'],
	['Authorization: Bearer 0123456789abcdef', 'Authorization: Bearer ***'],
	['eyJabcde.x', '***'],
	['eyJabcde.a.b.c.d and so on', '*** and so on'],
	['two: eyJabcde.x eyJ_-_-_.', 'two: *** ***'],
	['bearer  01234567', 'bearer ***'],
	['Basic\n0123456=', 'Basic ***'],
	['Bearer abcdeFgh', 'Bearer ***'],
	['Bearer ABcdefgh', 'Bearer ***'],
	['Bearer abcdefg..', 'Bearer ***'],
	['Bearer abc1efgh', 'Bearer ***'],
	['Bearer a~b+c/d=e', 'Bearer ***'],
])('what looks like a token is not repeated, whoever it is of: %s', (text, safe) => {
	expect(withoutSecrets(text, [])).toBe(safe);
});

it.each([
	...['eyJabcd.x', 'eyJabcdefgh', 'aeyJabcde.x', 'eyKabcde.x'],
	...['Bearer Ab1defg', 'xBearer 01234567', 'Bearers 01234567', 'Bearer: 01234567', 'Digest 01234567'],
	...['Bearer abcdefgh', 'Bearer Abcdefgh', 'Bearer abcdefg.', 'Basic log-in_failed'],
])('what does not look like a token stays: %s', (text) => {
	expect(withoutSecrets(text, [])).toBe(text);
});

it.each([
	['ofQuay7North', 'Quay7', 'of***North'],
	['of 7Quay7', 'Quay', 'of 7Quay7'],
	['of οδοσ-77!', 'ΟΔΟΣ-77', 'of ***!'],
	['of ΟΔΟΣ-77!', 'οδοσ-77', 'of ***!'],
])('in %j, the secret %j is masked, or stays within a word: %j', (text, secret, safe) => {
	expect(withoutSecrets(text, [secret])).toBe(safe);
});

it('a secret of blanks alone masks nothing', () => {
	expect(withoutSecrets('of  the desk', [' ', '', '\t'])).toBe('of  the desk');
});
