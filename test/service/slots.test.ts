import { Slots } from '../../service/slots';

const never = new AbortController().signal;

it('runs so many at a time, in the order they came', async () => {
	const slots = new Slots(2);
	const begun: number[] = [];
	const ends: Array<() => void> = [];
	const task = (name: number) =>
		slots.use(never, async () => {
			begun.push(name);
			await new Promise<void>((end) => ends.push(end));
			return name;
		});
	const all = Promise.all([1, 2, 3, 4].map(task));
	const settle = () => new Promise((resolve) => setImmediate(resolve));
	await settle();
	expect(begun).toEqual([1, 2]);
	ends[1]!();
	await settle();
	expect(begun).toEqual([1, 2, 3]);
	for (const end of ends) end();
	await settle();
	for (const end of ends) end();
	expect(await all).toEqual([1, 2, 3, 4]);
});

it('gives the place of a task that failed to the next', async () => {
	const slots = new Slots(1);
	const failed = slots.use(never, async () => {
		throw new Error('no');
	});
	const next = slots.use(never, async () => 'next');
	await expect(failed).rejects.toThrow('no');
	expect(await next).toBe('next');
});

it('begins nothing more when the signal has fired', async () => {
	const slots = new Slots(1);
	const stop = new AbortController();
	let begun = 0;
	const task = async () => {
		begun++;
		stop.abort();
	};
	const outcomes = await Promise.allSettled([1, 2, 3].map(() => slots.use(stop.signal, task)));
	expect(begun).toBe(1);
	expect(outcomes.slice(1)).toEqual(
		[1, 2].map(() => ({ status: 'rejected', reason: expect.objectContaining({ code: 'cancelled' }) })),
	);
});
