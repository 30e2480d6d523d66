import fc from 'fast-check';
import type { QueueOptions } from '../../simulation/broker/queue';

/** One thing done to the queue. Channels and deliveries are named by their place among those there are, around the end. */
export type Step =
	| { do: 'publish'; count: number }
	/** Opens a channel; a further consumer on it is another step. A foreign one is of another connection. */
	| { do: 'open'; prefetch: number; foreign?: boolean }
	| { do: 'consume'; channel: number; prefetch: number; priority?: number }
	| { do: 'cancel'; channel: number; consumer: number }
	| { do: 'get'; channel: number }
	| { do: 'settle'; channel: number; delivery: number; how: Settlement; upTo?: boolean }
	| { do: 'close'; channel: number }
	/** One of the two connections, with all its channels; cut off, it ends without a word. */
	| { do: 'disconnect'; foreign?: boolean; cutOff?: boolean };

type Settlement = 'ack' | 'nack' | 'reject';

export interface Script {
	queue: Omit<QueueOptions, 'deadLetterQueue'> & { deadLetters?: 'own' | 'same' };
	steps: readonly Step[];
}

const small = fc.nat(5);
const foreign = fc.boolean();
const prefetch = fc.integer({ min: 1, max: 6 });
/** Ours is that of everybody; another reader may have one of its own. */
const priority = fc.constantFrom(0, 0, 0, 1, -1);
const settlement = fc.constantFrom<Settlement>('ack', 'ack', 'nack', 'nack', 'reject');

const step = fc.oneof<fc.WeightedArbitrary<Step>[]>(
	{ weight: 3, arbitrary: fc.record({ do: fc.constant('publish'), count: fc.integer({ min: 1, max: 5 }) }) },
	{ weight: 3, arbitrary: fc.record({ do: fc.constant('open'), prefetch, foreign }) },
	{
		weight: 1,
		arbitrary: fc.record({ do: fc.constant('consume'), channel: small, prefetch, priority }),
	},
	{ weight: 2, arbitrary: fc.record({ do: fc.constant('cancel'), channel: small, consumer: small }) },
	{ weight: 2, arbitrary: fc.record({ do: fc.constant('get'), channel: small }) },
	{
		weight: 8,
		arbitrary: fc.record({
			do: fc.constant('settle'),
			channel: small,
			delivery: small,
			how: settlement,
			upTo: fc.boolean(),
		}),
	},
	{ weight: 3, arbitrary: fc.record({ do: fc.constant('close'), channel: small }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('disconnect'), foreign, cutOff: fc.boolean() }) },
);

const queue: Record<Kind, fc.Arbitrary<Script['queue']>> = {
	// Without a single active consumer: in such sequences the classic queue of RabbitMQ 3.10.8 crashes and starts anew.
	classic: fc.record(
		{
			type: fc.constant('classic'),
			deadLetters: fc.constantFrom('own', 'same'),
			maxLength: fc.integer({ min: 2, max: 12 }),
		},
		{ requiredKeys: ['type'] },
	),
	quorum: fc.record(
		{
			type: fc.constant('quorum'),
			deadLetters: fc.constantFrom('own', 'same'),
			singleActiveConsumer: fc.boolean(),
		},
		{ requiredKeys: ['type'] },
	),
	limited: fc.record(
		{
			type: fc.constant('quorum'),
			deliveryLimit: fc.integer({ min: 0, max: 3 }),
			deadLetters: fc.constantFrom('own', 'same'),
			maxLength: fc.integer({ min: 2, max: 12 }),
			singleActiveConsumer: fc.boolean(),
		},
		{ requiredKeys: ['type', 'deliveryLimit'] },
	),
};

export type Kind = 'classic' | 'quorum' | 'limited';

/** So many sequences of up to so many steps, always the same for one seed. */
export function scripts(kind: Kind, count: number, seed: number, mostSteps = 20): Script[] {
	const steps = fc.array(step, { minLength: 4, maxLength: mostSteps, size: 'max' });
	return fc
		.sample(fc.record({ queue: queue[kind], steps }), { seed, numRuns: count })
		.map((script) => ({ ...script, steps: [{ do: 'publish', count: 8 }, ...script.steps] }));
}
