import { ServiceError } from '../../../service/errors';
import { BOUNDS } from '../../../service/queue/bounds';
import { brokerError, needsPerson, REFUSALS } from '../../../service/queue/refusal';

const coded = (code: string, message = code) => Object.assign(new Error(message), { code });
const said = (message: string) => new Error(message);

/** What is really said for each row, in the order of the table: RabbitMQ 3.10, amqplib 2, Node and OpenSSL. */
const SAID: readonly Error[] = [
	said('Expected ConnectionOpenOk; got <ConnectionClose channel:0>'),
	said('Connection closed: 530 (NOT-ALLOWED) with message "NOT_ALLOWED - vhost x not found"'),
	said(
		'Connection closed: 530 (NOT-ALLOWED) with message "NOT_ALLOWED - access to vhost refused for user x"',
	),
	said(
		'Channel closed by server: 405 (RESOURCE-LOCKED) with message "RESOURCE_LOCKED - cannot obtain exclusive access"',
	),
	said(
		'Handshake terminated by server: 403 (ACCESS-REFUSED) with message "ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN."',
	),
	said(
		'Operation failed: QueueDeclare; 403 (ACCESS-REFUSED) with message "ACCESS_REFUSED - access to queue refused for user"',
	),
	said(
		'Operation failed: BasicConsume; 540 (NOT-IMPLEMENTED) with message "basic.get not supported by stream queues"',
	),
	said('Operation failed: QueueDeclare; 404 (NOT-FOUND) with message "NOT_FOUND - no queue x in vhost /"'),
	coded('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'),
	coded('ERR_TLS_CERT_ALTNAME_INVALID'),
	coded('CERT_HAS_EXPIRED'),
	coded('DEPTH_ZERO_SELF_SIGNED_CERT'),
	coded('EPROTO', 'write EPROTO'),
	said('routines:ssl3_get_record:WRONG_VERSION_NUMBER'),
	coded('ERR_OSSL_PEM_BAD_BASE64_DECODE'),
	said(
		'Channel closed by server: 406 (PRECONDITION-FAILED) with message "PRECONDITION_FAILED - delivery acknowledgement on channel 2 timed out. Timeout value used: 1000 ms. This timeout value can be configured, see consumers doc guide to learn more"',
	),
	said(
		'Channel closed by server: 406 (PRECONDITION-FAILED) with message "PRECONDITION_FAILED - delivery acknowledgement on channel 2 timed out. Timeout value used: 1800000 ms. This timeout value can be configured, see consumers doc guide to learn more"',
	),
	said('connect ETIMEDOUT'),
	coded('ECONNRESET', 'read ECONNRESET'),
	said('Socket closed abruptly during opening handshake'),
	coded('ENOTFOUND', 'getaddrinfo ENOTFOUND x'),
	coded('ECONNREFUSED', 'connect ECONNREFUSED'),
];

it('has something really said for each row', () => expect(SAID).toHaveLength(REFUSALS.length));

it.each(SAID.map((error, row) => [error.message, error, row] as const))('%s', (_, error, row) => {
	const { means, message, remedy } = REFUSALS[row]!;
	const told = brokerError(error, 'events');
	expect(told).toMatchObject({ code: means, remedy, cause: error });
	const pieces = message.split(/\{queue\}|\{code\}|\{said\}/);
	for (const piece of pieces) expect(told.message).toContain(piece);
	expect(told.message).not.toMatch(/[{}]/);
	if (message.includes('{queue}')) expect(told.message).toContain('“events”');
});

it('asks for a longer time-out of a reader wherever the trigger takes longer, and nowhere else', () => {
	const tookBackAfter = (ms: number) =>
		brokerError(said(`delivery acknowledgement on channel 1 timed out. Timeout value used: ${ms} ms. This`));
	for (const ms of [1, 60_000, 999_999, 1_199_999, BOUNDS.renewAfterMs - 1])
		expect(tookBackAfter(ms).message).toContain(`within ${ms} milliseconds`);
	for (const ms of [BOUNDS.renewAfterMs, 1_260_001, 1_800_000, 12_000_000])
		expect(tookBackAfter(ms).code).toBe('network');
});

it('names no queue where none is known', () =>
	expect(brokerError(SAID[7]).message).toBe('The queue was not found'));

it('looks at the first address of a connection tried over several', () => {
	const error = new AggregateError([coded('ECONNREFUSED'), coded('ENOTFOUND')]);
	expect(brokerError(error).message).toBe('Nothing answers at this host and port');
});

it.each([
	new TypeError('x is not a function'),
	new RangeError('Invalid array length'),
	new ReferenceError('y'),
])('calls a fault of ours by its name: %s', (error) =>
	expect(brokerError(error).message).toContain('The trigger failed by a fault of its own ('),
);

it('says of anything else that the connection was lost', () => {
	expect(brokerError(new Error('Connection closed: 320 (CONNECTION-FORCED)'))).toMatchObject({
		code: 'network',
	});
	expect(brokerError('a text')).toMatchObject({
		code: 'network',
		message: expect.stringContaining('a text'),
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
