import type { SentEvent } from './events';

/** What is on the queue, and who asks for what. */
export interface QueueLook {
	/** Waiting to be handed out. */
	ready: number;
	/** Handed out, and not done yet. */
	unacknowledged: number;
	consumers: number;
	/** The statuses that published workflows ask for; null for all, or when nobody could say. */
	asked: readonly string[] | null;
}

/** Where an event is: the words are those of results.js. */
type Fate = 'notSent' | 'waiting' | 'working' | 'taken' | 'nobody' | 'unknown';

/**
 * What became of each event, newest first. A queue is first in, first out: what waits are the newest, and before them come
 * those n8n is at work on. What n8n takes off because no workflow asks for it is not n8n's work.
 */
export function fatesOf(sent: readonly SentEvent[], look: QueueLook | null): (SentEvent & { fate: Fate })[] {
	let waiting = look?.ready ?? 0;
	let working = look?.unacknowledged ?? 0;
	const fateOf = ({ event, error }: SentEvent): Fate => {
		if (error !== null) return 'notSent';
		if (look === null) return 'unknown';
		if (waiting-- > 0) return 'waiting';
		if (look.asked?.includes(event.newStatus.toUpperCase()) === false) return 'nobody';
		return working-- > 0 ? 'working' : 'taken';
	};
	return sent.map((entry) => ({ ...entry, fate: fateOf(entry) }));
}
