import { reply } from '../fakeService';
import type { Mishaps } from '../mishap';

const UNKNOWN = '00000000-0000-4000-8000-00000000abcd';
const PDF = { resource: 'document', operation: 'getPdf' };

/** One of each kind of error the package knows (service/errors), and of each way to it that a person can take. */
export const USUAL: Mishaps = {
	'a wrong password': {
		account: { password: 'wrong' },
		says: 'The service refused the user name or the password (HTTP 401).…',
		remedy: 'Check both in the credential.',
	},
	'a user name with a colon': {
		account: { username: 'a:b' },
		says: 'A user name with a colon cannot be sent in the Basic style.',
		remedy: 'Choose the login style "Headers" in the credential.',
	},
	'a base URL without https': {
		account: { baseUrl: 'service.example.com' },
		says: 'The base URL in the credential does not begin with https:// or http://.',
		remedy: 'Put https:// in front of the address.',
	},
	'a base URL of nobody': {
		account: { baseUrl: 'https://service.invalid' },
		says: 'There is no host called service.invalid.',
		remedy: 'Check the base URL in the credential for typing mistakes.',
	},
	'a base URL where nothing listens': {
		account: { baseUrl: 'http://127.0.0.1:1' },
		says: 'Nothing listens at 127.0.0.1:1.',
		remedy: 'Check the host and the port of the base URL in the credential.',
	},
	'another service at the base URL': {
		instead: () => ({ logins: () => reply(200, '<html><title>Welcome</title></html>') }),
		says: 'The answer holds no field "token" that can be used. It said: "Welcome"',
		remedy: 'Check the base URL in the credential: another service seems to answer there.',
	},
	'a certificate of an unknown authority': {
		instead: ({ certificates: { server } }) => ({ tls: { key: server.key, cert: server.certificate } }),
		says: 'The certificate of … comes from an authority this machine does not know.',
		remedy: 'Ask the service for its CA certificate and paste it in the credential.',
	},
	'no right to do this': {
		instead: () => ({ calls: () => 'forbidden' }),
		says: 'The service does not let this account do this (HTTP 403). It said: "Not for this account"',
		remedy: 'Ask the service for the right, or use another account.',
	},
	'too many calls': {
		instead: () => ({ calls: () => 'rateLimited' }),
		says: 'The service asks for fewer calls (HTTP 429). It said: "Slow down"',
		remedy: 'let the workflow run less often',
	},
	'a service that is out of order': {
		instead: () => ({ calls: () => 'unavailable' }),
		says: 'The service has a problem of its own (HTTP 503). It said: "Back in a minute"',
		remedy: 'Try again later.',
	},
	'a service that says nothing': {
		instead: () => ({ calls: () => 'silence' }),
		says: '127.0.0.1:… was silent for too long.',
		remedy: 'Timeout in its options allows more time',
	},
	'an answer of another shape': {
		instead: () => ({ ok: { customers: [] } }),
		says: 'The service answered something else: the answer is an object (…).',
		remedy: 'Check the base URL in the credential.',
	},
	'a set that is not there': {
		parameters: () => ({ resource: 'set', operation: 'get', setId: UNKNOWN }),
		says: `The search does not show set ${UNKNOWN}`,
		remedy: 'Check the set ID',
	},
	'a document that is not there': {
		parameters: ({ service }) => ({ ...PDF, setId: service.data.sets[0]?.setId, documentId: UNKNOWN }),
		says: `No PDF of document ${UNKNOWN} of set …: The service does not know what was asked for (HTTP 404). It said: …`,
		remedy: 'raise Wait Up To in the options',
	},
	'an input item without a set': {
		parameters: () => ({ resource: 'document', operation: 'getAllPdfs' }),
		says: '"Set" is empty',
		remedy: 'put this node behind the trigger, or behind a node that gives sets',
	},
	'a file name that cannot be filled': {
		parameters: () => ({ ...PDF, setId: UNKNOWN, documentId: UNKNOWN, options: { fileName: '{parcelRef}' } }),
		says: 'The file name uses {parcelRef}, which is not known from the IDs alone',
		remedy: 'Use these: {setId} {documentId}',
	},
	'a time zone that is none': {
		parameters: () => ({ resource: 'set', operation: 'search', options: { timeZone: 'Gothenburg' } }),
		says: '"Time Zone" is not known: "Gothenburg"',
		remedy: 'Use a name such as UTC or Europe/Amsterdam.',
	},
	'an item that is no event': {
		parameters: () => ({ resource: 'event', operation: 'parse' }),
		says: 'There is no status event in "Event"',
		remedy: 'Give it the event, a report of the trigger, or a whole item with {{ $json }}.',
	},
};

/** The same for the trigger: what is wrong with the account or the queue. */
export const USUAL_OF_TRIGGER: Mishaps = {
	'a queue that is not there': {
		parameters: () => ({ queue: 'nowhere' }),
		says: 'The queue “nowhere” was not found',
		remedy: 'Check the queue name and the virtual host.',
	},
	'no queue': {
		parameters: () => ({ queue: ' ' }),
		says: 'The queue name is empty',
		remedy: 'Fill in Queue with the name the service gave you.',
	},
	'a wrong password of the queue': {
		account: { password: 'wrong' },
		says: 'The message queue refused the user name or password',
		remedy: 'Check User and Password in the queue credential.',
	},
	'a virtual host that is not there': {
		account: { vhost: 'nowhere' },
		says: 'The login was accepted, but the virtual host was not found or is closed to this user',
		remedy: 'Check Virtual Host in the queue credential, or ask the service for access to it.',
	},
	'TLS where there is none': {
		account: { tls: true },
		says: 'The message queue does not speak TLS on this port',
		remedy: 'Turn TLS off, or use the TLS port, usually 5671.',
	},
	'no broker at all': {
		account: { port: 1 },
		says: 'Nothing answers at this host and port',
		remedy: 'Check Host and Port in the queue credential',
	},
};
