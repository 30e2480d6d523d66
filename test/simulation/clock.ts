import type { Clock } from '../../service/surroundings';

/** Time that moves from one thing that is due to the next, as fast as the processor allows. */
export interface SimulationClock extends Clock {
	/** Calls that are still to come. */
	readonly pending: number;
	/** Calls made so far. */
	readonly calls: number;
	/**
	 * Makes every call that falls due in so many milliseconds, in order of time and, at one instant, of asking. All that
	 * waits for promises happens between two calls. Time has then passed, whether anything was due or not.
	 * @throws {Error} when more than 100,000 calls are made at one instant: the simulated program goes in a circle
	 */
	advance(milliseconds: number): Promise<void>;
	/**
	 * As {@link advance}, until the condition holds after a call or, at the latest, the milliseconds are over.
	 * @returns whether it held
	 */
	advanceUntil(condition: () => boolean, atMostMs: number): Promise<boolean>;
	/** Lets everything happen that waits for promises alone. Time stands still. */
	settle(): Promise<void>;
}

/** A call that was taken back keeps its place in the heap without a callback, until its time comes. */
interface Call {
	readonly at: number;
	readonly number: number;
	callback: (() => void) | undefined;
}

const MOST_CALLS_AT_ONCE = 100_000;
/** The event loop goes round once for so many turns: going round costs ten times as much as a turn. */
const TURNS_AT_ONCE = 63;
/** Calls taken back are swept out when they are this many and more than half of the heap. */
const SWEEP_FROM = 64;

/** A clock of its own for one history, with the same order of calls each time. */
export function simulationClock(start = Date.UTC(2026, 10, 20, 9, 48, 18)): SimulationClock {
	let now = start;
	let number = 0;
	let takenBack = 0;
	let calls = 0;
	let heap: Call[] = [];

	const after = (delayMs: number, callback: () => void) => {
		const call: Call = { at: now + Math.max(0, delayMs), number: (number += 1), callback };
		insert(heap, call);
		return () => {
			if (call.callback === undefined) return;
			call.callback = undefined;
			takenBack += 1;
			if (takenBack >= SWEEP_FROM && takenBack * 2 > heap.length) {
				heap = heap.filter((kept) => kept.callback !== undefined).sort(inOrder);
				takenBack = 0;
			}
		};
	};
	const nextCall = () => {
		while (heap[0] && heap[0].callback === undefined) {
			removeFirst(heap);
			takenBack -= 1;
		}
		return heap[0];
	};
	const advanceUntil = async (condition: () => boolean, atMostMs: number) => {
		const end = now + atMostMs;
		let atOnce = 0;
		let holds = false;
		await inTurns(() => {
			holds = condition();
			const next = holds ? undefined : nextCall();
			if (!next || next.at > end) return false;
			atOnce = next.at > now ? 0 : atOnce + 1;
			if (atOnce > MOST_CALLS_AT_ONCE) throw new Error('The simulated program goes in a circle');
			now = Math.max(now, next.at);
			removeFirst(heap);
			const { callback } = next;
			next.callback = undefined;
			calls += 1;
			callback?.();
			return true;
		});
		if (holds) return true;
		now = end;
		return condition();
	};

	return {
		now: () => Math.floor(now),
		after,
		get pending() {
			return heap.length - takenBack;
		},
		get calls() {
			return calls;
		},
		advance: async (milliseconds) => void (await advanceUntil(() => false, milliseconds)),
		advanceUntil,
		settle: async () => {
			await settle();
			await settle();
		},
	};
}

/**
 * Takes turns of the event loop until one answers that it was the last. Promises, ticks of the process and what they put
 * off with `setImmediate` are done before the next turn; a promise that was rejected and left to itself has been told.
 */
function inTurns(turn: () => boolean): Promise<void> {
	return new Promise((resolve, reject) => {
		const native = globalThis.setImmediate;
		let asked = 0;
		let left = 0;
		let over = false;
		// Something stands behind the turns that were asked for: those pass, and the next stand behind it.
		let putOff = false;
		const end = (finish: () => void) => {
			over = true;
			globalThis.setImmediate = native;
			finish();
		};
		const ask = () => {
			asked = left = Math.min(2 * asked + 1, TURNS_AT_ONCE);
			putOff = false;
			for (let count = 0; count < asked; count += 1) native(take);
		};
		const take = () => {
			left -= 1;
			if (over) return;
			try {
				if (!putOff && !turn()) return end(resolve);
			} catch (error) {
				return end(() => reject(error));
			}
			if (left === 0) ask();
		};
		globalThis.setImmediate = ((...put: Parameters<typeof setImmediate>) => {
			putOff = true;
			return native(...put);
		}) as typeof setImmediate;
		ask();
	});
}

/** As {@link inTurns}, with nothing to do. */
function settle(): Promise<void> {
	return new Promise((resolve) => setImmediate(resolve));
}

function inOrder(a: Call, b: Call): number {
	return a.at - b.at || a.number - b.number;
}

function insert(heap: Call[], call: Call): void {
	let place = heap.push(call) - 1;
	while (place > 0) {
		const parent = (place - 1) >> 1;
		if (inOrder(heap[parent]!, call) <= 0) break;
		heap[place] = heap[parent]!;
		place = parent;
	}
	heap[place] = call;
}

function removeFirst(heap: Call[]): void {
	const last = heap.pop();
	if (!last || heap.length === 0) return;
	let place = 0;
	for (;;) {
		let child = 2 * place + 1;
		if (child >= heap.length) break;
		if (child + 1 < heap.length && inOrder(heap[child + 1]!, heap[child]!) < 0) child += 1;
		if (inOrder(last, heap[child]!) <= 0) break;
		heap[place] = heap[child]!;
		place = child;
	}
	heap[place] = last;
}
