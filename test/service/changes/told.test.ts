import { RunsOfProcess, type ToldRun } from '../../../service/changes/told';

it('stores the sets of the newest runs alone, however many go on for hours', () => {
	const runs = new RunsOfProcess();
	let told: ToldRun[] = [];
	for (let look = 0; look < 200; look++) {
		told = runs.settle(told).open;
		const run = `run ${look}`;
		told.push({ run, sets: Array.from({ length: 500 }, (_, set) => 2 ** 47 + look * 500 + set) });
		runs.watch(run, new Promise(() => {}));
	}
	expect(JSON.stringify(told).length).toBeLessThan(150_000);
	expect(runs.settle(told).open.at(-1)?.run).toBe('run 199');
});

it('forgets the sets of a run that n8n could not store, however many other runs go on', async () => {
	const runs = new RunsOfProcess();
	const told: ToldRun[] = [{ run: 'lost', sets: [7] }];
	runs.watch('lost', Promise.reject(new Error('The database is away')));
	for (let run = 0; run < 20; run++) {
		told.push({ run: `run ${run}`, sets: Array.from({ length: 500 }, (_, set) => set) });
		runs.watch(`run ${run}`, new Promise(() => {}));
	}
	await new Promise((resolve) => setImmediate(resolve));
	expect(runs.settle(told).lost).toEqual([7]);
});
