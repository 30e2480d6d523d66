import type {
	Attendance,
	Consumer,
	Entry,
	Handed,
	Mailbox,
	Message,
	Queue,
	QueueOptions,
	QueueSurroundings,
	Verdict,
} from './queue';

interface Reader {
	readonly consumer: Consumer;
	readonly mailbox: Mailbox;
	/** How many more it may be sent. */
	credit: number;
}

interface Held {
	readonly entry: Entry;
	/** Undefined when it was fetched alone. */
	readonly reader: Reader | undefined;
}

/** A classic queue: everything that comes back goes to its own place, at once. */
export class ClassicQueue implements Queue {
	private readonly waiting: Entry[] = [];
	/** What each channel holds, by the number of its delivery. */
	private readonly held = new Map<Mailbox, Map<number, Held>>();
	/** In the order they came. */
	private readers: Reader[] = [];
	/** Who is served next stands first; who had no credit when its turn came is not among them. */
	private served: Reader[] = [];
	private places = 0;
	private deliveries = 0;
	private expiry: (() => void) | undefined;

	constructor(
		readonly name: string,
		readonly options: QueueOptions,
		private readonly surroundings: QueueSurroundings,
	) {}

	publish(message: Message, taken?: () => void): void {
		const { messageTtlMs } = this.options;
		this.waiting.push({
			message,
			returns: 0,
			closings: 0,
			delivered: false,
			expiresAt: messageTtlMs === undefined ? undefined : this.surroundings.now() + messageTtlMs,
			place: (this.places += 1),
		});
		taken?.();
		this.serve();
		this.dropHead();
	}

	attend(mailbox: Mailbox): Attendance {
		const held = new Map<number, Held>();
		this.held.set(mailbox, held);
		return {
			consume: (consumer, begun) => {
				const credit = consumer.acknowledges && consumer.prefetch > 0 ? consumer.prefetch : Infinity;
				begun();
				const reader = { consumer, mailbox, credit };
				this.readers.push(reader);
				this.queueUp(reader);
				this.serve();
			},
			cancel: (tag, ended) => {
				this.dismiss((reader) => reader.mailbox === mailbox && reader.consumer.tag === tag);
				ended();
				this.serve();
			},
			get: (_tag, acknowledges, got) => {
				this.expire();
				const entry = this.waiting.shift();
				const handed = entry && this.hand(entry);
				if (entry && handed && acknowledges) held.set(handed.number, { entry, reader: undefined });
				got(handed, this.waiting.length);
			},
			settle: (_tag, numbers, verdict) => this.settle(held, numbers, verdict),
			leave: () => {
				this.held.delete(mailbox);
				this.dismiss((reader) => reader.mailbox === mailbox);
				for (const { entry } of held.values()) this.putBack(entry);
				this.dropHead();
				this.serve();
			},
		};
	}

	refusal(exclusive: boolean): string | undefined {
		const taken = this.readers.some(({ consumer }) => consumer.exclusive);
		return taken || (exclusive && this.readers.length > 0)
			? `queue '${this.name}' in vhost '/' in exclusive use`
			: undefined;
	}

	get fetchRefusal(): undefined {
		return undefined;
	}

	get depth() {
		let unsettled = 0;
		for (const { size } of this.held.values()) unsettled += size;
		return {
			ready: this.waiting.length,
			unsettled,
			consumers: this.readers.length,
		};
	}

	get ready(): readonly Entry[] {
		return this.waiting;
	}

	get unsettled(): readonly Entry[] {
		return [...this.held.values()].flatMap((held) => [...held.values()].map(({ entry }) => entry));
	}

	purge(): number {
		const purged = this.waiting.splice(0);
		for (const entry of purged) this.surroundings.departed(this, entry, 'purged');
		return purged.length;
	}

