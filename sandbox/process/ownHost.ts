/**
 * Whether a request's Host names this machine by `localhost` or an address. A web site can have its own name resolved to
 * this machine and then send requests here from a page of its own; a browser names that site in Host.
 */
export function isOwnHost(host: string | undefined): boolean {
	if (host === undefined) return true;
	const name = host.replace(/:\d+$/, '').toLowerCase();
	return name === 'localhost' || /^\[[0-9a-f:.]+\]$/.test(name) || /^[0-9.]+$/.test(name);
}
