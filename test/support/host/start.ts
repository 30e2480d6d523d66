import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { startBroker } from '../../../sandbox/broker/broker';
import type { BrokerAddress } from '../../../sandbox/broker/client';
import { startN8n } from '../../../sandbox/n8n/n8n';
import type { Person } from '../../../sandbox/n8n/rest';
import { newFolder } from '../../../sandbox/setup/caches.mjs';

/** What the tests of this project share. Written as JSON into the environment: each test file is a world of its own. */
export interface SharedHost {
	n8nUrl: string;
	n8nVersion: string;
	/** Who owns that n8n. */
	owner: Person;
	n8nLogFile: string;
	/** Where n8n's file nodes may write. */
	filesFolder: string;
	broker: BrokerAddress;
}

export const SHARED_HOST = 'PARCEL_SHARED_HOST';

export const PACKED_PACKAGE = join(__dirname, '..', '..', '..', '.sandbox', 'package.tgz');

declare global {
	// Jest hands nothing else from its start to its end (stop.ts).
	var stopSharedHost: (() => Promise<void>) | undefined;
}

/** jest's globalSetup: one n8n with the packed package and one RabbitMQ for all tests of the project. */
export default async function start(): Promise<void> {
	if (!existsSync(PACKED_PACKAGE)) {
		throw new Error('There is no packed package: run "npm test -- --only host", which makes it.');
	}
	const folder = await newFolder('host-');
	const version = process.env['PARCEL_N8N_VERSION'];
	// When one of them fails, the other ends with this process; its log stays to be read.
	const [broker, n8n] = await Promise.all([
		startBroker({ folder: join(folder, 'broker') }),
		startN8n({ folder: join(folder, 'n8n'), packageTarball: PACKED_PACKAGE, ...(version && { version }) }),
	]);
	globalThis.stopSharedHost = async () => {
		await Promise.all([n8n.kill(), broker.close()]);
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	};
	const shared: SharedHost = {
		n8nUrl: n8n.url,
		n8nVersion: n8n.version,
		owner: n8n.owner,
		n8nLogFile: n8n.logFile,
		filesFolder: n8n.filesFolder,
		broker: broker.address,
	};
	process.env[SHARED_HOST] = JSON.stringify(shared);
}
