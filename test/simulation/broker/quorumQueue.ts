import type {
	Attendance,
	Consumer,
	Departure,
	Entry,
	Handed,
	Mailbox,
	Message,
	Queue,
	QueueOptions,
	QueueSurroundings,
	Verdict,
} from './queue';

/** A channel that has so many commands under way to a queue keeps further settlements to itself. */
const COMMANDS_UNDER_WAY = 32;
/** What stands for no prefetch. */
const UNLIMITED = 2000;

export interface QuorumSettings {
	/** Milliseconds until a command is on disk, and applied. */
	commitMs(): number;
	/** Times a message may come back, where the queue says nothing; undefined for any number. */
	defaultLimit: number | undefined;
	/** What the limit and `x-delivery-count` go by: each time a message came back, or those alone when its channel was closed. */
	counts: 'returns' | 'closings';
	/** Whether a consumer is credited twice for a message that it gave back and that was over its limit. */
	creditsTwice: boolean;
}

type Life = 'lasting' | 'once';

interface Reader {
	readonly tag: string;
	readonly client: Client;
	readonly prefetch: number;
	life: Life;
	credit: number;
	readonly priority: number;
	state: 'up' | 'cancelled' | 'suspected';
	/** What it holds, by the number of the delivery; the numbers grow. */
	readonly holds: Map<number, Entry>;
	deliveries: number;
}

interface Command {
	apply(): void;
	/** Told when it is applied. */
	client?: Client;
	/** Called instead when the queue was deleted. */
	abandoned?(): void;
}

/** Settlements that wait until earlier commands are applied, of one consumer. */
type Unsent = Record<Verdict, number[]>;

/**
 * A quorum queue as RabbitMQ 3.10 builds it: a machine that applies commands from a replicated log, one after another,
 * a moment after they were given; and, within each channel, a client of that machine, which may keep settlements back.
 */
export class QuorumQueue implements Queue {
	private readonly waiting: Entry[] = [];
	/** What came back goes out before the rest, in the order it came back. */
	private readonly returned: Entry[] = [];
	private readonly readers = new Map<string, Reader>();
	/** Standing by while another consumer is the single active one. */
	private standby: Reader[] = [];
	/** Who is served next stands first. */
	private served: Reader[] = [];
	private readonly clients = new Set<Client>();
	private log: Command[] = [];
	private committing: (() => void) | undefined;
	private pausedUntil = 0;
	private expiry: (() => void) | undefined;
	private gone = false;

	constructor(
		readonly name: string,
		readonly options: QueueOptions,
		private readonly settings: QuorumSettings,
		private readonly surroundings: QueueSurroundings,
	) {}

	private get limit(): number | undefined {
		return this.options.deliveryLimit ?? this.settings.defaultLimit;
	}

	publish(message: Message, taken?: () => void): void {
		this.command(() => {
			const { messageTtlMs } = this.options;
			this.waiting.push({
				message,
				returns: 0,
				closings: 0,
				delivered: false,
				expiresAt: messageTtlMs === undefined ? undefined : this.surroundings.now() + messageTtlMs,
				place: 0,
			});
			taken?.();
			this.serve();
		});
	}

	attend(mailbox: Mailbox): Attendance {
		const client = new Client(this, mailbox);
		this.clients.add(client);
		return client;
	}

	refusal(): undefined {
		return undefined;
	}

	get fetchRefusal(): string | undefined {
		return this.options.singleActiveConsumer
			? `cannot obtain access to locked queue '${this.name}' in vhost '/'. basic.get operations are not supported by quorum queues with single active consumer`
			: undefined;
	}

	get depth() {
		let unsettled = 0;
		let consumers = this.standby.filter(({ state }) => state === 'up').length;
		for (const { holds, state } of this.readers.values()) {
			unsettled += holds.size;
			if (state === 'up') consumers += 1;
		}
		return { ready: this.waiting.length + this.returned.length, unsettled, consumers };
	}

	get ready(): readonly Entry[] {
		return [...this.returned, ...this.waiting];
	}

	get unsettled(): readonly Entry[] {
		return [...this.readers.values()].flatMap(({ holds }) => [...holds.values()]);
	}

	purge(): number {
		const purged = [...this.returned.splice(0), ...this.waiting.splice(0)];
		for (const entry of purged) this.surroundings.departed(this, entry, 'purged');
		return purged.length;
	}

