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
	/** Who is served next stands first. */
	private readers: Reader[] = [];
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
			delivered: false,
			expiresAt: messageTtlMs === undefined ? undefined : this.surroundings.now() + messageTtlMs,
			place: (this.places += 1),
		});
		taken?.();
		this.serve();
	}

	attend(mailbox: Mailbox): Attendance {
		const held = new Map<number, Held>();
		this.held.set(mailbox, held);
		return {
			consume: (consumer, begun) => {
				const credit = consumer.acknowledges && consumer.prefetch > 0 ? consumer.prefetch : Infinity;
				begun();
				const reader = { consumer, mailbox, credit };
				const after = this.readers.findLastIndex((other) => other.consumer.priority >= consumer.priority);
				this.readers.splice(after + 1, 0, reader);
				this.serve();
			},
			cancel: (tag, ended) => {
				this.readers = this.readers.filter(
					(reader) => reader.mailbox !== mailbox || reader.consumer.tag !== tag,
				);
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
				this.readers = this.readers.filter((reader) => reader.mailbox !== mailbox);
				for (const { entry } of held.values()) this.putBack(entry);
				this.serve();
			},
		};
	}

	refusal(exclusive: boolean): string | undefined {
		const taken = this.readers.some(({ consumer }) => consumer.exclusive);
		return taken || (exclusive && this.readers.length > 0)
			? `ACCESS_REFUSED - queue '${this.name}' in vhost '/' in exclusive use`
			: undefined;
	}

	get depth() {
		return {
			ready: this.waiting.length,
			unsettled: this.unsettled.length,
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
		this.readers = [];
		this.waiting.length = 0;
		this.held.clear();
		this.expiry?.();
	}

	restart(): void {
		this.readers = [];
		for (const entry of this.unsettled) this.putBack(entry);
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
		this.serve();
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
		const { singleActiveConsumer } = this.options;
		while (this.waiting.length > 0) {
			const next = singleActiveConsumer ? 0 : this.readers.findIndex(({ credit }) => credit > 0);
			const reader = this.readers[next];
			if (!reader || reader.credit <= 0) return;
			const entry = this.waiting.shift()!;
			reader.credit -= 1;
			if (!singleActiveConsumer) this.toTheBack(reader);
			const handed = this.hand(entry);
			if (reader.consumer.acknowledges) {
				this.held.get(reader.mailbox)?.set(handed.number, { entry, reader });
			}
			reader.mailbox.post(() => reader.mailbox.deliver(reader.consumer.tag, handed));
		}
	}

	/** Behind the others of its priority. */
	private toTheBack(reader: Reader): void {
		this.readers.splice(this.readers.indexOf(reader), 1);
		const after = this.readers.findLastIndex((other) => other.consumer.priority >= reader.consumer.priority);
		this.readers.splice(after + 1, 0, reader);
	}

	private hand(entry: Entry): Handed {
		const { delivered: redelivered, message } = entry;
		entry.delivered = true;
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
