import type { Clock, Logger } from '../surroundings';
import { shownBody } from './decode';
import { inLines } from './logLines';
import type { Message } from './message';
import type { Noted } from './noted';

/**
 * What the log shows whole, since nobody else may ever see it again: bodies that the queue may drop, or dropped, or that
 * were removed before all had started.
 */
export class BodyLog {
	/** Delivered often, and not in the log yet. */
	private readonly often: Message[] = [];

	constructor(
		private readonly clock: Clock,
		private readonly logger: Logger,
		private readonly title: string,
		/** What was written down once, by all of them. */
		private readonly noted: Noted,
	) {}

	/** In the first minutes of a process: kept for those that were still to start, and too many. */
	notKept(messages: readonly Message[]): void {
		this.write(
			'removed before every workflow had started, since more came than are kept for those',
			bodiesOf(messages),
		);
	}

	/** Handled by who was here, and kept for who might still have come. */
	released(messages: readonly Message[]): void {
		this.write(
			'handled and removed while the workflows stop; one that had not started yet does not get them',
			bodiesOf(messages),
		);
	}

	/**
	 * A broker that counts deliveries may drop what comes back too often, and whoever has it may be gone before it goes back:
	 * from its third delivery on its body stands in the log. Those of one moment share a line.
	 */
	delivered(message: Message): void {
		const {
			returns = 0,
			delivery: { body },
		} = message;
		if (returns < 2 || !this.noted.isFirst(body.toString('latin1'))) return;
		this.often.push(message);
		if (this.often.length > 1) return;
		this.clock.after(0, () =>
			this.write(
				'delivered for the third time or more; the queue may drop what it gives out too often',
				bodiesOf(this.often.splice(0)),
			),
		);
	}

	/** Goes back to a queue that may drop it, unwatched: each body once. */
	unwatched(bodies: readonly Buffer[]): void {
		const first = bodies.filter((body) => this.noted.isFirst(`unwatched ${body.toString('latin1')}`));
		this.write('went back to the queue, and nobody here would see it if they did not come again', first);
	}

	/** What is no event, off the queue in a moment: n8n may be killed before it has stored the report. */
	rejected(messages: readonly Message[]): void {
		this.write('rejected, since they are no status events', bodiesOf(messages));
	}

	/** What is no event went back, and does not come again. */
	missing(bodies: readonly Buffer[]): void {
		this.write('went back to the queue and do not come again, and are no status events', bodies);
	}

	/** Went back while somebody else read the queue too. */
	shared(bodies: readonly Buffer[]): void {
		this.write(
			'went back to the queue and do not come again; another reader of the queue may have them',
			bodies,
		);
	}

	private write(what: string, bodies: readonly Buffer[]): void {
		for (const some of inLines(bodies)) {
			this.logger.warn(`${this.title}: ${some.length} events ${what}`, { events: some.map(shownBody) });
		}
	}
}

const bodiesOf = (messages: readonly Message[]) => messages.map(({ delivery }) => delivery.body);
