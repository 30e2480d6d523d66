import { withoutHalfLetter } from '../../../service/api/body';
import { errorOf, startBench } from '../../support/apiAccount';
import { reply } from '../../support/fakeService';

/** The letters in which a service writes its names. */

const partyOf = (name: string) => JSON.stringify([{ customerId: 'c', customerName: name }]);

async function nameIn(bytes: Buffer, contentType: string) {
	const { client } = await startBench({ calls: [reply(200, bytes, { 'content-type': contentType })] });
	return (await client.customers())[0]?.customerName;
}

/** ř and ę have a byte of their own in ISO-8859-2, and none in Latin 1. */
const LATIN_2 = Buffer.from(partyOf('Přístav Kępa'), 'latin1');
for (const [letter, byte] of [
	['ř'.charCodeAt(0) & 0xff, 0xf8],
	['ę'.charCodeAt(0) & 0xff, 0xea],
] as const)
	LATIN_2.forEach((one, index) => {
		if (one === letter) LATIN_2[index] = byte;
	});

it.each([
	'application/json; charset=iso-8859-2',
	'application/json;charset="ISO-8859-2"',
	'application/json; Charset = "iso-8859-2"; boundary=x',
])('are those that the header names, where they are no UTF-8: %s', async (contentType) => {
	expect(await nameIn(LATIN_2, contentType)).toBe('Přístav Kępa');
});

it('are those of UTF-16 where the header says so', async () => {
	const text = Buffer.from(partyOf('Göteborg'), 'utf16le');
	expect(await nameIn(text, 'application/json; charset=utf-16le')).toBe('Göteborg');
});

it.each(['application/json; charset=iso-8859-2', 'application/json; charset=x-none', 'text/html', ''])(
	'are UTF-8 where they can be, whatever the header says: %j',
	async (contentType) => {
		expect(await nameIn(Buffer.from(partyOf('Göteborg, Přístav')), contentType)).toBe('Göteborg, Přístav');
	},
);

it('are UTF-8 also where one name is cut within a letter', async () => {
	const whole = Buffer.from(partyOf('Göteborg, Malmö, Kępa, Göt§'));
	const cut = whole.indexOf('§');
	const bytes = Buffer.concat([whole.subarray(0, cut), Buffer.from([0xc3]), whole.subarray(cut + 2)]);
	expect(await nameIn(bytes, 'application/json; charset=utf-8')).toBe('Göteborg, Malmö, Kępa, Göt\ufffd');
});

it('are read without the mark that they begin with', async () => {
	const bytes = Buffer.from(`\uFEFF${partyOf('Göteborg')}`);
	expect(await nameIn(bytes, 'application/json')).toBe('Göteborg');
});

it('are UTF-8 where they begin with its mark, though the only name that shows it is cut', async () => {
	const bytes = Buffer.from(`\uFEFF${partyOf('Kęp§')}`);
	bytes[bytes.indexOf(0xc2)] = 0x61;
	expect(await nameIn(bytes, 'application/json; charset=iso-8859-2')).toBe('Kępa\ufffd');
});

it.each(['application/json', 'application/json; charset=utf-8'])(
	'are Latin 1 where they are no UTF-8 and the header does not say so: %s',
	async (contentType) => {
		expect(await nameIn(Buffer.from(partyOf('Göteborg'), 'latin1'), contentType)).toBe('Göteborg');
	},
);

it('are whole in a long answer, which is read piece by piece', async () => {
	const PIECE = 1024 * 1024;
	const before = PIECE - 1 - Buffer.from(partyOf('')).indexOf('""}') - 1;
	const bytes = Buffer.from(partyOf(`${'a'.repeat(before)}öMalmö§`));
	expect(bytes.indexOf('öM')).toBe(PIECE - 1);
	// With one that is none, they are looked up.
	bytes[bytes.indexOf('§')] = 0x61;
	const name = await nameIn(bytes, 'application/json');
	expect(String(name).slice(before)).toBe('öMalmöa\ufffd');
});

it('of a name that nobody knows are shown as far as they go', async () => {
	const bytes = Buffer.from(partyOf('Göteborg'), 'latin1');
	expect(await nameIn(bytes, 'application/json; charset=x-none')).toBe('G\ufffdteborg');
});

it('are all there in what an error says, to its last one', async () => {
	const { client } = await startBench({ calls: [reply(400, 'Unbekannt: Malmö')] });
	expect((await errorOf(client.customers())).message).toContain('"Unbekannt: Malmö"');
});

it.each(['Göteborg', 'ĄĘŁŻ', '中文中文', 'हिन्दी', '🚢🚢🚢', 'a🚢ü中b', '\ufffd\ufffd\ufffd'])(
	'that a cut goes through are left out, and no other: %s',
	(text) => {
		const bytes = Buffer.from(text);
		for (let end = 0; end <= bytes.length; end++) {
			const left = withoutHalfLetter(bytes.subarray(0, end));
			const whole = [...text].filter(
				(_, index, all) => Buffer.byteLength(all.slice(0, index + 1).join('')) <= end,
			);
			expect(left.toString('utf8')).toBe(whole.join(''));
		}
	},
);