	delete(): void {
		this.gone = true;
		this.committing?.();
		this.expiry?.();
		const { log } = this;
		this.log = [];
		for (const { abandoned } of log) abandoned?.();
		for (const reader of [...this.readers.values(), ...this.standby]) {
			if (reader.state !== 'cancelled' && reader.life === 'lasting') {
				const { client, tag } = reader;
				client.mailbox.post(() => client.mailbox.ended(tag));
			}
		}
		for (const entry of [...this.unsettled, ...this.ready]) {
			this.surroundings.departed(this, entry, 'deleted');
		}
		this.readers.clear();
		this.clients.clear();
		this.returned.length = this.waiting.length = this.standby.length = this.served.length = 0;
	}

	restart(): void {
		for (const client of this.clients) client.leave();
		this.clients.clear();
	}

	/** Nothing is applied for so long; what is under way is kept. */
	pause(milliseconds: number): void {
		this.pausedUntil = this.surroundings.now() + milliseconds;
		this.committing?.();
		this.committing = undefined;
		this.commitLater();
	}

	/**
	 * The queue lost sight of its consumers for a moment: all they hold goes back and out again, while they still have
	 * the earlier deliveries, whose settlements count for nothing.
	 */
	suspectConsumers(): void {
		this.command(() => {
			const suspected = this.inOrder([...this.readers.values()].filter(({ state }) => state === 'up'));
			for (const reader of suspected) {
				reader.credit += reader.life === 'once' ? 0 : reader.holds.size;
				reader.state = 'suspected';
				this.served = this.served.filter((other) => other !== reader);
				for (const number of [...reader.holds.keys()]) this.comeBack(reader, number);
			}
			this.serve();
		});
		this.command(() => {
			for (const reader of this.readers.values()) {
				if (reader.state !== 'suspected') continue;
				reader.state = 'up';
				this.queueUp(reader);
			}
			this.serve();
		});
	}

	/** Appends to the log. */
	command(apply: () => void, more: Omit<Command, 'apply'> = {}): void {
		if (this.gone) return more.abandoned?.();
		this.log.push({ apply, ...more });
		this.commitLater();
	}

	private commitLater(): void {
		if (this.committing || this.log.length === 0) return;
		const paused = Math.max(0, this.pausedUntil - this.surroundings.now());
		this.committing = this.surroundings.after(paused + this.settings.commitMs(), () => {
			this.committing = undefined;
			const applied = new Map<Client, number>();
			for (const { apply, client } of this.log.splice(0)) {
				apply();
				if (client) applied.set(client, (applied.get(client) ?? 0) + 1);
			}
			for (const [client, count] of applied) client.applied(count);
			this.commitLater();
		});
	}

	// What follows is the machine: it runs when a command is applied.

	addReader(client: Client, consumer: Consumer): void {
		const reader: Reader = {
			tag: consumer.tag,
			client,
			prefetch: consumer.prefetch,
			life: 'lasting',
			credit: consumer.prefetch || UNLIMITED,
			priority: consumer.priority,
			state: 'up',
			holds: new Map(),
			deliveries: 0,
		};
		const active = [...this.readers.values()].some(({ state, life }) => state === 'up' && life === 'lasting');
		if (this.options.singleActiveConsumer && active) this.standby.push(reader);
		else this.admit(reader);
		this.serve();
	}

	cancelReader(client: Client, tag: string): void {
		this.standby = this.standby.filter((reader) => reader.client !== client || reader.tag !== tag);
		const reader = this.readers.get(keyOf(client, tag));
		if (reader) {
			reader.life = 'once';
			reader.credit = 0;
			reader.state = 'cancelled';
			if (reader.holds.size === 0) this.readers.delete(keyOf(client, tag));
			this.activateNext();
		}
		this.serve();
	}

	takeOne(client: Client, tag: string): { handed: Handed | undefined; ready: number } {
		this.expire();
		const entry = this.returned.shift() ?? this.waiting.shift();
		if (!entry) return { handed: undefined, ready: 0 };
		const reader: Reader = {
			tag,
			client,
			prefetch: 1,
			life: 'once',
			credit: 0,
			priority: 0,
			state: 'up',
			holds: new Map(),
			deliveries: 0,
		};
		this.readers.set(keyOf(client, tag), reader);
		return { handed: this.hand(reader, entry, true), ready: this.depth.ready };
	}

	settleNow(client: Client, tag: string, numbers: readonly number[], verdict: Verdict): void {
		const reader = this.readers.get(keyOf(client, tag));
		if (!reader) return;
		if (verdict === 'returned') this.giveBack(reader, numbers);
		else this.complete(reader, numbers, verdict === 'rejected' ? 'rejected' : undefined);
		this.serve();
	}

