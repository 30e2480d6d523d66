import { instantIn, isoIn } from './timeZone';

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const MINUTE_MS = 60_000;

/** `<day> <month name> <year> <HH:mm>` (interface, 2.5); seconds, a comma or dashes do not make it another date. */
const SENT = /^\s*(\d{1,2})[\s-]+([a-z]{3,9})\.?,?[\s-]+(\d{4}),?\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*$/i;

/** ISO 8601; the zone may be missing, and so may the time. */
const ISO =
	/^\s*(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?)?\s*(Z|[+-]\d{2}:?\d{2})?\s*$/i;

/**
 * The instant of a set's `modifiedDate` in milliseconds since 1970, or null when it cannot be read. The service sends no
 * zone: whoever asks says which one its clocks are in, so that the host's own zone never slips in.
 */
export function modifiedInstant(sent: unknown, zone: string): number | null {
	if (typeof sent !== 'string') return null;
	const match = SENT.exec(sent);
	if (!match) return isoInstant(sent, zone);
	const [, day, monthName = '', year, hour, minute, second = '0'] = match;
	const month = MONTHS.indexOf(monthName.slice(0, 3).toLowerCase()) + 1;
	if (month === 0) return null;
	return instantIn(zone, {
		year: Number(year),
		month,
		day: Number(day),
		hour: Number(hour),
		minute: Number(minute),
		second: Number(second),
	});
}

/** The same as ISO 8601 in that zone, or null. */
export function modifiedIso(sent: unknown, zone: string): string | null {
	const instant = modifiedInstant(sent, zone);
	return instant === null ? null : isoIn(zone, instant);
}

/** The instant of an ISO 8601 text; where it names no zone, in the one given. Null when it is no date. */
export function isoInstant(text: string, zone: string): number | null {
	const match = ISO.exec(text);
	if (!match) return null;
	const [, year, month, day, hour = '0', minute = '0', second = '0', ownZone] = match;
	const wall = {
		year: Number(year),
		month: Number(month),
		day: Number(day),
		hour: Number(hour),
		minute: Number(minute),
		second: Number(second),
	};
	if (ownZone === undefined) return instantIn(zone, wall);
	const instant = instantIn('UTC', wall);
	if (instant === null || /z/i.test(ownZone)) return instant;
	const [, sign, hours, minutes] = /([+-])(\d{2}):?(\d{2})/.exec(ownZone) ?? [];
	return instant - (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
}

/**
 * True when a set was modified at that instant or later. A date that cannot be read counts as later: a set too many is
 * seen by a person, a set too few is not. The service's dates have no seconds, so the bound has none either.
 */
export function modifiedSince(sent: unknown, boundMs: number, zone: string): boolean {
	const instant = modifiedInstant(sent, zone);
	return instant === null || instant >= Math.floor(boundMs / MINUTE_MS) * MINUTE_MS;
}
