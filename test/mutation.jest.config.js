const { projects } = require('../jest.config.js');

const project = (name) => projects.find(({ displayName }) => displayName === name);
const { displayName: _, ...unit } = project('unit');

// Read by test/simulation/simulation.test.ts.
process.env.PARCEL_SIMULATION_TESTS ??= '1';
// Read by test/support/fuzz.ts: a tenth of the cases of each property, for each of thousands of mutants.
process.env.PARCEL_FUZZ_TIMES ??= '0.1';

/** The tests of the service's rooms and the simulation, alone, as StrykerJS wants them: they judge the mutants. */
module.exports = {
	...unit,
	// The laws and the models themselves are not what is judged; those of the nodes take minutes, and judge the nodes.
	testMatch: ['<rootDir>/test/service/**/*.test.ts', '<rootDir>/test/simulation/simulation.test.ts'],
	rootDir: '..',
	testSequencer: '<rootDir>/test/mutationOrder.js',
	bail: 1,
	testTimeout: 10_000,
};
