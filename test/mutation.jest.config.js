const { projects } = require('../jest.config.js');

const { displayName: _, ...unit } = projects.find(({ displayName }) => displayName === 'unit');

/** The tests without a process beside jest, alone, as StrykerJS wants them: they judge the mutants. */
module.exports = { ...unit, rootDir: '..', testTimeout: 10_000 };
