import { randomUUID } from 'node:crypto';
import type { StatusEvent } from '../service';

/** An event and what became of it. */
export interface SentEvent {
	id: string;
	/** Milliseconds since 1970. */
	sentAt: number;
	event: StatusEvent;
	/** Null when the queue took it; otherwise why it did not. */
	error: string | null;
}

export interface EventLog {
	/** The newest 50, newest first. */
	sent: SentEvent[];
	/** Puts an event on the queue and notes how it went. Never throws. */
	send(event: StatusEvent): Promise<SentEvent>;
}

const mostEvents = 50;

export function createEventLog(publish: (event: StatusEvent) => Promise<void>): EventLog {
	const sent: SentEvent[] = [];
	return {
		sent,
		async send(event) {
			const failure = await publish(event).then(
				() => null,
				(error: unknown) => (error instanceof Error ? error.message : String(error)),
			);
			const entry = { id: randomUUID(), sentAt: Date.now(), event, error: failure };
			sent.unshift(entry);
			sent.length = Math.min(sent.length, mostEvents);
			return entry;
		},
	};
}
