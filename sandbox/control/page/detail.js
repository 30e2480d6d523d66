import { openable, post } from './ask.js';
import { element, statusOfSet, timeElement } from './element.js';

const place = document.querySelector('#detail');
const told = element('p', { class: 'told', role: 'status' });

const eventNames = {
	draft: 'DRAFTED',
	sign: 'Signed',
	issue: 'ISSUED',
	holdTitle: 'TITLE_HELD',
	draftTransfer: 'TRANSFER_DRAFTED',
};

let shownText = '';
let busy = false;

/** Shows a set; keeps the keyboard where it was when the set only changed. */
export function showDetail(set) {
	const text = JSON.stringify(set);
	if (text === shownText) return;
	const stood = place.contains(document.activeElement);
	shownText = text;
	place.replaceChildren(head(set), life(set), actions(set), documents(set), facts(set));
	if (stood) (place.querySelector('.primary') ?? place.querySelector('.actions button')).focus();
}

/** Says in one line how the last press went. */
export function tell(sentence, failed = false) {
	// On a narrow screen the results are further down the page.
	const way =
		sentence && !failed ? element('a', { class: 'way', href: '#resultsTitle' }, 'What happened') : '';
	told.replaceChildren(sentence, sentence && ' ', way);
	told.classList.toggle('failed', failed);
}

/** The sentence for an event that was sent, or not. */
export function tellSent({ event, error }) {
	if (error === null) tell(`The ${event.newStatus} event of ${event.parcelReference} is on the queue.`);
	else
		tell(
			`The set has changed, but its event did not reach the queue: ${error}. Press “Send again” on the event.`,
			true,
		);
}

function head(set) {
	return element(
		'div',
		{ class: 'title' },
		element('h2', {}, set.parcelRef),
		statusOfSet(set),
		element('span', { class: 'faint' }, 'since ', timeElement(set.modifiedAt)),
	);
}

function life(set) {
	const reached = set.steps.findIndex((step) => step.leadsTo === set.status);
	const at = reached < 0 ? set.steps.length : reached;
	// The step that the button below offers: while signatures are missing, it is the one that was taken last.
	const next = set.steps.findIndex((step) => step.name === set.next);
	const items = set.steps.map((step, index) => {
		const kind = index === next ? 'next' : index <= at ? 'done' : 'later';
		const count = index === next && index === at ? ` ${set.signed} of ${set.signatures}` : '';
		return element('li', { class: kind, 'aria-current': index === at ? 'step' : null }, step.label + count);
	});
	return element('ol', { class: 'life', 'aria-label': 'The life of the set' }, items);
}

function actions(set) {
	const next = set.steps.find((step) => step.name === set.next);
	const others = set.steps.filter((step) => step !== next);
	const count =
		next?.name === 'sign' && set.signatures > 1 ? ` (${set.signed + 1} of ${set.signatures})` : '';
	const finished =
		set.status === 'surrendered'
			? 'This set is finished. “Draft” starts its life again.'
			: 'This set has taken its last step. “Draft” starts its life again.';
	return element(
		'div',
		{ class: 'actions' },
		next
			? element('button', { type: 'button', class: 'primary', onclick: press(set, next) }, next.label + count)
			: element('p', {}, finished),
		next && element('p', { class: 'faint' }, `Puts the event ${eventNames[next.name]} on the queue.`),
		element(
			'div',
			{ class: 'others', role: 'group', 'aria-label': 'Other steps' },
			element('span', { class: 'faint' }, next ? 'Other steps:' : 'All steps:'),
			others.map((step) => element('button', { type: 'button', onclick: press(set, step) }, step.label)),
		),
		told,
	);
}

function press(set, step) {
	return async (event) => {
		// The second press of a double click would land on the next step, which stands in the same place.
		if (busy || event.detail > 1) return;
		busy = true;
		try {
			const answer = await post(`/api/sets/${set.setId}/steps`, { step: step.name });
			showDetail(answer.set);
			tellSent(answer.sent);
		} catch (error) {
			tell(`That did not work: ${error.message}`, true);
		} finally {
			busy = false;
		}
	};
}

function documents(set) {
	const lines = set.documents.map(({ documentId, name, docType }) =>
		element(
			'li',
			{},
			element(
				'a',
				{
					href: openable(`/api/sets/${set.setId}/documents/${documentId}`),
					target: '_blank',
					rel: 'noopener',
				},
				name,
			),
			element(
				'span',
				{ class: 'faint' },
				docType === 'BILL_OF_LADING' ? 'Bill of lading' : 'Uploaded document',
			),
		),
	);
	return element(
		'div',
		{},
		element('h3', {}, `Documents (${lines.length})`),
		element('ul', { class: 'papers' }, lines),
	);
}

function facts(set) {
	const pairs = [
		['Shipment', set.shipmentRef],
		['Vessel', set.vesselName ?? 'Not named yet'],
		['Voyage', `${set.loadPort} to ${set.destination}`],
		['Cargo', set.quantity ? `${set.cargo}, ${set.quantity}` : set.cargo],
		['Consignor', set.consignor],
		['Consignee', set.consignee],
		['Bill of lading date', set.billOfLadingDate],
		['Signatures', `${set.signed} of ${set.signatures}`],
		['Instance', set.instance === 'HUB' ? 'Hub' : 'Exchange'],
		['Set ID', set.setId],
	];
	const rows = pairs.map(([label, value]) =>
		element('div', {}, element('dt', {}, label), element('dd', {}, value)),
	);
	return element('div', {}, element('h3', {}, 'About the set'), element('dl', {}, rows));
}
