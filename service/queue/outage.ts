import type { ServiceError } from '../errors';
import type { Logger } from '../surroundings';
import { needsPerson } from './refusal';

interface OutageOptions {
	title: string;
	logger: Logger;
	/** Once per outage that ends only when a person acts; each time the broker does what it must not. */
	onOutage(error: ServiceError): void;
}

/** One log line when it begins, one when it is over, and one report when it ends only by a person's hand. */
export class Outage {
	private begun = false;
	private reported = false;
	private readonly said = new Set<string>();

	constructor(private readonly options: OutageOptions) {}

	goesOn(reason: ServiceError): void {
		const { logger, title, onOutage } = this.options;
		if (!this.begun) {
			logger.warn(`${title}: not listening, trying again until it works: ${reason.message}`, {
				code: reason.code,
			});
		}
		// What a broker must not do it does at each connection, with a moment of listening in between.
		if (reason.code === 'unexpectedResponse') onOutage(reason);
		// A broker that is just starting refuses for a moment what it allows later: only a second same word counts. Other words
		// may come in between, where several credentials are tried in turn.
		else if (!this.reported && needsPerson(reason)) {
			if (this.said.has(reason.message)) {
				this.reported = true;
				onOutage(reason);
			}
			this.said.add(reason.message);
		}
		this.begun = true;
	}

	/** @param otherReaders of the queue, beside this process */
	over(otherReaders: number): void {
		const { logger, title } = this.options;
		logger.info(this.begun ? `${title}: listening again` : `${title}: listening`);
		if (otherReaders > 0 && !this.begun) {
			logger.warn(`${title}: somebody else reads it too, and gets a part of the events`, { otherReaders });
		}
		this.begun = this.reported = false;
		this.said.clear();
	}
}
