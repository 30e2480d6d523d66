import { ServiceError } from '../errors';
import { sessionKey } from './address';
import type { QueueAddress, Subscription } from './contract';

interface AccountsOptions {
	/** {@link sessionKey} of the subscribers. */
	key: string;
	queue: string;
	/** The credential of a subscriber was edited and names another broker, virtual host or user. */
	onMoved(subscription: Subscription): void;
}

/**
 * The credentials of the subscribers that share one connection. They name the same user. Their passwords may differ for
 * a while, when one was edited or one is wrong, and then one of them at most is right; their TLS settings may differ for
 * good, and then a wrong one must not keep the right one from connecting.
 */
export class Accounts {
	/** What the broker accepted last. */
	private accepted: QueueAddress | undefined;
	/** What each subscriber's credential held when it was read last. */
	private readonly passwords = new WeakMap<Subscription, string>();
	private turn = 0;

	constructor(private readonly options: AccountsOptions) {}

	/**
	 * Reads every credential as it is now and chooses the one to connect with: the one accepted last first, then the others
	 * in turn.
	 * @throws whatever kept the credentials from being read, when none could be
	 */
	async read(subscriptions: readonly Subscription[]): Promise<QueueAddress> {
		const { key, queue, onMoved } = this.options;
		const found = new Map<string, QueueAddress>();
		let failure: unknown = new ServiceError('cancelled', 'Every subscriber left');
		const asked = subscriptions.map(async (subscription) => await subscription.readAddress());
		const results = await Promise.allSettled(asked);
		for (const [index, result] of results.entries()) {
			const subscription = subscriptions[index]!;
			this.passwords.delete(subscription);
			if (result.status === 'rejected') failure = result.reason;
			else if (sessionKey(result.value, queue) !== key) onMoved(subscription);
			else {
				found.set(wayIn(result.value), result.value);
				this.passwords.set(subscription, result.value.password);
			}
		}
		const accepted = this.accepted && wayIn(this.accepted);
		const rank = (address: QueueAddress) => (wayIn(address) === accepted ? 0 : 1);
		const candidates = [...found.values()].sort((a, b) => rank(a) - rank(b));
		const chosen = candidates[this.turn % Math.max(1, candidates.length)];
		this.turn += 1;
		if (!chosen) throw failure;
		return chosen;
	}

	/** The broker accepted this one. Answers the subscribers that have not shown that they know the same password. */
	accept(address: QueueAddress, subscriptions: readonly Subscription[]): Subscription[] {
		this.turn = 0;
		this.accepted = address;
		return subscriptions.filter((subscription) => this.passwords.get(subscription) !== address.password);
	}

	get proven(): boolean {
		return this.accepted !== undefined;
	}

	/** A subscriber came with this credential. */
	knows(subscription: Subscription, { password }: QueueAddress): void {
		this.passwords.set(subscription, password);
	}

	/** True when the broker was convinced in another way: whoever comes with this one must prove it. */
	mustProve(address: QueueAddress): boolean {
		return this.accepted !== undefined && wayIn(this.accepted) !== wayIn(address);
	}
}

/** In what two addresses of one session may differ. */
function wayIn(address: QueueAddress): string {
	const { password, tls, caCertificate, clientCertificate, clientKey, passphrase, serverName } = address;
	return JSON.stringify([
		password,
		tls,
		...(tls ? [caCertificate, clientCertificate, clientKey, passphrase, serverName] : []),
	]);
}
