const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');

/** StrykerJS names the mutant in it, and leaves it out while it sees which test meets which code. */
const aMutantIsJudged = () => process.env.__STRYKER_ACTIVE_MUTANT__ !== undefined;

const placeIn = (rootDir) => join(rootDir, '.sandbox', 'testTimes.json');

/** Of the run without a mutant: of each file its time in milliseconds, and that of each test by its whole name. */
const timesOf = (rootDir) => new Map(JSON.parse(readFileSync(placeIn(rootDir), 'utf8')));

function rememberTimes(rootDir, times) {
	mkdirSync(dirname(placeIn(rootDir)), { recursive: true });
	writeFileSync(placeIn(rootDir), JSON.stringify([...times]));
}

module.exports = { aMutantIsJudged, timesOf, rememberTimes };
