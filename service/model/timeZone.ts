const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A date and a time as a clock on the wall shows them, in a zone that somebody else knows. Month 1–12. */
interface WallTime {
	year: number;
	month: number;
	day: number;
	hour: number;
	minute: number;
	second?: number;
}

/** The same from its parts as they were written, the largest first; NaN for one that is none. */
export function wallTime(
	...[year, month, day, hour, minute, second]: (string | number | undefined)[]
): WallTime {
	return {
		year: Number(year),
		month: Number(month),
		day: Number(day),
		hour: Number(hour),
		minute: Number(minute),
		second: second === undefined ? undefined : Number(second),
	};
}

/** Building a formatter costs a hundred times what using it does, and a search reads one zone thousands of times. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
	let formatter = formatters.get(zone);
	if (!formatter) {
		formatter = new Intl.DateTimeFormat('en-US', {
			timeZone: zone,
			hourCycle: 'h23',
			year: 'numeric',
			month: 'numeric',
			day: 'numeric',
			hour: 'numeric',
			minute: 'numeric',
			second: 'numeric',
		});
		formatters.set(zone, formatter);
	}
	return formatter;
}

/** True for a name the host's time zone data knows, for example `UTC` or `Europe/Amsterdam`. */
export function isTimeZone(zone: string): boolean {
	try {
		formatterOf(zone);
		return true;
	} catch {
		return false;
	}
}

/** Milliseconds the zone's clocks are ahead of UTC at that instant. */
function offsetMs(zone: string, instantMs: number): number {
	if (zone === 'UTC') return 0;
	const part: Record<string, number> = {};
	for (const { type, value } of formatterOf(zone).formatToParts(instantMs)) part[type] = Number(value);
	const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
	const wholeSecond = Math.floor(instantMs / 1000) * 1000;
	return Date.UTC(year, month - 1, day, hour, minute, second) - wholeSecond;
}

/**
 * The instant, in milliseconds since 1970, at which the zone's clocks show that time; null when no calendar has it
 * (31 February, 25 o'clock). Where the clocks go back and show it twice: the first time. Where they go forward and never
 * show it: as if they had not, that is 02:30 becomes 03:30. (ECMAScript's Temporal calls this `compatible`.)
 */
export function instantIn(zone: string, wall: WallTime): number | null {
	const { year, month, day, hour, minute, second = 0 } = wall;
	const shown = Date.UTC(year, month - 1, day, hour, minute, second);
	const back = new Date(shown);
	if (
		back.getUTCFullYear() !== year ||
		back.getUTCMonth() !== month - 1 ||
		back.getUTCHours() !== hour ||
		back.getUTCMinutes() !== minute
	) {
		return null;
	}
	// No zone changes its clocks twice within two days, so these are the only two offsets that can apply.
	const before = offsetMs(zone, shown - DAY_MS);
	const after = offsetMs(zone, shown + DAY_MS);
	for (const offset of [before, after]) {
		if (offsetMs(zone, shown - offset) === offset) return shown - offset;
	}
	return shown - before;
}

/** ISO 8601 with the zone's own offset: `2026-11-20T10:48:00.000+01:00`; `Z` where that is zero. */
export function isoIn(zone: string, instantMs: number): string {
	const offset = Math.round(offsetMs(zone, instantMs) / MINUTE_MS);
	const local = new Date(instantMs + offset * MINUTE_MS).toISOString();
	if (offset === 0) return local;
	const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
	const minutes = Math.abs(offset);
	return local.replace('Z', `${offset < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`);
}
