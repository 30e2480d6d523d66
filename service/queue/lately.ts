import type { Clock } from '../surroundings';

/** How many things happened within a time until now, or up to twice of it: counted in two spans, and nothing else is kept. */
export class Lately {
	private span = -Infinity;
	private current = 0;
	private before = 0;

	constructor(
		private readonly clock: Clock,
		private readonly spanMs: number,
	) {}

	add(): void {
		this.turn();
		this.current += 1;
	}

	get count(): number {
		this.turn();
		return this.current + this.before;
	}

	private turn(): void {
		const span = Math.floor(this.clock.now() / this.spanMs);
		if (span === this.span) return;
		this.before = span === this.span + 1 ? this.current : 0;
		this.current = 0;
		this.span = span;
	}
}
