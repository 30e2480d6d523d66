#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { newFolder } from '../sandbox/setup/caches.mjs';
import { needDebianPackages } from '../sandbox/setup/debianPackages.mjs';
import { needN8n } from '../sandbox/setup/n8nHost.mjs';
import { PACKED_PACKAGE, packPackage } from '../sandbox/setup/packedPackage.mjs';
import { needProjectPackages, PROJECT } from '../sandbox/setup/projectPackages.mjs';
import { describe, duration, SetupProblem, step } from '../sandbox/setup/steps.mjs';
import { readTypeScript } from '../sandbox/setup/typescript.mjs';

/** What each bench needs beside n8n. */
const BENCHES = {
	client: { packages: ['openssl'] },
	trigger: { packages: ['rabbitmq-server'] },
	scale: { packages: ['rabbitmq-server', 'postgresql', 'redis-server'] },
};

const HELP = `npm run bench                 everything: ${Object.keys(BENCHES).join(', ')}
npm run bench -- client       this package's action node beside n8n's HTTP Request node
npm run bench -- trigger      this package's trigger beside n8n's RabbitMQ Trigger
npm run bench -- scale        both triggers in queue mode, with 1, 2 and 4 workers
npm run bench -- client --only plain,tls   only these pieces; the page keeps the others as measured last
npm run bench -- --quick      fewer rounds and smaller work; writes no page and no picture
npm run bench -- --print      prints only; writes no page and no picture
npm run bench -- --packed     the package as it was packed last, not built again

A full run takes about 15 minutes for each and needs a machine that does nothing else.
`;

function readOptions() {
	const flag = { type: 'boolean', default: false };
	try {
		const { values, positionals } = parseArgs({
			allowPositionals: true,
			options: {
				help: { ...flag, short: 'h' },
				quick: flag,
				print: flag,
				packed: flag,
				only: { type: 'string' },
			},
		});
		const names = positionals.length > 0 ? positionals : Object.keys(BENCHES);
		const unknown = names.find((name) => !Object.hasOwn(BENCHES, name));
		if (unknown !== undefined) throw new Error(`There is no bench "${unknown}".`);
		return { ...values, names };
	} catch (error) {
		throw new SetupProblem(`${error.message.split('. ')[0]}\n"npm run bench -- --help" shows what there is.`);
	}
}

/** As the project's check of the format wants it. */
async function tidy(path, text) {
	const { format, resolveConfig } = await import('prettier');
	return await format(text, { ...(await resolveConfig(path)), filepath: path });
}

/**
 * Runs one bench: `bench/<name>.ts` exports `bench(options)`, which measures and hands back a Report (report.ts).
 * Its picture and its page go to docs/bench-<name>.svg and .md.
 */
async function run(name, { quick, print, only }, require) {
	const started = Date.now();
	const { bench } = require(`./${name}.ts`);
	const { asMarkdown, asText } = require('./table.ts');
	const { asPicture } = require('./picture.ts');
	const folder = await newFolder(`bench-${name}-`);
	try {
		const report = await bench({
			...{ quick, only, folder, step },
			keptFolder: dirname(PACKED_PACKAGE),
			packageTarball: PACKED_PACKAGE,
		});
		process.stdout.write(asText(report));
		const missing = report.missing ?? [];
		if (missing.length > 0) process.stdout.write(`Not measured yet: ${missing.join(', ')}\n`);
		if (!quick && !print && missing.length === 0) {
			const page = join(PROJECT, 'docs', `bench-${name}`);
			await writeFile(`${page}.svg`, asPicture(report));
			await writeFile(`${page}.md`, await tidy(`${page}.md`, asMarkdown(report, `bench-${name}.svg`)));
		}
		process.stdout.write(`\n${name}: ${duration(Date.now() - started)}\n`);
	} finally {
		await rm(folder, { recursive: true, force: true, maxRetries: 5 });
	}
}

async function main() {
	const options = readOptions();
	if (options.help) return void process.stdout.write(HELP);
	await needProjectPackages();
	await needDebianPackages(...new Set(options.names.flatMap((name) => BENCHES[name].packages)));
	await needN8n();
	await readTypeScript();
	if (!options.packed || !existsSync(PACKED_PACKAGE)) {
		await step('The package, built and packed', (progress) => packPackage(progress));
	}
	for (const name of options.names) await run(name, options, createRequire(import.meta.url));
}

main().then(
	() => process.exit(0),
	(error) => {
		process.stderr.write(`\n${describe(error)}\n`);
		process.exit(1);
	},
);