	delete(): void {
		for (const { mailbox, consumer } of this.readers) mailbox.post(() => mailbox.ended(consumer.tag));
		for (const entry of [...this.unsettled, ...this.waiting]) {
			this.surroundings.departed(this, entry, 'deleted');
		}
		this.dismiss(() => true);
		this.waiting.length = 0;
		this.held.clear();
		this.expiry?.();
	}

	restart(): void {
		this.dismiss(() => true);
		for (const entry of this.unsettled) this.putBack(entry);
		this.dropHead();
		this.held.clear();
		for (const entry of this.waiting.splice(0)) {
			if (this.options.durable !== false && entry.message.persistent) this.waiting.push(entry);
			else this.surroundings.departed(this, entry, 'restarted');
		}
	}

	private settle(held: Map<number, Held>, numbers: readonly number[], verdict: Verdict): void {
		for (const number of numbers) {
			const found = held.get(number);
			if (!found) continue;
			held.delete(number);
			if (found.reader) found.reader.credit += 1;
			if (verdict === 'returned') this.putBack(found.entry);
			if (verdict === 'rejected') this.surroundings.departed(this, found.entry, 'rejected');
		}
		for (const reader of this.readers) {
			if (this.held.get(reader.mailbox) === held && reader.credit > 0) this.queueUp(reader);
		}
		if (verdict === 'returned') this.dropHead();
		this.serve();
	}

	/** What comes back may be more than the queue holds, and goes before anybody is served. */
	private dropHead(): void {
		const { maxLength = Infinity } = this.options;
		while (this.waiting.length > maxLength) this.surroundings.departed(this, this.waiting.shift()!, 'maxlen');
	}

	private putBack(entry: Entry): void {
		const { waiting } = this;
		let low = 0;
		for (let high = waiting.length; low < high;) {
			const middle = (low + high) >> 1;
			if (waiting[middle]!.place < entry.place) low = middle + 1;
			else high = middle;
		}
		waiting.splice(low, 0, entry);
	}

	private serve(): void {
		this.expire();
		while (this.waiting.length > 0) {
			const reader = this.next();
			if (!reader) return;
			const entry = this.waiting.shift()!;
			reader.credit -= 1;
			const handed = this.hand(entry);
			if (reader.consumer.acknowledges) {
				this.held.get(reader.mailbox)?.set(handed.number, { entry, reader });
			}
			reader.mailbox.post(() => reader.mailbox.deliver(reader.consumer.tag, handed));
		}
	}

	private next(): Reader | undefined {
		if (this.options.singleActiveConsumer) return this.readers.slice(0, 1).find(({ credit }) => credit > 0);
		for (let reader; (reader = this.served.shift());) {
			if (reader.credit <= 0) continue;
			this.queueUp(reader);
			return reader;
		}
		return undefined;
	}

	/** Behind the others of its priority. */
	private queueUp(reader: Reader): void {
		if (this.served.includes(reader)) return;
		const { priority } = reader.consumer;
		const after = this.served.findLastIndex((other) => other.consumer.priority >= priority);
		this.served.splice(after + 1, 0, reader);
	}

	private dismiss(which: (reader: Reader) => boolean): void {
		this.readers = this.readers.filter((reader) => !which(reader));
		this.served = this.served.filter((reader) => !which(reader));
	}

	private hand(entry: Entry): Handed {
		const { delivered: redelivered, message } = entry;
		entry.delivered = true;
		this.surroundings.handedOut(entry, this.readers.length);
		return { number: (this.deliveries += 1), message, redelivered, deliveryCount: undefined };
	}

	/** Only what stands first can expire. */
	private expire(): void {
		this.expiry?.();
		this.expiry = undefined;
		const now = this.surroundings.now();
		for (;;) {
			const first = this.waiting[0];
			if (first?.expiresAt === undefined) return;
			if (first.expiresAt > now) {
				this.expiry = this.surroundings.after(first.expiresAt - now, () => this.serve());
				return;
			}
			this.waiting.shift();
			this.surroundings.departed(this, first, 'expired');
		}
	}
}
