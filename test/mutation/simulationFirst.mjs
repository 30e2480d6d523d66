import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { strykerPlugins as ofJest } from '@stryker-mutator/jest-runner';
import { build } from 'esbuild';

/** Longer histories judge nobody: a handful of them takes as long as all others, which tell the same. */
const LONGEST_MS = 400;

/** Where the code that StrykerJS has changed looks which mutant is alive. */
const NAMESPACE = '__stryker__';

/** A history that takes so much of a core never ends. */
const LATE_MS = 15_000;
const LATE = Symbol('late');

const cpuMs = () => process.cpuUsage().user / 1_000;

async function inTime(history) {
	const beganAtMs = cpuMs();
	let timer;
	const late = new Promise((end) => {
		// On a busy machine it waits for its turn.
		const look = () => (cpuMs() - beganAtMs >= LATE_MS ? end(LATE) : wait());
		const wait = () => (timer = setTimeout(look, LATE_MS / 10));
		wait();
	});
	try {
		return await Promise.race([history, late]);
	} finally {
		clearTimeout(timer);
	}
}

/**
 * Judges by the simulation first, outside of jest, where a history takes milliseconds: by those that noticed most mutants
 * so far, then by the quickest, and no further than to the first that breaks a law. Who lives then is judged by jest.
 */
class SimulationFirst {
	#jest;
	#load;
	/** Names of histories, the quickest first. Another process may have seen them run. */
	#order = join(process.cwd(), '.sandbox', 'simulated.json');

	/** How many mutants each history has noticed: the next one is likely to be noticed by the same. */
	#noticed = new Map();

	constructor(jest) {
		this.#jest = jest;
	}

	capabilities() {
		return this.#jest.capabilities();
	}

	async init() {
		await this.#jest.init();
		const outfile = join(process.cwd(), '.sandbox', `simulated-${process.pid}.cjs`);
		await build({
			entryPoints: [join(process.cwd(), 'test', 'mutation', 'simulated.ts')],
			outfile,
			bundle: true,
			platform: 'node',
			target: 'node20',
			external: ['n8n-workflow', 'n8n-core', 'amqplib'],
			logLevel: 'error',
		});
		const require = createRequire(outfile);
		// Anew each time: what is made while a module is loaded may be what a mutant changes.
		this.#load = (namespace) => {
			globalThis[NAMESPACE] = namespace;
			delete require.cache[outfile];
			return require(outfile);
		};
	}

	async dryRun(options) {
		const result = await this.#jest.dryRun(options);
		if (result.status !== 'complete') return result;
		const namespace = {};
		const { NAMES, fall } = this.#load(namespace);
		const quick = [];
		for (const name of NAMES) {
			namespace.currentTestId = name;
			const [began, beganMs] = [performance.now(), cpuMs()];
			const failureMessage = await fall(name);
			// Of a machine that does other work too it takes longer than it costs.
			const [timeSpentMs, costMs] = [performance.now() - began, cpuMs() - beganMs];
			if (failureMessage) result.tests.push({ id: name, name, timeSpentMs, status: 1, failureMessage });
			else if (costMs <= LONGEST_MS) quick.push({ id: name, name, timeSpentMs, status: 0 });
		}
		quick.sort((a, b) => a.timeSpentMs - b.timeSpentMs);
		await writeFile(this.#order, JSON.stringify(quick.map(({ id }) => id)));
		result.tests.push(...quick);
		const { static: loaded = {}, perTest = {} } = namespace.mutantCoverage ?? {};
		const known = result.mutantCoverage;
		for (const { id } of quick) if (perTest[id]) known.perTest[id] = perTest[id];
		for (const [id, hits] of Object.entries(loaded)) known.static[id] = (known.static[id] ?? 0) + hits;
		return result;
	}

	async mutantRun(options) {
		const { activeMutant, testFilter, hitLimit } = options;
		const simulated = JSON.parse(await readFile(this.#order, 'utf8'));
		const meet = testFilter ? simulated.filter((name) => testFilter.includes(name)) : simulated;
		const noticed = (name) => this.#noticed.get(name) ?? 0;
		meet.sort((a, b) => noticed(b) - noticed(a));
		if (meet.length > 0) {
			const namespace = { activeMutant: activeMutant.id, hitLimit, hitCount: hitLimit && 0 };
			const { fall } = this.#load(namespace);
			for (const [index, name] of meet.entries()) {
				const failureMessage = await inTime(fall(name).catch(String));
				if (failureMessage === LATE || namespace.hitCount > hitLimit) {
					// Whatever still goes on ends where it meets a mutant.
					Object.assign(namespace, { hitCount: 0, hitLimit: -1 });
					return { status: 'timeout', reason: `it goes in circles: ${name}` };
				}
				if (!failureMessage) continue;
				this.#noticed.set(name, noticed(name) + 1);
				return { status: 'killed', killedBy: [name], failureMessage, nrOfTests: index + 1 };
			}
		}
		const rest = testFilter?.filter((id) => !simulated.includes(id));
		if (rest?.length === 0) return { status: 'survived', nrOfTests: meet.length };
		return await this.#jest.mutantRun({ ...options, testFilter: rest });
	}

	async dispose() {
		await this.#jest.dispose?.();
	}
}

// Set by run.mjs. What the simulation runs is the queue.
const isJudged = process.env.PARCEL_MUTATION_ROOMS?.split(',').includes('queue') ?? true;

const [{ factory: jestRunner }] = ofJest;
const simulationFirst = (injector) => {
	const jest = injector.injectFunction(jestRunner);
	return isJudged ? new SimulationFirst(jest) : jest;
};
simulationFirst.inject = ['$injector'];

export const strykerPlugins = [{ kind: 'TestRunner', name: 'simulationFirst', factory: simulationFirst }];
