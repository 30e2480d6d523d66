import { ServiceError, type ServiceErrorCode } from '../../../service/errors';
import { BOUNDS } from '../../../service/queue/bounds';
import {
	brokerError,
	needsPerson,
	reasonOf,
	REFUSALS,
	saysQueueIsGone,
} from '../../../service/queue/refusal';

const coded = (code: string, message = code) => Object.assign(new Error(message), { code });
const said = (message: string) => new Error(message);

const closed = (code: string, text: string) =>
	said(`Channel closed by server: 406 (${code}) with message "${text}"`);
const tookBackAfter = (ms: number) =>
	`PRECONDITION_FAILED - delivery acknowledgement on channel 12 timed out. Timeout value used: ${ms} ms. This timeout value can be configured, see consumers doc guide to learn more`;

const VHOST = ['notFound', 'The virtual host was not found', 'Check Virtual Host'] as const;
const CLOSED_VHOST = [
	'unauthorized',
	'does not let this user into the virtual host',
	'ask the service',
] as const;
const OWN_READER = [
	'unauthorized',
	'“events” is held by another reader alone',
	'Stop the other reader',
] as const;
const LOGIN = ['unauthorized', 'refused the user name or password', 'Check User and Password'] as const;
const STREAM = ['invalidInput', 'The queue “events” is a stream', 'quorum or classic'] as const;
const CLIENT = ['certificate', 'asks for a client certificate it knows (ERR_', 'Client Certificate'] as const;
const NOT_ACCEPTED = 'The certificate of the message queue was not accepted (';
const UNKNOWN_CA = ['certificate', NOT_ACCEPTED, 'into CA Certificate'] as const;
const OUT_OF_TIME = ['certificate', NOT_ACCEPTED, 'Tell the service: it has to renew'] as const;
const NO_TLS = ['network', 'does not speak TLS on this port', 'Turn TLS off'] as const;
const UNREADABLE = ['certificate', 'key of the queue credential cannot be read', 'whole PEM text'] as const;
const NO_ANSWER = ['timeout', 'The message queue did not answer in time', 'Check host and port'] as const;
const CUT = ['network', 'The message queue closed the connection', 'turn TLS on'] as const;
const NO_HOST = ['network', 'The host of the message queue was not found', 'Check Host'] as const;

