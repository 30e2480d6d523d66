import { erlangBinary as bin, type BrokerControl } from './control';

/** Regular expressions over the names a user may configure, write to and read from. Default `.*`: everything. */
interface Permissions {
	configure?: string;
	write?: string;
	read?: string;
}

/** What the broker itself counts for one queue. */
interface QueueDepth {
	ready: number;
	/** Delivered to a consumer and not settled yet. */
	unacknowledged: number;
	consumers: number;
}

interface BrokerConnection {
	user: string;
	vhost: string;
	/** `running`, `blocked`, `blocking` … */
	state: string;
	channels: number;
	/** The client's own port: tells connections apart. */
	clientPort: number;
}

interface BrokerConsumer {
	queue: string;
	tag: string;
	prefetch: number;
}

export interface QueueOptions {
	/** Classic, unless told otherwise. */
	type?: 'classic' | 'quorum';
	/** Of a quorum queue: how often a message may be given back. */
	deliveryLimit?: number;
	vhost?: string;
	/** Where rejected messages go. Default: they are dropped. */
	deadLetterQueue?: string;
}

/** What an administrator does, without the seconds that each `rabbitmqctl` call costs. */
export interface BrokerAdministration {
	addVhost(vhost: string): Promise<void>;
	deleteVhost(vhost: string): Promise<void>;
	/** With all rights in `vhost` (default `/`); `null`: with none anywhere. */
	addUser(user: string, password: string, vhost?: string | null): Promise<void>;
	setPermissions(user: string, vhost: string, permissions?: Permissions): Promise<void>;
	clearPermissions(user: string, vhost: string): Promise<void>;
	changePassword(user: string, password: string): Promise<void>;
	/** The broker also closes the user's connections, as it does for `rabbitmqctl delete_user`. */
	deleteUser(user: string): Promise<void>;
	/** A durable classic queue. */
	declareQueue(queue: string, options?: QueueOptions): Promise<void>;
	deleteQueue(queue: string, vhost?: string): Promise<void>;
	purgeQueue(queue: string, vhost?: string): Promise<void>;
	queueDepth(queue: string, vhost?: string): Promise<QueueDepth>;
	/** Those it takes connections at. */
	listeningPorts(): Promise<number[]>;
	connections(): Promise<BrokerConnection[]>;
	consumers(vhost?: string): Promise<BrokerConsumer[]>;
	/** Closes every client connection from the broker's side (CONNECTION_FORCED), with `reason`. */
	closeConnections(reason?: string): Promise<void>;
	/** While on, connections that publish are blocked (`connection.blocked`), as when memory runs out. */
	memoryAlarm(on: boolean): Promise<void>;
}

const WHO = bin('sandbox');
const queueName = (queue: string, vhost: string) => `rabbit_misc:r(${bin(vhost)}, queue, ${bin(queue)})`;

/** Calls the same functions of RabbitMQ 3.10 as its `rabbitmqctl` commands of the same names. */
export function administrationOver({ evaluate }: BrokerControl): BrokerAdministration {
	const run = async (expression: string) => void (await evaluate(expression));
	const json = async <T>(expression: string) =>
		JSON.parse(await evaluate(`rabbit_json:encode(${expression})`)) as T;
	const withQueue = (queue: string, vhost: string, body: string) =>
		`case rabbit_amqqueue:lookup(${queueName(queue, vhost)}) of {ok, Q} -> ${body}; Missing -> Missing end`;
	const setPermissions = async (user: string, vhost: string, permissions: Permissions = {}) => {
		const { configure = '.*', write = '.*', read = '.*' } = permissions;
		const rights = [configure, write, read].map(bin).join(', ');
		await run(`rabbit_auth_backend_internal:set_permissions(${bin(user)}, ${bin(vhost)}, ${rights}, ${WHO})`);
	};

	return {
		addVhost: (vhost) => run(`rabbit_vhost:add(${bin(vhost)}, ${WHO})`),
		deleteVhost: (vhost) => run(`rabbit_vhost:delete(${bin(vhost)}, ${WHO})`),
		addUser: async (user, password, vhost = '/') => {
			await run(`rabbit_auth_backend_internal:add_user(${bin(user)}, ${bin(password)}, ${WHO})`);
			if (vhost !== null) await setPermissions(user, vhost);
		},
		setPermissions,
		clearPermissions: (user, vhost) =>
			run(`rabbit_auth_backend_internal:clear_permissions(${bin(user)}, ${bin(vhost)}, ${WHO})`),
		changePassword: (user, password) =>
			run(`rabbit_auth_backend_internal:change_password(${bin(user)}, ${bin(password)}, ${WHO})`),
		deleteUser: (user) => run(`rabbit_auth_backend_internal:delete_user(${bin(user)}, ${WHO})`),
		declareQueue: async (queue, { vhost = '/', deadLetterQueue, type, deliveryLimit } = {}) => {
			const text = (name: string, value: string) => `{${bin(name)}, longstr, ${bin(value)}}`;
			const arguments_ = [
				...(deadLetterQueue === undefined
					? []
					: [text('x-dead-letter-exchange', ''), text('x-dead-letter-routing-key', deadLetterQueue)]),
				...(type === undefined ? [] : [text('x-queue-type', type)]),
				...(deliveryLimit === undefined ? [] : [`{${bin('x-delivery-limit')}, long, ${deliveryLimit}}`]),
			];
			await run(
				`rabbit_amqqueue:declare(${queueName(queue, vhost)}, true, false, [${arguments_.join(', ')}], none, ${WHO})`,
			);
			// Written at once: a broker that is killed within seconds would have no such queue afterwards.
			await run('mnesia:sync_log()');
		},
		deleteQueue: (queue, vhost = '/') =>
			run(withQueue(queue, vhost, `rabbit_amqqueue:delete(Q, false, false, ${WHO})`)),
		purgeQueue: (queue, vhost = '/') => run(withQueue(queue, vhost, 'rabbit_amqqueue:purge(Q)')),
		queueDepth: async (queue, vhost = '/') => {
			const counts = `rabbit_json:encode(rabbit_amqqueue:info(Q, [messages_ready, messages_unacknowledged, consumers]))`;
			const answer = JSON.parse(await evaluate(withQueue(queue, vhost, counts))) as Record<string, number>;
			return {
				ready: answer['messages_ready'] ?? 0,
				unacknowledged: answer['messages_unacknowledged'] ?? 0,
				consumers: answer['consumers'] ?? 0,
			};
		},
		listeningPorts: () => json<number[]>(`[element(6, L) || L <- rabbit_networking:active_listeners()]`),
		connections: async () =>
			(
				await json<{ user: string; vhost: string; state: string; channels: number; peer_port: number }[]>(
					`[I || I <- rabbit_networking:connection_info_all([user, vhost, state, channels, peer_port]), I =/= []]`,
				)
			).map(({ peer_port, ...rest }) => ({ ...rest, clientPort: peer_port })),
		consumers: (vhost = '/') =>
			json<BrokerConsumer[]>(
				`[#{queue => element(4, proplists:get_value(queue_name, C)), tag => proplists:get_value(consumer_tag, C),
				prefetch => proplists:get_value(prefetch_count, C)} || C <- rabbit_amqqueue:consumers_all(${bin(vhost)})]`,
			),
		closeConnections: (reason = 'closed by the administrator') =>
			run(`rabbit_networking:close_connections(rabbit_networking:connections(), ${JSON.stringify(reason)})`),
		memoryAlarm: (on) =>
			run(`vm_memory_monitor:set_vm_memory_high_watermark(${on ? '0.0000001' : '{absolute, 536870912}'})`),
	};
}
