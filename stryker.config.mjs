/**
 * Changes the code in small ways and looks whether a test notices: `npm run test:mutation -- --help`. What was found is
 * remembered until code or test change.
 */
const sample = process.env.PARCEL_MUTATION_SAMPLE !== undefined;

export default {
	mutate: ['service/queue/**/*.ts', 'service/api/**/*.ts', 'service/model/**/*.ts'],
	testRunner: 'simulationFirst',
	plugins: [
		'@stryker-mutator/jest-runner',
		'./test/mutation/simulationFirst.mjs',
		'./test/mutation/sample.mjs',
	],
	checkers: sample ? ['sample'] : [],
	jest: { projectType: 'custom', configFile: 'test/mutation/jest.config.js' },
	coverageAnalysis: 'perTest',
	concurrency: 2,
	dryRunTimeoutMinutes: 60,
	// A loaded machine must not take for killed what is only slow.
	timeoutMS: 20_000,
	timeoutFactor: 2,
	// Those that are not in a sample were not judged.
	incremental: !sample,
	incrementalFile: '.sandbox/mutation/known.json',
	tempDirName: '.sandbox/mutation/copies',
	reporters: ['clear-text', 'progress-append-only', 'json', 'html'],
	jsonReporter: { fileName: '.sandbox/mutation/report.json' },
	htmlReporter: { fileName: '.sandbox/mutation/report.html' },
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	ignorePatterns: ['artifacts', 'dist', 'docs/pictures', 'bench', 'test/host', 'test/soak'],
};
