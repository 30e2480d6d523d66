const { basename } = require('node:path');
const { default: TestRunner } = require('jest-runner');
const { aMutantIsJudged, rememberTimes, timesOf } = require('./testTimes.js');

const subject = (path) => basename(path).replace(/(\.test)?\.ts$/, '');

/**
 * One file after the other, up to the first that falls: the one of the mutant's name, then the quickest ones. A file of
 * which no test meets the mutant is not even loaded.
 */
module.exports = class NearestFirst extends TestRunner {
	async runTests(tests, watcher, options) {
		const { rootDir } = this._globalConfig;
		const times = new Map();
		let fallen = false;
		this.on('test-file-success', ([{ path }, { perfStats, testResults, numFailingTests }]) => {
			const named = testResults.map(({ fullName, duration }) => [fullName, duration ?? 0]);
			times.set(path, { ms: perfStats.runtime, tests: Object.fromEntries(named) });
			fallen ||= numFailingTests > 0;
		});
		this.on('test-file-failure', () => {
			fallen = true;
		});
		for (const test of aMutantIsJudged() ? this.#nearest(tests, timesOf(rootDir)) : tests) {
			if (fallen) break;
			await super.runTests([test], watcher, { ...options, serial: true });
		}
		if (!aMutantIsJudged()) rememberTimes(rootDir, times);
	}

	#nearest(tests, times) {
		const { nonFlagArgs: mutated, testNamePattern } = this._globalConfig;
		const meets = new RegExp(testNamePattern ?? '', 'i');
		const subjects = mutated.map(subject);
		const far = ({ path }) => (subjects.includes(subject(path)) ? 0 : 1);
		return tests
			.filter(({ path }) => Object.keys(times.get(path)?.tests ?? {}).some((name) => meets.test(name)))
			.sort((a, b) => far(a) - far(b) || times.get(a.path).ms - times.get(b.path).ms);
	}
};