/** What RabbitMQ 3.10, amqplib 2, Node and OpenSSL really say, and what a person is told of it. */
const SAID: ReadonlyArray<readonly [Error, ServiceErrorCode, string, string]> = [
	[
		said('Expected ConnectionOpenOk; got <ConnectionClose channel:0>'),
		...(['notFound', 'The login was accepted, but the virtual host was not found', 'access to it'] as const),
	],
	[said('530 (NOT-ALLOWED) with message "NOT_ALLOWED - vhost x not found"'), ...VHOST],
	[said('NOT-ALLOWED - vhost x\nnot found'), ...VHOST],
	[closed('NOT-ALLOWED', 'NOT_ALLOWED - access to vhost refused for user x'), ...CLOSED_VHOST],
	[said('RESOURCE-LOCKED'), ...OWN_READER],
	[said('RESOURCE_LOCKED - cannot obtain exclusive access'), ...OWN_READER],
	[said("ACCESS_REFUSED - queue 'events' in vhost '/' in exclusive use"), ...OWN_READER],
	[
		said(
			'Handshake terminated by server: 403 (ACCESS-REFUSED) with message "ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN."',
		),
		...LOGIN,
	],
	[said('ACCESS-REFUSED\nwith mechanism PLAIN'), ...LOGIN],
	[said('Handshake\nterminated: ACCESS_REFUSED'), ...LOGIN],
	[
		said(
			'Operation failed: QueueDeclare; 403 (ACCESS-REFUSED) with message "ACCESS_REFUSED - access to queue refused for user"',
		),
		...(['unauthorized', 'The user may not read the queue “events”', 'Check the queue name'] as const),
	],
	[said('540 (NOT-IMPLEMENTED) with message "basic.get not supported by stream queues"'), ...STREAM],
	[said('NOT_IMPLEMENTED - priority'), ...STREAM],
	[said('the type rabbit_stream_queue takes none'), ...STREAM],
	[
		said('Operation failed: QueueDeclare; 404 (NOT-FOUND) with message "NOT_FOUND - no queue x in vhost /"'),
		...([
			'notFound',
			'The queue “events” was not found',
			'Check the queue name and the virtual host',
		] as const),
	],
	[coded('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'), ...CLIENT],
	[coded('ERR_SSL_TLSV1_ALERT_UNKNOWN_CA'), ...CLIENT],
	[coded('ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE'), ...CLIENT],
	[coded('ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE'), ...CLIENT],
	[coded('ERR_TLS_CERT_ALTNAME_INVALID'), 'certificate', NOT_ACCEPTED, 'enter that name in Server Name'],
	[coded('CERT_HAS_EXPIRED'), ...OUT_OF_TIME],
	[coded('CERT_NOT_YET_VALID'), ...OUT_OF_TIME],
	[coded('DEPTH_ZERO_SELF_SIGNED_CERT'), ...UNKNOWN_CA],
	[coded('SELF_SIGNED'), ...UNKNOWN_CA],
	[coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), ...UNKNOWN_CA],
	[coded('UNABLE_TO_GET_ISSUER'), ...UNKNOWN_CA],
	[coded('EPROTO', 'write failed'), ...NO_TLS],
	[said('routines:ssl3_get_record:WRONG_VERSION_NUMBER'), ...NO_TLS],
	[coded('ERR_OSSL_PEM_BAD_BASE64_DECODE'), ...UNREADABLE],
	[coded('ERR_CRYPTO_INVALID_KEYTYPE'), ...UNREADABLE],
	[
		closed('PRECONDITION-FAILED', tookBackAfter(1_000)),
		...([
			'unexpectedResponse',
			'within 1000 milliseconds, which is too soon',
			'Ask the service to raise',
		] as const),
	],
	[
		closed('PRECONDITION-FAILED', tookBackAfter(1_800_000)),
		...([
			'network',
			'The message queue took back what was not done in time',
			'connects again by itself',
		] as const),
	],
	[said('connect ETIMEDOUT'), ...NO_ANSWER],
	[said('connect TIMEOUT'), ...NO_ANSWER],
	[coded('ECONNRESET', 'read failed'), ...CUT],
	[said('Socket closed abruptly during opening handshake'), ...CUT],
	[coded('ENOTFOUND', 'getaddrinfo ENOTFOUND x'), ...NO_HOST],
	[coded('EAI_AGAIN', 'getaddrinfo EAI_AGAIN x'), ...NO_HOST],
	[
		coded('ECONNREFUSED', 'connect ECONNREFUSED'),
		...(['network', 'Nothing answers at this host and port', 'the message queue is running'] as const),
	],
];

it('has something really said for each row', () => {
	const causes = SAID.map(([error]) => brokerError(error));
	const heard = REFUSALS.filter(({ message }) =>
		causes.some((told) => told.message.startsWith(message.split('{')[0]!)),
	);
	expect(heard).toEqual(REFUSALS);
});

it.each(SAID.map(([error, ...told]) => [error.message, error, ...told] as const))(
	'%s',
	(_, error, code, message, remedy) => {
		const told = brokerError(error, 'events');
		expect(told).toMatchObject({
			...{ code, cause: error, message: expect.stringContaining(message) },
			...{ remedy: expect.stringContaining(remedy) },
			takenMeanwhile: code === 'unauthorized' && message.includes('alone') ? true : undefined,
		});
		const own = (error as { code?: string }).code;
		expect(told.message).not.toMatch(/[{}]/);
		if (message.endsWith('(')) expect(told.message).toContain(`(${own})`);
	},
);

it.each(['XECONNRESET', 'ECONNRESETX', 'XENOTFOUND', 'ENOTFOUNDX', 'ECONNREFUSEDX', 'XECONNREFUSED'])(
	'takes the code %s for none that it knows',
	(code) => expect(brokerError(coded(code, 'x')).message).toContain('was lost (x)'),
);

