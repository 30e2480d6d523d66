import { LONGEST_DATE, monthOf } from './month';
import { instantIn, isoIn, wallTime } from './timeZone';

const MINUTE_MS = 60_000;

/** `<day> <month name> <year> <HH:mm>` (interface, 2.5); seconds, a comma or dashes do not make it another date. */
const SENT = /^(\d{1,2})[\s-]+([a-z]{3,9})\.?,?[\s-]+(\d{4}),?\s+(\d{1,2}):(\d{2})(?::(\d{2}))?$/i;

/** ISO 8601; the zone may be missing, and so may the time. Some name UTC in letters. */
const ISO =
	/^(\d{4})(-?)(\d{2})\2(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d+))?)?)?\s*(Z(?:\[UTC\])?|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?$/i;

/**
 * The instant of a set's `modifiedDate` in milliseconds since 1970, or null when it cannot be read. The service sends no
 * zone: whoever asks says which one its clocks are in, so that the host's own zone never slips in.
 */
export function modifiedInstant(sent: unknown, zone: string): number | null {
	if (typeof sent !== 'string' || sent.length > LONGEST_DATE) return null;
	const match = SENT.exec(sent.trim());
	if (!match) return isoInstant(sent, zone);
	const [, day, monthName = '', year, hour, minute, second = '0'] = match;
	const month = monthOf(monthName);
	if (month === undefined) return null;
	return instantIn(zone, wallTime(year, month, day, hour, minute, second));
}

/** The same as ISO 8601 in that zone, or null. */
export function modifiedIso(sent: unknown, zone: string): string | null {
	const instant = modifiedInstant(sent, zone);
	return instant === null ? null : isoIn(zone, instant);
}

/** The instant of an ISO 8601 text; where it names no zone, in the one given. Null when it is no date. */
export function isoInstant(text: string, zone: string): number | null {
	const match = text.length > LONGEST_DATE ? null : ISO.exec(text.trim());
	if (!match) return null;
	const [, year, , month, day, hour = '0', minute = '0', second = '0', fraction = '0', ownZone] = match;
	const wall = wallTime(year, month, day, hour, minute, second);
	const whole = instantIn(ownZone === undefined ? zone : 'UTC', wall);
	const instant = whole === null ? null : whole + Math.floor(Number(`.${fraction}`) * 1000);
	const [, sign, hours, minutes] = /([+-])(\d{2}):?(\d{2})?/.exec(ownZone ?? '') ?? [];
	const offset = offsetMinutes(sign, hours, minutes);
	return instant === null || offset === null ? null : instant - offset * MINUTE_MS;
}

/** No zone is further from UTC, in minutes. */
const FURTHEST_ZONE = 14 * 60;

/** Minutes east of UTC, null for what no zone has. */
export function offsetMinutes(sign = '+', hours = '0', minutes = '0'): number | null {
	const offset = Number(hours) * 60 + Number(minutes);
	if (Number(minutes) > 59 || offset > FURTHEST_ZONE) return null;
	return sign === '-' ? -offset : offset;
}

/**
 * True when a set was modified at that instant or later. A date that cannot be read counts as later: a set too many is
 * seen by a person, a set too few is not. The service's dates have no seconds, so the bound has none either.
 */
export function modifiedSince(sent: unknown, boundMs: number, zone: string): boolean {
	const instant = modifiedInstant(sent, zone);
	return instant === null || instant >= Math.floor(boundMs / MINUTE_MS) * MINUTE_MS;
}
