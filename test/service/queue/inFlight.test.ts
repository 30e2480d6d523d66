import { BOUNDS } from '../../../service/queue/bounds';
import { InFlight } from '../../../service/queue/inFlight';
import type { Lane } from '../../../service/queue/lane';
import { Message } from '../../../service/queue/message';
import { manualClock } from '../../support/manualClock';

/** For five runs: twice as many, and twenty to spare. */
const USUAL = 30;

function world() {
	const clock = manualClock();
	const messages = new Set<Message>();
	const lane = {
		subscription: { options: { keepOrder: true, parallelRuns: 5, batchSize: 1 } },
		starves: false,
		running: 0,
		waiting: undefined as unknown,
		quietUntil: undefined as number | undefined,
	};
	const other = { ...lane, starves: false };
	const asLane = lane as unknown as Lane;
	const state = {
		kept: 0,
		awaited: 0,
		apart: 5,
		starting: false,
		counted: false,
		here: [asLane],
		elsewhere: [] as Lane[],
	};
	let looks = 0;
	const inFlight = new InFlight({
		clock,
		bounds: BOUNDS,
		messages,
		lanes: () => ({ all: [...state.here, ...state.elsewhere], here: state.here }),
		kept: () => {
			looks += 1;
			return state.kept;
		},
		starting: () => state.starting,
		counted: () => state.counted,
		awaited: () => state.awaited,
		apart: (most) => Math.min(most, state.apart),
	});
	const comes = (count = 1, { redelivered = false, bytes = 100, returns = 0 } = {}) => {
		for (let index = 0; index < count; index += 1) {
			const delivery = { body: Buffer.alloc(bytes), redelivered, settle() {}, giveBack() {} };
			const message = new Message(delivery as never, clock.now(), returns);
			messages.add(message);
			inFlight.received(message);
		}
	};
	const settles = (count: number) => {
		for (const message of [...messages].slice(0, count)) {
			messages.delete(message);
			inFlight.settled();
		}
	};
	/** Nothing of the process before this one is waited for. */
	const isNoHeir = async () => {
		comes();
		settles(1);
		await clock.advance(3_000);
	};
	return {
		inFlight,
		clock,
		messages,
		lane,
		other,
		state,
		comes,
		settles,
		isNoHeir,
		looksThrough: () => looks,
	};
}

