import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** An installed n8n: the program files and the Node.js that runs them. */
export interface N8nHost {
	version: string;
	folder: string;
	node: string;
	n8n: string;
}

const SETUP = join(__dirname, '..', 'setup', 'n8nHost.mjs');

/** The n8n of that version (default: the newest prepared one), installed when missing: seconds, or about 4 minutes once. */
export async function findHost(version?: string): Promise<N8nHost> {
	const args = version === undefined ? [SETUP] : [SETUP, version];
	const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
	const [answer, [code]] = await Promise.all([text(child.stdout), once(child, 'close')]);
	if (code !== 0) throw new Error('n8n could not be set up: see the message above');
	return JSON.parse(answer) as N8nHost;
}
