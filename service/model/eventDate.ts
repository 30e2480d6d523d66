const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** `<weekday> <month> <day> <HH:mm:ss> <zone> <year>`, the form of the interface's part 6. */
const SENT = /^\s*[a-z]{3,9},?\s+([a-z]{3,9})\s+(\d{1,2})\s+(\d{1,2}):(\d{2}):(\d{2})\s+(\S+)\s+(\d{4})\s*$/i;

/** ISO 8601 with a zone: not promised, and unmistakable when it comes. */
const ISO = /^\s*\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})\s*$/;

/** Minutes east of UTC, or null for a zone by name: names of zones are ambiguous, and a wrong instant is worse than none. */
function zoneOffsetMinutes(zone: string): number | null {
	const match = /^(?:(?:UTC|GMT|Z)|(?:UTC|GMT)?([+-])(\d{2}):?(\d{2}))$/i.exec(zone);
	if (!match) return null;
	if (match[1] === undefined) return 0;
	return (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3]));
}

/** The instant of an event as ISO 8601 in UTC, or null when the text is no date or its zone is unknown. */
export function eventInstant(sent: string): string | null {
	if (ISO.test(sent)) return isoOrNull(Date.parse(sent.trim()));
	const match = SENT.exec(sent);
	if (!match) return null;
	const [, monthName = '', day, hour, minute, second, zone = '', year] = match;
	const month = MONTHS.indexOf(monthName.slice(0, 3).toLowerCase());
	const offset = zoneOffsetMinutes(zone);
	if (month < 0 || offset === null) return null;
	const local = new Date(
		Date.UTC(Number(year), month, Number(day), Number(hour), Number(minute), Number(second)),
	);
	// Date.UTC rolls 31 February over into March: what does not come back as it was sent is no date.
	if (
		local.getUTCMonth() !== month ||
		local.getUTCDate() !== Number(day) ||
		local.getUTCHours() !== Number(hour)
	) {
		return null;
	}
	return isoOrNull(local.getTime() - offset * 60_000);
}

function isoOrNull(ms: number): string | null {
	return Number.isNaN(ms) ? null : new Date(ms).toISOString();
}
