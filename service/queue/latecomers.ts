import type { StatusEvent } from '../model/event';
import type { Bounds } from './bounds';
import type { Missing } from './givenBack';
import type { Lane } from './lane';

/** `late`: off the queue when it started. */
type GoneWhy = Missing['why'] | 'late';

interface Gone {
	readonly event: StatusEvent;
	readonly why: GoneWhy;
	readonly bytes: number;
	/** Who has had it, or was told. */
	readonly lanes: Set<Lane>;
}

interface LatecomersOptions {
	bounds: Bounds;
	/** The first minutes of a process: others may come. */
	starting(): boolean;
	/** It does not get these, which it asked for. */
	onLate(lane: Lane, events: readonly StatusEvent[], why: GoneWhy): void;
}

/**
 * What was taken off the queue, or missed, while the host was still to start others: whoever starts then is told what it
 * would have got of it.
 */
export class Latecomers {
	private readonly gone = new Map<string, Gone>();
	private bytes = 0;

	constructor(private readonly options: LatecomersOptions) {}

	/** @param lanes those that had it, or are told already */
	add(event: StatusEvent, bytes: number, lanes: Iterable<Lane>, why: GoneWhy): void {
		const { bounds, starting } = this.options;
		if (!starting()) return;
		const key = `${why} ${event.eventId}`;
		const known = this.gone.get(key);
		if (known) {
			for (const lane of lanes) known.lanes.add(lane);
			return;
		}
		if (this.gone.size >= bounds.givenBackEvents || this.bytes + bytes > bounds.givenBackBytes) return;
		this.gone.set(key, { event, why, bytes, lanes: new Set(lanes) });
		this.bytes += bytes;
	}

	/** Its host has started it. */
	started(lane: Lane): void {
		const own = new Map<GoneWhy, StatusEvent[]>();
		for (const { event, why, lanes } of this.gone.values()) {
			if (lanes.has(lane) || !lane.wants(event) || lane.whereIs(event) !== 'away') continue;
			lanes.add(lane);
			const events = own.get(why);
			if (events) events.push(event);
			else own.set(why, [event]);
		}
		for (const [why, events] of own) this.options.onLate(lane, events, why);
	}

	/** All have started, or another process has the queue. */
	clear(): void {
		this.gone.clear();
		this.bytes = 0;
	}
}
