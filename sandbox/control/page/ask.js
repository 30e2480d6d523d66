let pass = '';

/** Comes with the address in the terminal. A browser keeps it for this address with its port alone, and for all its tabs. */
function key() {
	const [, given] = /^#key=(.+)$/.exec(location.hash) ?? [];
	if (given) {
		localStorage.setItem('key', given);
		history.replaceState(null, '', location.pathname);
	}
	return localStorage.getItem('key') ?? '';
}

export async function ask(path, { headers, ...options } = {}) {
	const response = await fetch(path, { ...options, headers: { ...headers, 'x-key': key() } });
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
	return links;
}

/** The address of something that is opened by it alone. */
export const openable = (path) => `${path}?${new URLSearchParams({ pass })}`;
