import { simulationClock } from './clock';

it('calls in order of time, then of asking, with all that promises bring in between', async () => {
	const clock = simulationClock(1_000);
	const told: string[] = [];
	const tell = (what: string) => () => void told.push(`${clock.now()} ${what}`);
	clock.after(20, tell('late'));
	clock.after(10, () => {
		tell('first')();
		void Promise.resolve()
			.then(() => Promise.resolve())
			.then(tell('its promise'));
		clock.after(0, tell('asked at once'));
	});
	clock.after(10, tell('second'));
	clock.after(10, tell('taken back'))();
	expect(clock.pending).toBe(3);
	await clock.advance(15);
	expect(told).toEqual(['1010 first', '1010 its promise', '1010 second', '1010 asked at once']);
	expect([clock.now(), clock.pending]).toEqual([1_015, 1]);
	await clock.advance(5);
	expect(told.at(-1)).toBe('1020 late');
});

it('lets what was put off to the next turn happen before time moves', async () => {
	const clock = simulationClock(0);
	const told: number[] = [];
	clock.after(1, () => setImmediate(() => clock.after(1, () => told.push(clock.now()))));
	clock.after(50, () => told.push(clock.now()));
	await clock.advance(100);
	expect(told).toEqual([2, 50]);
});

it('stops as soon as a condition holds', async () => {
	const clock = simulationClock(0);
	let calls = 0;
	const again = () => {
		calls += 1;
		clock.after(7, again);
	};
	again();
	expect(await clock.advanceUntil(() => calls === 4, 1_000)).toBe(true);
	expect(clock.now()).toBe(21);
	expect(await clock.advanceUntil(() => calls === 4_000, 100)).toBe(false);
	expect(clock.now()).toBe(121);
});

it('keeps thousands of calls in order, most of them taken back', async () => {
	const clock = simulationClock(0);
	const told: number[] = [];
	const delays = Array.from({ length: 5_000 }, (_, index) => (index * 7_919) % 5_003);
	const cancels = delays.map((delay) => clock.after(delay, () => told.push(delay)));
	cancels.forEach((cancel, index) => index % 5 !== 0 && cancel());
	expect(clock.pending).toBe(1_000);
	await clock.advance(5_003);
	expect(told).toEqual(delays.filter((_, index) => index % 5 === 0).sort((a, b) => a - b));
	expect(clock.pending).toBe(0);
});

it('does not go in a circle for ever', async () => {
	const clock = simulationClock(0);
	const again = () => void clock.after(0, again);
	again();
	await expect(clock.advance(1)).rejects.toThrow('circle');
}, 60_000);
