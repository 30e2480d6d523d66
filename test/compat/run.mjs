#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from '../../sandbox/setup/command.mjs';
import { needDebianPackages } from '../../sandbox/setup/debianPackages.mjs';
import { knownVersions, needN8n } from '../../sandbox/setup/n8nHost.mjs';
import { packPackage } from '../../sandbox/setup/packedPackage.mjs';
import { needProjectPackages, PROJECT } from '../../sandbox/setup/projectPackages.mjs';
import { describe, duration, SetupProblem, step } from '../../sandbox/setup/steps.mjs';
import { pageOf } from './page.mjs';

const HELP = `npm run test:compat                       the tests in a real n8n, in each prepared version; writes docs/compatibility.md
npm run test:compat -- --only 2.8.4       in one version or some (2.8.4,2.41.1); the page is written when each version has had its turn
npm run test:compat -- test/host/trigger.test.ts   these tests alone, in the place of their last results
`;

/** Needs the browser and no n8n: the same in every version. */
const WITHOUT_N8N = ['test/host/controlPage'];
/** One version takes about 20 on a machine that does nothing else. */
const DEADLINE_MINUTES = 60;

/** What came out in each version last, kept from one command to the next. */
const RESULTS = join(PROJECT, '.sandbox', 'compat');
const resultFile = (version) => join(RESULTS, `${version}.json`);

/** Runs the host tests in one version, all or those of some files. @returns each test's sentence and whether it held, in order */
async function testIn(version, files) {
	const answer = join(RESULTS, `jest-${version}.json`);
	await mkdir(RESULTS, { recursive: true });
	await rm(answer, { force: true });
	const jest = join(PROJECT, 'node_modules', 'jest', 'bin', 'jest.js');
	const args = ['--selectProjects', 'host', '--runInBand', '--json', '--outputFile', answer, ...files];
	args.push('--testPathIgnorePatterns', ...WITHOUT_N8N);
	await new Promise((resolve) => {
		const child = spawn(process.execPath, [jest, ...args], {
			cwd: PROJECT,
			stdio: ['ignore', 'ignore', 'inherit'],
			env: { ...process.env, PARCEL_N8N_VERSION: version },
			timeout: DEADLINE_MINUTES * 60_000,
			killSignal: 'SIGKILL',
		});
		child.once('error', resolve);
		child.once('close', resolve);
	});
	const result = await readFile(answer, 'utf8').then(JSON.parse, () => undefined);
	await rm(answer, { force: true });
	if (!result) throw new SetupProblem(`The tests in n8n ${version} gave no answer: see above.`);
	return result.testResults.flatMap(({ name, assertionResults }) => {
		const file = relative(PROJECT, name);
		// A file that could not be loaded has no tests: it is one that failed.
		if (assertionResults.length === 0) return [{ file, sentence: file, held: false }];
		return assertionResults.map(({ fullName, status }) => ({
			file,
			sentence: fullName,
			held: status === 'passed',
		}));
	});
}

/** The last results of a version with those of the files that have just run. */
async function merged(version, tests) {
	const last = await readFile(resultFile(version), 'utf8').then(JSON.parse, () => ({ tests: [] }));
	const files = new Set(tests.map(({ file }) => file));
	return [...last.tests.filter(({ file }) => !files.has(file)), ...tests];
}

/** From the last results; none while a version has not been run. */
async function writePage() {
	const files = (await knownVersions()).map(resultFile);
	const results = await Promise.all(files.map((file) => readFile(file, 'utf8').then(JSON.parse))).catch(
		() => [],
	);
	if (results.length === 0) return;
	const page = join(PROJECT, 'docs', 'compatibility.md');
	await writeFile(page, pageOf(results));
	const prettier = join(PROJECT, 'node_modules', 'prettier', 'bin', 'prettier.cjs');
	await runCommand(process.execPath, [prettier, '--write', page]);
}

async function main() {
	const { values, positionals } = parseArgs({
		options: { only: { type: 'string' }, help: { type: 'boolean' } },
		allowPositionals: true,
	});
	if (values.help) return void process.stdout.write(HELP);
	const versions = values.only?.split(',') ?? (await knownVersions());
	await needProjectPackages();
	await needDebianPackages('rabbitmq-server', 'openssl', 'chromium');
	const results = [];
	for (const version of versions) await needN8n(version);
	await step('The package', packPackage);
	for (const version of versions) {
		const started = Date.now();
		const { node } = await needN8n(version);
		const nodeVersion = (await runCommand(node, ['--version'])).output.trim().replace(/^v/, '');
		process.stdout.write(`\n── n8n ${version}, Node.js ${nodeVersion}\n`);
		const tests = await testIn(version, positionals);
		const all = positionals.length > 0 ? await merged(version, tests) : tests;
		await writeFile(resultFile(version), JSON.stringify({ version, nodeVersion, tests: all }));
		results.push(...tests);
		const held = tests.filter((test) => test.held).length;
		process.stdout.write(`${held} of ${tests.length} hold  ${duration(Date.now() - started)}\n`);
	}
	await writePage();
	const failed = results.filter(({ held }) => !held).length;
	process.stdout.write(`\nTests: ${results.length - failed} passed, ${failed} failed, 0 skipped\n`);
	process.exitCode = failed > 0 ? 1 : 0;
}

main().catch((error) => {
	process.stderr.write(`\n${describe(error)}\n`);
	process.exitCode = 1;
});