	/** What is held by the consumers of a channel that is gone comes back, consumer by consumer. */
	clientGone(client: Client): void {
		this.clients.delete(client);
		this.standby = this.standby.filter((reader) => reader.client !== client);
		for (const reader of this.inOrder([...this.readers.values()].filter((one) => one.client === client))) {
			for (const number of [...reader.holds.keys()]) this.comeBack(reader, number);
			this.readers.delete(keyOf(client, reader.tag));
			this.served = this.served.filter((other) => other !== reader);
		}
		this.activateNext();
		this.serve();
	}

	/** True when giving back goes by a command of its own for each message, behind everything else. */
	get requeuesLast(): boolean {
		return this.limit === undefined;
	}

	/** Whether such a command could be made from what is applied so far. */
	holdsAny(client: Client, tag: string, numbers: readonly number[]): boolean {
		const holds = this.readers.get(keyOf(client, tag))?.holds;
		return numbers.some((number) => holds?.has(number));
	}

	private giveBack(reader: Reader, numbers: readonly number[]): void {
		const { creditsTwice } = this.settings;
		const held = [...numbers].sort((a, b) => a - b).filter((number) => reader.holds.has(number));
		for (const number of held) {
			if (this.requeuesLast) this.comeLast(reader, number);
			else if (this.comeBack(reader, number, 'given back') === 'departed' && creditsTwice)
				this.credit(reader);
		}
		if (!this.requeuesLast) held.forEach(() => this.credit(reader));
	}

	/** Each of these is a command of its own. */
	private comeLast(reader: Reader, number: number): void {
		const entry = reader.holds.get(number)!;
		reader.holds.delete(number);
		entry.returns += 1;
		this.waiting.push(entry);
		this.credit(reader);
		this.serve();
	}

	private comeBack(
		reader: Reader,
		number: number,
		how: 'given back' | 'closed' = 'closed',
	): 'returned' | 'departed' {
		const entry = reader.holds.get(number)!;
		reader.holds.delete(number);
		entry.returns += 1;
		if (how === 'closed') entry.closings += 1;
		if (this.limit !== undefined && entry[this.settings.counts] > this.limit) {
			this.surroundings.departed(this, entry, 'delivery_limit');
			return 'departed';
		}
		this.returned.push(entry);
		return 'returned';
	}

	private complete(reader: Reader, numbers: readonly number[], departure: Departure | undefined): void {
		for (const number of numbers) {
			const entry = reader.holds.get(number);
			if (!entry) continue;
			reader.holds.delete(number);
			if (departure) this.surroundings.departed(this, entry, departure);
			this.credit(reader);
		}
	}

	private credit(reader: Reader): void {
		if (reader.life === 'lasting') {
			reader.credit += 1;
			this.queueUp(reader);
		} else if (reader.holds.size === 0) {
			this.readers.delete(keyOf(reader.client, reader.tag));
			if (reader.state === 'cancelled') this.activateNext();
		}
	}

	private admit(reader: Reader): void {
		this.readers.set(keyOf(reader.client, reader.tag), reader);
		this.queueUp(reader);
	}

	private queueUp(reader: Reader): void {
		if (reader.credit <= 0 || reader.state !== 'up' || this.served.includes(reader)) return;
		const after = this.served.findLastIndex(({ priority }) => priority >= reader.priority);
		this.served.splice(after + 1, 0, reader);
	}

	private activateNext(): void {
		if (!this.options.singleActiveConsumer) return;
		if ([...this.readers.values()].some(({ state, life }) => state === 'up' && life === 'lasting')) return;
		const next = this.standby.shift();
		if (next) this.admit(next);
	}

	private serve(): void {
		this.serveAll();
		const { maxLength = Infinity } = this.options;
		const dropped: Entry[] = [];
		while (this.returned.length + this.waiting.length > maxLength) {
			dropped.push(this.returned.shift() ?? this.waiting.shift()!);
		}
		// The last one dropped is the first dead letter, among those of one command.
		for (const entry of dropped.reverse()) this.surroundings.departed(this, entry, 'maxlen');
	}

	private serveAll(): void {
		for (;;) {
			this.expire();
			if (this.returned.length + this.waiting.length === 0) return;
			const reader = this.served.shift();
			if (!reader) return;
			if (reader.credit <= 0 || reader.state !== 'up') continue;
			const entry = this.returned.shift() ?? this.waiting.shift()!;
			reader.credit -= 1;
			const handed = this.hand(reader, entry, false);
			this.queueUp(reader);
			reader.client.handed(reader.tag, handed);
		}
	}

	private hand(reader: Reader, entry: Entry, alone: boolean): Handed {
		const number = reader.deliveries;
		reader.deliveries += 1;
		reader.holds.set(number, entry);
		this.surroundings.handedOut(entry, this.depth.consumers);
		const redelivered = entry.returns > 0;
		const deliveryCount = redelivered || alone ? entry[this.settings.counts] : undefined;
		return { number, message: entry.message, redelivered, deliveryCount };
	}

