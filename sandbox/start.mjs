#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { needDebianPackages } from './setup/debianPackages.mjs';
import { knownVersions, needN8n, NEWEST } from './setup/n8nHost.mjs';
import { PACKED_PACKAGE, packPackage } from './setup/packedPackage.mjs';
import { needProjectPackages, PROJECT } from './setup/projectPackages.mjs';
import { describe, duration, SetupProblem, step } from './setup/steps.mjs';
import { take } from './setup/turn.mjs';
import { readTypeScript } from './setup/typescript.mjs';

/** One for each n8n port: two sandboxes may run side by side. */
const folderOf = (ports, url) =>
	join(
		PROJECT,
		'.sandbox',
		'data',
		url ? `beside-${url.port || url.protocol.slice(0, -1)}` : String(ports.n8n),
	);

const RUNS_ALREADY =
	'The sandbox runs already: its addresses are in the window it was started in. For a second one, choose other ports: npm start -- --help';

const LEFT = 'The next start removes from n8n what this one made there.\n';

/**
 * n8n loads a node by a line of code that holds its path in quotes, and takes a list of folders with semicolons; npm, one with
 * colons. RabbitMQ's scripts take double quotes apart.
 */
const UNREADABLE = { own: /['":;]/, guest: /"/ };

const help =
	async () => `npm start                             everything for trying the package, on this machine alone
npm start -- --n8n-version <version>  ${(await knownVersions()).join(', ')}; default ${NEWEST}
npm start -- --keep-data              keep n8n's workflows, the queue and the files for the next start
N8N_API_KEY=<key> npm start -- --n8n http://127.0.0.1:5678
                                      beside an n8n that runs on this machine and has the package: makes its accounts and
                                      its workflow there, and removes them at the end. The key (n8n: Settings → n8n API)
                                      needs: credential:create, credential:delete, workflow:create, workflow:activate,
                                      workflow:deactivate, workflow:delete
             --api-key <key>          the same key, where nobody else can see which programs run on this machine
             --files-folder <folder>  where that n8n may write; default ~/.n8n-files/parcel-document-exchange
npm start -- --n8n-port 5678 --control-port 5680 --service-port 5681 --queue-port 5682 --mail-port 5683

Sets up what is missing first: once about 5 minutes and 2.5 GB, later seconds.
`;

function readOptions() {
	const port = { type: 'string' };
	try {
		return parseArgs({
			options: {
				help: { type: 'boolean', short: 'h' },
				'keep-data': { type: 'boolean' },
				'n8n-version': { type: 'string', default: NEWEST },
				n8n: { type: 'string' },
				'api-key': { type: 'string', default: process.env.N8N_API_KEY },
				'files-folder': { type: 'string' },
				'n8n-port': port,
				'control-port': port,
				'service-port': port,
				'queue-port': port,
				'mail-port': port,
			},
		}).values;
	} catch (error) {
		throw new SetupProblem(`${error.message.split('. ')[0]}. "npm start -- --help" shows what there is.`);
	}
}

function portsOf(options, PORTS) {
	const chosen = Object.keys(PORTS).map((name) => {
		const port = Number(options[`${name}-port`] ?? PORTS[name].port);
		if (!Number.isInteger(port) || port < 1 || port > 65535) {
			throw new SetupProblem(`--${name}-port takes a number from 1 to 65535.`);
		}
		return [name, port];
	});
	return Object.fromEntries(chosen);
}

/** With an n8n that runs already: its address and key, and the folder that both it and the control page see. */
function guestOf(options) {
	if (options.n8n === undefined) return {};
	const apiKey = options['api-key'];
	if (!apiKey) {
		throw new SetupProblem(
			'--n8n needs a key, in N8N_API_KEY or by --api-key: n8n makes one under Settings → n8n API. "npm start -- --help" says what it must be allowed to do.',
		);
	}
	const ownFolder = join(homedir(), '.n8n-files', 'parcel-document-exchange');
	return {
		otherN8n: { url: options.n8n, apiKey },
		outputFolder: resolve(options['files-folder'] ?? ownFolder),
	};
}

const ofOwner = ({ owner }) => (owner ? `     ${owner.email}, password ${owner.password}` : '');

const ending = (sandbox) =>
	sandbox.owner
		? 'Ctrl-C ends everything. The next start begins anew; npm start -- --keep-data goes on with what you built.'
		: 'Ctrl-C ends everything but n8n, and removes the workflow and the three accounts from it.';

function story(sandbox, time) {
	return `
Ready after ${time}.

  Control page   ${sandbox.controlUrl}
  n8n            ${sandbox.n8nUrl}${ofOwner(sandbox)}
  The workflow   ${sandbox.workflowUrl}
  The service    ${sandbox.serviceUrl}
  The queue      ${sandbox.queue}
  The files      ${sandbox.outputFolder}

1. Copy the address of the control page into the browser, and press "Sign" on a parcel.
2. Watch the event go to the queue, n8n fetch the PDFs, write the files and send one e-mail.
3. Open the workflow in n8n to see each step, or change it and publish it again.
4. Build one of your own: n8n has the accounts "Stand-in service", "Stand-in queue" and "Stand-in mail server".

${ending(sandbox)}
`;
}

/** Resolves at the first Ctrl-C or SIGTERM; a second one ends the process at once. */
function interrupted() {
	// A window that was closed, or a program behind a pipe that the same Ctrl-C has ended: there is still a lot to close.
	for (const out of [process.stdout, process.stderr]) out.on('error', () => {});
	return new Promise((resolve) => {
		for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
			process.on(signal, () => {
				resolve('interrupted');
				process.on(signal, () => process.exit(130));
			});
		}
	});
}

async function main() {
	const started = Date.now();
	const options = readOptions();
	if (options.help) return void process.stdout.write(await help());
	const { otherN8n, outputFolder } = guestOf(options);
	const [sign] = UNREADABLE[otherN8n ? 'guest' : 'own'].exec(PROJECT) ?? [];
	if (sign !== undefined) {
		throw new SetupProblem(
			`The sandbox cannot run in a path with the sign ${sign} : move this folder, ${PROJECT}.`,
		);
	}
	await needProjectPackages();
	await needDebianPackages('rabbitmq-server', 'openssl');
	if (!otherN8n) await needN8n(options['n8n-version']);

	// The rest is TypeScript: from here on the project's packages are there to read it.
	await readTypeScript();
	const { createRequire } = await import('node:module');
	const require = createRequire(import.meta.url);
	const { PORTS, takenPorts } = require('./ports.ts');
	const { startSandbox } = require('./sandbox.ts');
	const { addressOf, MADE_IN_N8N } = require('./n8n/guest.ts');

	const ports = portsOf(options, PORTS);
	const folder = folderOf(ports, otherN8n && addressOf(otherN8n.url));
	const ownPorts = Object.fromEntries(Object.entries(ports).filter(([name]) => name !== 'n8n' || !otherN8n));
	// Kept until this process ends: another one on its way up has not taken its ports yet, but it has its folder.
	if (!(await take(folder))) throw new SetupProblem(RUNS_ALREADY);
	const taken = await takenPorts(ownPorts);
	if (taken.length === Object.keys(ownPorts).length) throw new SetupProblem(RUNS_ALREADY);
	if (taken.length > 0) throw new SetupProblem(taken.join('\n'));
	if (!otherN8n) await step('The package, built and packed', (progress) => packPackage(progress));
	// A guest remembers there what it has to remove.
	if (!options['keep-data'] && !otherN8n) await rm(folder, { recursive: true, force: true });

	const interruption = interrupted();
	const starting = startSandbox({
		folder,
		ports,
		n8nVersion: options['n8n-version'],
		packageTarball: PACKED_PACKAGE,
		...(otherN8n && { otherN8n, outputFolder }),
		step,
	});
	starting.catch(() => undefined);
	const isLeft = () => otherN8n && existsSync(join(folder, MADE_IN_N8N));
	const sandbox = await Promise.race([starting, interruption]).catch((error) => {
		if (isLeft()) process.stderr.write(`\n${LEFT}`);
		throw error;
	});
	let reason = sandbox;
	if (sandbox !== 'interrupted') {
		process.stdout.write(story(sandbox, duration(Date.now() - started)));
		reason = await Promise.race([interruption, sandbox.ended]);
	}
	process.stdout.write(reason === 'interrupted' ? '\nClosing …\n' : '\nn8n has ended; closing the rest …\n');
	const troubles = (await (await starting.catch(() => undefined))?.close()) ?? [];
	if (isLeft()) {
		const reasons = troubles
			.filter(({ name }) => name === 'UnusableN8n')
			.map(({ message }) => `${message}\n`);
		process.stdout.write(`${reasons.join('')}${LEFT}`);
	} else if (!options['keep-data']) await rm(folder, { recursive: true, force: true });
	process.exit(reason === 'interrupted' ? 0 : 1);
}

main().catch((error) => {
	const isPlain = error.name === 'UnusableN8n';
	process.stderr.write(`\n${isPlain ? error.message : describe(error)}\n`);
	process.exit(1);
});
