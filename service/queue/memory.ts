import type { Clock } from '../surroundings';

/** The newest entries of a bounded time, oldest out first: a Map keeps its keys in the order of insertion. */
export class Memory<T> {
	private readonly entries = new Map<string, { value: T; at: number }>();

	constructor(
		private readonly clock: Pick<Clock, 'now'>,
		private readonly most: number,
		private readonly lastsMs: number,
	) {}

	keep(key: string, value: T): void {
		this.entries.delete(key);
		this.entries.set(key, { value, at: this.clock.now() });
		for (const [oldest, entry] of this.entries) {
			if (this.entries.size <= this.most && this.isKept(entry)) break;
			this.entries.delete(oldest);
		}
	}

	/** Half its time is over: it begins anew. Sooner, what comes again often would push out what is newer. */
	renew(key: string): void {
		const entry = this.entries.get(key);
		if (entry && this.isKept(entry) && !this.isKept(entry, this.lastsMs / 2)) this.keep(key, entry.value);
	}

	look(key: string): T | undefined {
		const entry = this.entries.get(key);
		return entry && this.isKept(entry) ? entry.value : undefined;
	}

	*values(): Generator<T, void, undefined> {
		for (const entry of this.entries.values()) if (this.isKept(entry)) yield entry.value;
	}

	take(key: string): T | undefined {
		const value = this.look(key);
		this.entries.delete(key);
		return value;
	}

	private isKept({ at }: { at: number }, lastsMs = this.lastsMs): boolean {
		return this.clock.now() - at < lastsMs;
	}
}
