import { isServiceError, type ServiceError } from '../../../service/errors';
import { systemClock } from '../../../service/surroundings';

/** Looks in a row that may fail before anybody hears of it. */
const LOOKS_IN_VAIN = 3;
/** Where looks are rarer, the second one is told of: after three of one a day, nobody would have heard anything for days. */
const RARE_MS = 20 * 60 * 1000;
/** What stays wrong is told again after this time. */
const TELL_AGAIN_MS = 60 * 60 * 1000;

/** What no time mends, but a person. */
export function lasts(error: unknown): boolean {
	return isServiceError(error) && ['invalidInput', 'unauthorized', 'certificate'].includes(error.code);
}

/** What goes on failing is told once and then hourly: a service that is away for a night is no reason for 600 failed runs. */
export class Trouble {
	private inVain = 0;
	/** When it was told; of what a person has to mend, each kind by itself. */
	private readonly toldAt = new Map<string, number>();
	/** When the first of those that failed in a row did. */
	private since = Infinity;

	/** @param goesOn what a person has to mend may show again after a look that was fine: it is told no sooner for that */
	isOver(goesOn?: ServiceError['code']): void {
		this.inVain = 0;
		for (const kind of [...this.toldAt.keys()]) if (kind !== goesOn) this.toldAt.delete(kind);
		this.since = Infinity;
	}

	/** @param now milliseconds since 1970, on a clock that nobody sets */
	isToBeTold(error: unknown, now = systemClock.now()): boolean {
		this.inVain++;
		this.since = Math.min(this.since, now);
		const isLong = this.inVain >= LOOKS_IN_VAIN || now >= this.since + RARE_MS;
		if (!lasts(error) && !isLong) return false;
		const kind = isServiceError(error) && lasts(error) ? error.code : '';
		if (now < (this.toldAt.get(kind) ?? -Infinity) + TELL_AGAIN_MS) return false;
		this.toldAt.set(kind, now);
		return true;
	}
}
