import { isServiceError, type ServiceErrorCode } from '../../../service/errors';
import { systemClock } from '../../../service/surroundings';

const MINUTE = 60 * 1000;
/** No rest is longer. */
const LONGEST_MS = 60 * MINUTE;
/** So that the look a minute later is not left out by a hair. */
const HAIR_MS = 5 * 1000;

/** How services refuse a login. */
const REFUSALS: ServiceErrorCode[] = ['unauthorized', 'rejected'];

/**
 * Looks that are left out so that the service is spared: for as long as it asks to be left alone, and, after a login that it
 * refused, for a minute, then two, four and so on, since so many wrong passwords in a night lock an account.
 */
export class Rest {
	private refusals = 0;
	private current?: { until: number; account: string; error: unknown };

	/**
	 * @param error of a look, without the account's secrets; undefined for one that went well
	 * @param account a fingerprint of it, so that one that was edited is tried at once
	 */
	after(error: unknown, account: string, now = systemClock.now()): void {
		const isRefused = isServiceError(error) && error.login === true && REFUSALS.includes(error.code);
		this.refusals = isRefused ? this.refusals + 1 : 0;
		const refusedMs = isRefused ? 2 ** (this.refusals - 1) * MINUTE - HAIR_MS : 0;
		const askedMs = isServiceError(error) ? (error.retryAfterMs ?? 0) : 0;
		const waitMs = Math.min(Math.max(refusedMs, askedMs), LONGEST_MS);
		this.current = waitMs > 0 ? { until: now + waitMs, account, error } : undefined;
	}

	/** What the service said, while it is not to be asked; undefined when it may be. */
	reason(account: string, now = systemClock.now()): unknown {
		const { current } = this;
		return current && current.account === account && now < current.until ? current.error : undefined;
	}
}
