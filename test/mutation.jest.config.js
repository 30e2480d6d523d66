const { projects } = require('../jest.config.js');

const project = (name) => projects.find(({ displayName }) => displayName === name);
const { displayName: _, ...unit } = project('unit');

// Read by test/simulation/simulation.test.ts.
process.env.PARCEL_SIMULATION_TESTS ??= '1';

/** The tests without a process beside jest, alone, as StrykerJS wants them: they judge the mutants. */
module.exports = {
	...unit,
	// The laws and the models themselves are not what is judged.
	testMatch: [...unit.testMatch, '<rootDir>/test/simulation/simulation.test.ts'],
	rootDir: '..',
	testSequencer: '<rootDir>/test/mutationOrder.js',
	bail: 1,
	testTimeout: 10_000,
};
