import type { connect } from 'amqplib';
import { brokerSide, type BrokerSide } from './brokerSide';
import type { SimulationClock } from './clock';
import { ELSEWHERE, hasTwoPlaces, placeOf, type History } from './history/history';

/**
 * The broker of a history. A second virtual host is a broker of its own, which has the same queue, knows the same accounts,
 * and has the same bad times.
 */
export function brokersOf(history: History, clock: SimulationClock, now: () => number): BrokerSide {
	const { seed, queue, events } = history;
	const first = brokerSide(seed, queue, clock, now);
	if (!hasTwoPlaces(history)) return first;
	const second = brokerSide(seed ^ 0x91ace, queue, clock, now);
	const both = [first, second];
	const those = (vhost?: string) => (vhost === undefined ? both : [vhost === ELSEWHERE ? second : first]);
	const elsewhere = new Set(
		events.filter((event) => placeOf(event) === ELSEWHERE).map(({ number }) => number),
	);
	const connectTo = async (...[options, socket]: Parameters<typeof connect>) => {
		const { vhost = '' } = options as { vhost?: string };
		// Each knows no other virtual host than its own.
		return decodeURIComponent(vhost) === ELSEWHERE
			? await second.connect({ ...(options as object), vhost: '%2F' }, socket)
			: await first.connect(options, socket);
	};
	return {
		connect: connectTo as typeof connect,
		send: (event, body) => (elsewhere.has(event) ? second : first).send(event, body),
		loseConnections: (username, vhost) => those(vhost).forEach((each) => each.loseConnections(username)),
		loseChannels: () => both.forEach((each) => each.loseChannels()),
		changeLeader: (forMs) => both.forEach((each) => each.changeLeader(forMs)),
		goAway: (vhost) => those(vhost).forEach((each) => each.goAway()),
		comeBack: (vhost) => those(vhost).forEach((each) => each.comeBack()),
		freeze: () => both.forEach((each) => each.freeze()),
		thaw: () => both.forEach((each) => each.thaw()),
		freezeLinks: (direction) => both.forEach((each) => each.freezeLinks(direction)),
		thawLinks: () => both.forEach((each) => each.thawLinks()),
		get isEmpty() {
			return both.every(({ isEmpty }) => isEmpty);
		},
		get hasTaken() {
			return both.some(({ hasTaken }) => hasTaken);
		},
		get connections() {
			return both.reduce((sum, { connections }) => sum + connections, 0);
		},
		get mostUnsettled() {
			return both.reduce((sum, { mostUnsettled }) => sum + mostUnsettled, 0);
		},
		get mostConsumersOfAChannel() {
			return Math.max(...both.map(({ mostConsumersOfAChannel }) => mostConsumersOfAChannel));
		},
		messages: () => both.flatMap((each) => each.messages()).sort((a, b) => a.sentAt - b.sentAt),
	};
}
