import { ask, openable, post } from './ask.js';
import { element, fillList, sizeOf, statusElement, timeElement } from './element.js';
import { tell, tellSent } from './detail.js';

const few = 5;
const opened = new Set();
const latest = new Map();

const kinds = {
	events: [(entry) => entry.id, eventLine],
	calls: [(call) => `${call.at} ${call.what} ${call.bytes}`, callLine],
	files: [(file) => file.name, fileLine],
	mails: [(mail) => mail.id, mailLine],
};

export const resultNames = Object.keys(kinds);

/** Where an event is, in one line. */
const fates = {
	waiting: 'On the queue',
	working: 'n8n is at work on it',
	taken: 'n8n took it',
	nobody: 'Nobody asked for it: no published workflow has chosen this status',
};

/** What is on the queue at this moment: the list below it tells of events that have long gone, too. */
export function showQueue({ ready, unacknowledged, consumers }) {
	const there = ready + unacknowledged;
	const reader = consumers > 0 ? 'n8n listens.' : 'Nobody listens: publish a workflow with the trigger.';
	const work = unacknowledged > 0 ? ` (n8n is at work on ${unacknowledged})` : '';
	document.querySelector('#queue').textContent = `On the queue now: ${there}${work}. ${reader}`;
}

/** Shows the newest few of one kind, and all of them once a person has asked for all. */
export function showResults(name, items) {
	latest.set(name, items);
	const [keyOf, line] = kinds[name];
	const list = document.querySelector(`#${name}`);
	const card = list.closest('.card');
	card.classList.toggle('filled', items.length > 0);
	card.querySelector('output').textContent = items.length > 0 ? items.length : '';
	fillList(list, opened.has(name) ? items : items.slice(0, few), keyOf, line);
	card.querySelector('.all')?.remove();
	if (items.length > few) card.append(allButton(name, items.length));
}

function allButton(name, count) {
	const toggle = () => {
		if (!opened.delete(name)) opened.add(name);
		showResults(name, latest.get(name));
		document.querySelector(`#${name}`).closest('.card').querySelector('.all').focus();
	};
	const isOpen = opened.has(name);
	const label = isOpen ? 'Show fewer' : `Show all ${count}`;
	return element(
		'button',
		{ type: 'button', class: 'all', 'aria-expanded': String(isOpen), onclick: toggle },
		label,
	);
}

function eventLine({ id, sentAt, event, error, fate }) {
	const again = async (press) => {
		press.target.disabled = true;
		try {
			tellSent((await post(`/api/events/${id}/again`)).sent);
		} catch (failure) {
			tell(`That did not work: ${failure.message}`, true);
		}
		press.target.disabled = false;
	};
	return element(
		'li',
		{},
		element(
			'details',
			{},
			element(
				'summary',
				{},
				statusElement(event.newStatus),
				element('strong', {}, event.parcelReference),
				timeElement(sentAt, true),
			),
			element('pre', { tabindex: '0', 'aria-label': 'The event as sent' }, JSON.stringify(event, null, 2)),
			element('button', { type: 'button', onclick: again }, 'Send again'),
		),
		error !== null && element('p', { class: 'failed' }, `Not on the queue: ${error}`),
		fates[fate] && element('p', { class: 'faint' }, fates[fate]),
	);
}

function callLine({ at, what, status, bytes }) {
	const outcome = status === 200 ? sizeOf(bytes) : `refused, ${status}`;
	const kind = status === 200 ? 'faint' : 'failed';
	return element(
		'li',
		{ class: 'line' },
		element('span', { class: 'name' }, what),
		element('span', { class: kind }, outcome),
		timeElement(at, true),
	);
}

function fileLine({ name, bytes, modifiedAt }) {
	const href = openable(`/api/files/${name.split('/').map(encodeURIComponent).join('/')}`);
	const cut = name.lastIndexOf('/');
	const folder = cut > 0 ? `In ${name.slice(0, cut)}, ` : '';
	return element(
		'li',
		{},
		element('a', { href, target: '_blank', rel: 'noopener' }, name.slice(cut + 1)),
		element(
			'p',
			{ class: 'line' },
			element('span', { class: 'name faint' }, folder + sizeOf(bytes)),
			timeElement(modifiedAt, true),
		),
	);
}

function mailLine(mail) {
	return element(
		'li',
		{},
		element(
			'div',
			{ class: 'line' },
			element(
				'button',
				{ type: 'button', class: 'name plain', onclick: () => openMail(mail) },
				mail.subject || '(no subject)',
			),
			timeElement(mail.receivedAt, true),
		),
		element(
			'p',
			{ class: 'faint' },
			`${mail.ofExample ? 'From the example' : 'From a workflow of your own'}, to ${mail.to.join(', ')}`,
		),
		attachmentsOf(mail),
	);
}

function attachmentsOf({ id, attachments }) {
	const links = attachments.map(({ name, bytes }, place) =>
		element(
			'li',
			{},
			element(
				'a',
				{ href: openable(`/api/mails/${id}/attachments/${place}`), target: '_blank', rel: 'noopener' },
				name,
			),
			element('span', { class: 'faint' }, ` ${sizeOf(bytes)}`),
		),
	);
	return links.length > 0
		? element('ul', { class: 'attached', 'aria-label': 'Attached files' }, links)
		: null;
}

async function openMail({ id }) {
	const dialog = document.querySelector('#mail');
	const mail = await ask(`/api/mails/${id}`);
	const frame = { src: openable(`/api/mails/${id}/html`), sandbox: '', title: 'The message' };
	dialog.replaceChildren(
		element(
			'form',
			{ method: 'dialog', class: 'title' },
			element('h2', { id: 'mailSubject' }, mail.subject || '(no subject)'),
			element('button', {}, 'Close'),
		),
		element(
			'p',
			{ class: 'faint' },
			`From ${mail.from} to ${mail.to.join(', ')}, `,
			timeElement(mail.receivedAt, true),
		),
		mail.hasHtml ? element('iframe', frame) : element('pre', { tabindex: '0' }, mail.text || '(no text)'),
		attachmentsOf(mail) ?? '',
	);
	dialog.showModal();
}
