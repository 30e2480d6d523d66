import { isIP } from 'node:net';
import { trustedAuthorities } from '../model/authorities';
import { repairPem } from '../model/pem';
import { ServiceError } from '../errors';
import type { QueueAddress } from './contract';

/** Throws {@link ServiceError} `invalidInput` for what can never connect, before anything is sent. */
export function checkAddress(address: QueueAddress): void {
	const refuse = (message: string, remedy: string) => {
		throw new ServiceError('invalidInput', message, { remedy });
	};
	const host = address.host.trim();
	if (host === '') refuse('The host of the message queue is empty', 'Fill in Host in the queue credential.');
	if (/[\s/@?#]/.test(host)) {
		refuse(
			'The host of the message queue is not a host name',
			'Enter the name alone, such as queue.example.com: no amqp://, no path, no user name.',
		);
	}
	if (/^[^:]+:\d+$/.test(host)) {
		refuse(
			'The host of the message queue holds a port',
			'Enter the port in Port, and the name alone in Host.',
		);
	}
	if (!Number.isInteger(address.port) || address.port < 1 || address.port > 65535) {
		refuse(
			'The port of the message queue is not a number from 1 to 65535',
			'The usual ports are 5672, and 5671 with TLS.',
		);
	}
	if (address.vhost === '') refuse('The virtual host is empty', 'Enter / for the default one.');
	if (address.username === '')
		refuse('The user name for the message queue is empty', 'Fill in User in the queue credential.');
	if (!address.tls) return;
	if ((address.clientCertificate === '') !== (address.clientKey === '')) {
		refuse(
			'A client certificate needs its key, and a key its certificate',
			'Fill in both fields or neither.',
		);
	}
}

/** What amqplib connects with. The virtual host is escaped because amqplib unescapes it. */
export function connectOptions(address: QueueAddress, heartbeatSeconds: number) {
	return {
		protocol: address.tls ? 'amqps' : 'amqp',
		hostname: address.host.trim(),
		port: address.port,
		username: address.username,
		password: address.password,
		vhost: encodeURIComponent(address.vhost),
		heartbeat: heartbeatSeconds,
	};
}

/** What the socket is opened with. */
export function socketOptions(address: QueueAddress, timeoutMs: number, connectionName: string) {
	const pem = (text: string) => (text.trim() === '' ? undefined : repairPem(text));
	const serverName = address.serverName.trim();
	return {
		timeout: timeoutMs,
		noDelay: true,
		keepAlive: true,
		keepAliveDelay: 30_000,
		clientProperties: { connection_name: connectionName },
		...(address.lookup ? { lookup: address.lookup } : {}),
		...(address.tls
			? {
					ca: trustedAuthorities(address.caCertificate),
					cert: pem(address.clientCertificate),
					key: pem(address.clientKey),
					passphrase: address.passphrase || undefined,
					// SNI allows no address, and amqplib sets the host name itself where it is one.
					...(serverName !== '' && isIP(serverName) === 0 ? { servername: serverName } : {}),
				}
			: {}),
	};
}

/** The same for all users of a queue. */
export function placeOf(address: QueueAddress, queue: string): string {
	return sessionKey({ ...address, username: '' }, queue);
}

/** Two subscribers with the same key share one connection. The password is not part of it: an edit is obeyed at the next connection. */
export function sessionKey(address: QueueAddress, queue: string): string {
	return JSON.stringify([
		address.host.trim().toLowerCase(),
		address.port,
		address.vhost,
		address.username,
		queue,
	]);
}
