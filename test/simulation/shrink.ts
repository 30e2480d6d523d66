import type { History } from './history/history';
import { violationsOf } from './laws';
import { simulate } from './simulate';

/** A shorter history is looked for with so many tries at most. */
const TRIES = 400;

/**
 * A history as short as can be found that still breaks the same law: steps, events and workflows are taken out, in halves
 * and then one by one, and options set back to their defaults.
 */
export async function shrink(history: History, law: string, tries = TRIES): Promise<History> {
	let best = history;
	let left = tries;
	const stillBreaks = async (candidate: History) => {
		if (left <= 0) return false;
		left -= 1;
		const ledger = await simulate(candidate);
		if (!violationsOf(ledger).some((violation) => violation.law === law)) return false;
		best = candidate;
		return true;
	};
	for (let before = Infinity; size(best) < before && left > 0;) {
		before = size(best);
		await withoutParts(
			() => best.workflows,
			(workflows) => without(best, { workflows }),
			stillBreaks,
		);
		await withoutParts(
			() => best.steps.filter((step) => step.do !== 'send'),
			(kept) => ({ ...best, steps: best.steps.filter((step) => step.do === 'send' || kept.includes(step)) }),
			stillBreaks,
		);
		await withoutParts(
			() => best.events,
			(events) => without(best, { events }),
			stillBreaks,
		);
		await withoutParts(
			() => best.steps,
			(steps) => ({ ...best, steps }),
			stillBreaks,
		);
		for (const plainer of plainerOnes(best)) await stillBreaks(plainer);
	}
	return best;
}

/** Tries to do without a half, a quarter … of the parts, as delta debugging does. */
async function withoutParts<T>(
	parts: () => readonly T[],
	withParts: (kept: T[]) => History,
	stillBreaks: (candidate: History) => Promise<boolean>,
): Promise<void> {
	for (
		let chunk = Math.ceil(parts().length / 2);
		chunk >= 1;
		chunk = chunk === 1 ? 0 : Math.ceil(chunk / 2)
	) {
		for (let from = 0; from < parts().length;) {
			const all = parts();
			const kept = [...all.slice(0, from), ...all.slice(from + chunk)];
			if (kept.length === 0 || !(await stillBreaks(withParts(kept)))) from += chunk;
		}
	}
}

/** Steps that speak of what is gone go with it. */
function without(history: History, changes: Partial<History>): History {
	const next = { ...history, ...changes };
	const names = new Set(next.workflows.map(({ name }) => name));
	const numbers = new Set(next.events.map(({ number }) => number));
	const steps = next.steps.filter((step) => {
		if (step.do === 'send') return numbers.has(step.event);
		return !('workflow' in step) || names.has(step.workflow);
	});
	return { ...next, steps };
}

function* plainerOnes(history: History): Generator<History> {
	for (const [index, workflow] of history.workflows.entries()) {
		const replaced = (changes: object) => ({
			...history,
			workflows: history.workflows.map((each, at) => (at === index ? { ...each, ...changes } : each)),
		});
		for (const option of Object.keys(workflow.options)) {
			yield replaced({
				options: Object.fromEntries(Object.entries(workflow.options).filter(([name]) => name !== option)),
			});
		}
		if (workflow.statuses.length > 0) yield replaced({ statuses: [] });
		if (workflow.runMs[1] !== 100) yield replaced({ runMs: [100, 100] });
	}
	const plain = {
		startGapMs: 100,
		closeGapMs: 0,
		concurrency: 0,
		startFailure: 'rejects' as const,
		cutsOffRuns: undefined,
	};
	for (const name of Object.keys(plain) as Array<keyof typeof plain>) {
		if (history.host[name] !== plain[name])
			yield { ...history, host: { ...history.host, [name]: plain[name] } };
	}
	if (history.events.some(({ kilobytes }) => kilobytes !== undefined)) {
		yield { ...history, events: history.events.map((event) => ({ ...event, kilobytes: undefined })) };
	}
	if (history.events.some(({ spelling }) => spelling !== undefined)) {
		yield { ...history, events: history.events.map((event) => ({ ...event, spelling: undefined })) };
	}
	if (history.queue.type !== 'classic') {
		yield { ...history, queue: { ...history.queue, type: 'classic', deliveryLimit: undefined } };
	}
}

function size({ steps, events, workflows }: History): number {
	return steps.length + events.length + workflows.length;
}
