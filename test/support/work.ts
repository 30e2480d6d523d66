/** What the yardstick costs on the quiet machine for which the bounds of the tests are written, in milliseconds of its processor. */
const YARDSTICK_MS = 10;

/** No bound is below that. */
const LITTLE_MS = 400;

const YARD = JSON.stringify(Array.from({ length: 12_000 }, (_, index) => ({ setId: `set ${index}`, index })));

/** Work of the kind that the tests measure: texts read, objects made, texts written. */
function yardstick(): void {
	const rows = JSON.parse(YARD) as { setId: string; index: number }[];
	const byId = new Map(rows.map((row) => [row.setId.toUpperCase(), { ...row }]));
	if (JSON.stringify([...byId.values()]).length !== YARD.length) throw new Error('The yardstick is broken');
}

/**
 * What the processor did for it: on a busy machine, time says more about the others.
 *
 * @returns milliseconds of the processor, of this machine as it is now
 * @throws what the task throws
 */
export async function processorMsOf(task: () => unknown): Promise<number> {
	const began = process.cpuUsage();
	await task();
	const { user, system } = process.cpuUsage(began);
	return (user + system) / 1_000;
}

/** The processor's part falls and rises with its neighbours too: the median of three. */
async function yardstickMs(): Promise<number> {
	const measured = [];
	for (let n = 0; n < 3; n++) measured.push(await processorMsOf(yardstick));
	return measured.sort((a, b) => a - b)[1] ?? 0;
}

/**
 * What a task costs, measured beside a yardstick: a bound that holds on a quiet machine then holds on
 * a slow or crowded one.
 *
 * @returns milliseconds that the processor of a quiet machine would have needed
 * @throws what the task throws
 */
export async function quietMsOf(task: () => unknown): Promise<number> {
	const ms = await processorMsOf(task);
	return ms < LITTLE_MS ? ms : ms / Math.max(1, (await yardstickMs()) / YARDSTICK_MS);
}
