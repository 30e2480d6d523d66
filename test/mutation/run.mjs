#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { needProjectPackages, PROJECT } from '../../sandbox/setup/projectPackages.mjs';
import { describe } from '../../sandbox/setup/steps.mjs';

const HELP = `npm run test:mutation                                        every mutant of the service: a day
npm run test:mutation -- --mutate service/queue/lane.ts      those of a file, or of several: a.ts,b.ts
npm run test:mutation -- --mutate 'service/queue/**/*.ts' --sample 100
                                                             a hundred of them, and how far off their score may be
npm run test:mutation -- --sample 100 --seed 7               those of an earlier run
What else is given goes to StrykerJS: --concurrency 1, --force, --mutate FILE.ts:10-20 …
`;
const REPORT = join(PROJECT, '.sandbox', 'mutation', 'report.json');

/** Takes --name VALUE out of the arguments; the rest is StrykerJS's own. */
function taken(args, name) {
	const at = args.indexOf(`--${name}`);
	if (at === -1) return undefined;
	const [, value] = args.splice(at, 2);
	if (!/^\d+$/.test(value ?? '')) throw new Error(`--${name} wants a number.`);
	return value;
}

/** The rooms of the service that are changed, which their own tests judge; undefined where more may be, which all judge. */
function roomsOf(args) {
	const at = args.findIndex((arg) => ['-m', '--mutate'].includes(arg));
	const names = args[at + 1]?.split(',').map((file) => /^!?service\/(\w+)\//.exec(file)?.[1]);
	return at === -1 || names?.includes(undefined) ? undefined : names;
}

/** Wilson's, of 95 in 100 samples: it holds for a hundred of a hundred too. */
function margin(hits, count) {
	const z = 1.96;
	const share = hits / count;
	const middle = (share + z ** 2 / (2 * count)) / (1 + z ** 2 / count);
	const off =
		(z / (1 + z ** 2 / count)) * Math.sqrt((share * (1 - share)) / count + z ** 2 / (4 * count ** 2));
	return [middle - off, middle + off];
}

function verdict(report) {
	const all = Object.values(report.files).flatMap(({ mutants }) => mutants);
	const of = (...statuses) => all.filter(({ status }) => statuses.includes(status)).length;
	const noticed = of('Killed', 'Timeout');
	const judged = noticed + of('Survived', 'NoCoverage');
	const percent = (part) => (part * 100).toFixed(1);
	const score =
		judged > 0 ? `${noticed} of ${judged} noticed: ${percent(noticed / judged)} %` : 'none judged';
	const [low, high] = margin(noticed, judged);
	return judged === 0 || judged === all.length
		? score
		: `${score}; all ${all.length} are between ${percent(low)} and ${percent(high)} %`;
}

async function main() {
	const args = process.argv.slice(2);
	if (args.includes('--help')) return void process.stdout.write(HELP);
	const sample = taken(args, 'sample');
	const seed = taken(args, 'seed') ?? String(Date.now() % 2 ** 31);
	const rooms = roomsOf(args);
	await needProjectPackages();
	await rm(REPORT, { force: true });
	const child = spawn(
		process.execPath,
		[join(PROJECT, 'node_modules/@stryker-mutator/core/bin/stryker.js'), 'run', ...args],
		{
			cwd: PROJECT,
			stdio: 'inherit',
			env: {
				...process.env,
				...(rooms && { PARCEL_MUTATION_ROOMS: rooms.join() }),
				...(sample && { PARCEL_MUTATION_SAMPLE: sample, PARCEL_MUTATION_SEED: seed }),
			},
		},
	);
	process.exitCode = await new Promise((end) => child.once('close', (code) => end(code ?? 1)));
	const report = await readFile(REPORT, 'utf8').then(JSON.parse, () => undefined);
	if (report) process.stdout.write(`\n${verdict(report)}${sample ? `, seed ${seed}` : ''}\n`);
}

main().catch((error) => {
	process.stderr.write(`${describe(error)}\n`);
	process.exitCode = 1;
});
