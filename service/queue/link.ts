import type { Channel, ChannelModel, connect } from 'amqplib';
import { ServiceError } from '../errors';
import { within, type Clock, type Logger } from '../surroundings';
import { checkAddress, connectOptions, socketOptions } from './address';
import type { QueueAddress } from './contract';
import { HEADER_FRAME, withoutTables } from './headerFrame';
import { brokerError } from './refusal';

const HEARTBEAT_SECONDS = 15;
const OPEN_DEADLINE_MS = 10_000;
const CLOSE_DEADLINE_MS = 2_000;

/** A broker that announces more than this in one message wants our memory, or is none. */
const LARGEST_MESSAGE_BYTES = 128 * 1024 * 1024;

/** One connection and its channels. It never comes back: when it is lost, a new one is opened. */
export interface Link {
	/** A channel whose loss is the loss of the link, unless it is closed by {@link Link.closeChannel}. */
	openChannel(): Promise<Channel>;
	/** A channel that the broker may close in answer to what is asked on it. */
	openTentative(): Promise<Channel>;
	/** Closes it without a word to its consumer: what it delivered and is not settled goes back to its place. */
	closeChannel(channel: Channel): Promise<void>;
	/** Resolves once, when the connection or a channel is gone for whatever reason, also by {@link Link.lose}. */
	readonly lost: Promise<ServiceError>;
	readonly isLost: boolean;
	/** Declares the link lost, for a reason seen from outside. The first reason counts. */
	lose(reason: ServiceError): void;
	/** Closes in order, by force after two seconds. Never throws. */
	close(): Promise<void>;
}

/**
 * Connects and logs in, within ten seconds.
 * @param name shown beside the connection in the broker's own tools
 * @throws {ServiceError} saying what a person can do
 */
export type OpenLink = (address: QueueAddress, name: string, clock: Clock, logger: Logger) => Promise<Link>;

/** A link over amqplib's own sockets; amqplib is loaded at first use. @throws {ServiceError} as {@link OpenLink} does */
export const openLink: OpenLink = async (...link) =>
	await linkOpener((await import('amqplib')).connect)(...link);

/** Links over another way to the broker than amqplib's own sockets. */
export function linkOpener(connectTo: typeof connect): OpenLink {
	return async (address, name, clock, logger) => {
		checkAddress(address);
		let expired = false;
		const opening = (async () => {
			const connection = await connectTo(
				connectOptions(address, HEARTBEAT_SECONDS),
				socketOptions(address, OPEN_DEADLINE_MS, name),
			);
			// Without a listener an error event would end the process.
			connection.on('error', () => {});
			connection.on('blocked', (reason) =>
				logger.warn(`${name}: the message queue blocked the connection`, { reason }),
			);
			return expired ? destroy(connection) : linkOf(connection, clock);
		})();
		const late = () => {
			expired = true;
			return new Error('connect timeout');
		};
		try {
			const link = await within(clock, OPEN_DEADLINE_MS, opening, late);
			if (!link) throw late();
			return link;
		} catch (error) {
			throw brokerError(error);
		}
	};
}

function linkOf(connection: ChannelModel, clock: Clock): Link {
	outliveHeaders(connection);
	let isLost = false;
	let tell!: (reason: ServiceError) => void;
	const lost = new Promise<ServiceError>((resolve) => (tell = resolve));
	const lose = (reason: unknown) => {
		isLost = true;
		tell(brokerError(reason ?? new Error('closed')));
	};
	connection.on('error', lose);
	connection.on('close', lose);
	const open = new Set<Channel>();
	const openTentative = async () => {
		const channel = await connection.createChannel();
		limitMessages(channel, lose);
		channel.on('error', (reason) => open.has(channel) && lose(reason));
		channel.on('close', () => {
			if (!open.delete(channel)) return;
			isLost = true;
			// A connection that is closed closes its channels first and tells the reason right after.
			setImmediate(lose, new ServiceError('unavailable', 'The channel to the message queue was closed'));
		});
		return channel;
	};
	// Twice would destroy the socket before the broker's answer to the first, and amqplib's heartbeat would beat on.
	let closing: Promise<void> | undefined;
	const closeOnce = async () => {
		isLost = true;
		await new Promise<void>((resolve) => {
			const cancel = clock.after(CLOSE_DEADLINE_MS, resolve);
			closeInOrder(connection, open)
				.catch(() => {})
				.finally(() => (cancel(), resolve()));
		});
		destroy(connection);
	};
	return {
		lost,
		lose,
		get isLost() {
			return isLost;
		},
		openTentative,
		async openChannel() {
			const channel = await openTentative();
			open.add(channel);
			return channel;
		},
		async closeChannel(channel) {
			open.delete(channel);
			await channel.close();
		},
		close: () => (closing ??= closeOnce()),
	};
}

/**
 * amqplib reads headers by recursion, and gives the connection up over some that it cannot read. The message would come
 * again at once, and so for ever, or until the broker drops it: it comes without those, and without any where that is not
 * enough.
 */
function outliveHeaders(connection: ChannelModel): void {
	const parts = connection.connection as unknown as { rest: Buffer; recvFrame: () => unknown };
	const receive = parts.recvFrame;
	parts.recvFrame = () => {
		const { rest } = parts;
		try {
			return receive.call(parts);
		} catch (error) {
			// It was whole, and the next one stands behind it.
			const behind = parts.rest;
			if (rest[0] !== HEADER_FRAME || behind === rest) throw error;
			const frame = rest.subarray(0, rest.length - behind.length);
			for (const keepDeaths of [true, false]) {
				const lesser = withoutTables(frame, keepDeaths);
				if (!lesser) break;
				parts.rest = lesser;
				try {
					return receive.call(parts);
				} catch {
					// Without more of them.
				} finally {
					parts.rest = behind;
				}
			}
			const [channel, id, size] = [rest.readUInt16BE(1), rest.readUInt16BE(7), rest.readBigUInt64BE(11)];
			return { id, channel, size: Number(size), fields: {} };
		}
	};
}

/** amqplib would gather whatever size a broker announces; the announcement comes first, in a frame of its own. */
function limitMessages(channel: Channel, lose: (reason: unknown) => void): void {
	const parts = channel as unknown as { acceptMessageFrame: (frame: { size?: number }) => void };
	const accept = parts.acceptMessageFrame;
	parts.acceptMessageFrame = (frame) => {
		if (Number(frame.size) > LARGEST_MESSAGE_BYTES) {
			lose(
				new ServiceError('unexpectedResponse', 'The message queue announced a message of more than 128 MB', {
					remedy: 'Tell the service: a status event has a few thousand bytes.',
				}),
			);
			return;
		}
		accept.call(channel, frame);
	};
}

/**
 * The channels first: amqplib queues what is sent for each channel apart, and what was settled last on one would come
 * behind the closing of the connection, which the broker takes as the last word.
 */
async function closeInOrder(connection: ChannelModel, channels: Set<Channel>): Promise<void> {
	try {
		await Promise.all([...channels].map((channel) => (channels.delete(channel), channel.close())));
	} finally {
		await connection.close();
	}
}

/** amqplib only half-closes a socket: one whose other side is frozen would stay for hours. */
function destroy(connection: ChannelModel): undefined {
	(connection.connection as { stream?: { destroy(): void } }).stream?.destroy();
}
