import { connect } from 'amqplib';
import { waitUntil } from '../../../sandbox/process/waitUntil';
import type { Stage } from '../host/stage';
import { eventBody } from '../events';
import type { Mishaps } from '../mishap';

/** Reads a queue in such a way that nobody else may. */
async function readAlone({ broker, vhost, later }: Stage, queue: string): Promise<void> {
	const connection = await connect(broker.url({ vhost }));
	later(() => connection.close());
	const channel = await connection.createChannel();
	await channel.consume(queue, () => undefined, { exclusive: true });
}

/** An account of the broker that speaks TLS, in parts right. */
const secure = (wrong: (stage: Stage) => Record<string, unknown>) => async (stage: Stage) => {
	const { tlsPort: port } = await stage.secureBroker();
	return { tls: true, port, ...wrong(stage) };
};

/** What can be wrong with the account of the queue, on the way to it, and with the queue. */
export const QUEUE: Mishaps = {
	'no host': {
		account: { host: ' ' },
		says: 'The host of the message queue is empty',
		remedy: 'Fill in Host in the queue credential.',
	},
	'an address in place of a host': {
		account: { host: 'amqp://queue.example.com' },
		says: 'The host of the message queue is not a host name',
		remedy: 'Enter the name alone, such as queue.example.com: no amqp://, no path, no user name.',
	},
	'a host with its port': {
		account: { host: 'queue.example.com:5672' },
		says: 'The host of the message queue holds a port',
		remedy: 'Enter the port in Port, and the name alone in Host.',
	},
	'a port that is none': {
		account: { port: 70_000 },
		says: 'The port of the message queue is not a number from 1 to 65535',
		remedy: 'The usual ports are 5672, and 5671 with TLS.',
	},
	'no user': {
		account: { username: '' },
		says: 'The user name for the message queue is empty',
		remedy: 'Fill in User in the queue credential.',
	},
	'a host of nobody': {
		account: { host: 'queue.invalid' },
		says: 'The host of the message queue was not found',
		remedy: 'Check Host in the queue credential.',
	},
	'a broker that says nothing': {
		account: async ({ listen }) => ({ port: await listen(() => undefined) }),
		says: 'The message queue did not answer in time',
		remedy: 'Check host and port, and that nothing in between blocks them.',
	},
	'a port that wants TLS': {
		account: secure(() => ({ tls: false })),
		says: 'The message queue closed the connection',
		remedy: 'Check the port, and turn TLS on if the port is the TLS port, usually 5671.',
	},
	'a broker with a certificate of an unknown authority': {
		account: secure(() => ({})),
		says: 'The certificate of the message queue was not accepted (…)',
		remedy: 'Paste the certificate of the authority that signed it into CA Certificate',
	},
	'a broker with a certificate for another host': {
		account: secure(({ certificates: { ca } }) => ({ caCertificate: ca })),
		says: 'The certificate of the message queue was not accepted (ERR_TLS_CERT_ALTNAME_INVALID)',
		remedy: 'The certificate carries another host name: enter that name in Server Name.',
	},
	'a broker with a certificate that has expired': {
		account: async ({ serve, odd, certificates: { ca } }) => {
			const { port } = new URL((await serve({ tls: odd.expired })).baseUrl);
			return { tls: true, port: Number(port), caCertificate: ca };
		},
		says: 'The certificate of the message queue was not accepted (CERT_HAS_EXPIRED)',
		remedy: 'Tell the service: it has to renew its certificate.',
	},
	'a broker that wants a client certificate': {
		account: secure(({ certificates: { ca } }) => ({ caCertificate: ca, serverName: 'queue.example.com' })),
		says: 'The message queue asks for a client certificate it knows (…)',
		remedy: 'Check Client Certificate and Client Key in the queue credential',
	},
	'a client certificate without its key': {
		account: secure(({ certificates: { client } }) => ({ clientCertificate: client.certificate })),
		says: 'A client certificate needs its key, and a key its certificate',
		remedy: 'Fill in both fields or neither.',
	},
	'a client key with the wrong passphrase': {
		account: secure(({ certificates: { client, encryptedClientKey } }) => ({
			...{ clientCertificate: client.certificate, clientKey: encryptedClientKey, passphrase: 'wrong' },
		})),
		says: 'A certificate or key of the queue credential cannot be read',
		remedy: 'Paste the whole PEM text, from BEGIN to END, and check the passphrase.',
	},
	'a queue name without end': {
		parameters: () => ({ queue: 'parcel.'.repeat(40) }),
		says: 'The queue name is too long',
		remedy: 'A queue name has at most 255 characters.',
	},
	'a queue that is closed to the user': {
		before: ({ newQueue }) => newQueue('secret papers'),
		parameters: () => ({ queue: 'secret papers' }),
		says: 'The user may not read the queue “secret papers”',
		remedy: 'Check the queue name, or ask the service for the right to read it.',
	},
	'a queue of another connection': {
		before: async ({ broker, vhost, later }) => {
			const connection = await connect(broker.url({ vhost }));
			later(() => connection.close());
			await (await connection.createChannel()).assertQueue('a private queue', { exclusive: true });
		},
		parameters: () => ({ queue: 'a private queue' }),
		says: 'The queue “a private queue” is held by another reader alone',
		remedy: 'Stop the other reader: it takes the events meanwhile.',
	},
	'a queue with twenty events of other statuses': {
		before: async ({ newQueue, send }) => {
			const events = Array.from({ length: 20 }, (_, number) => eventBody(number));
			await send(await newQueue('issued'), ...events);
		},
		parameters: () => ({ queue: 'issued', statuses: ['SIGNED'] }),
		says: 'None of the first 20 events on the queue is of a chosen kind',
		remedy: 'They stay on the queue. Choose more statuses, or test with sample events.',
	},
	'a broker that is shut down meanwhile': {
		before: ({ newQueue }) => newQueue('empty'),
		parameters: () => ({ queue: 'empty' }),
		meanwhile: async ({ broker, vhost }) => {
			const isThere = async () =>
				(await broker.connections()).some((each) => each.vhost === vhost && each.user !== 'admin');
			await waitUntil('the test reads the queue', isThere);
			await broker.closeConnections('closed for the night');
		},
		says: 'The connection to the message queue was lost (Connection closed: 320 (CONNECTION-FORCED) with message "CONNECTION_FORCED - closed for the night")',
		remedy: 'a test has to be started again',
	},
};

