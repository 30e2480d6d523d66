const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = [
	'January',
	'February',
	'March',
	'April',
	'May',
	'June',
	'July',
	'August',
	'September',
	'October',
	'November',
	'December',
];

const two = (value: number) => String(value).padStart(2, '0');
const monthOf = (date: Date) => months[date.getUTCMonth()] ?? '';

/** `20 November 2026 09:48`, UTC: the form of `modifiedDate` (the service's interface, section 2.5). */
export function modifiedDate(time: number): string {
	const date = new Date(time);
	const clock = `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
	return `${date.getUTCDate()} ${monthOf(date)} ${date.getUTCFullYear()} ${clock}`;
}

/** `Fri Nov 20 09:48:18 UTC 2026`: the form of an event's `updatedDate` (the service's interface, section 6). */
export function updatedDate(time: number): string {
	const date = new Date(time);
	const clock = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(two).join(':');
	const day = `${weekdays[date.getUTCDay()]} ${monthOf(date).slice(0, 3)} ${two(date.getUTCDate())}`;
	return `${day} ${clock} UTC ${date.getUTCFullYear()}`;
}

/** `2026-11-20`: the form of `billOfLadingDate`. */
export function isoDay(time: number): string {
	return new Date(time).toISOString().slice(0, 10);
}
