import type { IDataObject } from 'n8n-workflow';
import type { TriggerView } from '../../../service/queue/watch';
import { queueName } from '../parameters/queueName';
import type { Operation } from './operation';
import type { QueueState } from './queueState';
import { filterText } from '../parameters/values';

/**
 * What waits on the queue and who reads it, and what this n8n does with it. Asked of the broker by passive means: no event
 * is taken, moved or counted as delivered.
 */
export const queueGetStatus: Operation<string> = {
	read: (parameters) => queueName(filterText(parameters.raw('queue'), 'Queue')),
	answer: async (queue, work) => {
		const state = await work.askQueue(queue);
		if (state.listening === null) work.hint(NOT_KNOWN_HERE);
		return [{ json: statusItem(queue, state) }];
	},
};

/** In queue mode, the triggers listen in the main process, and workflows run on workers. */
const NOT_KNOWN_HERE =
	'Whether a trigger of this n8n listens is known in its main process alone, and this run took place on a worker: listening, paused and what goes with them are empty.';

function statusItem(
	queue: string,
	{ waiting, readers, listening, triggers, accounts, allRead }: QueueState,
): IDataObject {
	const isPaused = triggers.some(({ paused }) => paused);
	const newest = Math.max(...triggers.map(({ lastEventAt }) => lastEventAt ?? 0));
	const problems = triggers.flatMap((trigger) => problemOf(trigger) ?? []);
	const isKnown = listening !== null;
	return {
		...{ queue, waiting, readers },
		// While it is paused, or cannot listen, a trigger may have left the queue for a while.
		otherReaders: listening && !isPaused && allRead ? Math.max(0, readers - accounts) : null,
		listening,
		paused: isKnown ? isPaused : null,
		problem: problems.length > 0 ? problems.join(' ') : null,
		lastEventAt: newest > 0 ? iso(newest) : null,
		running: isKnown ? triggers.reduce((sum, { running }) => sum + running, 0) : null,
		resting: isKnown ? sumOf(triggers.map(({ resting }) => resting)) : null,
		triggers: triggers.map((trigger) => ({
			trigger: trigger.title,
			since: iso(trigger.since),
			lastEventAt: iso(trigger.lastEventAt),
			running: trigger.running,
			resting: trigger.resting ?? null,
			pausedSince: iso(trigger.paused?.since),
			failingSince: iso(trigger.failing?.since),
			problem: problemOf(trigger) ?? null,
		})),
	};
}

/** Null where one of them does not say. */
function sumOf(counts: ReadonlyArray<number | undefined>): number | null {
	return counts.reduce<number | null>(
		(sum, count) => (sum === null || count === undefined ? null : sum + count),
		0,
	);
}

/** In words, for a mail. */
function problemOf({ title, outage, paused, failing }: TriggerView): string | undefined {
	if (outage !== undefined) return `${title} cannot listen: ${outage}.`;
	if (paused) return `${title} waits since ${iso(paused.since)}: ${paused.reason}.`;
	return failing && `The runs of ${title} fail since ${iso(failing.since)}: ${failing.reason}.`;
}

function iso(time: number | undefined): string | null {
	return time === undefined ? null : new Date(time).toISOString();
}
