import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';

interface Attachment {
	name: string;
	type: string;
	bytes: Buffer;
}

export interface Message {
	id: string;
	/** Milliseconds since 1970. */
	receivedAt: number;
	from: string;
	/** Those it was delivered to, blind copies included. */
	to: string[];
	subject: string;
	text: string;
	html: string;
	attachments: Attachment[];
}

interface MailOptions {
	/** 0, a free one, unless told. */
	port?: number;
	host?: string;
	/** The newest messages kept; 100 unless told. */
	keep?: number;
}

export interface Mail {
	port: number;
	/** Newest first. */
	messages(): Message[];
	/** The first message, caught already or still to come, for which `predicate` holds. Throws after `ms`. */
	waitFor(predicate: (message: Message) => boolean, ms: number): Promise<Message>;
	close(): Promise<void>;
}

const mostMessageBytes = 30 * 1024 * 1024;
/** Of all kept messages together, attachments as they were sent. */
const mostBytes = 200 * 1024 * 1024;

interface Waiting {
	predicate: (message: Message) => boolean;
	take: (message: Message) => void;
}

/**
 * Starts a mail server that delivers to nobody: it takes every message, from anyone with any password or none,
 * and keeps the newest in memory. Throws when the port is taken.
 */
export async function startMail({
	port = 0,
	host = '127.0.0.1',
	keep = 100,
}: MailOptions = {}): Promise<Mail> {
	const kept: Array<{ message: Message; size: number }> = [];
	const waiting = new Set<Waiting>();

	const take = async (raw: Buffer, from: string, to: string[]) => {
		const message = messageOf(await PostalMime.parse(raw), from, to);
		kept.unshift({ message, size: raw.length });
		const bytes = () => kept.reduce((sum, one) => sum + one.size, 0);
		while (kept.length > keep || (kept.length > 1 && bytes() > mostBytes)) kept.pop();
		for (const one of waiting) {
			if (one.predicate(message)) one.take(message);
		}
	};

	const server = new SMTPServer({
		size: mostMessageBytes,
		authOptional: true,
		allowInsecureAuth: true,
		// Without a certificate of a known authority a client would only refuse it.
		disabledCommands: ['STARTTLS'],
		disableReverseLookup: true,
		socketTimeout: 60_000,
		closeTimeout: 1_000,
		onAuth: (auth, _session, done) => done(null, { user: auth.username ?? 'anybody' }),
		onData: (stream, session, done) => {
			const { mailFrom, rcptTo } = session.envelope;
			const from = mailFrom ? mailFrom.address : '';
			const to = rcptTo.map((recipient) => recipient.address);
			readAll(stream)
				.then((raw) => take(raw, from, to))
				.then(
					() => done(),
					(error: Error) => done(error),
				);
		},
	});
	// A client that breaks off in the middle is its own affair.
	server.on('error', () => undefined);
	const listener = await new Promise<ReturnType<SMTPServer['listen']>>((resolve, reject) => {
		server.once('error', reject);
		const opened = server.listen(port, host, () => resolve(opened));
	});
	return {
		port: (listener.address() as AddressInfo).port,
		messages: () => kept.map(({ message }) => message),
		waitFor(predicate, ms) {
			const here = kept.find(({ message }) => predicate(message));
			if (here) return Promise.resolve(here.message);
			return new Promise((resolve, reject) => {
				const settle = () => {
					clearTimeout(timer);
					waiting.delete(one);
				};
				const timer = setTimeout(() => {
					settle();
					reject(new Error(`No such message came within ${ms / 1000} s; caught so far: ${kept.length}`));
				}, ms);
				const one: Waiting = {
					predicate,
					take(message) {
						settle();
						resolve(message);
					},
				};
				waiting.add(one);
			});
		},
		close: () => new Promise((resolve) => server.close(() => resolve())),
	};
}

/** A message too large is read to its end and then refused: the protocol leaves no other way. */
async function readAll(stream: SMTPServerDataStream): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of stream as AsyncIterable<Buffer>) {
		bytes += chunk.length;
		if (bytes <= mostMessageBytes) chunks.push(chunk);
	}
	if (bytes > mostMessageBytes) throw new Error('The message is larger than 30 MB');
	return Buffer.concat(chunks);
}

function messageOf(email: Email, from: string, to: string[]): Message {
	return {
		id: randomUUID(),
		receivedAt: Date.now(),
		from: email.from?.address || from,
		to,
		subject: email.subject ?? '',
		text: email.text ?? '',
		html: email.html ?? '',
		attachments: email.attachments.map(({ filename, mimeType, content }, index) => ({
			name: filename ?? `attachment ${index + 1}`,
			type: mimeType,
			bytes: typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as ArrayBuffer),
		})),
	};
}
