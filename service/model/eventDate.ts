import { isoInstant, offsetMinutes } from './modifiedDate';
import { LONGEST_DATE, monthOf } from './month';
import { instantIn, wallTime } from './timeZone';

/** `<weekday> <month> <day> <HH:mm:ss> <zone> <year>`, the form of the interface's part 6. */
const SENT = /^[a-z]{3,9},?\s+([a-z]{3,9})\s+(\d{1,2})\s+(\d{1,2}):(\d{2}):(\d{2})\s+(\S+)\s+(\d{4})$/i;

/** ISO 8601 with a zone: not promised, and unmistakable when it comes. */
const WITH_ZONE = /T.*(Z|[+-]\d{2}:?\d{2})$/;

/** Minutes east of UTC, or null for a zone by name: names of zones are ambiguous, and a wrong instant is worse than none. */
function zoneOffsetMinutes(zone: string): number | null {
	const match = /^(?:(?:UTC|GMT|Z)|(?:UTC|GMT)?([+-])(\d{2}):?(\d{2}))$/i.exec(zone);
	if (!match) return null;
	return match[1] === undefined ? 0 : offsetMinutes(match[1], match[2], match[3]);
}

/** The instant of an event as ISO 8601 in UTC, or null when the text is no date or its zone is unknown. */
export function eventInstant(sent: string): string | null {
	if (sent.length > LONGEST_DATE) return null;
	const text = sent.trim();
	if (WITH_ZONE.test(text)) return isoOrNull(isoInstant(text, 'UTC'));
	const match = SENT.exec(text);
	if (!match) return null;
	const [, monthName = '', day, hour, minute, second, zone = '', year] = match;
	const month = monthOf(monthName);
	const offset = zoneOffsetMinutes(zone);
	if (month === undefined || offset === null) return null;
	const local = instantIn('UTC', wallTime(year, month, day, hour, minute, second));
	return isoOrNull(local === null ? null : local - offset * 60_000);
}

function isoOrNull(ms: number | null): string | null {
	return ms === null ? null : new Date(ms).toISOString();
}
