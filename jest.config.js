/** For what a test starts: see sandbox/setup/typescript.mjs. */
process.env.TSX_DISABLE_CACHE = '1';

const transform = {
	'^.+\\.(ts|js|mjs)$': [
		'@swc/jest',
		{ jsc: { target: 'es2022', parser: { syntax: 'typescript' } }, module: { type: 'commonjs' } },
	],
};

/** In jest, a look at a global costs some 300 ns in place of 1 unless a module is given it: those of hot loops, which no test replaces. */
const GLOBALS = ['Math', 'Number', 'Object', 'Array', 'JSON', 'Map', 'Set'];

const project = (displayName, folders) => ({
	displayName,
	testEnvironment: 'node',
	// Not below the system's temporary folder, under a name that everybody knows: jest runs what it finds there.
	cacheDirectory: '<rootDir>/.sandbox/jest',
	sandboxInjectedGlobals: GLOBALS,
	transform,
	modulePathIgnorePatterns: ['<rootDir>/(.sandbox|artifacts|dist)/'],
	transformIgnorePatterns: ['/node_modules/'],
	testMatch: folders.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts`),
});

/** The same cases of each property in each run: see the file. */
const properties = { setupFiles: ['<rootDir>/test/support/fuzz.ts'] };

/** Of what lies above the line, those with properties only: the others open sockets, and try the same each time. */
const fuzz = project('fuzz', ['service']);
fuzz.testMatch.push('<rootDir>/test/nodes/**/*{Fuzz,Histories}.test.ts');

/** In one n8n and one RabbitMQ for all its tests. */
const inSharedHost = (name) => ({
	...project(name, [name]),
	globalSetup: '<rootDir>/test/support/host/start.ts',
	globalTeardown: '<rootDir>/test/support/host/stop.ts',
});

/** unit: no process beside jest. fuzz: its properties, with more cases and others. simulation: the trigger before models of n8n and the broker. broker: a private RabbitMQ. host: the packed package in a real n8n. errors: every error in n8n's editor. faults: the long ones. workers: queue mode in small; scale: in full. soak: hours. builds: the package on every Node.js. */
module.exports = {
	// Jest reads this here only, not inside a project. A loaded machine is slow; nothing is measured by it.
	maxWorkers: '100%',
	testTimeout: 60_000 * Number(process.env.PARCEL_FUZZ_TIMES ?? 1),
	projects: [
		{ ...project('unit', ['service', 'nodes', 'sandbox', 'release', 'house']), ...properties },
		// The same files once more: not when jest is called by hand.
		...(process.env.PARCEL_FUZZ_TIMES ? [{ ...fuzz, ...properties }] : []),
		project('simulation', ['simulation']),
		project('broker', ['broker']),
		inSharedHost('host'),
		inSharedHost('errors'),
		project('faults', ['faults']),
		project('workers', ['workers']),
		project('scale', ['scale']),
		project('soak', ['soak']),
		project('builds', ['builds']),
	],
};
