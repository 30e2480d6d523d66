import fc from 'fast-check';
import { isServiceError } from '../../../service/errors';
import { trustedAuthorities } from '../../../service/model/authorities';
import { documentsOfTypes } from '../../../service/model/documentType';
import { safeFileName } from '../../../service/model/fileName';
import { fileNameFacts, fillTemplate, PLACEHOLDERS } from '../../../service/model/fileNameTemplate';
import { isoInstant, modifiedInstant, modifiedIso, modifiedSince } from '../../../service/model/modifiedDate';
import { repairPem } from '../../../service/model/pem';
import { documentsOf, shownText, type SetResult } from '../../../service/model/set';
import { simplifySet } from '../../../service/model/simplifiedSet';
import { canonicalWord } from '../../../service/model/canonicalWord';
import { isUuid } from '../../../service/model/uuid';

/** Every reader of what the service sends or a person types, on anything: no crash, and what comes out can be relied on. */

const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
const anything = fc.oneof(text, fc.jsonValue(), fc.anything());
const zone = fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns', 'Pacific/Apia');

const document = fc.record(
	{ documentId: fc.oneof(text, anything), name: anything, docType: anything, more: anything },
	{ requiredKeys: [] },
);
const set = fc.record(
	{
		...{ setId: text, parcelRef: anything, shipmentRef: anything, status: anything, quantity: anything },
		...{ modifiedDate: anything, signature: anything, billOfLadingDate: anything, vesselName: anything },
		documents: fc.oneof(fc.option(fc.array(fc.oneof(document, anything))), anything),
	},
	{ requiredKeys: ['setId'] },
);

it('a set is made plain whatever its fields hold, and none is lost', () => {
	fc.assert(
		fc.property(set, zone, (sent, here) => {
			const plain = simplifySet(sent, here);
			expect(plain.setId).toBe(sent.setId);
			const something = (value: unknown) =>
				shownText(value)
					?.replace(/\s*null\b/gi, '')
					.trim() ?? '';
			for (const [field, value] of Object.entries(sent)) {
				const isThere = something(value) !== '' && !['status', 'modifiedDate'].includes(field);
				if (isThere) expect(plain).toHaveProperty([field]);
			}
			if (Array.isArray(plain.documents)) {
				expect(plain.documents).toHaveLength(Array.isArray(sent.documents) ? sent.documents.length : 0);
				for (const shown of plain.documents.flatMap((entry: object) => Object.values(entry))) {
					expect([null, 'string']).toContain(shown && typeof shown);
				}
			} else expect(plain.documents).toBe(sent.documents);
			if (plain.modifiedAt !== null) expect(Date.parse(plain.modifiedAt)).not.toBeNaN();
		}),
	);
});

it('a date is an instant or null, the same instant as its ISO text, and an unreadable one is never too old', () => {
	const months = ['January', 'Feb', 'march', 'SEPT', 'Dezember'];
	const dateLike = fc
		.tuple(fc.nat(40), fc.constantFrom(...months), fc.nat(9_999), fc.nat(30), fc.nat(70))
		.map(([day, month, year, hour, minute]) => `${day} ${month} ${year} ${hour}:${minute}`);
	const sent = fc.oneof(
		anything,
		dateLike,
		fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
	);
	fc.assert(
		fc.property(sent, zone, fc.integer(), (value, here, bound) => {
			const instant = modifiedInstant(value, here);
			if (instant === null) {
				expect(modifiedIso(value, here)).toBeNull();
				expect(modifiedSince(value, bound, here)).toBe(true);
				return;
			}
			expect(Number.isSafeInteger(instant)).toBe(true);
			// The text has no fractions of a second, and neither has what was read.
			expect(isoInstant(modifiedIso(value, here) ?? '', 'UTC')).toBe(instant);
		}),
	);
});

it('a file name made of anything is safe on every drive', () => {
	const part = fc.oneof(
		text,
		fc.constantFrom(...PLACEHOLDERS.map((name) => `{${name}}`), '{nope}', '{', '..'),
	);
	fc.assert(
		fc.property(set, document, fc.array(part), (of, one, parts) => {
			const [entry] = documentsOf({ documents: [one] });
			if (!entry) throw new Error('an object is an entry');
			let name: string;
			try {
				name = safeFileName(fillTemplate(parts.join(''), fileNameFacts(of as SetResult, entry)), '.pdf');
			} catch (error) {
				if (!isServiceError(error)) throw error;
				return;
			}
			expect(name).toMatch(/^[^/\\:*?"<>|\p{Cc}]+\.pdf$/u);
			expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
			expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)(\.|$)|[. ]\.pdf$|^\./i);
		}),
	);
});

it('documents of some types are some of the documents', () => {
	fc.assert(
		fc.property(fc.array(document), fc.array(text), (sent, types) => {
			const documents = documentsOf({ documents: sent });
			const chosen = documentsOfTypes(documents, types);
			for (const one of chosen) expect(documents).toContain(one);
			expect(documentsOfTypes(documents, [])).toEqual(documents);
		}),
	);
});

it('a pasted certificate is taken or refused with a remedy, and repairing it twice changes nothing', () => {
	const pem = fc
		.tuple(text, text)
		.map(([label, body]) => `-----BEGIN ${label}-----${body}-----END ${label}-----`);
	fc.assert(
		fc.property(
			fc.oneof(
				text,
				pem,
				fc.array(pem).map((all) => all.join('\\n')),
			),
			(pasted) => {
				const repaired = repairPem(pasted);
				expect(repairPem(repaired)).toBe(repaired);
				try {
					expect(trustedAuthorities(pasted) === undefined).toBe(pasted.trim() === '');
				} catch (error) {
					expect(error).toMatchObject({ code: 'invalidInput', remedy: expect.any(String) });
				}
			},
		),
		{ examples: [['\\n']] },
	);
});

it('small readers: a shown text is a text worth showing, a canonical word stays as it is, an id is one', () => {
	fc.assert(
		fc.property(anything, text, (value, word) => {
			const shown = shownText(value);
			if (shown !== null) expect(shown.trim()).not.toBe('');
			expect(canonicalWord(canonicalWord(word))).toBe(canonicalWord(word));
			if (isUuid(word)) expect(word).toHaveLength(36);
		}),
		{ examples: [[' ', '']] },
	);
});
