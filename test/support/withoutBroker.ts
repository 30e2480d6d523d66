import type { ConsumeMessage } from 'amqplib';
import { ServiceError } from '../../service/errors';
import { BOUNDS, type Bounds } from '../../service/queue/bounds';
import { createHub } from '../../service/queue/hub';
import { linkOpener, type OpenLink } from '../../service/queue/link';
import { eventBody } from './events';
import { manualClock, settled } from './manualClock';
import { oddConnections } from './oddChannel';
import { READER, recordingLogger } from './subscriber';

/** A process whose broker lets in one password, and nobody while it is away. */
export function listening(bounds: Bounds = BOUNDS) {
	const clock = manualClock();
	const { connect, channels, connections, queue } = oddConnections();
	const broker = { isAway: false, /** Of virtual hosts. */ isAwayAt: new Set<string>() };
	const open: OpenLink = async (to, ...rest) => {
		if (broker.isAway || broker.isAwayAt.has(to.vhost))
			throw new ServiceError('unavailable', 'The broker is away');
		if (to.password !== READER.password) throw new ServiceError('unauthorized', 'A wrong password');
		return await linkOpener(connect)(to, ...rest);
	};
	const logger = recordingLogger();
	const hub = createHub(logger, clock, open, bounds);
	/** The channels that deliver, the newest last. */
	const reading = () => channels.filter(({ onMessage, asked }) => onMessage && !asked.includes('close'));
	const deliver = async (
		set: number,
		over = reading().at(-1),
		changes: Record<string, unknown> = {},
		redelivered = false,
	) => {
		over?.onMessage?.({
			content: Buffer.from(JSON.stringify(eventBody(set, changes))),
			fields: { redelivered, deliveryTag: set },
			properties: { headers: {} },
		} as unknown as ConsumeMessage);
		await settled();
	};
	return { clock, hub, broker, channels, connections, queue, reading, deliver, lines: logger.lines };
}
