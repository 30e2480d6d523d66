import type { Channel, ChannelModel, connect } from 'amqplib';
import { ServiceError } from '../errors';
import { within, type Clock, type Logger } from '../surroundings';
import { checkAddress, connectOptions, socketOptions, type QueueAddress } from './address';
import { brokerError } from './refusal';

const HEARTBEAT_SECONDS = 15;
const OPEN_DEADLINE_MS = 10_000;
const CLOSE_DEADLINE_MS = 2_000;

/** One connection with one channel. It never comes back: when it is lost, a new one is opened. */
export interface Link {
	readonly channel: Channel;
	/** Resolves once, when connection or channel is gone for whatever reason, also by {@link Link.lose}. */
	readonly lost: Promise<ServiceError>;
	readonly isLost: boolean;
	/** Declares the link lost, for a reason seen from outside. The first reason counts. */
	lose(reason: ServiceError): void;
	/** Closes in order, by force after two seconds. Never throws. */
	close(): Promise<void>;
}

/**
 * Connects, logs in and opens a channel, all within ten seconds.
 * @param name shown beside the connection in the broker's own tools
 * @throws {ServiceError} saying what a person can do
 */
export type OpenLink = (address: QueueAddress, name: string, clock: Clock, logger: Logger) => Promise<Link>;

export const openLink: OpenLink = async (...link) =>
	await linkOpener((await import('amqplib')).connect)(...link);

/** Links over another way to the broker than amqplib's own sockets. */
export function linkOpener(connectTo: typeof connect): OpenLink {
	return async (address, name, clock, logger) => await open(connectTo, address, name, clock, logger);
}

async function open(
	connectTo: typeof connect,
	address: QueueAddress,
	name: string,
	clock: Clock,
	logger: Logger,
): Promise<Link> {
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
		if (expired) return destroy(connection);
		const channel = await connection.createChannel();
		return expired ? destroy(connection) : linkOf(connection, channel, clock);
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
}

function linkOf(connection: ChannelModel, channel: Channel, clock: Clock): Link {
	let isLost = false;
	let tell!: (reason: ServiceError) => void;
	const lost = new Promise<ServiceError>((resolve) => (tell = resolve));
	const lose = (reason: unknown) => {
		isLost = true;
		tell(brokerError(reason ?? new Error('closed')));
	};
	connection.on('error', lose);
	connection.on('close', lose);
	channel.on('error', lose);
	channel.on('close', () => {
		isLost = true;
		// A connection that is closed closes its channels first and tells the reason right after.
		setImmediate(lose, new ServiceError('unavailable', 'The channel to the message queue was closed'));
	});
	// Twice would destroy the socket before the broker's answer to the first, and amqplib's heartbeat would beat on.
	let closing: Promise<void> | undefined;
	const closeOnce = async () => {
		isLost = true;
		await new Promise<void>((resolve) => {
			const cancel = clock.after(CLOSE_DEADLINE_MS, resolve);
			closeInOrder(connection, channel)
				.catch(() => {})
				.finally(() => (cancel(), resolve()));
		});
		destroy(connection);
	};
	return {
		channel,
		lost,
		lose,
		get isLost() {
			return isLost;
		},
		close: () => (closing ??= closeOnce()),
	};
}

/**
 * The channel first: amqplib queues what is sent for each channel apart, and what was settled last on this one would come
 * behind the closing of the connection, which the broker takes as the last word.
 */
async function closeInOrder(connection: ChannelModel, channel: Channel): Promise<void> {
	try {
		await channel.close();
	} finally {
		await connection.close();
	}
}

/** amqplib only half-closes a socket: one whose other side is frozen would stay for hours. */
function destroy(connection: ChannelModel): undefined {
	(connection.connection as { stream?: { destroy(): void } }).stream?.destroy();
}
