import type { AccountMishap, Mishaps } from '../mishap';

/** What can be wrong with an account of the service, read where it is typed. */
export const DIALOGS: Mishaps<AccountMishap> = {
	'a password that is wrong': {
		account: { password: 'wrong' },
		says: 'The service refused the user name or the password (HTTP 401).…',
		remedy: 'Check both in the credential.',
	},
	'a base URL with the version in it': {
		account: async ({ service }) => ({ baseUrl: `${service.baseUrl}/v3` }),
		says: 'There is no login at this address (HTTP 404).…',
		remedy: 'The base URL ends with a version such as /v3: leave that out.',
	},
	'a base URL that never answers': {
		account: async ({ listen }) => ({ baseUrl: `https://127.0.0.1:${await listen(() => undefined)}` }),
		says: 'Nothing answers at 127.0.0.1:….',
		remedy: 'Check the host and the port of the base URL, and whether a firewall is in the way.',
	},
};

/** The same for an account of the queue. */
export const DIALOGS_OF_QUEUE: Mishaps<AccountMishap> = {
	'a password of the queue that is wrong': {
		account: { password: 'wrong' },
		says: 'The message queue refused the user name or password',
		remedy: 'Check User and Password in the queue credential.',
	},
	'a queue that never answers': {
		account: async ({ listen }) => ({ port: await listen(() => undefined) }),
		says: 'The message queue did not answer in time',
		remedy: 'Check host and port, and that nothing in between blocks them.',
	},
};
