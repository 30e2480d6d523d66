import { BOUNDS } from '../../../service/queue/bounds';
import type { InFlight } from '../../../service/queue/inFlight';
import type { Lane } from '../../../service/queue/lane';
import { Message } from '../../../service/queue/message';
import { Renewal } from '../../../service/queue/renewal';
import { manualClock } from '../../support/manualClock';

const MINUTE = 60_000;

/** A channel that delivered one message a moment ago. */
function world({ sparing, returns }: { sparing: boolean; returns?: number }) {
	const clock = manualClock();
	const messages = new Set<Message>([new Message({ body: Buffer.alloc(0) } as never, clock.now(), returns)]);
	const done: string[] = [];
	const grows = (): 'drain' | undefined => undefined;
	const inFlight = {
		spares: sparing,
		sparing,
		settledJustNow: false,
		renewed() {},
		beginAnewIfNotFull() {},
		grows,
	};
	const state = { here: [{} as Lane], takesNothing: false, waitsThere: 0 };
	const renewal = new Renewal({
		clock,
		bounds: BOUNDS,
		inFlight: inFlight as unknown as InFlight,
		messages,
		here: () => state.here,
		counted: () => true,
		takesNothing: () => state.takesNothing,
		onDrain: () => void done.push('drains'),
		onRenew: () => void done.push('renews'),
		onRest: () => void done.push('rests'),
		waitsThere: () => state.waitsThere,
	});
	renewal.begins();
	return { clock, messages, done, renewal, inFlight, state };
}

