import { isServiceError, messageOf, ServiceError, type ServiceErrorCode } from '../errors';

/** What a broker, a socket or amqplib can say, and what it means for a person. */
interface Refusal {
	/** Words of the message. */
	said?: RegExp;
	/** Node's or OpenSSL's code of the error. */
	code?: RegExp;
	means: ServiceErrorCode;
	/** `{queue}` stands for the name of the queue in quotes, `{code}` for the code, `{said}` for the first group of the words. */
	message: string;
	remedy: string;
	/** Another reader takes the events while this lasts. */
	takenMeanwhile?: true;
}

/**
 * The first row that fits counts: what is particular stands before what is general. No secret is ever part of what is said.
 */
export const REFUSALS: readonly Refusal[] = [
	{
		// amqplib keeps the broker's reason to itself when it closes in answer to the opening of the virtual host.
		said: /got <?ConnectionClose/,
		means: 'notFound',
		message: 'The login was accepted, but the virtual host was not found or is closed to this user',
		remedy: 'Check Virtual Host in the queue credential, or ask the service for access to it.',
	},
	{
		said: /NOT[-_]ALLOWED.*not found/is,
		means: 'notFound',
		message: 'The virtual host was not found',
		remedy: 'Check Virtual Host in the queue credential.',
	},
	{
		said: /NOT[-_]ALLOWED/,
		means: 'unauthorized',
		message: 'The message queue does not let this user into the virtual host',
		remedy: 'Check Virtual Host and User in the queue credential, or ask the service for access.',
	},
	{
		// A queue of another connection is locked; one that a consumer reads alone refuses access.
		said: /RESOURCE[-_]LOCKED|in exclusive use/,
		means: 'unauthorized',
		message: 'The queue{queue} is held by another reader alone',
		remedy: 'Stop the other reader: it takes the events meanwhile.',
		takenMeanwhile: true,
	},
	{
		said: /ACCESS[-_]REFUSED.*(login was refused|PLAIN|Handshake)|(login was refused|PLAIN|Handshake).*ACCESS[-_]REFUSED/is,
		means: 'unauthorized',
		message: 'The message queue refused the user name or password',
		remedy: 'Check User and Password in the queue credential.',
	},
	{
		said: /ACCESS[-_]REFUSED/,
		means: 'unauthorized',
		message: 'The user may not read the queue{queue}',
		remedy: 'Check the queue name, or ask the service for the right to read it.',
	},
	{
		// To a consumer with a priority, or to a message fetched alone.
		said: /rabbit_stream_queue|NOT[-_]IMPLEMENTED/,
		means: 'invalidInput',
		message: 'The queue{queue} is a stream, which takes no event back',
		remedy: 'Ask the service for a queue of the type quorum or classic.',
	},
	{
		said: /NOT[-_]FOUND/,
		means: 'notFound',
		message: 'The queue{queue} was not found',
		remedy: 'Check the queue name and the virtual host.',
	},
	{
		// The other side's word on what we showed it; without a client certificate, that none came.
		code: /ERR_SSL_\w*ALERT_(UNKNOWN_CA|BAD_CERT|CERTIFICATE|HANDSHAKE)/,
		means: 'certificate',
		message: 'The message queue asks for a client certificate it knows ({code})',
		remedy: 'Check Client Certificate and Client Key in the queue credential, or ask the service for them.',
	},
	{
		code: /ALTNAME/,
		means: 'certificate',
		message: 'The certificate of the message queue was not accepted ({code})',
		remedy: 'The certificate carries another host name: enter that name in Server Name.',
	},
	{
		code: /CERT.*(EXPIRED|NOT_YET_VALID)/,
		means: 'certificate',
		message: 'The certificate of the message queue was not accepted ({code})',
		remedy:
			'Tell the service: it has to renew its certificate. And check the clock of the machine that n8n runs on.',
	},
	{
		code: /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)/,
		means: 'certificate',
		message: 'The certificate of the message queue was not accepted ({code})',
		remedy:
			'Paste the certificate of the authority that signed it into CA Certificate, or check the host name.',
	},
	{
		code: /EPROTO|WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/,
		said: /EPROTO|WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/,
		means: 'network',
		message: 'The message queue does not speak TLS on this port',
		remedy: 'Turn TLS off, or use the TLS port, usually 5671.',
	},
	{
		code: /ERR_OSSL|ERR_INVALID_ARG|ERR_CRYPTO|BAD_DECRYPT|PEM/,
		means: 'certificate',
		message: 'A certificate or key of the queue credential cannot be read',
		remedy: 'Paste the whole PEM text, from BEGIN to END, and check the passphrase.',
	},
	{
		// A channel gives back what it delivered before 21 minutes are over, so this is less.
		said: /acknowledgement on channel \d+ timed out.*: (\d{1,6}|1[01]\d{5}|12[0-5]\d{4}) ms/is,
		means: 'unexpectedResponse',
		message: 'The message queue takes back what is not done within {said} milliseconds, which is too soon',
		remedy:
			'Ask the service to raise this limit of its message queue (consumer_timeout) to 1800000, which is 30 minutes and the usual. Until then it ends the connection again and again, and a queue with a limit of deliveries may drop events.',
	},
	{
		// The machine stood still for long.
		said: /acknowledgement on channel \d+ timed out/i,
		means: 'network',
		message: 'The message queue took back what was not done in time',
		remedy: 'A published workflow connects again by itself; a test has to be started again.',
	},
	{
		said: /ETIMEDOUT|timeout/i,
		means: 'timeout',
		message: 'The message queue did not answer in time',
		remedy: 'Check host and port, and that nothing in between blocks them.',
	},
	{
		code: /^ECONNRESET$/,
		said: /closed abruptly|Expected|frame/i,
		means: 'network',
		message: 'The message queue closed the connection',
		remedy: 'Check the port, and turn TLS on if the port is the TLS port, usually 5671.',
	},
	{
		code: /^(ENOTFOUND|EAI_AGAIN)$/,
		means: 'network',
		message: 'The host of the message queue was not found',
		remedy: 'Check Host in the queue credential.',
	},
	{
		code: /^ECONNREFUSED$/,
		means: 'network',
		message: 'Nothing answers at this host and port',
		remedy: 'Check Host and Port in the queue credential, and that the message queue is running.',
	},
];

