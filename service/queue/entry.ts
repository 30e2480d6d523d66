import type { StatusEvent } from '../model/event';
import type { DeliveredEvent } from './contract';
import type { Progress } from './progress';

/** What becomes of a message: removed, or rejected (dead-lettered where the broker does that). It goes back with its channel. */
export type Fate = 'remove' | 'reject';

/** What delivers messages. */
export interface Source {
	/** Of its queue, for all users the same; see {@link placeOf}. */
	readonly place?: string;
}

/** A subscriber's part in one delivered message. */
export interface Share {
	/** Of the body. */
	bytes: number;
	/** How often the broker counted the message back; undefined where it does not count. */
	returns: number | undefined;
	/** How often the message was rejected and came back as a dead letter. */
	deaths: number;
	/** Later deliveries have higher ones. */
	number: number;
	/** Who delivered it: it goes back together with what else that one delivered. */
	from: Source;
	/** An earlier event of its set went back to the queue, and has not come again. */
	overtakes(): boolean;
	settle(fate: Fate): void;
}

/** An event in a lane, whatever number of deliveries brought it. */
export interface Entry extends DeliveredEvent {
	progress: Progress;
	/** Events of one set have the same. */
	orderKey: string;
	/** Of its first delivery that is open: events go in this order. */
	number: number;
	/** When it came to the lane, in milliseconds of the hub's clock. */
	arrivedAt: number;
	running: boolean;
	/** Its run was handed over, and the queue was told. */
	removed: boolean;
	/** What {@link Owed} counts of it. */
	owedBytes?: number;
	/** Told its fate: one for each delivery that waits for it. Empty while it is back on the queue. */
	shares: Share[];
	/** It was given up once and came back as a dead letter: its report stands already. */
	reportedBefore: boolean;
}

/** Events of one set have the same; what names no set is one of its own. */
export const orderKeyOf = ({ setId, eventId }: StatusEvent) => setId?.trim().toLowerCase() || eventId;

/** It is here before an earlier event of its set, which is not. */
export const overtakes = ({ shares }: Entry) => shares.some((share) => share.overtakes());

/** A dead letter that comes back rests a minute for each time, and ten at most. In milliseconds. */
export const restAfterDeathsMs = (deaths: number) => Math.min(deaths, 10) * 60_000;

/** Of the body. */
export function bytesOf({ shares }: Entry): number {
	let most = 0;
	for (const { bytes } of shares) if (bytes > most) most = bytes;
	return most;
}

/** How often the broker counted it back. */
export function returnsOf({ shares }: Entry): number {
	let most = 0;
	for (const { returns = 0 } of shares) if (returns > most) most = returns;
	return most;
}
