import type { QueueAddress } from '../../../service/queue/contract';
import {
	checkAddress,
	connectOptions,
	placeOf,
	sessionKey,
	socketOptions,
} from '../../../service/queue/address';
import { addressOf } from '../../support/subscriber';

const ADDRESS = addressOf({ port: 5672 } as never, { host: 'queue.example.com' });
const TLS = { tls: true, clientCertificate: 'certificate', clientKey: 'key' };

/** @returns what a person is told of it, and to do about it */
function told(changes: Partial<QueueAddress>): string[] {
	try {
		checkAddress({ ...ADDRESS, ...changes });
		return [];
	} catch (error) {
		const { code, message, remedy } = error as { code: string; message: string; remedy: string };
		return [code, message, remedy];
	}
}

it.each<[string, Partial<QueueAddress>]>([
	['as most are', {}],
	['with blanks around the host', { host: ' queue.example.com ' }],
	['of the sixth version of IP', { host: '::1' }],
	['of the sixth version of IP, in full', { host: 'fd00::1:25' }],
	['of the sixth version of IP, cut short', { host: 'fd00:1::a' }],
	['with the first port', { port: 1 }],
	['with the last port', { port: 65_535 }],
	['with a client certificate and its key', TLS],
	['without TLS, with half of what is for TLS', { clientCertificate: 'certificate' }],
])('an address %s is fine', (_, changes) => expect(told(changes)).toEqual([]));

it.each<[string, Partial<QueueAddress>, string, string]>([
	['no host', { host: ' ' }, 'host of the message queue is empty', 'Host'],
	['a URL', { host: 'amqp://queue.example.com' }, 'is not a host name', 'the name alone'],
	['a user', { host: 'me@queue.example.com' }, 'is not a host name', 'the name alone'],
	['a path', { host: 'queue.example.com/orders' }, 'is not a host name', 'the name alone'],
	['a port in the host', { host: ' queue.example.com:5672 ' }, 'holds a port', 'Enter the port in Port'],
	['no port', { port: 0 }, 'not a number from 1 to 65535', '5672, and 5671 with TLS'],
	['a port too high', { port: 65_536 }, 'not a number from 1 to 65535', '5672, and 5671 with TLS'],
	['half a port', { port: 1.5 }, 'not a number from 1 to 65535', '5672, and 5671 with TLS'],
	['no virtual host', { vhost: '' }, 'The virtual host is empty', 'Enter /'],
	['no user', { username: '' }, 'user name for the message queue is empty', 'Fill in User'],
	['a certificate without a key', { ...TLS, clientKey: '' }, 'needs its key', 'Fill in both'],
	['a key without a certificate', { ...TLS, clientCertificate: '' }, 'needs its key', 'Fill in both'],
])('%s is told, with what to do', (_, changes, message, remedy) =>
	expect(told(changes)).toEqual([
		'invalidInput',
		expect.stringContaining(message),
		expect.stringContaining(remedy),
	]),
);

it('is connected to as it was entered', () => {
	const address = { ...ADDRESS, host: ' queue.example.com ', vhost: '/a b' };
	const { username, password } = ADDRESS;
	const rest = { hostname: 'queue.example.com', port: 5672, username, password, heartbeat: 15 };
	expect(connectOptions(address, 15)).toEqual({ ...rest, protocol: 'amqp', vhost: '%2Fa%20b' });
	expect(connectOptions({ ...address, tls: true }, 15)).toMatchObject({ protocol: 'amqps' });
});

describe('the socket', () => {
	const lookup = () => {};
	const plain = {
		...{ timeout: 10_000, noDelay: true, keepAlive: true, keepAliveDelay: 30_000 },
		clientProperties: { connection_name: 'events' },
	};
	const own = { clientCertificate: '', clientKey: '', passphrase: '', serverName: ' other.example.com ' };

	it('has nothing of TLS without it', () =>
		expect(socketOptions({ ...ADDRESS, ...own }, 10_000, 'events')).toEqual(plain));

	it('asks for names where the host of n8n says it', () =>
		expect(socketOptions({ ...ADDRESS, lookup: lookup as never }, 10_000, 'events')).toEqual({
			...plain,
			lookup,
		}));

	it.each([
		['a name', ' other.example.com ', { servername: 'other.example.com' }],
		['an address, which TLS names to nobody', '192.0.2.1', {}],
		['nothing', ' ', {}],
	])('names to the other side what was entered: %s', (_, serverName, named) =>
		expect(socketOptions({ ...ADDRESS, ...own, tls: true, serverName }, 10_000, 'events')).toEqual({
			...plain,
			...{ ca: undefined, cert: undefined, key: undefined, passphrase: undefined },
			...named,
		}),
	);

	it('shows a certificate and its key, with a passphrase', () => {
		const pem = (what: string) => `-----BEGIN ${what}-----\nMIIB\n-----END ${what}-----\n`;
		const shown = { clientCertificate: pem('CERTIFICATE'), clientKey: pem('PRIVATE KEY'), passphrase: 'p' };
		expect(socketOptions({ ...ADDRESS, tls: true, ...shown }, 10_000, 'events')).toMatchObject({
			cert: expect.stringContaining('BEGIN CERTIFICATE'),
			key: expect.stringContaining('BEGIN PRIVATE KEY'),
			passphrase: 'p',
		});
	});
});

describe('two workflows', () => {
	const key = (changes: Partial<QueueAddress>, queue = 'events') =>
		sessionKey({ ...ADDRESS, ...changes }, queue);

	it.each<[string, Partial<QueueAddress>]>([
		['write the host in other letters', { host: ' Queue.Example.COM ' }],
		['have another password', { password: 'edited' }],
	])('share a connection though they %s', (_, changes) => expect(key(changes)).toBe(key({})));

	it.each<[string, Partial<QueueAddress>]>([
		['host', { host: 'other.example.com' }],
		['port', { port: 5671 }],
		['virtual host', { vhost: 'other' }],
		['user', { username: 'other' }],
	])('with another %s do not', (_, changes) => expect(key(changes)).not.toBe(key({})));

	it('of other queues do not', () => expect(key({}, 'other')).not.toBe(key({})));

	it('of other users read at the same place', () => {
		const place = (changes: Partial<QueueAddress>) => placeOf({ ...ADDRESS, ...changes }, 'events');
		expect(place({ username: 'other' })).toBe(place({}));
		expect(place({ port: 5671 })).not.toBe(place({}));
	});
});
