import { startBroker, type Broker } from '../../sandbox/broker/broker';
import { play, type Outcome } from './conformance/play';
import { scripts, type Kind, type Script } from './conformance/script';
import { modelSide, realSide, type RealSide } from './conformance/sides';

jest.setTimeout(300_000);

/** Sequences tried for each type of queue, and their seed: `PARCEL_MODEL_SEQUENCES=2000 PARCEL_MODEL_SEED=7`. */
const SEQUENCES = Number(process.env['PARCEL_MODEL_SEQUENCES'] ?? 100);
const SEED = Number(process.env['PARCEL_MODEL_SEED'] ?? 20_261_122);
const AT_ONCE = 50;
const SHORTENING_MS = 30_000;

let broker: Broker;
let real: RealSide;
let queues = 0;
beforeAll(async () => {
	broker = await startBroker();
	real = await realSide(broker);
});
afterAll(async () => {
	await real?.close();
	await broker?.close();
});

interface Difference {
	script: Script;
	model: Outcome;
	real: Outcome;
}

async function onModel({ queue: { deadLetters, ...options }, ...script }: Script): Promise<Outcome> {
	const side = modelSide(SEED);
	const deadLetterQueue = deadLetters === 'same' ? 'the-queue' : 'dead';
	if (deadLetterQueue === 'dead') side.broker.declare('dead');
	side.broker.declare('the-queue', { ...options, ...(deadLetters && { deadLetterQueue }) });
	return await play(side, { queue: {}, ...script }, 'the-queue', deadLetterQueue);
}

async function onReal(
	{ queue: { deadLetters, ...options }, ...script }: Script,
	expected: Outcome,
): Promise<Outcome> {
	const queue = `the-queue-${(queues += 1)}`;
	const deadLetterQueue = deadLetters === 'same' ? queue : `${queue}-dead`;
	if (deadLetterQueue !== queue) await real.declare(deadLetterQueue, {});
	await real.declare(queue, { ...options, ...(deadLetters && { deadLetterQueue }) });
	return await play(real, { queue: {}, ...script }, queue, deadLetterQueue, expected);
}

async function compare(tried: readonly Script[]): Promise<Difference[]> {
	const differences: Difference[] = [];
	for (let from = 0; from < tried.length; from += AT_ONCE) {
		await Promise.all(
			tried.slice(from, from + AT_ONCE).map(async (script) => {
				const model = await onModel(script);
				const found = await onReal(script, model);
				if (JSON.stringify(model) !== JSON.stringify(found)) {
					differences.push({ script, model, real: found });
				}
			}),
		);
	}
	return differences;
}

/** The same difference with as few steps as can be. */
async function shortest(difference: Difference): Promise<Difference> {
	const until = performance.now() + SHORTENING_MS;
	for (let found: Difference | undefined = difference; ;) {
		const { queue, steps }: Script = found.script;
		const shorter = steps.map((_, left) => ({ queue, steps: steps.filter((__, index) => index !== left) }));
		const [next] = await compare(shorter);
		if (!next || performance.now() > until) return next ?? found;
		found = next;
	}
}

const story = ({ script, model, real: found }: Difference) =>
	[
		JSON.stringify(script.queue),
		...model.steps.flatMap((step, index) => {
			const other = found.steps[index]!;
			const lines = [JSON.stringify(step.step), `  model ${JSON.stringify([step.sent, step.seen])}`];
			return JSON.stringify(step) === JSON.stringify(other)
				? lines
				: [...lines, `  REAL  ${JSON.stringify([other.sent, other.seen])}`];
		}),
		`model ${JSON.stringify([model.rest, model.deadLetters])}`,
		`real  ${JSON.stringify([found.rest, found.deadLetters])}`,
	].join('\n');

it.each<Kind>(['classic', 'quorum', 'limited'])(
	'the model of a %s queue does what RabbitMQ does',
	async (kind) => {
		const differences = await compare(scripts(kind, SEQUENCES, SEED));
		const [first] = differences;
		const told = first ? `${differences.length} differ; the first:\n${story(await shortest(first))}` : '';
		expect(told).toBe('');
	},
);
