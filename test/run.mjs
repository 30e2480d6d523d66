#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { needDebianPackages } from '../sandbox/setup/debianPackages.mjs';
import { needN8n } from '../sandbox/setup/n8nHost.mjs';
import { needNode } from '../sandbox/setup/nodeVersion.mjs';
import { packPackage } from '../sandbox/setup/packedPackage.mjs';
import { needProjectPackages, PROJECT } from '../sandbox/setup/projectPackages.mjs';
import { describe, duration, step } from '../sandbox/setup/steps.mjs';

const HELP = `npm test                          everything: types, lint, build, and the tests below
npm test -- --only unit           one part or some: types, lint, unit, simulation, broker, host, workers,
                                  fuzz, errors, faults, scale, soak, builds
npm test -- test/service          only the tests under a path, or in a file
npm test -- test/service/model/folded.test.ts -t capital   one test, by a part of its name
npm test -- --only host --n8n 1.123.81   in an older n8n
npm test -- --only host --n8n-3-defaults   with the defaults of n8n 3 that this n8n knows; workers too
npm test -- --only unit -t login  what follows from the first unknown option on goes to jest

unit     no other process       broker  a private RabbitMQ
host     the packed package in a real n8n, with the editor in a browser
simulation  the trigger before models of n8n and the broker, with fixed seeds; more: npm run test:simulation
workers  n8n's queue mode in small, with PostgreSQL, Redis and a worker
fuzz     the tests in test/service, and test/nodes/*Fuzz and *Histories, with cases of their properties that
         npm test does not try; not part of "everything". --times 50 tries fifty times as many as npm test, --seed 7 those of an earlier run
errors   every error of the package, read in n8n's editor: not part of "everything"
faults   the long ones: not part of "everything"
scale    n8n's queue mode with two workers, in full: not part of "everything"
soak     ten minutes at work with faults on the way; not part of "everything". --minutes 60 makes it longer,
         --page writes docs/soak.md and its picture
builds   the package from every Node.js, the same byte for byte: not part of "everything"
`;

/** What each jest project needs set up, how long it may take at most (minutes), and how many of its files run side by side. */
const PROJECTS = {
	unit: { needs: [], minutes: 20 },
	simulation: { needs: [], minutes: 10 },
	// Each file has a broker of its own, and waits most of the time.
	broker: { needs: ['broker'], minutes: 15, sideBySide: 3 },
	host: { needs: ['broker', 'host'], minutes: 60 },
	workers: { needs: ['broker', 'host', 'queueMode'], minutes: 10 },
	fuzz: { needs: [], minutes: 60 },
	errors: { needs: ['broker', 'host'], minutes: 40 },
	faults: { needs: ['broker', 'host'], minutes: 90 },
	scale: { needs: ['broker', 'host', 'queueMode'], minutes: 60 },
	soak: { needs: ['broker', 'host'], minutes: 30 },
	builds: { needs: ['nodes'], minutes: 15 },
};
/** The newest of each Node.js the package is tested with. */
const NODES = ['20.20.2', '22.23.3', '24.21.0'];
const EVERYTHING = ['types', 'lint', 'unit', 'simulation', 'broker', 'host', 'workers'];
/** Folders of test/ that belong to a project of another name. */
const UNIT_FOLDERS = ['service', 'nodes', 'sandbox', 'release', 'house'];

const counts = { passed: 0, failed: 0, skipped: 0 };
const parts = [];

/** Runs one part, whatever became of the others; a failure is reported at the end as well. */
async function part(name, work) {
	const started = Date.now();
	process.stdout.write(`\n── ${name}\n`);
	let fine = false;
	try {
		fine = (await work()) !== false;
	} catch (error) {
		process.stderr.write(`${describe(error)}\n`);
	}
	parts.push({ name, fine, time: duration(Date.now() - started) });
	return fine;
}

/** Runs a program of node_modules with its output shown as it comes. @returns whether it ended well */
function run(script, args, { minutes = 10 } = {}) {
	return new Promise((finish) => {
		const child = spawn(process.execPath, [join(PROJECT, 'node_modules', script), ...args], {
			cwd: PROJECT,
			stdio: 'inherit',
		});
		const deadline = setTimeout(() => {
			process.stderr.write(`Ended: it took more than ${minutes} minutes.\n`);
			child.kill('SIGKILL');
		}, minutes * 60_000);
		child.once('error', () => finish(false));
		child.once('close', (code) => {
			clearTimeout(deadline);
			finish(code === 0);
		});
	});
}

async function jest(project, args) {
	const answer = join(PROJECT, '.sandbox', `jest-${project}-${process.pid}.json`);
	await mkdir(join(PROJECT, '.sandbox'), { recursive: true });
	const { needs, sideBySide } = PROJECTS[project];
	// Hosts want the machine for themselves.
	const alone = needs.length > 0 ? ['--runInBand'] : [];
	const width = sideBySide ? [`--maxWorkers=${sideBySide}`] : alone;
	const fine = await run(
		'jest/bin/jest.js',
		['--selectProjects', project, '--passWithNoTests', '--json', '--outputFile', answer, ...width, ...args],
		PROJECTS[project],
	);
	const result = await readFile(answer, 'utf8').then(JSON.parse, () => undefined);
	await rm(answer, { force: true });
	counts.passed += result?.numPassedTests ?? 0;
	counts.skipped += (result?.numPendingTests ?? 0) + (result?.numTodoTests ?? 0);
	// A file that could not even be loaded has no tests to count: it is one failure. So is a run that gave no answer.
	counts.failed += result ? result.numFailedTests + result.numRuntimeErrorTestSuites : 1;
	return fine;
}