/** Names of errors that no broker causes. */
const DEFECTS = ['TypeError', 'RangeError', 'ReferenceError', 'SyntaxError'];

/**
 * What amqplib, the socket or the broker said, as one of our errors with a remedy.
 * @param queue its name, for the message
 */
export function brokerError(error: unknown, queue?: string): ServiceError {
	if (isServiceError(error)) return error;
	const said = messageOf(error);
	const code = codeOf(error);
	const row = REFUSALS.find(
		(refusal) => (refusal.said?.test(said) ?? false) || (code !== '' && (refusal.code?.test(code) ?? false)),
	);
	if (row) {
		const message = row.message
			.replace('{code}', code)
			.replace('{said}', () => row.said?.exec(said)?.[1] ?? '')
			.replace('{queue}', () => (queue ? ` “${queue}”` : ''));
		const { remedy, takenMeanwhile } = row;
		return new ServiceError(row.means, message, { remedy, takenMeanwhile, cause: error });
	}
	if (error instanceof Error && DEFECTS.includes(error.name) && code === '') {
		return new ServiceError('unexpectedResponse', `The trigger failed by a fault of its own (${said})`, {
			remedy: 'Report this text where the package is developed. The trigger goes on trying.',
			cause: error,
		});
	}
	return new ServiceError('network', `The connection to the message queue was lost (${said})`, {
		remedy: 'A published workflow connects again by itself; a test has to be started again.',
		cause: error,
	});
}

/**
 * What ended the wait for an answer: of a connection that the broker closes with a reason, amqplib tells whoever waits no
 * more than that no answer comes.
 */
export async function reasonOf(
	error: unknown,
	link: { readonly isLost: boolean; readonly lost: Promise<ServiceError> } | undefined,
): Promise<unknown> {
	return link?.isLost && /no reply will be forthcoming|Channel closed|Channel ended/.test(messageOf(error))
		? await link.lost
		: error;
}

/** The broker knows no such queue; one whose node is down is not found either, and is not gone. */
export function saysQueueIsGone({ cause }: ServiceError): boolean {
	return /NOT[-_]FOUND.*no queue/is.test(messageOf(cause));
}

/** True for what stays wrong until a person acts. */
export function needsPerson(error: ServiceError): boolean {
	return ['unauthorized', 'notFound', 'certificate', 'invalidInput'].includes(error.code);
}

function codeOf(error: unknown): string {
	// A connection tried over several addresses fails with one error that holds the others.
	const inner = error instanceof AggregateError ? error.errors[0] : error;
	const code = typeof inner === 'object' && inner !== null && 'code' in inner ? inner.code : undefined;
	return typeof code === 'string' ? code : '';
}
