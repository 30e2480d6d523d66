import { BEGINNING, Progress } from '../../../service/changes/progress';

const ofEarlierVersion = { ...BEGINNING, edited: undefined };

describe('progress that an earlier version stored', () => {
	it.each([
		['changes are left', { left: true }, true],
		['a pass catches up', { catchesUp: true, offset: 500 }, true],
		['a pass that caught up is over', { catchesUp: true }, false],
		['nothing was left', {}, false],
	])('where %s, says whether the filters may have been edited', (_name, changes, edited) =>
		expect(Progress.parse({ ...ofEarlierVersion, ...changes }).edited).toBe(edited),
	);

	it('is believed where it says so', () =>
		expect(Progress.parse({ ...BEGINNING, left: true, edited: false }).edited).toBe(false));
});
