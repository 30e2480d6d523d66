#!/usr/bin/env node
import { rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { newFolder } from '../sandbox/setup/caches.mjs';
import { needDebianPackages } from '../sandbox/setup/debianPackages.mjs';
import { needN8n } from '../sandbox/setup/n8nHost.mjs';
import { PACKED_PACKAGE, packPackage } from '../sandbox/setup/packedPackage.mjs';
import { needProjectPackages } from '../sandbox/setup/projectPackages.mjs';
import { describe, step } from '../sandbox/setup/steps.mjs';
import { readTypeScript } from '../sandbox/setup/typescript.mjs';

/** `npm run pictures`: a sandbox of its own, the pictures of the pages in docs/ taken from it, and the end of it. */
async function main() {
	await needProjectPackages();
	await needDebianPackages('rabbitmq-server', 'openssl', 'chromium');
	await needN8n();
	await readTypeScript();
	const require = createRequire(import.meta.url);
	const { freePorts } = require('../sandbox/process/freePort.ts');
	const { startSandbox } = require('../sandbox/sandbox.ts');
	const { takePictures } = require('./pictures.ts');

	await step('The package, built and packed', (progress) => packPackage(progress));
	const folder = await newFolder('pictures-');
	const [n8n, control, service, queue, mail] = await freePorts(5);
	const ports = { n8n, control, service, queue, mail };
	let sandbox;
	try {
		sandbox = await startSandbox({ folder, ports, packageTarball: PACKED_PACKAGE, step });
		await step('The pictures', (progress) => takePictures(sandbox, progress));
	} finally {
		await sandbox?.close();
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	}
}

main().then(
	() => process.exit(0),
	(error) => {
		process.stderr.write(`\n${describe(error)}\n`);
		process.exit(1);
	},
);
