import { ask } from './ask.js';
import { element, fillList, statusOfSet, timeElement } from './element.js';

const list = document.querySelector('#list');
const search = document.querySelector('#search');
const found = document.querySelector('#found');
const more = document.querySelector('#more');
const step = 50;

let shown = step;
let chosenId = null;
let asking = 0;

/** Starts the list; `choose` is called with the id of the set a person takes. */
export function startList(choose) {
	let timer;
	// The page says by itself that the sandbox is away, and asks again when it is back.
	const refresh = () => refreshList().catch(() => undefined);
	search.addEventListener('input', () => {
		clearTimeout(timer);
		timer = setTimeout(() => {
			shown = step;
			void refresh();
		}, 150);
	});
	more.addEventListener('click', () => {
		shown = Math.min(shown + step, 500);
		void refresh();
	});
	list.addEventListener('click', (event) => {
		const button = event.target.closest('button');
		if (button) choose(button.dataset.set);
	});
	list.addEventListener('keydown', (event) => {
		const way = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[event.key];
		const neighbour = way && event.target.closest('li')?.[way]?.querySelector('button');
		if (!neighbour) return;
		event.preventDefault();
		neighbour.focus();
	});
}

/** Asks for the list again. @returns the sets shown */
export async function refreshList() {
	const turn = ++asking;
	const query = new URLSearchParams({ search: search.value, show: shown });
	const { total, sets } = await ask(`/api/sets?${query}`);
	// A slow answer to an older question must not overwrite the newer one.
	if (turn !== asking) return sets;
	fillList(list, sets, (set) => set.setId, line);
	mark();
	const kind = search.value.trim() ? 'found' : 'in all';
	found.textContent = total === 0 ? 'No set found. Try fewer words.' : `${total} ${kind}`;
	more.hidden = sets.length >= total || shown >= 500;
	return sets;
}

export function markChosen(setId) {
	chosenId = setId;
	mark();
}

function mark() {
	for (const button of list.querySelectorAll('button')) {
		if (button.dataset.set === chosenId) button.setAttribute('aria-current', 'true');
		else button.removeAttribute('aria-current');
	}
}

function line(set) {
	return element(
		'li',
		{},
		element(
			'button',
			{ type: 'button', 'data-set': set.setId },
			element('span', { class: 'head' }, element('strong', {}, set.parcelRef), statusOfSet(set)),
			element('span', {}, set.consignor, element('span', { class: 'faint' }, ' to '), set.consignee),
			element(
				'span',
				{ class: 'foot faint' },
				element('span', {}, `${set.shipmentRef} · ${set.vesselName ?? 'no vessel yet'}`),
				timeElement(set.modifiedAt),
			),
		),
	);
}
