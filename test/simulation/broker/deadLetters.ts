import type { Departure, Message } from './queue';

/** One line of the header `x-death`. */
interface Death {
	count: number;
	reason: Departure;
	queue: string;
	exchange: string;
	'routing-keys': string[];
}

/** Why a message becomes a dead letter; of the others nothing is left. */
const MAKES_DEAD_LETTERS: readonly Departure[] = ['rejected', 'expired', 'delivery_limit', 'maxlen'];

/** The deaths of a message so far, the latest first. */
function deathsOf({ headers }: Pick<Message, 'headers'>): readonly Death[] {
	return (headers['x-death'] as Death[] | undefined) ?? [];
}

/**
 * A message as it goes on to the queue of the dead letters.
 * Undefined when nothing goes on: for its reason, or when it went in a circle in which nobody rejected it.
 */
export function deadLetter(
	message: Message,
	from: string,
	reason: Departure,
	to: string,
): Omit<Message, 'number'> | undefined {
	if (!MAKES_DEAD_LETTERS.includes(reason)) return undefined;
	const deaths = deathsOf(message);
	const known = deaths.find((death) => death.queue === from && death.reason === reason);
	const death: Death = known
		? { ...known, count: known.count + 1 }
		: { count: 1, reason, queue: from, exchange: '', 'routing-keys': [message.routingKey] };
	const all = [death, ...deaths.filter((other) => other !== known)];
	if (reason !== 'rejected' && goesInCircle(all, to)) return undefined;
	const { headers } = message;
	return {
		...message,
		routingKey: to,
		headers: {
			...headers,
			'x-death': all,
			'x-first-death-queue': headers['x-first-death-queue'] ?? from,
			'x-first-death-reason': headers['x-first-death-reason'] ?? reason,
			'x-first-death-exchange': headers['x-first-death-exchange'] ?? '',
		},
	};
}

function goesInCircle(deaths: readonly Death[], to: string): boolean {
	const begin = deaths.findIndex(({ queue }) => queue === to);
	return begin !== -1 && deaths.slice(0, begin + 1).every(({ reason }) => reason !== 'rejected');
}
