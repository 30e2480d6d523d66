import { isoInstant, modifiedIso, modifiedSince } from '../../../service/model/modifiedDate';

describe('the date of a set, which has no zone', () => {
	it.each([
		['as the interface shows it', '20 November 2026 09:48', '2026-11-20T09:48:00.000Z'],
		['a short month', '20 Nov 2026 09:48', '2026-11-20T09:48:00.000Z'],
		['four letters of a month', '1 Sept 2026 00:05', '2026-09-01T00:05:00.000Z'],
		['capitals and blanks', '  02 JANUARY 2026  7:05 ', '2026-01-02T07:05:00.000Z'],
		['a comma', '20 November 2026, 09:48', '2026-11-20T09:48:00.000Z'],
		['dashes', '20-Nov-2026 09:48', '2026-11-20T09:48:00.000Z'],
		['seconds', '20 November 2026 09:48:31', '2026-11-20T09:48:31.000Z'],
		['ISO with a zone, which wins', '2026-11-20T09:48:00+01:00', '2026-11-20T08:48:00.000Z'],
		['ISO with hours of a zone alone', '2026-11-20T09:48:00+01', '2026-11-20T08:48:00.000Z'],
		['ISO with a comma', '2026-11-20T09:48:00,250Z', '2026-11-20T09:48:00.250Z'],
		['ISO without its signs', '20261120T094800-0130', '2026-11-20T11:18:00.000Z'],
		['ISO and UTC in letters', '2026-11-20 09:48:00 UTC', '2026-11-20T09:48:00.000Z'],
		['ISO and GMT in letters', '2026-11-20T09:48 gmt', '2026-11-20T09:48:00.000Z'],
		['ISO and UTC once more', '2026-11-20T09:48:00Z[UTC]', '2026-11-20T09:48:00.000Z'],
		['ISO with half of its signs', '2026-1120', null],
		['ISO and letters of another zone', '2026-11-20 09:48:00 CET', null],
		['a day no month has, without signs', '20261131', null],
		[
			'a language whose month begins like the English one',
			'20 novembre 2026 09:48',
			'2026-11-20T09:48:00.000Z',
		],
		['a month nobody knows', '20 Brumaire 2026 09:48', null],
		['a day no month has', '31 February 2026 09:48', null],
		['an hour no day has', '20 November 2026 25:48', null],
		['a second no minute has', '20 November 2026 09:48:60', null],
		['a text that goes on', '20 November 2026 09:48 or so', null],
		['a text that begins with something else', 'on 20 November 2026 09:48', null],
		['two letters of a month', '20 No 2026 09:48', null],
		['a point behind the month', '20 Nov. 2026 09:48', '2026-11-20T09:48:00.000Z'],
		['a text longer than any date', `20 November 2026 ${' '.repeat(60)}09:48`, null],
		['nothing', '', null],
		['null', null, null],
		['words', 'yesterday', null],
	])('%s', (_, sent, iso) => {
		expect(modifiedIso(sent, 'UTC')).toBe(iso);
	});

	it('is read in the zone asked for, never in that of the host', () => {
		expect(modifiedIso('20 November 2026 09:48', 'Asia/Singapore')).toBe('2026-11-20T09:48:00.000+08:00');
		expect(modifiedIso('20 November 2026 09:48', 'America/New_York')).toBe('2026-11-20T09:48:00.000-05:00');
	});
});

it('every month is read by its name and by its first three letters', () => {
	for (let month = 0; month < 12; month++) {
		const name = new Date(Date.UTC(2026, month, 1)).toLocaleString('en', { month: 'long', timeZone: 'UTC' });
		const iso = new Date(Date.UTC(2026, month, 7, 9, 48)).toISOString();
		for (const written of [name, name.slice(0, 3)])
			expect(modifiedIso(`7 ${written} 2026 09:48`, 'UTC')).toBe(iso);
	}
});

describe('modified since', () => {
	const bound = Date.UTC(2026, 10, 20, 9, 48, 30);
	it.each([
		['a minute later', '20 November 2026 09:49', true],
		['the same minute, whose seconds nobody sent', '20 November 2026 09:48', true],
		['a minute earlier', '20 November 2026 09:47', false],
		['a date nobody can read, rather than lose it', 'soon', true],
		['no date', null, true],
		['one millisecond before the minute', '2026-11-20T09:47:59.999Z', false],
	])('%s', (_, sent, since) => {
		expect(modifiedSince(sent, bound, 'UTC')).toBe(since);
	});
});

describe('a date as n8n gives it', () => {
	it.each([
		['the editor, without a zone', '2026-11-20T09:30:00', '2026-11-20T08:30:00.000Z'],
		['a day', '2026-11-20', '2026-11-19T23:00:00.000Z'],
		['an expression, with a zone', '2026-11-20T09:30:00.000+05:30', '2026-11-20T04:00:00.000Z'],
		['west of Greenwich', '2026-11-20T09:30:00-03:30', '2026-11-20T13:00:00.000Z'],
		['UTC', '2026-11-20T09:30:00.000Z', '2026-11-20T09:30:00.000Z'],
		['no date', 'tomorrow', null],
		['a day that does not exist', '2026-02-30', null],
		['a day that does not exist, with a zone', '2026-02-30T09:30:00+01:00', null],
		['the zone furthest east', '2026-11-20T09:30:00+14:00', '2026-11-19T19:30:00.000Z'],
		['a zone further than any', '2026-11-20T09:30:00+14:01', null],
		['a zone of more minutes than an hour has', '2026-11-20T09:30:00+01:60', null],
		['letters that are small', '2026-11-20t09:30:00z', '2026-11-20T09:30:00.000Z'],
		['fractions of a millisecond', '2026-11-20T09:30:00.9999Z', '2026-11-20T09:30:00.999Z'],
		['a day with the zone alone', '2026-11-20Z', '2026-11-20T00:00:00.000Z'],
		['a text that goes on', '2026-11-20T09:30:00Z and more', null],
		['a text that begins with something else', 'on 2026-11-20T09:30:00Z', null],
	])('%s', (_, text, iso) => {
		const instant = isoInstant(text, 'Europe/Amsterdam');
		expect(instant === null ? null : new Date(instant).toISOString()).toBe(iso);
	});
});
