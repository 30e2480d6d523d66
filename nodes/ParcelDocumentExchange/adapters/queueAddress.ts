import type { ICredentialDataDecryptedObject, ITriggerFunctions } from 'n8n-workflow';
import { ServiceError } from '../../../service/errors';
import type { QueueAddress } from '../../../service/queue/address';

export const QUEUE_CREDENTIAL = 'parcelDocumentExchangeQueueApi';

/** The queue credential as the queue code takes it; defaults as on the panel. */
export function queueAddressOf(credential: ICredentialDataDecryptedObject): QueueAddress {
	const text = (name: string) => (typeof credential[name] === 'string' ? credential[name] : '');
	const tls = credential.tls === true;
	return {
		host: text('host').trim(),
		port: Number(credential.port || (tls ? 5671 : 5672)),
		vhost: text('vhost') || '/',
		username: text('username'),
		password: text('password'),
		tls,
		caCertificate: text('caCertificate'),
		clientCertificate: text('clientCertificate'),
		clientKey: text('clientKey'),
		passphrase: text('passphrase'),
		serverName: text('serverName'),
	};
}

/**
 * Reads the credential from n8n's store, so that an edit since the last connection is obeyed. Where n8n guards outgoing
 * connections, the address is checked and the guard's lookup goes with it.
 */
export async function readQueueAddress(context: ITriggerFunctions): Promise<QueueAddress> {
	const address = queueAddressOf(await context.getCredentials(QUEUE_CREDENTIAL));
	// n8n has this helper since 2.30, and until 2.37 only where the protection is on.
	const guard = context.helpers.getSecureEgressFilter?.();
	if (!guard) return address;
	const host = address.host.includes(':') ? `[${address.host}]` : address.host;
	const allowed = await guard.validateUrl(`http://${host}:${address.port}/`);
	if (!allowed.ok) {
		throw new ServiceError(
			'invalidInput',
			'n8n does not allow connections to the host of the message queue',
			{
				remedy: 'Ask the administrator of n8n to allow this host (N8N_SSRF_ALLOWED_HOSTNAMES).',
				cause: allowed.error,
			},
		);
	}
	return { ...address, lookup: guard.createSecureLookup() as QueueAddress['lookup'] };
}
