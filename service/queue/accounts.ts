import { ServiceError } from '../errors';
import { sessionKey, type QueueAddress } from './address';
import type { Subscription } from './subscription';

export interface AccountsOptions {
	/** {@link sessionKey} of the subscribers. */
	key: string;
	queue: string;
	/** The credential of a subscriber was edited and names another broker, virtual host or user. */
	onMoved(subscription: Subscription, newKey: string): void;
}

/**
 * The credentials of the subscribers that share one connection. They name the same user; their passwords may differ for
 * a while, when one was edited or one is wrong, and then one of them at most is right.
 */
export class Accounts {
	/** The password that the broker accepted last. */
	private accepted: string | undefined;
	/** What each subscriber's credential held when it was read last. */
	private readonly passwords = new Map<Subscription, string>();
	private turn = 0;

	constructor(private readonly options: AccountsOptions) {}

	/**
	 * Reads every credential as it is now and chooses the one to connect with: the password accepted last first, then the
	 * others in turn.
	 * @throws whatever kept the credentials from being read, when none could be
	 */
	async read(subscriptions: readonly Subscription[]): Promise<QueueAddress> {
		const { key, queue, onMoved } = this.options;
		const found = new Map<string, QueueAddress>();
		let failure: unknown = new ServiceError('cancelled', 'Every subscriber left');
		this.passwords.clear();
		for (const subscription of subscriptions) {
			try {
				const address = await subscription.readAddress();
				const keyNow = sessionKey(address, queue);
				if (keyNow !== key) onMoved(subscription, keyNow);
				else found.set(address.password, address);
				this.passwords.set(subscription, address.password);
			} catch (error) {
				failure = error;
			}
		}
		const rank = ({ password }: QueueAddress) => (password === this.accepted ? 0 : 1);
		const candidates = [...found.values()].sort((a, b) => rank(a) - rank(b));
		const chosen = candidates[this.turn % Math.max(1, candidates.length)];
		this.turn += 1;
		if (!chosen) throw failure;
		return chosen;
	}

	/** The broker accepted this one. Answers the subscribers whose credential held another password. */
	accept({ password }: QueueAddress, subscriptions: readonly Subscription[]): Subscription[] {
		this.turn = 0;
		this.accepted = password;
		return subscriptions.filter(
			(subscription) => (this.passwords.get(subscription) ?? password) !== password,
		);
	}

	/** True when the broker accepted another password for this account: whoever comes with this one must prove it. */
	mustProve({ password }: QueueAddress): boolean {
		return this.accepted !== undefined && this.accepted !== password;
	}
}
