/** Makes an element. Text goes in as text, never as HTML: what is shown comes from elsewhere. */
export function element(tag, properties = {}, ...children) {
	const made = document.createElement(tag);
	for (const [name, value] of Object.entries(properties)) {
		if (value === null || value === undefined || value === false) continue;
		if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
		else made.setAttribute(name, value === true ? '' : value);
	}
	made.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
	return made;
}

const known = new WeakMap();

/**
 * Brings a list's elements in line with `items`, and leaves alone those whose item has not changed: what a person
 * has opened or stands on stays so. An element that is new after the first time is marked `fresh`.
 */
export function fillList(list, items, keyOf, render) {
	const before = known.get(list);
	const after = new Map();
	for (const item of items) {
		const key = keyOf(item);
		const text = JSON.stringify(item);
		const kept = before?.get(key);
		if (kept?.text === text) after.set(key, kept);
		else {
			const made = render(item);
			if (before && !kept) made.classList.add('fresh');
			after.set(key, { text, made });
		}
	}
	known.set(list, after);
	const stoodOn = [...(before ?? [])].find(([, { made }]) => made.contains(document.activeElement))?.[0];
	for (const [key, { made }] of before ?? []) {
		if (after.get(key)?.made !== made) made.remove();
	}
	[...after.values()].forEach(({ made }, place) => {
		if (list.children[place] !== made) list.insertBefore(made, list.children[place] ?? null);
	});
	const stands = after.get(stoodOn)?.made;
	if (stands && !stands.contains(document.activeElement)) stands.querySelector('a, button, summary')?.focus();
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const exactClock = new Intl.DateTimeFormat('en-GB', {
	hour: '2-digit',
	minute: '2-digit',
	second: '2-digit',
});
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** The time of today, the day and time of another day; with seconds where things follow each other fast. */
export function timeElement(at, exact = false) {
	const date = new Date(at);
	const time = (exact ? exactClock : clock).format(date);
	const isToday = date.toDateString() === new Date().toDateString();
	const text = isToday ? time : `${day.format(date)} ${time}`;
	return element('time', { datetime: date.toISOString(), title: date.toLocaleString('en-GB') }, text);
}

export function sizeOf(bytes) {
	if (bytes < 1000) return `${bytes} bytes`;
	return bytes < 1e6 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1e6).toFixed(1)} MB`;
}

const statusWords = {
	drafted: 'Drafted',
	signed: 'Signed',
	issued: 'Issued',
	title_held: 'Title held',
	transfer_drafted: 'Transfer drafted',
	surrendered: 'Surrendered',
};

/** The coloured word for a status, however it is spelled. @param more what stands behind it */
export function statusElement(status, more = '') {
	const name = status.toLowerCase();
	return element('span', { class: `status ${name}` }, (statusWords[name] ?? status) + more);
}

/** The coloured word for where a set is: one that not everybody has signed says how many have. */
export function statusOfSet({ status, signed, signatures }) {
	const isPart = status === 'signed' && signed < signatures;
	return statusElement(status, isPart ? ` ${signed} of ${signatures}` : '');
}
