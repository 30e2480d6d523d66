import type { ListMishap, Mishaps } from '../mishap';

/** Nothing listens there: they are refused before that matters. */
const PORT = 8443;

/** What an n8n that protects its network, behind a proxy that wants a login, does not let through. */
export const GUARDED: Mishaps = {
	'an address that n8n forbids': {
		account: { baseUrl: `https://127.0.0.2:${PORT}` },
		says: `The address https://127.0.0.2:${PORT} may not be used: …restricted IP address…`,
		remedy: 'ask the administrator of n8n',
	},
	'a name that moves to an address that n8n forbids': {
		account: { baseUrl: `https://moves.example:${PORT}` },
		says: 'n8n does not allow this address: …restricted IP address…',
		remedy: 'Ask the administrator of n8n to allow the host, or check the base URL in the credential.',
	},
	'a name that is looked up without end': {
		account: { baseUrl: `https://slow.example:${PORT}` },
		says: `The check of the address https://slow.example:${PORT} took too long.`,
		remedy: 'ask the administrator of n8n whether its machine can look up this host name',
	},
	'a proxy that wants a login, to http': {
		account: { baseUrl: `http://127.0.0.3:${PORT}` },
		says: 'The proxy on the way asks for a login (HTTP 407).',
		remedy: 'Put a user name and a password into the proxy settings of n8n (HTTPS_PROXY or HTTP_PROXY).',
	},
	'a proxy that does not go to a host': {
		account: { baseUrl: `https://127.0.0.4:${PORT}` },
		says: `The proxy on the way makes no connection to 127.0.0.4:${PORT} (HTTP 403).`,
		remedy: 'Ask who runs the proxy whether n8n may reach this host, or name the host in NO_PROXY.',
	},
	'a proxy that wants a login, to https': {
		account: { baseUrl: `https://127.0.0.3:${PORT}` },
		says: 'The proxy on the way asks for a login (HTTP 407).',
		remedy: 'Put a user name and a password into the proxy settings of n8n (HTTPS_PROXY or HTTP_PROXY).',
	},
};

const GET_SET = { resource: 'set', operation: 'get', setId: { __rl: true, mode: 'list', value: '' } };

/** The same where a list is opened. */
export const GUARDED_LISTS: Mishaps<ListMishap> = {
	'sets at an address that n8n forbids': {
		account: { baseUrl: `https://127.0.0.2:${PORT}` },
		parameters: () => GET_SET,
		parameter: 'setId',
		says: `The address https://127.0.0.2:${PORT} may not be used: …restricted IP address…`,
		remedy: 'ask the administrator of n8n',
	},
};

/** The same for the trigger. */
export const GUARDED_TRIGGER: Mishaps = {
	'a queue at an address that n8n forbids': {
		account: { host: '127.0.0.2' },
		says: 'n8n does not allow connections to the host of the message queue',
		remedy: 'Ask the administrator of n8n to allow this host (N8N_SSRF_ALLOWED_HOSTNAMES).',
	},
};