function plan() {
	// From the first option that is not ours on, everything is jest's.
	const own = process.argv.slice(2);
	const foreign = own.findIndex(
		(arg, i) =>
			arg.startsWith('-') &&
			!/^--(only|n8n|n8n-3-defaults|minutes|page|seed|times|help)(=|$)/.test(arg) &&
			!['--only', '--n8n', '--minutes', '--seed', '--times'].includes(own[i - 1]),
	);
	const forJest = foreign === -1 ? [] : own.splice(foreign);
	const { values, positionals } = parseArgs({
		args: own,
		options: {
			only: { type: 'string' },
			n8n: { type: 'string' },
			'n8n-3-defaults': { type: 'boolean' },
			minutes: { type: 'string' },
			page: { type: 'boolean' },
			seed: { type: 'string' },
			times: { type: 'string' },
			help: { type: 'boolean' },
		},
		allowPositionals: true,
	});
	// Read by test/support/host/start.ts.
	if (values.n8n !== undefined) process.env.PARCEL_N8N_VERSION = values.n8n;
	// Read by sandbox/n8n/n8n3.ts.
	if (values['n8n-3-defaults']) process.env.PARCEL_N8N_3_DEFAULTS = 'yes';
	// Read by test/soak/soak.test.ts.
	if (values.minutes !== undefined) {
		process.env.PARCEL_SOAK_MINUTES = values.minutes;
		PROJECTS.soak.minutes = Number(values.minutes) + 20;
	}
	if (values.page) process.env.PARCEL_SOAK_PAGE = 'yes';
	if (values.only?.split(',').includes('fuzz')) {
		// Read by test/support/fuzz.ts. Said here, so that what failed can be tried again.
		const { seed = String(Date.now() % 2 ** 31), times = '20' } = values;
		Object.assign(process.env, { PARCEL_FUZZ_SEED: seed, PARCEL_FUZZ_TIMES: times });
		process.stdout.write(`The cases of --seed ${seed} --times ${times}\n`);
	}
	if (values.help) {
		process.stdout.write(HELP);
		process.exit(0);
	}
	const paths = positionals.map((path) => relative(PROJECT, resolve(path)));
	const projectOf = (path) => {
		const folder = path.split('/')[1] ?? '';
		return UNIT_FOLDERS.includes(folder) ? 'unit' : folder;
	};
	const ofPaths = [...new Set(paths.map(projectOf))];
	const chosen = values.only?.split(',') ?? (paths.length > 0 ? ofPaths : EVERYTHING);
	const elsewhere = paths.filter((path) => !path.startsWith('test/'));
	if (elsewhere.length > 0) {
		process.stderr.write(
			`"${elsewhere.join('", "')}" is not in test/. A file by a part of its name: npx jest ${elsewhere[0]}\n`,
		);
		process.exit(2);
	}
	const unknown = chosen.filter((name) => !EVERYTHING.includes(name) && !(name in PROJECTS));
	if (unknown.length > 0) {
		process.stderr.write(`There is no part "${unknown.join('", "')}".\n\n${HELP}`);
		process.exit(2);
	}
	return { chosen, forJest: [...paths, ...forJest] };
}

async function setUp(projects) {
	await needProjectPackages();
	const needs = new Set(projects.flatMap((project) => PROJECTS[project].needs));
	if (needs.has('broker')) await needDebianPackages('rabbitmq-server', 'openssl');
	if (needs.has('queueMode')) await needDebianPackages('postgresql', 'redis-server');
	if (needs.has('nodes')) {
		const programs = [];
		for (const version of NODES) programs.push([version, await needNode(version)]);
		// Read by test/builds.
		process.env.PARCEL_NODES = JSON.stringify(Object.fromEntries(programs));
	}
	if (needs.has('host')) {
		await needDebianPackages('chromium');
		await needN8n(process.env.PARCEL_N8N_VERSION || undefined);
	}
}

async function main() {
	const { chosen, forJest } = plan();
	const projects = Object.keys(PROJECTS).filter((name) => chosen.includes(name));
	await setUp(projects);
	if (chosen.includes('types')) await part('types', () => run('typescript/bin/tsc', ['--noEmit', '-p', '.']));
	if (chosen.includes('lint')) {
		await part('lint', () => run('eslint/bin/eslint.js', ['.']));
		await part('format', () => run('prettier/bin/prettier.cjs', ['--check', '--log-level=warn', '.']));
	}
	const inHost = projects.some((project) => PROJECTS[project].needs.includes('host'));
	const packed =
		!inHost || (await part('build and pack', () => step('The package', packPackage).then(() => true)));
	for (const project of projects) {
		if (PROJECTS[project].needs.includes('host') && !packed) continue;
		await part(`${project} tests`, () => jest(project, forJest));
	}

	const nothingRan = projects.length > 0 && counts.passed + counts.failed === 0;
	process.stdout.write('\n');
	for (const { name, fine, time } of parts) process.stdout.write(`${fine ? '✓' : '✗'} ${name}  ${time}\n`);
	if (nothingRan) process.stdout.write('No test ran. What each part holds: npm test -- --help\n');
	process.exitCode = nothingRan || counts.failed > 0 || parts.some(({ fine }) => !fine) ? 1 : 0;
}

main()
	.catch((error) => {
		process.stderr.write(`\n${describe(error)}\n`);
		process.exitCode = 1;
	})
	.finally(() => {
		const { passed, failed, skipped } = counts;
		process.stdout.write(`\nTests: ${passed} passed, ${failed} failed, ${skipped} skipped\n`);
	});
