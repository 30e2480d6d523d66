const { projects } = require('../jest.config.js');

const project = (name) => projects.find(({ displayName }) => displayName === name);
const { displayName: _, ...unit } = project('unit');

// Read by test/simulation/simulation.test.ts.
process.env.PARCEL_SIMULATION_TESTS ??= '1';

/** The tests without a process beside jest, alone, as StrykerJS wants them: they judge the mutants. */
module.exports = {
	...unit,
	testMatch: [...unit.testMatch, ...project('simulation').testMatch],
	rootDir: '..',
	testTimeout: 10_000,
};
