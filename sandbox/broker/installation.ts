import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The scripts that run as whoever calls them; those in /usr/sbin change to the user `rabbitmq` (Debian). */
export const RABBITMQ_SCRIPTS = '/usr/lib/rabbitmq/bin';

/** Certificate files (PEM) for the TLS listener. */
export interface ServerCertificate {
	caFile: string;
	certificateFile: string;
	keyFile: string;
	/** Refuse clients without a certificate of this CA. Default false. */
	clientCertificateNeeded?: boolean;
}

interface InstallationPlan {
	folder: string;
	name: string;
	ports: { amqp: number; tls?: number; distribution: number; epmd: number };
	tls?: ServerCertificate;
	/** Of the administrator of a new one. */
	password: string;
	/** Further lines of rabbitmq.conf, such as `{ consumer_timeout: '60000' }`. */
	settings?: Record<string, string>;
}

/** The first user: may do everything, in the virtual host `/` from the start. */
export const ADMINISTRATOR = 'admin';

/** Writes everything a private RabbitMQ node needs under `plan.folder`. @returns the environment of all its processes */
export async function writeInstallation(plan: InstallationPlan): Promise<NodeJS.ProcessEnv> {
	const { folder, ports } = plan;
	await mkdir(join(folder, 'log'), { recursive: true });
	const cookie = join(folder, '.erlang.cookie');
	if (!existsSync(cookie)) await writeFile(cookie, randomBytes(20).toString('hex'), { mode: 0o400 });
	await writeFile(join(folder, 'enabled_plugins'), '[].\n');
	await writeFile(join(folder, 'rabbitmq.conf'), configuration(plan), { mode: 0o600 });
	return {
		PATH: process.env['PATH'],
		LANG: 'C.UTF-8',
		HOME: folder,
		ERL_EPMD_PORT: String(ports.epmd),
		ERL_EPMD_ADDRESS: '127.0.0.1',
		// Makes the script become the Erlang process, so that a signal to its id reaches the broker itself.
		RUNNING_UNDER_SYSTEMD: '1',
		RABBITMQ_NODENAME: plan.name,
		RABBITMQ_DIST_PORT: String(ports.distribution),
		RABBITMQ_CONF_ENV_FILE: join(folder, 'rabbitmq-env.conf'),
		RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
		RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'enabled_plugins'),
		RABBITMQ_MNESIA_BASE: join(folder, 'data'),
		RABBITMQ_LOG_BASE: join(folder, 'log'),
		RABBITMQ_PID_FILE: join(folder, 'pid'),
		RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
	};
}

function configuration({ ports, password, tls, settings = {} }: InstallationPlan): string {
	const lines: Record<string, string | number | boolean> = {
		'listeners.tcp.local': `127.0.0.1:${ports.amqp}`,
		default_user: ADMINISTRATOR,
		default_pass: password,
		'disk_free_limit.absolute': '50MB',
		'vm_memory_high_watermark.absolute': '512MB',
		...settings,
	};
	if (tls !== undefined && ports.tls !== undefined) {
		lines['listeners.ssl.local'] = `127.0.0.1:${ports.tls}`;
		lines['ssl_options.cacertfile'] = tls.caFile;
		lines['ssl_options.certfile'] = tls.certificateFile;
		lines['ssl_options.keyfile'] = tls.keyFile;
		lines['ssl_options.verify'] = tls.clientCertificateNeeded ? 'verify_peer' : 'verify_none';
		lines['ssl_options.fail_if_no_peer_cert'] = tls.clientCertificateNeeded ?? false;
	}
	return Object.entries(lines)
		.map(([key, value]) => `${key} = ${value}\n`)
		.join('');
}
