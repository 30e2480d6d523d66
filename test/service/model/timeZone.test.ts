import * as fc from 'fast-check';
import { instantIn, isoIn, isTimeZone } from '../../../service/model/timeZone';

const wall = (text: string) => {
	const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = text.split(/\D/).map(Number);
	return { year, month, day, hour, minute };
};

describe('the instant of a wall clock', () => {
	it.each([
		['UTC', 'UTC', '2026-11-20 09:48', '2026-11-20T09:48:00.000Z'],
		['a zone ahead of UTC', 'Europe/Amsterdam', '2026-11-20 09:48', '2026-11-20T08:48:00.000Z'],
		['the same zone in summer', 'Europe/Amsterdam', '2026-07-20 09:48', '2026-07-20T07:48:00.000Z'],
		['a zone behind UTC', 'America/New_York', '2026-11-20 23:30', '2026-11-21T04:30:00.000Z'],
		['a zone with quarters of an hour', 'Asia/Kathmandu', '2026-01-01 00:00', '2025-12-31T18:15:00.000Z'],
		[
			'a zone on the far side of the date line',
			'Pacific/Kiritimati',
			'2026-01-01 01:00',
			'2025-12-31T11:00:00.000Z',
		],
		[
			'an hour the clocks skip, as if they had not',
			'Europe/Amsterdam',
			'2026-03-29 02:30',
			'2026-03-29T01:30:00.000Z',
		],
		[
			'an hour the clocks show twice, the first time',
			'Europe/Amsterdam',
			'2026-10-25 02:30',
			'2026-10-25T00:30:00.000Z',
		],
		['half an hour skipped', 'Australia/Lord_Howe', '2026-10-04 02:15', '2026-10-03T15:45:00.000Z'],
		[
			'the day on which the clocks went back',
			'Europe/Amsterdam',
			'2026-10-25 12:00',
			'2026-10-25T11:00:00.000Z',
		],
		[
			'the day on which they went forward',
			'Europe/Amsterdam',
			'2026-03-29 12:00',
			'2026-03-29T10:00:00.000Z',
		],
		['the day before they go back', 'Europe/Amsterdam', '2026-10-24 12:00', '2026-10-24T10:00:00.000Z'],
		['a leap day', 'UTC', '2028-02-29 00:00', '2028-02-29T00:00:00.000Z'],
	])('%s', (_, zone, shown, instant) => {
		const ms = instantIn(zone, wall(shown));
		expect(ms === null ? null : new Date(ms).toISOString()).toBe(instant);
	});

	it.each([
		['31 February', '2026-02-31 10:00'],
		['29 February of a common year', '2026-02-29 10:00'],
		['month 13', '2026-13-01 10:00'],
		['hour 24', '2026-11-20 24:00'],
		['minute 60', '2026-11-20 10:60'],
	])('is none for %s', (_, shown) => {
		expect(instantIn('UTC', wall(shown))).toBeNull();
	});

	it('is the way back from what a zone shows, wherever and whenever', () => {
		const zones = ['UTC', 'Europe/Amsterdam', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe'];
		const minutes = fc.integer({ min: 15_778_800, max: 35_064_000 });
		fc.assert(
			fc.property(fc.constantFrom(...zones), minutes, (zone, minute) => {
				const instant = minute * 60_000;
				const shown = isoIn(zone, instant);
				expect(Date.parse(shown)).toBe(instant);
				// In the hour that comes twice the first is meant, so the way back may be an hour early, never late.
				const back = instantIn(zone, wall(shown)) ?? NaN;
				expect(isoIn(zone, back).slice(0, 16)).toBe(shown.slice(0, 16));
				expect(instant - back).toBeLessThanOrEqual(3_600_000);
				expect(instant - back).toBeGreaterThanOrEqual(0);
			}),
		);
	});
});

it.each([
	['UTC as Z', 'UTC', '2026-11-20T09:48:00.000Z'],
	['the offset of the zone', 'Europe/Amsterdam', '2026-11-20T10:48:00.000+01:00'],
	['an offset west of Greenwich', 'America/St_Johns', '2026-11-20T06:18:00.000-03:30'],
	['Z where a zone has none', 'Europe/London', '2026-11-20T09:48:00.000Z'],
])('writes %s', (_, zone, iso) => {
	expect(isoIn(zone, Date.UTC(2026, 10, 20, 9, 48))).toBe(iso);
});

it.each([
	['UTC', true],
	['Europe/Amsterdam', true],
	['Europe/Rotterdam', false],
	['', false],
	['; drop', false],
])('knows whether %j is a time zone', (zone, known) => {
	expect(isTimeZone(zone)).toBe(known);
});
