import type { Clock } from '../surroundings';
import { restAfterDeathsMs } from './entry';
import type { Message } from './message';

/**
 * Dead letters that came back and are to be rejected once more: each rests first. Where the queue has it again at once, it
 * would be rejected thousands of times a minute.
 */
export class Resting {
	private readonly messages = new Map<Message, () => void>();

	constructor(private readonly clock: Clock) {}

	has(message: Message): boolean {
		return this.messages.has(message);
	}

	/** @returns false where nothing is to be waited for */
	restsFirst(message: Message, then: () => void): boolean {
		const now = this.clock.now();
		const restedAt = message.receivedAt + restAfterDeathsMs(message.delivery.deaths);
		if (restedAt <= now) return false;
		const cancel = this.clock.after(restedAt - now, () => {
			this.messages.delete(message);
			then();
		});
		this.messages.set(message, cancel);
		return true;
	}

	/** It went back. */
	end(message: Message): void {
		this.messages.get(message)?.();
		this.messages.delete(message);
	}

	clear(): void {
		for (const message of [...this.messages.keys()]) this.end(message);
	}
}