	/** Only what stands first can expire. */
	private expire(): void {
		if (this.options.messageTtlMs === undefined) return;
		this.expiry?.();
		this.expiry = undefined;
		const now = this.surroundings.now();
		for (;;) {
			const from = this.returned.length > 0 ? this.returned : this.waiting;
			const first = from[0];
			if (first?.expiresAt === undefined) return;
			if (first.expiresAt > now) {
				this.expiry = this.surroundings.after(first.expiresAt - now, () => this.command(() => this.serve()));
				return;
			}
			from.shift();
			this.surroundings.departed(this, first, 'expired');
		}
	}

	/** As the machine keeps them: by tag, then by channel. */
	private inOrder(readers: Reader[]): Reader[] {
		return readers.sort((a, b) =>
			a.tag === b.tag ? a.client.mailbox.number - b.client.mailbox.number : a.tag < b.tag ? -1 : 1,
		);
	}
}

/** What one channel knows of one quorum queue. */
class Client implements Attendance {
	private underWay = 0;
	private slow = false;
	private readonly unsent = new Map<string, Unsent>();
	private readonly tags = new Map<string, { acknowledges: boolean }>();
	private left = false;

	constructor(
		private readonly queue: QuorumQueue,
		readonly mailbox: Mailbox,
	) {}

	consume(consumer: Consumer, begun: () => void): void {
		const { mailbox, queue } = this;
		this.tags.set(consumer.tag, consumer);
		queue.command(
			() => {
				begun();
				if (!this.left) queue.addReader(this, consumer);
			},
			{
				abandoned() {
					begun();
					mailbox.post(() => mailbox.ended(consumer.tag));
				},
			},
		);
	}

	cancel(tag: string, ended: () => void): void {
		// What is under way to it meanwhile is given back.
		this.tags.delete(tag);
		this.queue.command(
			() => {
				this.queue.cancelReader(this, tag);
				ended();
			},
			{ abandoned: ended },
		);
	}

	get(tag: string, acknowledges: boolean, got: (handed: Handed | undefined, ready: number) => void): void {
		this.queue.command(
			() => {
				const { handed, ready } = this.queue.takeOne(this, tag);
				if (handed && !acknowledges) this.queue.settleNow(this, tag, [handed.number], 'acknowledged');
				got(handed, ready);
			},
			{ abandoned: () => got(undefined, 0) },
		);
	}

	settle(tag: string, numbers: readonly number[], verdict: Verdict): void {
		if (!this.slow) return this.send(tag, numbers, verdict);
		const unsent = this.unsent.get(tag) ?? { acknowledged: [], returned: [], rejected: [] };
		unsent[verdict].push(...numbers);
		this.unsent.set(tag, unsent);
	}

	leave(): void {
		if (this.left) return;
		this.left = true;
		this.queue.command(() => this.queue.clientGone(this));
	}

	/** The machine handed out an entry. */
	handed(tag: string, handed: Handed): void {
		this.mailbox.post(() => {
			if (this.left) return;
			const consumer = this.tags.get(tag);
			if (!consumer) return this.settle(tag, [handed.number], 'returned');
			this.mailbox.deliver(tag, handed);
			if (!consumer.acknowledges) this.settle(tag, [handed.number], 'acknowledged');
		});
	}

	/** So many commands were applied. */
	applied(count: number): void {
		this.mailbox.post(() => {
			this.underWay -= count;
			if (!this.slow || this.underWay >= COMMANDS_UNDER_WAY || this.left) return;
			this.slow = false;
			const unsent = [...this.unsent];
			this.unsent.clear();
			for (const [tag, { acknowledged, returned, rejected }] of unsent) {
				if (acknowledged.length > 0) this.send(tag, acknowledged, 'acknowledged');
				if (returned.length > 0) this.send(tag, returned, 'returned');
				if (rejected.length > 0) this.send(tag, rejected, 'rejected');
			}
		});
	}

	private send(tag: string, numbers: readonly number[], verdict: Verdict): void {
		this.slow = this.underWay >= COMMANDS_UNDER_WAY;
		this.underWay += 1;
		// A return that names nothing is forgotten, and its answer never comes.
		if (verdict === 'returned' && this.queue.requeuesLast && !this.queue.holdsAny(this, tag, numbers)) return;
		this.queue.command(() => this.queue.settleNow(this, tag, numbers, verdict), { client: this });
	}
}

function keyOf(client: Client, tag: string): string {
	return `${client.mailbox.number}/${tag}`;
}
