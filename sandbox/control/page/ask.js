/** Comes with the address in the terminal. */
const [, given] = /^#key=(.+)$/.exec(location.hash) ?? [];
if (given) history.replaceState(null, '', location.pathname);
const key = given ?? localStorage.getItem('key') ?? '';
let pass = '';

export async function ask(path, { headers, ...options } = {}) {
	const response = await fetch(path, { ...options, headers: { ...headers, 'x-key': key } });
	const answer = await response.json();
	if (!response.ok) throw Object.assign(new Error(answer.message), { status: response.status });
	return answer;
}

export function post(path, body) {
	const json = { 'content-type': 'application/json' };
	return ask(path, { method: 'POST', headers: json, body: JSON.stringify(body ?? {}) });
}

/** Where to go from the page. What is opened by its address alone can be opened from then on. */
export async function askLinks() {
	const links = await ask('/api/links');
	({ pass } = links);
	// Now that it is the right one: a link on another web site may hold a wrong one. A browser keeps it for this address with its port alone.
	localStorage.setItem('key', key);
	return links;
}

/** The address of something that is opened by it alone. */
export const openable = (path) => `${path}?${new URLSearchParams({ pass })}`;
