import type { ICredentialType, Icon, INodeProperties } from 'n8n-workflow';

const withTls: INodeProperties['displayOptions'] = { show: { tls: [true] } };

/** The account that reads the customer's event queue (AMQP 0-9-1). Tested by the trigger with a real connection. */
export class ParcelDocumentExchangeQueueApi implements ICredentialType {
	name = 'parcelDocumentExchangeQueueApi';

	displayName = 'Parcel Document Exchange Queue API';

	icon: Icon = {
		light: 'file:../nodes/ParcelDocumentExchange/parcelDocumentExchange.svg',
		dark: 'file:../nodes/ParcelDocumentExchange/parcelDocumentExchange.dark.svg',
	};

	documentationUrl =
		'https://github.com/parcel-document-exchange/n8n-nodes-parcel-document-exchange/blob/main/docs/trigger.md#the-account-of-the-queue';

	properties: INodeProperties[] = [
		{
			displayName:
				'The service gives you these with the access to your event queue. n8n should be its only reader: another reader takes events away.',
			name: 'notice',
			type: 'notice',
			default: '',
		},
		{
			displayName: 'Host',
			name: 'host',
			type: 'string',
			default: '',
			placeholder: 'e.g. queue.example.com',
			required: true,
			description: 'The host name alone, without amqp:// and without a path',
		},
		{
			displayName: 'Port',
			name: 'port',
			type: 'number',
			default: 5672,
			description: 'Usually 5672, or 5671 with TLS',
		},
		{
			displayName: 'Virtual Host',
			name: 'vhost',
			type: 'string',
			default: '/',
			description: 'Often the ID of your company at the service',
		},
		{
			displayName: 'User',
			name: 'username',
			type: 'string',
			default: '',
			required: true,
		},
		{
			displayName: 'Password',
			name: 'password',
			type: 'string',
			typeOptions: { password: true },
			default: '',
		},
		{
			displayName: 'Use TLS',
			name: 'tls',
			type: 'boolean',
			default: false,
			description: 'Whether to encrypt the connection. Hosted queues ask for it, usually on port 5671.',
		},
		{
			displayName: 'CA Certificate',
			name: 'caCertificate',
			type: 'string',
			typeOptions: { rows: 4, password: true },
			default: '',
			placeholder: '-----BEGIN CERTIFICATE-----',
			description:
				'Only if the queue has a certificate of a private authority: the certificate of that authority',
			displayOptions: withTls,
		},
		{
			displayName: 'Client Certificate',
			name: 'clientCertificate',
			type: 'string',
			typeOptions: { rows: 4, password: true },
			default: '',
			placeholder: '-----BEGIN CERTIFICATE-----',
			description: 'Only if the queue asks for one',
			displayOptions: withTls,
		},
		{
			displayName: 'Client Key',
			name: 'clientKey',
			type: 'string',
			typeOptions: { rows: 4, password: true },
			default: '',
			placeholder: '-----BEGIN PRIVATE KEY-----',
			description: 'The private key of the client certificate',
			displayOptions: withTls,
		},
		{
			displayName: 'Passphrase',
			name: 'passphrase',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description: 'Only if the client key is locked with one',
			displayOptions: withTls,
		},
		{
			displayName: 'Server Name',
			name: 'serverName',
			type: 'string',
			default: '',
			placeholder: 'e.g. broker.example.net',
			description: 'Only if the certificate of the queue carries another host name than Host',
			displayOptions: withTls,
		},
	];
}
