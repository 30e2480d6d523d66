import { ask, askLinks, openable, post } from './ask.js';
import { showDetail, tell, tellSent } from './detail.js';
import { element } from './element.js';
import { markChosen, refreshList, startList } from './list.js';
import { resultNames, showQueue, showResults } from './results.js';

const lost = document.querySelector('#lost');
const chosen = document.querySelector('#chosen');
let chosenId = null;

async function choose(setId) {
	chosenId = setId;
	markChosen(setId);
	tell('');
	await refreshDetail();
	if (chosenId !== setId) return;
	history.replaceState(null, '', `#${setId}`);
	document.body.classList.add('hasChosen');
	// On a narrow screen the set takes the place of the list: go where it begins.
	if (isNarrow()) {
		chosen.scrollIntoView({ block: 'start' });
		chosen.focus({ preventScroll: true });
	}
}

async function refreshDetail() {
	const asked = chosenId;
	if (asked === null) return;
	try {
		const set = await ask(`/api/sets/${asked}`);
		if (asked === chosenId) showDetail(set);
	} catch (error) {
		tell(error.message, true);
	}
}

function isNarrow() {
	return window.matchMedia('(max-width: 759px)').matches;
}

function startBack() {
	document.querySelector('#back').addEventListener('click', () => {
		document.body.classList.remove('hasChosen');
		document.querySelector('[aria-current="true"]')?.focus();
	});
}

function startDrafting() {
	document.querySelector('#draft').addEventListener('click', async (event) => {
		if (event.detail > 1) return;
		try {
			const { set, sent } = await post('/api/sets');
			await refreshList();
			await choose(set.setId);
			tellSent(sent);
		} catch (error) {
			tell(`That did not work: ${error.message}`, true);
		}
	});
}

async function showLinks() {
	const { n8n, workflow, executions, outputFolder, signIn } = await askLinks();
	const places = [
		['Open n8n', n8n],
		['The workflow', workflow],
		['Its executions', executions],
	];
	const shown = places.filter(([, href]) => href);
	const anchor = ([label, href]) => element('a', { href, target: '_blank', rel: 'noopener' }, label);
	document.querySelector('#links').replaceChildren(...shown.map(anchor));
	document.querySelector('#folder').textContent = `Folder: ${outputFolder}`;
	if (!signIn) return;
	const place = document.querySelector('#signIn');
	const { email, password } = signIn;
	place.replaceChildren(
		'Sign in to n8n as ',
		element('code', {}, email),
		', password ',
		element('code', {}, password),
	);
	place.hidden = false;
}

/** The sandbox tells of every change; the browser connects again by itself when it was away. */
function listen() {
	const changes = new EventSource(openable('/api/changes'));
	changes.addEventListener('open', () => (lost.hidden = true));
	changes.addEventListener('error', () => (lost.hidden = false));
	changes.addEventListener('sets', () =>
		Promise.all([refreshList(), refreshDetail()]).catch(() => undefined),
	);
	changes.addEventListener('queue', ({ data }) => data !== 'null' && showQueue(JSON.parse(data)));
	for (const name of resultNames) {
		changes.addEventListener(name, ({ data }) => showResults(name, JSON.parse(data)));
	}
}

/** @returns false when the sandbox shows nothing without its key, or with that of an earlier start */
async function isOpened() {
	try {
		await showLinks();
		return true;
	} catch (error) {
		if (error.status !== 403) throw error;
		document.querySelector('#locked').hidden = false;
		document.body.classList.add('isLocked');
		return false;
	}
}

async function start() {
	startList(choose);
	startBack();
	startDrafting();
	const sets = await refreshList();
	listen();
	const wanted = location.hash.slice(1);
	const first = sets.find((set) => set.status === 'drafted') ?? sets[0];
	if (/^[0-9a-f-]{36}$/.test(wanted)) await choose(wanted);
	else if (first && !isNarrow()) await choose(first.setId);
}

// The address of the terminal, put in place of this one: a browser takes that for a place on the same page.
window.addEventListener('hashchange', () => location.hash.startsWith('#key=') && location.reload());
if (await isOpened()) await start();