describe('how many a channel may deliver', () => {
	it('is what can be run now once they came back so often that the queue may drop them, until a fresh one comes', async () => {
		const { inFlight, lane, comes, settles } = world();
		lane.running = 1;
		inFlight.connected(600);
		inFlight.limit();
		comes(600, { redelivered: true, returns: BOUNDS.spareDeliveries - 1 });
		inFlight.returned();
		expect(inFlight.limit()).toBeGreaterThanOrEqual(600);
		comes(1, { redelivered: true, returns: BOUNDS.spareDeliveries });
		expect(inFlight.limit()).toBe(5);
		// Behind those that are here still.
		settles(1);
		comes();
		expect(inFlight.limit()).toBe(5);
		settles(601);
		comes();
		expect(inFlight.limit()).toBe(USUAL);
	});

	it('is no more for those that were there when the first channel was opened, which would cost what came a delivery', async () => {
		const { inFlight, lane, comes, clock } = world();
		inFlight.somebodyJoined();
		inFlight.connected(5);
		inFlight.limit();
		comes(5, { redelivered: true });
		lane.subscription.options.parallelRuns = 500;
		await clock.advance(BOUNDS.joinedGapMs);
		expect(inFlight.grows()).toBeUndefined();
		inFlight.somebodyJoined();
		expect(inFlight.grows()).toBe('now');
	});

	describe('once they came back so often', () => {
		const often = async () => {
			const here = world();
			here.state.counted = true;
			here.lane.running = 1;
			here.comes(5, { redelivered: true, returns: BOUNDS.spareDeliveries });
			here.inFlight.limit();
			await here.clock.advance(BOUNDS.growAgainMs);
			return here;
		};

		it('is no more than are of different sets, and one with a free place ends what it has before another', async () => {
			const { inFlight, lane, state, clock, comes, settles } = await often();
			expect(inFlight.grows()).toBeUndefined();
			lane.starves = true;
			expect(inFlight.grows()).toBe('drain');
			settles(5);
			state.apart = 2;
			expect(inFlight.limit()).toBe(2);
			comes(2, { redelivered: true, returns: BOUNDS.spareDeliveries });
			await clock.advance(BOUNDS.growAgainMs);
			expect(inFlight.grows()).toBe('drain');
			settles(2);
			lane.subscription.options.keepOrder = false;
			expect(inFlight.limit()).toBe(5);
			comes(5, { redelivered: true, returns: BOUNDS.spareDeliveries });
			await clock.advance(BOUNDS.growAgainMs);
			expect(inFlight.grows()).toBeUndefined();
		});

		it('a short run among what was delivered while nothing ran is no reason for another channel, which would bring the same', async () => {
			const { inFlight, lane, comes, clock, state } = world();
			state.counted = true;
			inFlight.limit();
			comes(inFlight.limit(), { redelivered: true, returns: BOUNDS.spareDeliveries });
			await clock.advance(BOUNDS.growAgainMs);
			lane.starves = true;
			lane.running = 1;
			expect(inFlight.grows()).toBeUndefined();
		});

		it('is one batch, since those whose order is kept go one at a time', async () => {
			const { inFlight, lane, state, settles } = await often();
			state.apart = 100;
			lane.subscription.options.batchSize = 3;
			settles(1);
			expect(inFlight.limit()).toBe(3);
			lane.subscription.options.keepOrder = false;
			settles(1);
			expect(inFlight.limit()).toBe(5 * 3);
		});

		it('is all there is once where nothing at all runs', async () => {
			const { inFlight, clock, lane, state, comes } = await often();
			state.apart = 10;
			state.awaited = 300;
			lane.starves = true;
			lane.running = 0;
			expect(inFlight.grows()).toBe('now');
			expect(inFlight.limit()).toBeGreaterThanOrEqual(5 + 300);
			comes(200, { redelivered: true, returns: BOUNDS.spareDeliveries + 1 });
			// Once: each time costs all of them a delivery.
			await clock.advance(60_000);
			expect(inFlight.grows()).toBeUndefined();
			lane.running = 1;
			expect(inFlight.limit()).toBe(5);
		});

		it('is all that comes back where nothing runs: then no run is slow', async () => {
			const { inFlight, lane, state } = await often();
			state.awaited = 300;
			lane.running = 0;
			expect(inFlight.limit()).toBeGreaterThanOrEqual(300);
		});

		it('is no less than before where one of several has a free place, since what comes for it is behind the rest', async () => {
			const { inFlight, lane, other, state, settles } = await often();
			state.apart = 10;
			settles(1);
			const both = [lane, other] as unknown as Lane[];
			state.here = both;
			lane.running = 5;
			expect(inFlight.limit()).toBe(10);
			other.starves = true;
			expect(inFlight.limit()).toBeGreaterThan(10);
		});

		it('is all that comes back where the connection of another user serves one that may hold some', async () => {
			const { inFlight, other, state, settles } = await often();
			state.awaited = 300;
			settles(1);
			state.elsewhere = [
				{ ...other, isOpen: false },
				{ ...other, isOpen: true },
			] as unknown as Lane[];
			expect(inFlight.limit()).toBeGreaterThanOrEqual(300);
			state.elsewhere.pop();
			settles(1);
			expect(inFlight.limit()).toBeLessThanOrEqual(10);
		});

		it('is what a workflow that only tries now and then chooses from', async () => {
			const { inFlight, lane } = await often();
			lane.waiting = {};
			expect(inFlight.limit()).toBeGreaterThanOrEqual(BOUNDS.lookThrough);
		});
	});

	it('is what is asked for where nobody keeps order, whatever came before and goes back', () => {
		const { inFlight, lane, comes } = world();
		lane.subscription.options.keepOrder = false;
		inFlight.connected(600);
		expect(inFlight.limit()).toBe(USUAL);
		comes(600, { redelivered: true });
		inFlight.returned();
		expect(inFlight.limit()).toBe(USUAL);
	});

	it('is what runs ask for, and what is kept for who is absent', async () => {
		const { inFlight, state, isNoHeir } = world();
		await isNoHeir();
		expect(inFlight.limit()).toBe(USUAL);
		state.kept = 7;
		expect(inFlight.limit()).toBe(USUAL + 7);
		state.starting = true;
		expect(inFlight.limit()).toBe(USUAL + BOUNDS.keptEvents);
	});

	it('is, until one comes for the first time, what the process before may have given back', () => {
		const { inFlight, comes, settles } = world();
		inFlight.connected(100);
		expect(inFlight.limit()).toBe(100 + BOUNDS.keptEvents);
		inFlight.connected(5_000);
		expect(inFlight.limit()).toBe(BOUNDS.lookThrough + BOUNDS.keptEvents);
		comes(1, { redelivered: true });
		settles(1);
		expect(inFlight.limit()).toBe(BOUNDS.lookThrough + BOUNDS.keptEvents);
	});

	it('is no less than what goes back, was settled in the last second, or may be on its way', async () => {
		const { inFlight, comes, settles, clock, isNoHeir } = world();
		await isNoHeir();
		comes(100);
		expect(inFlight.limit()).toBe(100);
		settles(10);
		expect(inFlight.limit()).toBe(100);
		inFlight.returned();
		await clock.advance(3_000);
		// Known are 90 that came and 100 that were given back.
		expect(inFlight.limit()).toBe(190);
	});

	it('is the limit before while more may be on its way, and less when nothing comes any more', async () => {
		const { inFlight, comes, settles, messages, clock, isNoHeir } = world();
		await isNoHeir();
		comes(200);
		expect(inFlight.limit()).toBe(200);
		settles(200);
		await clock.advance(3_000);
		comes();
		expect(inFlight.limit()).toBe(200);
		await clock.advance(3_000);
		expect([messages.size, inFlight.limit()]).toEqual([1, USUAL + 1]);
		await clock.advance(3_000);
		expect(inFlight.limit()).toBe(USUAL + 1);
	});

	it('counts what was settled a moment ago though nothing has come lately: a broker may give that back', async () => {
		const { inFlight, comes, settles, clock, isNoHeir } = world();
		await isNoHeir();
		comes(200);
		inFlight.limit();
		await clock.advance(3_000);
		settles(200);
		expect(inFlight.limit()).toBe(200);
	});

	it('is no more than before after thousands were settled in a moment: the broker never had more of them out', async () => {
		const { inFlight, comes, settles, isNoHeir } = world();
		await isNoHeir();
		inFlight.limit();
		for (let index = 0; index < 200; index += 1) {
			comes(USUAL);
			settles(USUAL);
		}
		expect(inFlight.limit()).toBe(USUAL);
	});

	it('counts what was given back until it has come again, or one comes that was not', async () => {
		const { inFlight, comes, messages, clock, isNoHeir } = world();
		await isNoHeir();
		comes(200);
		inFlight.limit();
		inFlight.returned();
		messages.clear();
		await clock.advance(3_000);
		expect(inFlight.limit()).toBe(200);
		comes(50, { redelivered: true });
		await clock.advance(3_000);
		expect(inFlight.limit()).toBe(200);
		messages.clear();
		comes();
		await clock.advance(3_000);
		expect(inFlight.limit()).toBe(USUAL + 1);
	});

	it('is bounded by the bytes of the largest body', async () => {
		const { inFlight, comes, settles, clock } = world();
		comes(1, { bytes: BOUNDS.prefetchBytes / 4 });
		comes(1, { bytes: 10 });
		settles(2);
		await clock.advance(3_000);
		expect(inFlight.limit()).toBe(4);
	});

	it('is more where all wait: so many are looked through', async () => {
		const { inFlight, lane, other, state, isNoHeir } = world();
		await isNoHeir();
		lane.waiting = {};
		expect(inFlight.limit()).toBe(BOUNDS.lookThrough);
		state.here = [lane, other] as unknown as Lane[];
		expect(inFlight.limit()).toBe(2 * 10 + 20);
		state.here = [];
		expect(inFlight.limit()).toBe(1);
	});

	it('is as many where the others of an event that fails for ever stand behind it', async () => {
		const { inFlight, lane, isNoHeir } = world();
		await isNoHeir();
		expect(inFlight.limit()).toBe(USUAL);
		lane.quietUntil = 60_000;
		expect(inFlight.limit()).toBe(BOUNDS.lookThrough);
	});
});