describe('a channel whose oldest message becomes old', () => {
	it('gives all back in time', async () => {
		const { clock, done } = world({ sparing: false });
		await clock.advance(BOUNDS.renewAfterMs - 1);
		expect(done).toEqual([]);
		await clock.advance(1);
		expect(done).toEqual(['renews']);
	});

	it('leaves the queue alone while all places are taken by runs that decide nothing, until one of them ends', async () => {
		const { clock, done, renewal, state } = world({ sparing: false });
		const other = { isFull: true };
		state.here = [{ isFull: true } as Lane, other as Lane];
		await clock.advance(BOUNDS.renewAfterMs);
		renewal.look(true);
		await clock.advance(5 * 60 * MINUTE);
		expect(done).toEqual(['rests']);
		other.isFull = false;
		renewal.look(true);
		expect(done).toEqual(['rests', 'renews']);
	});

	it('does so until the others are to try, where these find nothing to run meanwhile', async () => {
		const { clock, done, state } = world({ sparing: false });
		const until = clock.now() + 3 * 60 * MINUTE;
		state.here = [{ isFull: true } as Lane, { isFull: false, quietUntil: until } as Lane];
		await clock.advance(3 * 60 * MINUTE - 1);
		expect(done).toEqual(['rests']);
		await clock.advance(1);
		expect(done).toEqual(['rests', 'renews']);
	});

	it.each([
		['soon, behind what failed', 0, {}, 1, MINUTE],
		['after half an hour, behind what came back so often that it may be dropped', 15, {}, 1, 30 * MINUTE],
		['no sooner, where nothing has come', 0, {}, 0, 600 * MINUTE],
		['no sooner, where the workflow waits', 0, { waiting: {} }, 1, 600 * MINUTE],
		['no sooner, where its places are taken', 0, { isFull: true }, 1, 600 * MINUTE],
	])('is taken again %s', async (_, returns, lane, more, afterMs) => {
		const { clock, messages, done, state } = world({ sparing: false, returns });
		await clock.advance(BOUNDS.renewAfterMs - 1);
		const until = clock.now() + 1 + 600 * MINUTE;
		state.here = [{ quietUntil: until, ...lane } as Lane];
		await clock.advance(1);
		expect(done).toEqual(['rests']);
		state.waitsThere = messages.size + more;
		await clock.advance(afterMs - 1);
		expect(done).toEqual(['rests']);
		if ('isFull' in lane) return;
		await clock.advance(1);
		expect(done).toEqual(['rests', 'renews']);
	});

	it.each([
		['waits', { waiting: {} }],
		['has no free place', { isFull: true }],
	])(
		'is taken again no sooner, behind what failed, where another workflow %s and would pay for it',
		async (_, at) => {
			const { clock, messages, done, state } = world({ sparing: false });
			const until = clock.now() + BOUNDS.renewAfterMs + 600 * MINUTE;
			const other = { quietUntil: until, ...at } as Lane;
			state.here = [{ quietUntil: until } as Lane, other];
			for (const message of messages) message.share(other, {}, () => {});
			await clock.advance(BOUNDS.renewAfterMs);
			state.waitsThere = messages.size + 1;
			await clock.advance(600 * MINUTE - 1);
			expect(done).toEqual(['rests']);
			await clock.advance(1);
			expect(done).toEqual(['rests', 'renews']);
		},
	);

	it('is taken again for what comes behind what failed a second time later, and no third time, until something succeeds', async () => {
		const { clock, messages, done, renewal, state } = world({ sparing: false });
		const until = clock.now() + 9_000 * MINUTE;
		const lane = { quietUntil: until, lastSucceededAt: -Infinity };
		state.here = [lane as Lane];
		state.waitsThere = 2;
		const next = async (waitMs: number) => {
			messages.clear();
			messages.add(new Message({ body: Buffer.alloc(0) } as never, clock.now()));
			renewal.begins();
			await clock.advance(BOUNDS.renewAfterMs);
			await clock.advance(waitMs);
			return done.splice(0);
		};
		expect(await next(MINUTE)).toEqual(['rests', 'renews']);
		expect(await next(29 * MINUTE)).toEqual(['rests']);
		await clock.advance(MINUTE);
		expect(done.splice(0)).toEqual(['renews']);
		expect(await next(600 * MINUTE)).toEqual(['rests']);
		renewal.renew();
		done.splice(0);
		lane.lastSucceededAt = clock.now();
		expect(await next(MINUTE)).toEqual(['rests', 'renews']);
	});

	it('is taken again soon where another workflow waits, of which nothing goes back', async () => {
		const { clock, messages, done, state } = world({ sparing: false });
		const until = clock.now() + BOUNDS.renewAfterMs + 600 * MINUTE;
		const failed = { quietUntil: until } as Lane;
		state.here = [failed, { quietUntil: until, waiting: {} } as Lane];
		for (const message of messages) message.share(failed, {}, () => {});
		await clock.advance(BOUNDS.renewAfterMs);
		state.waitsThere = messages.size + 1;
		await clock.advance(MINUTE);
		expect(done).toEqual(['rests', 'renews']);
	});

	it('takes nothing more where each delivery counts, and is followed by another once it has ended what it had', async () => {
		const { clock, messages, done, renewal } = world({ sparing: true });
		await clock.advance(BOUNDS.renewAfterMs - BOUNDS.drainMs);
		expect(done).toEqual(['drains']);
		messages.clear();
		renewal.look(true);
		// It may deliver until the broker has answered.
		expect(done).toEqual(['drains']);
		renewal.drained(true);
		renewal.look(true);
		expect(done).toEqual(['drains', 'renews']);
	});

	it('takes nothing more before that where no more of it may run, and is asked again where the broker had not answered', () => {
		const { messages, done, renewal, inFlight } = world({ sparing: true });
		inFlight.grows = () => 'drain';
		renewal.look(true);
		renewal.drained(false);
		messages.clear();
		expect(done).toEqual(['drains']);
		renewal.look(true);
		// All had ended by then, and nothing else happens here that one would look at.
		renewal.drained(true);
		expect(done).toEqual(['drains', 'drains', 'renews']);
	});

	it('takes nothing more a second time on the channel that follows one that was lost meanwhile', async () => {
		const { clock, done, renewal } = world({ sparing: true });
		await clock.advance(BOUNDS.renewAfterMs - BOUNDS.drainMs);
		renewal.drained(true);
		renewal.returned();
		renewal.begins();
		renewal.look(true);
		await clock.advance(0);
		expect(done).toEqual(['drains', 'drains']);
	});

	it('is followed by another a moment after the last was settled: the broker may not have heard of that before', async () => {
		const { clock, messages, done, renewal, inFlight } = world({ sparing: true });
		await clock.advance(BOUNDS.renewAfterMs - BOUNDS.drainMs);
		renewal.drained(true);
		messages.clear();
		inFlight.settledJustNow = true;
		renewal.look(true);
		expect(done).toEqual(['drains']);
		inFlight.settledJustNow = false;
		await clock.advance(BOUNDS.silenceMs);
		expect(done).toEqual(['drains', 'renews']);
	});

	it('gives back then what it cannot end in time', async () => {
		const { clock, done, renewal } = world({ sparing: true });
		await clock.advance(BOUNDS.renewAfterMs - BOUNDS.drainMs);
		renewal.drained(true);
		renewal.look(true);
		await clock.advance(BOUNDS.drainMs);
		expect(done).toEqual(['drains', 'renews']);
		await clock.advance(60 * MINUTE);
		expect(done).toEqual(['drains', 'renews']);
	});

	it('is followed by another at once where what it delivers is not to be spared any more', async () => {
		const { clock, done, renewal, inFlight } = world({ sparing: true });
		await clock.advance(BOUNDS.renewAfterMs - BOUNDS.drainMs);
		renewal.drained(true);
		inFlight.sparing = false;
		renewal.look(true);
		expect(done).toEqual(['drains', 'renews']);
	});

	it('keeps what it runs until the end of the run is known where all leave while it takes nothing more', async () => {
		const { clock, done, renewal, state } = world({ sparing: true });
		await clock.advance(BOUNDS.renewAfterMs - BOUNDS.drainMs);
		state.takesNothing = true;
		renewal.drained(true);
		state.here = [];
		await clock.advance(BOUNDS.drainMs + BOUNDS.keepAtMostMs - BOUNDS.renewAfterMs - 1);
		expect(done).toEqual(['drains']);
		await clock.advance(1);
		expect(done).toEqual(['drains', 'renews']);
	});
});

it.each([
	['waits', { waiting: {} }],
	['holds nothing but what failed for good', {}],
])(
	'the queue of one that %s is left alone until something may start, however long that is',
	async (_, how) => {
		const { clock, done, state } = world({ sparing: false });
		const hours = 5 * 60 * MINUTE;
		state.here = [{ ...how, quietUntil: clock.now() + hours } as Lane];
		await clock.advance(hours - 1);
		expect(done).toEqual(['rests']);
		await clock.advance(1);
		expect(done).toEqual(['rests', 'renews']);
	},
);
