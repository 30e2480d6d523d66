const { join } = require('node:path');
const { projects } = require('../../jest.config.js');

const project = (name) => projects.find(({ displayName }) => displayName === name);
const { displayName: _, ...unit } = project('unit');

// Read by test/support/fuzz.ts: a tenth of the cases of each property, for each of thousands of mutants.
process.env.PARCEL_FUZZ_TIMES ??= '0.1';

// Set by run.mjs.
const { PARCEL_MUTATION_ROOMS: rooms = '**' } = process.env;

/** The tests of the service's rooms, alone, as StrykerJS wants them: they judge the mutants, after the simulation (simulationFirst.mjs). */
module.exports = {
	...unit,
	rootDir: '../..',
	// Those of the nodes take minutes, and judge the nodes.
	testMatch: rooms.split(',').map((room) => `<rootDir>/test/service/${room}/**/*.test.ts`),
	// Those measure work, of which code that looks at each place whether it is the changed one does more, and take longest.
	testPathIgnorePatterns: ['/test/service/api/(bounds|doubling)\\.test\\.ts$'],
	setupFiles: [...unit.setupFiles, '<rootDir>/test/mutation/unshrunk.ts'],
	// StrykerJS turns jest's own bail off.
	runner: join(__dirname, 'nearestFirst.js'),
	testEnvironment: join(__dirname, 'firstFall.js'),
	// Of the run without a mutant; firstFall.js bounds the others.
	testTimeout: 120_000,
};
