import { createHash } from 'node:crypto';
import { relative } from 'node:path';

// Set by run.mjs, for the process that this runs in too.
const { PARCEL_MUTATION_SAMPLE: size, PARCEL_MUTATION_SEED: seed } = process.env;

/** The same for the same mutant, whatever else was changed: a sample is drawn anew only where the code is new. */
const lot = ({ fileName, location: { start, end }, replacement }) =>
	createHash('sha256')
		.update(JSON.stringify([seed, relative('.', fileName), start, end, replacement]))
		.digest('hex');

const sample = {
	async init() {},
	/** All at once: how many there are is to be known. */
	async group(mutants) {
		return mutants.length > 0 ? [mutants.map(({ id }) => id)] : [];
	},
	async check(mutants) {
		const lots = mutants.map((mutant) => [lot(mutant), mutant.id]).sort(([a], [b]) => (a < b ? -1 : 1));
		return Object.fromEntries(
			lots.map(([, id], place) => [
				id,
				place < Number(size)
					? { status: 'passed' }
					: // The one verdict that counts for no score.
						{ status: 'compileError', reason: 'not in the sample' },
			]),
		);
	},
};

export const strykerPlugins = [{ kind: 'Checker', name: 'sample', value: sample }];
