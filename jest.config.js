const transform = {
	'^.+\\.(ts|js|mjs)$': [
		'@swc/jest',
		{ jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
	],
};

const project = (displayName, folders) => ({
	displayName,
	testEnvironment: 'node',
	transform,
	modulePathIgnorePatterns: ['<rootDir>/(.sandbox|artifacts|dist)/'],
	transformIgnorePatterns: ['/node_modules/'],
	testMatch: folders.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`),
});

/** unit: no process beside jest. broker: a private RabbitMQ. host: the packed package in a real n8n. faults: the long ones. */
module.exports = {
	projects: [
		project('unit', ['service', 'nodes', 'sandbox']),
		project('broker', ['broker']),
		{
			...project('host', ['host']),
			globalSetup: '<rootDir>/test/host/support/start.ts',
			globalTeardown: '<rootDir>/test/host/support/stop.ts',
			testTimeout: 120_000,
		},
		{ ...project('faults', ['faults']), testTimeout: 600_000 },
	],
};
