const { TestEnvironment } = require('jest-environment-node');
const { aMutantIsJudged, timesOf } = require('./testTimes.js');

/** A test has fallen that takes so many times as long as without a mutant, and a while more: a machine has better and worse moments. */
const TIMES = 5;
const WHILE_MS = 5_000;

const nameOf = ({ name, parent }) => (parent?.parent ? `${nameOf(parent)} ${name}` : name);

/** Waits for no test for long, and begins no further one of a file in which one has fallen: the mutant is dead. */
module.exports = class FirstFall extends TestEnvironment {
	#fallen = false;
	#times = {};

	constructor(config, context) {
		super(config, context);
		if (aMutantIsJudged())
			this.#times = timesOf(config.projectConfig.rootDir).get(context.testPath)?.tests ?? {};
	}

	handleTestEvent({ name, test }) {
		if (name === 'test_done' && test.errors.length > 0) this.#fallen = true;
		if (name !== 'test_start') return;
		if (this.#fallen) test.mode = 'skip';
		const ms = this.#times[nameOf(test)];
		if (ms !== undefined) test.timeout = TIMES * ms + WHILE_MS;
	}
};
