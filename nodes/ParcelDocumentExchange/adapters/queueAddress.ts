import type { ICredentialDataDecryptedObject, IExecuteFunctions, ITriggerFunctions } from 'n8n-workflow';
import { isServiceError, messageOf, ServiceError } from '../../../service/errors';
import type { QueueAddress } from '../../../service/queue/contract';
import { systemClock, within, type Clock } from '../../../service/surroundings';
import { credentialAt, credentialText } from './credentials';
import { egressFilterOf, type EgressFilter } from './egress';

export const QUEUE_CREDENTIAL = 'parcelDocumentExchangeQueueApi';

type Context = IExecuteFunctions | ITriggerFunctions;

/** The queue credential as the queue code takes it; defaults as on the panel. */
export function queueAddressOf(credential: ICredentialDataDecryptedObject): QueueAddress {
	const text = (name: string) => credentialText(credential, name);
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

/** A database that was cut off may never answer, and a trigger that connects again must ask it again. */
const ANSWER_MS = 20_000;

/**
 * Reads the credential from n8n's store, so that an edit since the last connection is obeyed. Where n8n guards outgoing
 * connections, the address is checked and the guard's lookup goes with it.
 *
 * @param itemIndex of an action: fields of the credential may be expressions
 */
export async function readQueueAddress(
	context: Context,
	clock: Clock = systemClock,
	itemIndex = 0,
): Promise<QueueAddress> {
	return await within(clock, ANSWER_MS, readAndCheck(context, itemIndex), () => {
		const remedy = 'Look at the database of n8n, and try again.';
		return new ServiceError('timeout', 'n8n did not hand out the queue credential in time', { remedy });
	});
}

async function readAndCheck(context: Context, itemIndex: number): Promise<QueueAddress> {
	const credential = await readCredential(context, itemIndex);
	return await guardedAddress(queueAddressOf(credential), egressFilterOf(context));
}

/**
 * The address behind n8n's protection of outgoing connections, where that is on.
 *
 * @throws ServiceError `invalidInput` when it forbids the host: before anything is connected, so that what is said tells
 * nothing of the host
 */
export async function guardedAddress(address: QueueAddress, filter?: EgressFilter): Promise<QueueAddress> {
	if (!filter) return address;
	const host = address.host.includes(':') ? `[${address.host}]` : address.host;
	const allowed = await filter.validateUrl(`http://${host}:${address.port}/`);
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
	return { ...address, lookup: filter.createSecureLookup() };
}

async function readCredential(context: Context, itemIndex: number): Promise<ICredentialDataDecryptedObject> {
	try {
		return await credentialAt(context, QUEUE_CREDENTIAL, itemIndex);
	} catch (error) {
		throw readError(error);
	}
}

/** What is gone from n8n's store only a person brings back; a store that does not answer comes back by itself. */
function readError(error: unknown): ServiceError {
	if (isServiceError(error)) return error;
	const said = messageOf(error);
	if (!/does not exist|not found|could not be decrypted/i.test(said)) {
		return new ServiceError('unavailable', `n8n did not hand out the queue credential (${said})`, {
			remedy: 'Look at n8n’s database, or where it keeps its secrets. A published workflow goes on trying.',
			cause: error,
		});
	}
	return new ServiceError('invalidInput', `The queue credential cannot be used (${said})`, {
		remedy: 'Open the node, choose a credential that is there, and publish the workflow again.',
		cause: error,
	});
}
