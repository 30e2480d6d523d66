import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { administrationOver, type BrokerAdministration } from './administration';
import { startControl } from './control';
import { ADMINISTRATOR, RABBITMQ_SCRIPTS } from './installation';

/** How another process finds a running broker. It can be written as JSON. */
export interface BrokerAddress {
	name: string;
	env: NodeJS.ProcessEnv;
	port: number;
	/** Of the administrator. */
	password: string;
	/** Undefined without `tls`. */
	tlsPort?: number;
}

/** A broker that runs, seen by whoever administers it. */
export interface BrokerClient extends BrokerAdministration {
	readonly address: BrokerAddress;
	readonly port: number;
	/** Undefined without `tls`. */
	readonly tlsPort: number | undefined;
	/** `amqp(s)://` address of a virtual host; default: the administrator's, in `/`. */
	url(options?: { user?: string; password?: string; vhost?: string; tls?: boolean }): string;
	/** Runs `rabbitmqctl` (a second or two each). @returns what it printed */
	ctl(...args: string[]): Promise<string>;
	/** Evaluates an Erlang expression inside the broker (milliseconds). */
	evaluate(expression: string): Promise<string>;
	/** Lets go of it. */
	close(): Promise<void>;
}

/** Opens the administrator's access to a broker, from any process of this machine. */
export function connectBroker(address: BrokerAddress): BrokerClient {
	const { name, env } = address;
	const control = startControl(name, env);
	return {
		...administrationOver(control),
		address,
		port: address.port,
		tlsPort: address.tlsPort,
		url: ({ user = ADMINISTRATOR, password = address.password, vhost = '/', tls } = {}) => {
			const login = `${encodeURIComponent(user)}:${encodeURIComponent(password)}`;
			const [scheme, port] = tls ? ['amqps', address.tlsPort] : ['amqp', address.port];
			return `${scheme}://${login}@127.0.0.1:${port}/${encodeURIComponent(vhost)}`;
		},
		ctl: async (...args) => {
			const command = [join(RABBITMQ_SCRIPTS, 'rabbitmqctl'), ['--node', name, '--quiet', ...args]] as const;
			return (await promisify(execFile)(...command, { env, timeout: 30_000 })).stdout;
		},
		evaluate: (expression) => control.evaluate(expression),
		close: () => control.close(),
	};
}
