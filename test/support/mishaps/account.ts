import { reply } from '../fakeService';
import type { Mishaps } from '../mishap';

/** What can be wrong with the fields of the account, and with the login. */
export const ACCOUNT: Mishaps = {
	'no base URL': {
		account: { baseUrl: '' },
		says: 'The base URL in the credential is empty.',
		remedy: 'Type the address of the service, like https://service.example.com.',
	},
	'a base URL with a space': {
		account: { baseUrl: 'https://service example.com' },
		says: 'The base URL in the credential holds a space, a line break or a backslash.',
		remedy: 'Type it again without that.',
	},
	'a base URL with a login in it': {
		account: { baseUrl: 'https://desk:secret@service.example.com' },
		says: 'The base URL in the credential holds a user name or a password.',
		remedy: 'Take them out of the address and put them in their own fields.',
	},
	'a base URL with a question mark': {
		account: { baseUrl: 'https://service.example.com/?from=mail' },
		says: 'The base URL in the credential holds a ? or a #.',
		remedy: 'Take that sign and all that follows it out of the address.',
	},
	'half a base URL': {
		account: { baseUrl: 'https://' },
		says: 'The base URL in the credential is no address.',
		remedy: 'Check it for typing mistakes.',
	},
	'no user name': {
		account: { username: '' },
		says: 'The user name in the credential is empty.',
		remedy: 'Type it.',
	},
	'a user name that ends with a space': {
		account: { loginStyle: 'headers', username: 'desk ' },
		says: 'A user name with a control character, or with a space at an end, cannot be sent in the Headers style.',
		remedy: 'Choose the login style "Basic" in the credential.',
	},
	'a CA certificate that is none': {
		account: { caCertificate: 'my certificate' },
		says: 'The CA certificate in the credential cannot be read.',
		remedy: 'Paste the whole text from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----.',
	},
	'a host that the credential does not allow': {
		account: { allowedHttpRequestDomains: 'domains', allowedDomains: 'service.example.com' },
		says: 'The address http://127.0.0.1:… may not be used: 127.0.0.1 is not among the allowed domains of the credential.',
		remedy: 'Check the base URL and the allowed domains in the credential',
	},
	'a base URL without a login': {
		instead: () => ({ logins: () => 'missing' }),
		says: 'There is no login at this address (HTTP 404). It said: "No such document"',
		remedy: 'Check the base URL in the credential: the host, the port, and the path if there is one.',
	},
	'a login that the service refuses for another reason': {
		instead: () => ({ logins: () => reply(423, { message: 'The account is locked' }) }),
		says: 'The service refused the login (HTTP 423). It said: "The account is locked"',
		remedy:
			'Check the user name, the password and the base URL in the credential, or ask the service whether the account is open.',
	},
	'a token that the service does not take': {
		instead: () => ({ calls: () => 'unauthorized' }),
		says: 'The service refused the call although the login worked (HTTP 401). It said: "The token is not valid"',
		remedy: 'Ask the service whether this account may make this call.',
	},
	'a service that moved': {
		instead: () => ({
			logins: () => reply(301, '', { location: 'https://new.example.com/v3/common/oauth2/token' }),
		}),
		says: 'The service sends us to another address, https://new.example.com, and the login is not taken there (HTTP 301).',
		remedy: 'If that is the right address of the service, put it in the credential as the base URL.',
	},
	'a service that moved nobody knows where': {
		instead: () => ({ logins: () => reply(302) }),
		says: 'The service sends us somewhere else, too often or without saying where (HTTP 302).',
		remedy: 'Check the base URL in the credential.',
	},
};
