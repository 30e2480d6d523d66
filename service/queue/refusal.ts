import { isServiceError, messageOf, ServiceError } from '../errors';

/** The other side's word on what we showed it; without a client certificate, that none came. */
const OUR_CERTIFICATE_CODES = /ERR_SSL_\w*ALERT_(UNKNOWN_CA|BAD_CERT|CERTIFICATE|HANDSHAKE)/;
const CERTIFICATE_CODES = /CERT|SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|ALTNAME/;
const MATERIAL_CODES = /ERR_OSSL|ERR_INVALID_ARG|ERR_CRYPTO|BAD_DECRYPT|PEM/;
const NOT_TLS = /EPROTO|WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/;

/** What amqplib, the socket or the broker said, as one of our errors with a remedy. No secret is ever part of what they say. */
export function brokerError(error: unknown, queue?: string): ServiceError {
	if (isServiceError(error)) return error;
	const said = messageOf(error);
	const code = codeOf(error);
	const make = (kind: ServiceError['code'], message: string, remedy?: string) =>
		new ServiceError(kind, message, { remedy, cause: error });

	// amqplib keeps the broker's reason to itself when it closes in answer to the opening of the virtual host.
	if (/got <?ConnectionClose/.test(said)) {
		return make(
			'notFound',
			'The login was accepted, but the virtual host was not found or is closed to this user',
			'Check Virtual Host in the queue credential, or ask the service for access to it.',
		);
	}
	if (/NOT[-_]ALLOWED/.test(said)) {
		return /not found/i.test(said)
			? make('notFound', 'The virtual host was not found', 'Check Virtual Host in the queue credential.')
			: make(
					'unauthorized',
					'The message queue does not let this user into the virtual host',
					'Check Virtual Host and User in the queue credential, or ask the service for access.',
				);
	}
	// A queue of another connection is locked; one that a consumer reads alone refuses access.
	if (/RESOURCE[-_]LOCKED|in exclusive use/.test(said)) {
		return make(
			'unauthorized',
			`The queue${quoted(queue)} is held by another reader alone`,
			'Stop the other reader.',
		);
	}
	if (/ACCESS[-_]REFUSED/.test(said)) {
		return /login was refused|PLAIN|Handshake/i.test(said)
			? make(
					'unauthorized',
					'The message queue refused the user name or password',
					'Check User and Password in the queue credential.',
				)
			: make(
					'unauthorized',
					`The user may not read the queue${quoted(queue)}`,
					'Check the queue name, or ask the service for the right to read it.',
				);
	}
	// To a consumer with a priority, or to a message fetched alone.
	if (/rabbit_stream_queue|NOT[-_]IMPLEMENTED/.test(said)) {
		return make(
			'invalidInput',
			`The queue${quoted(queue)} is a stream, which takes no event back`,
			'Ask the service for a queue of the type quorum or classic.',
		);
	}
	if (/NOT[-_]FOUND/.test(said)) {
		return make(
			'notFound',
			`The queue${quoted(queue)} was not found`,
			'Check the queue name and the virtual host.',
		);
	}
	if (OUR_CERTIFICATE_CODES.test(code)) {
		return make(
			'certificate',
			`The message queue asks for a client certificate it knows (${code})`,
			'Check Client Certificate and Client Key in the queue credential, or ask the service for them.',
		);
	}
	if (CERTIFICATE_CODES.test(code)) {
		return make(
			'certificate',
			`The certificate of the message queue was not accepted (${code})`,
			/ALTNAME/.test(code)
				? 'The certificate carries another host name: enter that name in Server Name.'
				: /EXPIRED|NOT_YET_VALID/.test(code)
					? 'Tell the service: it has to renew its certificate. And check the clock of the machine that n8n runs on.'
					: 'Paste the certificate of the authority that signed it into CA Certificate, or check the host name.',
		);
	}
	if (NOT_TLS.test(code) || NOT_TLS.test(said)) {
		return make(
			'network',
			'The message queue does not speak TLS on this port',
			'Turn TLS off, or use the TLS port, usually 5671.',
		);
	}
	if (MATERIAL_CODES.test(code)) {
		return make(
			'certificate',
			'A certificate or key of the queue credential cannot be read',
			'Paste the whole PEM text, from BEGIN to END, and check the passphrase.',
		);
	}
	if (/ETIMEDOUT|timeout/i.test(said)) {
		return make(
			'timeout',
			'The message queue did not answer in time',
			'Check host and port, and that nothing in between blocks them.',
		);
	}
	if (/closed abruptly|Expected|frame/i.test(said) || code === 'ECONNRESET') {
		return make(
			'network',
			'The message queue closed the connection',
			'Check the port, and turn TLS on if the port is the TLS port, usually 5671.',
		);
	}
	if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
		return make(
			'network',
			'The host of the message queue was not found',
			'Check Host in the queue credential.',
		);
	}
	if (code === 'ECONNREFUSED') {
		return make(
			'network',
			'Nothing answers at this host and port',
			'Check Host and Port in the queue credential, and that the message queue is running.',
		);
	}
	// What no broker and no network says is a mistake of our own.
	if (error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError) {
		return make(
			'unexpectedResponse',
			`Listening failed by a mistake in this package (${error.name}: ${said})`,
			'Report it, with this text, where the package comes from. The trigger goes on trying.',
		);
	}
	return make(
		'network',
		`The connection to the message queue was lost (${said})`,
		'A published workflow connects again by itself; a test has to be started again.',
	);
}

/** True for what stays wrong until a person acts. */
export function needsPerson(error: ServiceError): boolean {
	return ['unauthorized', 'notFound', 'certificate', 'invalidInput'].includes(error.code);
}

function quoted(queue: string | undefined): string {
	return queue ? ` “${queue}”` : '';
}

function codeOf(error: unknown): string {
	// A connection tried over several addresses fails with one error that holds the others.
	const inner = error instanceof AggregateError ? error.errors[0] : error;
	const code = typeof inner === 'object' && inner !== null && 'code' in inner ? inner.code : undefined;
	return typeof code === 'string' ? code : '';
}
