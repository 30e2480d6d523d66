import { isServiceError, ServiceError, type ServiceErrorCode } from '../errors';
import { bearerTokenLifetimeMs } from '../model/bearerToken';
import type { Clock } from '../surroundings';
import { unlessCancelled } from './cancel';

/** How long a login that failed is not tried again, in milliseconds. What the way to the service may mend is tried at once. */
const KEPT_MS: Partial<Record<ServiceErrorCode, number>> = {
	// One run over 500 items must not lock an account.
	unauthorized: 30_000,
	// All its tries are used: the next item is no better off.
	unavailable: 5_000,
	rateLimited: 5_000,
};

/** A token that was just fetched because of a 401, and did not help, is not fetched again for so long. */
const RENEWAL_KEPT_MS = 5_000;

/** A token is renewed so long before its end, or a fifth of its life when it is short. */
const RENEWED_BEFORE_MS = 30_000;

/** How many accounts are remembered. */
const LARGEST = 100;

interface Kept {
	token?: string;
	/** When to renew, by our clock; undefined when the token does not say. */
	renewAt?: number;
	/** Set once the token was taken by the service after a renewal. */
	worked: boolean;
	renewedAt?: number;
	/** The login that is under way. */
	pending?: Pending;
	refusal?: { error: ServiceError; until: number };
}

/** A login that calls wait for. When none does any more, it is ended. */
interface Pending {
	token: Promise<string>;
	waiting: number;
	stop: AbortController;
}

/** Logs in; ended by the signal. */
export type LogIn = (signal: AbortSignal) => Promise<string>;

/**
 * The tokens of all accounts of this process, in memory only. One login at a time per account, however many calls wait
 * for it. Accounts are told apart by {@link ./login loginKey}: an edited credential is another account.
 */
export class Tokens {
	private readonly kept = new Map<string, Kept>();

	constructor(private readonly clock: Clock) {}

	/** The token to use now. `logIn` is called when there is none, or the one there is ends soon. @param signal ends the wait */
	async current(key: string, logIn: LogIn, signal?: AbortSignal): Promise<string> {
		const entry = this.entry(key);
		const ends = entry.renewAt !== undefined && entry.renewAt <= this.clock.now();
		if (entry.token !== undefined && !ends) return entry.token;
		return await this.loggedIn(entry, logIn, signal);
	}

	/**
	 * A token in place of one that the service refused with a 401: the one that another call has fetched meanwhile, or
	 * a fresh one. A token that was fetched because of a 401 and has not worked since is handed back as it is: the
	 * refusal is not about its age, and logging in for every call would not help.
	 */
	async renewed(key: string, refused: string, logIn: LogIn, signal?: AbortSignal): Promise<string> {
		const entry = this.entry(key);
		if (entry.token !== undefined && entry.token !== refused) return entry.token;
		const justRenewed = entry.renewedAt !== undefined && this.clock.now() - entry.renewedAt < RENEWAL_KEPT_MS;
		if (entry.token === refused && justRenewed && !entry.worked) return refused;
		const token = await this.loggedIn(entry, logIn, signal);
		entry.renewedAt = this.clock.now();
		entry.worked = false;
		return token;
	}

	/** To be told when the service took a token: only then is its next refusal a reason to log in again. */
	worked(key: string, token: string): void {
		const entry = this.kept.get(key);
		if (entry?.token === token) entry.worked = true;
	}

	/** Whether the account has logged in. */
	holds(key: string): boolean {
		return this.kept.get(key)?.token !== undefined;
	}

	/** Forgets the account's token and refusal: the next call logs in. */
	forget(key: string): void {
		this.kept.delete(key);
	}

	private async loggedIn(entry: Kept, logIn: LogIn, signal?: AbortSignal): Promise<string> {
		if (entry.refusal && entry.refusal.until > this.clock.now()) throw again(entry.refusal.error);
		const pending = (entry.pending ??= this.begun(entry, logIn));
		pending.waiting++;
		try {
			return await unlessCancelled(pending.token, signal);
		} catch (error) {
			throw isServiceError(error) ? again(error) : error;
		} finally {
			pending.waiting--;
			if (pending.waiting === 0) {
				if (entry.pending === pending) entry.pending = undefined;
				pending.stop.abort();
			}
		}
	}

	private begun(entry: Kept, logIn: LogIn): Pending {
		const stop = new AbortController();
		return { token: this.fetched(entry, () => logIn(stop.signal)), waiting: 0, stop };
	}

	private async fetched(entry: Kept, logIn: () => Promise<string>): Promise<string> {
		entry.token = undefined;
		try {
			const token = await logIn();
			const now = this.clock.now();
			const lifetimeMs = bearerTokenLifetimeMs(token, now);
			entry.token = token;
			entry.refusal = undefined;
			entry.renewAt =
				lifetimeMs === undefined ? undefined : now + lifetimeMs - Math.min(RENEWED_BEFORE_MS, lifetimeMs / 5);
			return token;
		} catch (error) {
			const keptMs = isServiceError(error) ? KEPT_MS[error.code] : undefined;
			if (isServiceError(error) && keptMs) entry.refusal = { error, until: this.clock.now() + keptMs };
			throw error;
		}
	}

	private entry(key: string): Kept {
		const entry = this.kept.get(key) ?? { worked: false };
		// A Map keeps the order of insertion: put last what was used last, drop what nobody used for longest.
		this.kept.delete(key);
		this.kept.set(key, entry);
		if (this.kept.size > LARGEST) {
			const oldest = this.kept.keys().next().value;
			if (oldest !== undefined) this.kept.delete(oldest);
		}
		return entry;
	}
}

const byClock = new WeakMap<Clock, Tokens>();

/** The tokens of this process. A test that brings its own clock gets its own. */
export function tokensOf(clock: Clock): Tokens {
	let tokens = byClock.get(clock);
	if (!tokens) byClock.set(clock, (tokens = new Tokens(clock)));
	return tokens;
}

/** The failure of a login, of its own for every caller: n8n adds to the errors it is given. */
function again(error: ServiceError): ServiceError {
	const { code, message, remedy, httpStatus, retryAfterMs, cause } = error;
	return new ServiceError(code, message, { remedy, httpStatus, retryAfterMs, cause, login: true });
}
