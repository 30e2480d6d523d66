#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { mkdir, rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { needProjectPackages, PROJECT } from '../../sandbox/setup/projectPackages.mjs';
import { describe } from '../../sandbox/setup/steps.mjs';

const HELP = `npm run test:simulation                          1,000 histories of a new seed
npm run test:simulation -- --histories 100000    so many; how far it got stands in the terminal once a minute
npm run test:simulation -- --seed 7              those of an earlier run; --histories 1 for this one alone
npm run test:simulation -- --processes 1         on one core
npm run test:simulation -- --stories 20          prints so many violations as stories; the others as a line
npm run test:simulation -- --example NAME        a named history, told as a story
`;

const { values } = parseArgs({
	options: {
		histories: { type: 'string', default: '1000' },
		seed: { type: 'string' },
		processes: { type: 'string' },
		stories: { type: 'string', default: '3' },
		example: { type: 'string' },
		help: { type: 'boolean', default: false },
	},
});

/** Between two words on how far it got. */
const PROGRESS_MS = 60_000;

/** One file: a history takes a millisecond or two, and its start must not take longer than thousands of them. */
async function bundled() {
	const { build } = await import('esbuild');
	const outfile = join(PROJECT, '.sandbox', `simulation-${process.pid}.cjs`);
	await mkdir(join(PROJECT, '.sandbox'), { recursive: true });
	await build({
		entryPoints: [join(PROJECT, 'test', 'simulation', 'main.ts')],
		outfile,
		bundle: true,
		platform: 'node',
		target: 'node20',
		// What the service has as its own is not what stands at the top.
		external: ['n8n-workflow', 'n8n-core', 'amqplib', 'fast-check'],
		logLevel: 'error',
		plugins: [decodedOnce],
	});
	return outfile;
}

/** A body that is delivered again is not read again: the `decode` of `decodedOnce.ts` stands before the service's own. */
const decodedOnce = {
	name: 'decoded once',
	setup(build) {
		build.onResolve({ filter: /^\.\/decode$/ }, () => ({
			path: join(PROJECT, 'test', 'simulation', 'decodedOnce.ts'),
		}));
	},
};

/** Every so-manieth history, in a process of its own. @param onProgress is told what it counted so far @returns what it counted */
function share(program, args, onProgress = () => {}) {
	return new Promise((finish) => {
		const child = spawn(process.execPath, [program, ...args], {
			cwd: PROJECT,
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		let answer;
		createInterface({ input: child.stdout }).on('line', (line) => {
			if (line.startsWith('counted ')) answer = JSON.parse(line.slice('counted '.length));
			else if (line.startsWith('so far ')) onProgress(JSON.parse(line.slice('so far '.length)));
			else process.stdout.write(`${line}\n`);
		});
		child.once('close', (code) => finish(code === 0 ? answer : undefined));
	});
}

async function main() {
	if (values.help) return void process.stdout.write(HELP);
	await needProjectPackages();
	const seed = Number(values.seed ?? Date.now() % 2 ** 31);
	const histories = Number(values.histories);
	const processes = Math.min(Number(values.processes ?? availableParallelism()), histories);
	if (
		![seed, histories, processes].every((number) => Number.isInteger(number) && number >= 0) ||
		histories < 1
	) {
		process.stderr.write(`--histories, --seed and --processes are whole numbers.\n\n${HELP}`);
		process.exitCode = 2;
		return;
	}
	const program = await bundled();
	try {
		if (values.example !== undefined) {
			const answer = await share(program, ['example', values.example]);
			process.exitCode = answer?.violations === 0 ? 0 : 1;
			return;
		}
		const began = performance.now();
		const soFar = Array.from({ length: processes }, () => ({ histories: 0, violations: 0 }));
		const total = (name, of) => of.reduce((sum, each) => sum + (each?.[name] ?? 0), 0);
		const progress = setInterval(() => {
			const done = total('histories', soFar);
			const minutes = (performance.now() - began) / 60_000;
			const left = done === 0 ? '' : `, about ${Math.ceil((minutes * (histories - done)) / done)} left`;
			process.stderr.write(
				`${done} of ${histories} histories, ${total('violations', soFar)} violations, ${Math.round(minutes)} minutes${left}\n`,
			);
		}, PROGRESS_MS);
		const shares = await Promise.all(
			Array.from({ length: processes }, (_, index) =>
				share(
					program,
					['histories', seed + index, histories, processes, values.stories].map(String),
					(counted) => (soFar[index] = counted),
				),
			),
		);
		clearInterval(progress);
		const sum = (name) => total(name, shares);
		const seconds = (performance.now() - began) / 1000;
		const pace = (name) => Math.round(sum(name) / seconds / processes);
		process.stdout.write(
			`${sum('events')} events sent, ${sum('deliveries')} deliveries, ${sum('runs')} runs in ${seconds.toFixed(1)} s; on each of ${processes} cores a second ${pace('events')} events, ${pace('deliveries')} deliveries, ${pace('runs')} runs\n`,
		);
		const broken = shares.some((each) => each === undefined);
		process.exitCode = broken || sum('violations') > 0 ? 1 : 0;
		if (broken) process.stderr.write('A part of the simulation ended before its time.\n');
		process.stdout.write(`${sum('histories')} histories, ${sum('violations')} violations, seed ${seed}\n`);
	} finally {
		await rm(program, { force: true });
	}
}

main().catch((error) => {
	process.stderr.write(`\n${describe(error)}\n`);
	process.exitCode = 1;
});
