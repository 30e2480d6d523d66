import { unlessCancelled } from '../cancel';
import { within, type Clock, type Logger } from '../surroundings';
import type { QueueAddress } from './contract';
import { openLink, type Link, type OpenLink } from './link';
import { brokerError, reasonOf } from './refusal';

/** For the answer of a queue whose broker is well. */
const ANSWER_MS = 10_000;

/** What the broker tells of a queue to whoever may read it. */
export interface QueueStatus {
	/** Messages that no reader has in hand. */
	waiting: number;
	/** Consumers of all connections. */
	readers: number;
}

interface StatusOptions {
	address: QueueAddress;
	queue: string;
	clock: Clock;
	logger: Logger;
	/** Ends the question at once. */
	signal: AbortSignal;
	open?: OpenLink;
}

/**
 * Asks the broker about a queue, on a connection of its own, within 22 seconds. Passive: nothing is declared, consumed or
 * fetched, so that no message moves and none is counted as delivered.
 *
 * @throws {ServiceError} saying what a person can do; `cancelled` when the signal fires
 */
export async function queueStatus(options: StatusOptions): Promise<QueueStatus> {
	const { address, queue, clock, logger, signal, open = openLink } = options;
	const opening = open(address, 'Queue status', clock, logger);
	let link: Link | undefined;
	try {
		link = await unlessCancelled(opening, signal);
		return await unlessCancelled(
			within(clock, ANSWER_MS, ask(link, queue), () => new Error('timeout')),
			signal,
		);
	} catch (error) {
		throw brokerError(await reasonOf(error, link), queue);
	} finally {
		// Opened too late for anybody, it must not stay open.
		opening.then(
			(late) => void late.close(),
			() => undefined,
		);
		await link?.close();
	}
}

async function ask(link: Link, queue: string): Promise<QueueStatus> {
	const channel = await link.openChannel();
	const { messageCount, consumerCount } = await channel.checkQueue(queue);
	return { waiting: messageCount, readers: consumerCount };
}
