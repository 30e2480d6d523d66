import { changed, isServiceError, type ServiceError, type ServiceErrorCode } from '../errors';
import { bearerTokenLifetimeMs } from '../model/bearerToken';
import { systemClock, type Clock } from '../surroundings';
import { unlessCancelled } from '../cancel';

/** How long a login that failed is not tried again, in milliseconds. What the way to the service may mend is tried at once. */
const KEPT_MS: Partial<Record<ServiceErrorCode, number>> = {
	// One run over 500 items must not lock an account, however the service words its refusal.
	unauthorized: 30_000,
	rejected: 30_000,
	notFound: 30_000,
	unexpectedResponse: 30_000,
	// All its tries are used: the next item is no better off.
	unavailable: 5_000,
	rateLimited: 5_000,
};

/** A web page says nothing of a password: the service may be there again in a moment. */
function keptFor({ code, webPage }: ServiceError): number {
	return (webPage ? KEPT_MS.unavailable : KEPT_MS[code]) ?? 0;
}

/** How a service refuses a token: with HTTP 401, which speaks of the login, or in another way, which may speak of rights. */
export type RefusalKind = 'unauthorized' | 'forbidden';

/**
 * How long a fresh token's refusal is believed, in milliseconds: another one would not help. Not for the token's life: a
 * service may say "forbidden" of a token that it has forgotten, whatever end that one names.
 */
const BELIEVED_MS: Record<RefusalKind, number> = { unauthorized: 5_000, forbidden: 60_000 };

/** A token is renewed so long before its end, or a fifth of its life when it is short. */
const RENEWED_BEFORE_MS = 30_000;

/** How many accounts are remembered. */
const LARGEST = 100;

interface Kept {
	token?: string;
	/** When to renew, by our clock: never when the token does not say. */
	renewAt: number;
	/** Which refusals are believed: those by which a fresh token was refused, or may still be. */
	believed: Partial<Record<RefusalKind, Believed>>;
	/** The login that is under way. */
	pending?: Pending;
	refusal?: { error: ServiceError; until: number };
}

interface Believed {
	until: number;
	/** Whether the call that the token was fetched for was refused with it as well, or with the same one before. */
	sure: boolean;
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
class Tokens {
	private readonly kept = new Map<string, Kept>();

	constructor(private readonly clock: Clock) {}

	/** The token to use now. `logIn` is called when there is none, or the one there is ends soon. @param signal ends the wait */
	async current(key: string, logIn: LogIn, signal?: AbortSignal): Promise<string> {
		const kept = this.keptOf(key);
		if (kept.token !== undefined && kept.renewAt > this.clock.now()) return kept.token;
		return await this.loggedIn(kept, logIn, signal);
	}

	/**
	 * A token in place of one that the service refused: the one that another call has fetched meanwhile, or a fresh one. A
	 * token that was fetched because of such a refusal is handed back as it is: this one is not about its age, and logging
	 * in for every call would not help.
	 */
	async renew(
		{ key, refused, kind }: { key: string; refused: string; kind: RefusalKind },
		logIn: LogIn,
		signal?: AbortSignal,
	): Promise<string> {
		const kept = this.keptOf(key);
		if (kept.token !== undefined && kept.token !== refused) return kept.token;
		const isBelieved = (kept.believed[kind]?.until ?? 0) > this.clock.now();
		if (kept.token === refused && isBelieved) return refused;
		const token = await this.loggedIn(kept, logIn, signal);
		// A login may give the same token until that ends: a call that was refused with it would be refused again.
		kept.believed[kind] = { until: this.clock.now() + BELIEVED_MS[kind], sure: token === refused };
		return token;
	}

	/** To be told when the service took a token: unless it has refused it too, a refusal is a reason to log in again. */
	worked(key: string, token: string): void {
		const kept = this.kept.get(key);
		if (kept?.token === token) kept.believed = onlySure(kept.believed);
	}

	/** To be told when a call was refused with the token that was fetched for it: that is about the call. */
	refusedAgain(key: string, token: string, kind: RefusalKind): void {
		const kept = this.kept.get(key);
		if (kept?.token !== token) return;
		kept.believed[kind] = { until: this.clock.now() + BELIEVED_MS[kind], sure: true };
	}

	/** Whether the account has logged in. */
	holds(key: string): boolean {
		return this.kept.get(key)?.token !== undefined;
	}

	/** Forgets the account's token and refusal: the next call logs in. */
	forget(key: string): void {
		this.kept.delete(key);
	}

	private async loggedIn(kept: Kept, logIn: LogIn, signal?: AbortSignal): Promise<string> {
		if (kept.refusal && kept.refusal.until > this.clock.now()) throw again(kept.refusal.error);
		const pending = (kept.pending ??= this.begun(kept, logIn));
		pending.waiting++;
		try {
			return await unlessCancelled(pending.token, signal);
		} catch (error) {
			throw isServiceError(error) ? again(error) : error;
		} finally {
			pending.waiting--;
			if (pending.waiting === 0) {
				kept.pending = undefined;
				pending.stop.abort();
			}
		}
	}

	private begun(kept: Kept, logIn: LogIn): Pending {
		const stop = new AbortController();
		return { token: this.fetched(kept, () => logIn(stop.signal)), waiting: 0, stop };
	}

	private async fetched(kept: Kept, logIn: () => Promise<string>): Promise<string> {
		kept.token = undefined;
		kept.believed = onlySure(kept.believed);
		try {
			const token = await logIn();
			const now = this.clock.now();
			const lifetimeMs = bearerTokenLifetimeMs(token, now) ?? Infinity;
			kept.token = token;
			kept.refusal = undefined;
			kept.renewAt = now + lifetimeMs - Math.min(RENEWED_BEFORE_MS, lifetimeMs / 5);
			return token;
		} catch (error) {
			if (isServiceError(error)) kept.refusal = { error, until: this.clock.now() + keptFor(error) };
			throw error;
		}
	}

	private keptOf(key: string): Kept {
		const kept: Kept = this.kept.get(key) ?? { believed: {}, renewAt: Infinity };
		// A Map keeps the order of insertion: put last what was used last, drop what nobody used for longest.
		this.kept.delete(key);
		this.kept.set(key, kept);
		if (this.kept.size > LARGEST) this.kept.delete(this.kept.keys().next().value!);
		return kept;
	}
}

/**
 * Where the tokens of the process are found: the action node and the credential are packed into files of their own, and one account
 * logs in once. What stands here is read by other versions of this package: a new shape gets a new number.
 */
const PLACE = Symbol.for('n8n-nodes-parcel-document-exchange/tokens/2');

const byClock = new WeakMap<Clock, Tokens>();

/** The tokens of this process. A test that brings its own clock gets its own. */
export function tokensOf(clock: Clock): Tokens {
	if (clock === systemClock) {
		const places = globalThis as { [PLACE]?: Tokens };
		return (places[PLACE] ??= new Tokens(clock));
	}
	let tokens = byClock.get(clock);
	if (!tokens) byClock.set(clock, (tokens = new Tokens(clock)));
	return tokens;
}

function onlySure(believed: Kept['believed']): Kept['believed'] {
	return Object.fromEntries(Object.entries(believed).filter(([, { sure }]) => sure));
}

/** The failure of a login, of its own for every caller: n8n adds to the errors it is given. */
function again(error: ServiceError): ServiceError {
	return changed(error, { login: true });
}