describe('a channel should deliver more', () => {
	const full = async () => {
		const here = world();
		await here.isNoHeir();
		here.inFlight.limit();
		here.inFlight.renewed();
		here.comes(USUAL);
		here.lane.starves = true;
		// What it holds is held for others alone; on a queue that counts, that makes no difference.
		here.state.counted = true;
		return here;
	};

	it('when it is full and somebody has nothing to run, a moment after the last channel', async () => {
		const { inFlight, clock, lane } = await full();
		expect(inFlight.grows()).toEqual({ inMs: BOUNDS.growAgainMs });
		await clock.advance(BOUNDS.growAgainMs);
		lane.starves = false;
		expect(inFlight.grows()).toBeUndefined();
		lane.starves = true;
		expect(inFlight.grows()).toBe('now');
		expect(inFlight.limit()).toBe(4 * USUAL);
	});

	it('not before it is full, and no further than its last step', async () => {
		const { inFlight, clock, comes, messages } = await full();
		for (const step of [4, 16]) {
			await clock.advance(BOUNDS.growAgainMs);
			expect(inFlight.grows()).toBe('now');
			expect(inFlight.limit()).toBe(step * USUAL);
			inFlight.renewed();
			await clock.advance(BOUNDS.growAgainMs);
			expect(inFlight.grows()).toBeUndefined();
			comes(step * USUAL - messages.size);
		}
		await clock.advance(BOUNDS.growAgainMs);
		expect(inFlight.grows()).toBeUndefined();
	});

	it('by more steps at once where an earlier process gave back as much as some of them', async () => {
		const { inFlight, clock, comes, messages } = await full();
		comes(5 * USUAL - messages.size);
		inFlight.limit();
		await clock.advance(BOUNDS.growAgainMs);
		expect(inFlight.grows()).toBe('now');
		expect(inFlight.limit()).toBe(16 * USUAL);
	});

	it('to its last step also where that is little more', async () => {
		const { inFlight, clock, comes, messages } = await full();
		comes(14 * USUAL - messages.size);
		inFlight.limit();
		await clock.advance(BOUNDS.growAgainMs);
		expect(inFlight.grows()).toBe('now');
		expect(inFlight.limit()).toBe(16 * USUAL);
	});

	it('from the first step on again where it is not full', async () => {
		const { inFlight, clock, settles } = await full();
		await clock.advance(BOUNDS.growAgainMs);
		inFlight.grows();
		inFlight.beginAnewIfNotFull();
		expect(inFlight.limit()).toBe(4 * USUAL);
		settles(USUAL);
		await clock.advance(3_000);
		inFlight.beginAnewIfNotFull();
		inFlight.limit();
		await clock.advance(3_000);
		expect(inFlight.limit()).toBe(USUAL);
	});

	it('by a step, and not by the little that others hold more: all comes again with each channel', async () => {
		const { inFlight, clock, state, lane, messages } = await full();
		state.counted = false;
		// A third is held by others: four times as many are hardly more than the channel has.
		for (const message of [...messages].slice(10)) message.share(lane as unknown as Lane, {}, () => {});
		await clock.advance(BOUNDS.growAgainMs);
		expect(inFlight.grows()).toBe('now');
		expect(inFlight.limit()).toBe(4 * USUAL);
	});

	it('when somebody joined, where they ask for more: a minute after the last channel while some are delivered', async () => {
		const { inFlight, clock, lane, other, state, settles } = await full();
		lane.starves = false;
		expect(inFlight.grows()).toBeUndefined();
		inFlight.somebodyJoined();
		await clock.advance(BOUNDS.growAgainMs);
		// Those who are here asked for as much before.
		expect(inFlight.grows()).toBeUndefined();
		state.here = [lane, other] as unknown as Lane[];
		await clock.advance(BOUNDS.growAgainMs);
		expect(inFlight.grows()).toEqual({ inMs: BOUNDS.joinedGapMs - 2 * BOUNDS.growAgainMs });
		settles(USUAL);
		expect(inFlight.grows()).toEqual({ inMs: BOUNDS.growAgainMs });
		await clock.advance(BOUNDS.growAgainMs);
		expect(inFlight.grows()).toBe('now');
		inFlight.renewed();
		expect(inFlight.grows()).toBeUndefined();
	});

	it.each<[string, boolean]>([
		['where somebody has nothing to run', true],
		['where somebody joined', false],
	])(
		'%s, which is thought of once in a moment, and not at each change of hundreds of workflows',
		async (_, starves) => {
			const { inFlight, clock, lane, looksThrough } = await full();
			lane.starves = starves;
			inFlight.somebodyJoined();
			await clock.advance(BOUNDS.growAgainMs);
			inFlight.grows();
			const before = looksThrough();
			for (let change = 0; change < 300; change += 1) inFlight.grows();
			expect(looksThrough()).toBe(before);
		},
	);

	it('not for who joined while more of an earlier process may wait, which would come before what is delivered', async () => {
		const { inFlight, comes, other, lane, state, clock } = world();
		inFlight.limit();
		comes(USUAL + BOUNDS.keptEvents, { redelivered: true });
		inFlight.somebodyJoined();
		state.here = [lane, other] as unknown as Lane[];
		await clock.advance(BOUNDS.joinedGapMs);
		expect(inFlight.grows()).toBeUndefined();
		comes();
		expect(inFlight.grows()).toBe('now');
	});
});

describe('beside what others hold', () => {
	it.each<[string, { starves: boolean; counted?: boolean }, number]>([
		['one that has nothing to run is delivered more by far', { starves: true }, 4 * 99],
		['nobody is where all have enough to run', { starves: false }, 100],
		['nobody is where that costs deliveries that are counted', { starves: true, counted: true }, 100],
	])('%s', async (_, { starves, counted = false }, expected) => {
		const { inFlight, comes, lane, other, state, isNoHeir, messages } = world();
		await isNoHeir();
		state.here = [lane, other] as unknown as Lane[];
		comes(100);
		const [first] = messages;
		for (const message of messages) message.share(other as unknown as Lane, {}, () => {});
		first!.share(lane as unknown as Lane, {}, () => {});
		lane.starves = starves;
		state.counted = counted;
		expect(inFlight.limit()).toBe(expected);
	});
});
