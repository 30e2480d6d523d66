import { ask, element, post } from './element.js';
import { showDetail, tell, tellSent } from './detail.js';
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

/** Comes with the address in the terminal: without it, the sandbox tells nobody the password of n8n. */
function keyOfPerson() {
	const [, given] = /^#key=(.+)$/.exec(location.hash) ?? [];
	if (given) {
		sessionStorage.setItem('key', given);
		history.replaceState(null, '', location.pathname);
	}
	return sessionStorage.getItem('key') ?? '';
}

async function showLinks() {
	const links = await ask('/api/links', { headers: { 'x-key': keyOfPerson() } });
	const { n8n, workflow, executions, outputFolder, signIn } = links;
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
	const words = password
		? [', password ', element('code', {}, password)]
		: [' with the password that the terminal shows'];
	place.replaceChildren('Sign in to n8n as ', element('code', {}, email), ...words);
	place.hidden = false;
}

/** The sandbox tells of every change; the browser connects again by itself when it was away. */
function listen() {
	const changes = new EventSource('/api/changes');
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

startList(choose);
startBack();
startDrafting();
void showLinks();
window.addEventListener('hashchange', () => location.hash.startsWith('#key=') && void showLinks());
const sets = await refreshList();
listen();
const wanted = location.hash.slice(1);
const first = sets.find((set) => set.status === 'drafted') ?? sets[0];
if (/^[0-9a-f-]{36}$/.test(wanted)) await choose(wanted);
else if (first && !isNarrow()) await choose(first.setId);
