import type { ITriggerFunctions } from 'n8n-workflow';
import { listen } from '../../nodes/ParcelDocumentExchange/trigger/listen';
import { ServiceError } from '../../service/errors';
import type { Hub, Subscription } from '../../service/queue/contract';
import { readStatusEvent } from '../../service/model/event';
import { eventBody } from '../support/events';
import { manualClock, settled } from '../support/manualClock';
import { triggerContext } from '../support/triggerContext';

/** The trigger before a hub that says what a test wants. */
function trigger(
	{
		mode,
		node = {},
		settings = {},
		options = {},
	}: { mode: string; node?: { id?: string; name?: string }; settings?: object; options?: object },
	word: () => Promise<void> = async () => {},
) {
	const { context, stored, logger, emitted } = triggerContext({ queue: 'events', options }, { settings });
	const usual = context.getNode();
	Object.assign(context, {
		getActivationMode: () => mode,
		getNode: () => ({ ...usual, ...node }),
		helpers: { createDeferredPromise: () => ({ promise: new Promise(() => {}) }) },
	});
	const joined: Array<{ subscription: Subscription; patient: boolean; tolerant?: boolean }> = [];
	let left = 0;
	const hub: Hub = {
		async subscribe(subscription, patient, tolerant) {
			joined.push({ subscription, patient, tolerant });
			return { untilListening: word, leave: async () => void (left += 1) };
		},
		tap: async () => undefined,
	};
	const clock = manualClock();
	const start = () => listen(context as ITriggerFunctions, { hub, clock });
	return { start, joined, stored, logger, emitted, clock, left: () => left };
}

const REFUSED = () =>
	Promise.reject(new ServiceError('unauthorized', 'The login was refused', { remedy: 'Go.' }));

describe('publishing', () => {
	it('by a person is refused for what that person must mend', async () => {
		const { start, left } = trigger({ mode: 'activate' }, REFUSED);
		await expect(start()).rejects.toThrow('The login was refused');
		expect(left()).toBe(1);
	});

	it.each(['update', 'init', 'leadershipChange'])(
		'by n8n itself (%s) goes on whatever the queue says',
		async (mode) => {
			const { start, joined } = trigger({ mode }, REFUSED);
			await start();
			expect(joined).toMatchObject([{ patient: mode !== 'update', tolerant: true }]);
		},
	);

	it('does not wait for a queue that says nothing, nor leave a timer', async () => {
		const { start, clock } = trigger({ mode: 'activate' }, () => new Promise(() => {}));
		const started = start();
		await clock.advance(15_000);
		await started;
		expect(clock.pending).toBe(0);
	});
});

it('is another subscriber than a node of the same ID beside it, and the same when it was renamed', async () => {
	const start = async (name: string) => {
		const { start: begin, joined } = trigger({ mode: 'init', node: { id: 'same', name } });
		const { closeFunction } = await begin();
		return { key: joined[0]!.subscription.key, close: async () => await closeFunction?.() };
	};
	const issued = await start('Issued');
	const signed = await start('Signed');
	expect(signed.key).not.toBe(issued.key);
	await signed.close();
	await issued.close();
	const renamed = await start('Issued now');
	expect(renamed.key).toBe(issued.key);
	await renamed.close();
});

describe('two nodes of one ID', () => {
	const start = async (id: string, name: string) => {
		const { start: begin, joined } = trigger({ mode: 'update', node: { id, name } });
		const { closeFunction } = await begin();
		return { key: joined[0]!.subscription.key, close: async () => await closeFunction?.() };
	};

	it('keep their keys when the next version begins before the one before has ended', async () => {
		const issued = await start('one', 'Issued');
		const issuedNext = await start('one', 'Issued');
		await issued.close();
		const signed = await start('one', 'Signed');
		expect(issuedNext.key).toBe(issued.key);
		expect(signed.key).not.toBe(issued.key);
		for (const each of [issuedNext, signed]) await each.close();
	});

	it('keep them in whatever order they are published again', async () => {
		const first = [await start('two', 'Drafted'), await start('two', 'Held')];
		for (const each of first) await each.close();
		const again = [await start('two', 'Held'), await start('two', 'Drafted')];
		expect(again.map(({ key }) => key).reverse()).toEqual(first.map(({ key }) => key));
		for (const each of again) await each.close();
	});
});

describe('n8n’s second engine, which tells no end of a run', () => {
	const settings = { engineType: 'v2' };

	it.each([{}, { removeWhen: 'succeeded' }, { removeWhen: 'finished' }])(
		'is refused when publishing with %j, with the remedy',
		async (options) => {
			const { start, joined } = trigger({ mode: 'activate', settings, options });
			await expect(start()).rejects.toThrow(/When the Workflow Has Started/);
			expect(joined).toEqual([]);
		},
	);

	it('is reported at the start of n8n, where a throw would give the trigger up for good', async () => {
		const { start, stored, joined } = trigger({ mode: 'init', settings });
		await start();
		await settled();
		expect(stored[0]?.message).toContain(
			'This workflow runs on n8n’s new engine, which does not tell the trigger how a run ended',
		);
		expect(joined).toEqual([]);
	});

	it('works with "received": a run is handed over without a promise', async () => {
		const { start, joined, emitted } = trigger({
			mode: 'activate',
			settings,
			options: { removeWhen: 'received' },
		});
		await start();
		const event = readStatusEvent(eventBody(1))!;
		const outcome = await joined[0]!.subscription.run([{ event, redelivered: false, deliveredAt: 0 }], 1);
		expect(outcome).toEqual({ kind: 'waiting' });
		expect(emitted).toHaveLength(1);
	});
});
