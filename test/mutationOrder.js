const { default: Sequencer } = require('@jest/test-sequencer');

/** The nearest tests first: most mutants end at the first file that falls, and the dear ones are not begun. */
const NEARNESS = ['/test/service/', '/test/simulation/'];
const nearness = ({ path }) => NEARNESS.findIndex((folder) => path.includes(folder));

module.exports = class extends Sequencer {
	sort(tests) {
		return [...tests].sort((a, b) => nearness(a) - nearness(b) || a.path.localeCompare(b.path));
	}
};
