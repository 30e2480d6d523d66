import type { ConsumeMessage } from 'amqplib';
import { linkOpener } from '../../service/queue/link';
import type { Delivery } from '../../service/queue/delivery';
import { Session } from '../../service/queue/session';
import { manualClock, settled, type ManualClock } from './manualClock';
import { oddConnections } from './oddChannel';
import { addressOf, recordingLogger } from './subscriber';

/** A session on a broker that does what no real one does on request; it listens when this answers. */
export async function oddBroker(
	prefetch = 30,
	onAccepted: (session: Session) => void = () => {},
	random = () => 0,
) {
	const clock: ManualClock = manualClock();
	const logger = recordingLogger();
	const { connect, channels, connections, queue } = oddConnections();
	const deliveries: Delivery[] = [];
	const first: Delivery[] = [];
	const outages: string[] = [];
	const limits: number[] = [];
	const returned: Array<'lost' | 'closed'> = [];
	const session: Session = new Session({
		queue: 'events',
		title: 'Queue events',
		clock,
		logger,
		openLink: linkOpener(connect),
		readAddress: async () => addressOf({ port: 1 } as never),
		prefetch() {
			limits.push(prefetch);
			return prefetch;
		},
		leaseMs: 60_000,
		onConsuming: () => {},
		onAccepted: () => onAccepted(session),
		onDelivery: (delivery) => void deliveries.push(delivery),
		firstBack: () => first,
		onReturned: (lost) => void returned.push(lost ? 'lost' : 'closed'),
		onOutage: ({ message }) => void outages.push(message),
		random,
	});
	session.start();
	for (let turn = 0; turn < 5; turn += 1) await settled();
	const current = () => channels.at(-1)!;
	const deliver = (headers: Record<string, unknown> = {}) =>
		current().onMessage?.({
			content: Buffer.from('{}'),
			fields: { redelivered: false, deliveryTag: 1 },
			properties: { headers },
		} as unknown as ConsumeMessage);
	return {
		clock,
		logger,
		session,
		channels,
		/** Asks, as far as nothing has to be waited for. */
		asked: async () => {
			for (let turn = 0; turn < 10; turn += 1) await settled();
		},
		connections,
		queue,
		current,
		deliver,
		deliveries,
		first,
		outages,
		/** Each that was asked for. */
		limits,
		/** How each channel ended that had delivered, or might have. */
		returned,
	};
}