/** What n8n says when a workflow is published. */
export const PUBLISHING: Mishaps = {
	'a queue that does not exist': {
		parameters: () => ({ queue: 'nowhere' }),
		says: 'The queue “nowhere” was not found',
		remedy: 'Check the queue name and the virtual host.',
	},
	'a queue name of spaces, as samples need none': {
		parameters: () => ({ queue: ' ', testWith: 'sampleEvent' }),
		says: 'The queue name is empty',
		remedy: 'Fill in Queue with the name the service gave you.',
	},
	'customers among which none was chosen': {
		parameters: ({ queue }) => ({
			queue,
			options: { customerIds: [{ customerId: { __rl: true, mode: 'list', value: '' } }] },
		}),
		says: '"Customers" was chosen and is empty',
		remedy: 'Choose a customer from the list or type its ID',
	},
	'a stream in place of a queue': {
		before: async ({ broker, vhost, later }) => {
			const connection = await connect(broker.url({ vhost }));
			later(() => connection.close());
			const channel = await connection.createChannel();
			await channel.assertQueue('a stream', { arguments: { 'x-queue-type': 'stream' } });
		},
		parameters: () => ({ queue: 'a stream' }),
		says: 'The queue “a stream” is a stream, which takes no event back',
		remedy: 'Ask the service for a queue of the type quorum or classic.',
	},
	'a queue that is read by somebody alone': {
		before: async (stage) => readAlone(stage, await stage.newQueue('read alone')),
		parameters: () => ({ queue: 'read alone' }),
		says: 'The queue “read alone” is held by another reader alone',
		remedy: 'Stop the other reader: it takes the events meanwhile.',
	},
};
