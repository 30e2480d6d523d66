import {
	ACCOUNT,
	type CredentialPlan,
	type EventPlan,
	type History,
	type Step,
	type WorkflowPlan,
} from '../history/history';
import type { LAWS } from '../laws';

/** A history that broke a law once, told as what happened to somebody. */
export interface Example {
	/** What happened, in a sentence. */
	story: string;
	/** The law it broke. */
	law: keyof typeof LAWS;
	history: History;
}

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;

type Changes = Partial<Omit<History, 'workflows' | 'steps' | 'host'>> & {
	workflows?: ReadonlyArray<Partial<WorkflowPlan>>;
	host?: Partial<History['host']>;
	steps?: readonly Step[];
};

/** A history of one classic queue, one workflow with the settings of the panel and runs of half a second, but for the changes. */
export function history({ workflows = [{}], host, steps = [], ...changes }: Changes): History {
	return {
		seed: 1,
		queue: { type: 'classic', consumerTimeoutMs: 30 * MINUTE },
		host: { startGapMs: 100, closeGapMs: 0, concurrency: 0, startFailure: 'rejects', ...host },
		workflows: workflows.map((workflow, index) => ({
			name: 'ABCD'.charAt(index),
			published: true,
			statuses: [],
			options: {},
			runMs: [500, 500],
			credential: ACCOUNT,
			...workflow,
		})),
		events: [],
		steps: [...steps].sort((a, b) => a.at - b.at),
		...changes,
	};
}

/** So many events, from a number on. Each is of a set of its own unless told otherwise. */
export function events(
	count: number,
	plan: (number: number) => Partial<EventPlan> = () => ({}),
	from = 1,
): EventPlan[] {
	return Array.from({ length: count }, (_, index) => {
		const number = from + index;
		return { number, set: number, status: 'SIGNED', ...plan(number) };
	});
}

/** The first workflow is pointed to another place, or logs in otherwise, and is published at once. */
export function pointed(at: number, credential: CredentialPlan): Step[] {
	return [
		{ at, do: 'credentialEdited', workflow: 'A', credential },
		{ at, do: 'republish', workflow: 'A', gapMs: 200 },
	];
}

/** Sends them at one moment, or one after another. */
export function sent(plans: readonly EventPlan[], at: number, everyMs = 0): Step[] {
	return plans.map(({ number }, index) => ({ at: at + index * everyMs, do: 'send', event: number }));
}
