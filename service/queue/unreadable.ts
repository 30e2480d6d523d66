import type { Clock } from '../surroundings';
import type { BodyLog } from './bodyLog';
import type { Bounds } from './bounds';
import { hostIsIll } from './kept';
import type { Lane } from './lane';
import type { Message } from './message';
import type { Noted } from './noted';
import { Pace, type Singles } from './pace';

interface Found {
	message: Message;
	/** A sentence without a full stop. */
	reason: string;
	/** As a person reads it. */
	body: string;
}

/** Messages that are no events: each is told to everybody who is here, at a {@link Pace}, and rejected then. */
export class Unreadable {
	private readonly pace: Pace<Found>;

	constructor(
		clock: Clock,
		bounds: Bounds,
		/** What was told once, by all connections. */
		private readonly noted: Noted,
		private readonly log: BodyLog,
		private readonly here: () => readonly Lane[],
		private readonly reject: (message: Message) => void,
		/** Of all connections to this queue. */
		singles?: Singles,
	) {
		this.pace = new Pace(
			clock,
			bounds,
			(found) => this.tell(found),
			// Where the host is ill, a report would be lost. One workflow that it refuses, beside those it starts, is no sign of that.
			() => here().length > 0 && !(hostIsIll(here()) && here().some((lane) => lane.hostIsIll)),
			singles,
		);
	}

	add(found: Found): void {
		this.pace.add(found);
	}

	/** Looks again whether anybody can be told. */
	look(): void {
		this.pace.look();
	}

	/** What waits went back. */
	clear(): void {
		this.pace.clear();
	}

	private tell(found: readonly Found[]): void {
		const told = found.filter((each) => this.isNew(each));
		if (told.length > 0) {
			this.log.rejected(told.map(({ message }) => message));
			const messages = told.map(({ reason, body }) => ({ reason, body }));
			for (const { subscription } of this.here()) subscription.report({ kind: 'unreadable', messages });
		}
		for (const { message } of found) this.reject(message);
	}

	/** It was not told before: dead letters come again. */
	private isNew({ message, body }: Found): boolean {
		const first = this.noted.isFirst(JSON.stringify(['unreadable', body]));
		return message.delivery.deaths === 0 || first;
	}
}