it('asks for a longer time-out of a reader wherever the trigger takes longer, and nowhere else', () => {
	const told = (ms: number) => brokerError(said(tookBackAfter(ms)));
	for (const ms of [1, 60_000, 999_999, 1_199_999, BOUNDS.renewAfterMs - 1])
		expect(told(ms).message).toContain(`within ${ms} milliseconds`);
	for (const ms of [BOUNDS.renewAfterMs, 1_260_001, 1_800_000, 12_000_000])
		expect(told(ms).code).toBe('network');
});

it('names no queue where none is known', () =>
	expect(brokerError(said('404 (NOT-FOUND)')).message).toBe('The queue was not found'));

it('looks at the first address of a connection tried over several', () => {
	const error = new AggregateError([coded('ECONNREFUSED'), coded('ENOTFOUND')]);
	expect(brokerError(error).message).toBe('Nothing answers at this host and port');
});

it.each([
	new TypeError('x is not a function'),
	new RangeError('Invalid array length'),
	new ReferenceError('y'),
	new SyntaxError('z'),
])('calls a fault of ours by its name: $name', (error) =>
	expect(brokerError(error)).toMatchObject({
		code: 'unexpectedResponse',
		message: `The trigger failed by a fault of its own (${error.message})`,
		remedy: expect.stringContaining('where the package is developed'),
		cause: error,
	}),
);

it('calls no fault of ours what Node’s own functions refuse', () =>
	expect(brokerError(Object.assign(new TypeError('x'), { code: 'ERR_SOCKET' })).message).toContain(
		'was lost',
	));

it('says of anything else that the connection was lost', () => {
	expect(brokerError(new Error('Connection closed: 320 (CONNECTION-FORCED)'))).toMatchObject({
		code: 'network',
	});
	expect(brokerError('a text')).toMatchObject({
		code: 'network',
		message: 'The connection to the message queue was lost (a text)',
		remedy: expect.stringContaining('connects again by itself'),
		cause: 'a text',
	});
});

it('hands on an error of ours as it is', () => {
	const error = new ServiceError('timeout', 'x');
	expect(brokerError(error)).toBe(error);
});

it.each([
	['unauthorized', true],
	['notFound', true],
	['certificate', true],
	['invalidInput', true],
	['network', false],
	['timeout', false],
	['unavailable', false],
] as const)('%s needs a person: %s', (code, needed) =>
	expect(needsPerson(new ServiceError(code, 'x'))).toBe(needed),
);

it.each<[string, unknown, boolean]>([
	['no queue of that name', said('NOT_FOUND - no queue x in vhost /'), true],
	['no queue, in amqplib’s words', said('404 (NOT-FOUND)\nwith message: no queue x'), true],
	['a node that is down', said('NOT_FOUND - home node of durable queue x is down'), false],
	['no virtual host', said('NOT_ALLOWED - vhost x not found'), false],
])('takes a queue for gone by: %s', (_, cause, isGone) =>
	expect(saysQueueIsGone(new ServiceError('notFound', 'x', { cause }))).toBe(isGone),
);

describe('why no answer comes', () => {
	const reason = new ServiceError('network', 'closed for the night');
	const lost = { isLost: true, lost: Promise.resolve(reason) };

	it.each(['Channel ended, no reply will be forthcoming', 'Channel closed', 'Channel ended'])(
		'is what the connection was lost for, of which amqplib says %s',
		async (words) => {
			expect(await reasonOf(said(words), lost)).toBe(reason);
			expect(await reasonOf(said(words), { ...lost, isLost: false })).toMatchObject({ message: words });
			expect(await reasonOf(said(words), undefined)).toMatchObject({ message: words });
		},
	);

	it('is what was said where that says more', async () =>
		expect(await reasonOf(said('NOT_FOUND'), lost)).toMatchObject({ message: 'NOT_FOUND' }));
});
