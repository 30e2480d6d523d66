import { events, history, MINUTE, SECOND, sent, type Example } from './example';

const many = events(300, (number) => ({ set: 1 + (number % 10) }));
const bad = events(3, () => ({ poison: true, status: 'DRAFTED' }));
const well = events(1, () => ({ set: 8 }), 9);
const one = events(1);
const poison = events(1, () => ({ poison: true }));

/** What the simulation found in the trigger that waits. */
export const found: Record<string, Example> = {
	failedOnceInAWait: {
		story: 'A workflow waits over failing sets, and a good event fails once, when it is tried',
		law: 'allIsHandledInTime',
		history: history({
			workflows: [{ options: { parallelRuns: 10 } }],
			events: [...bad, ...well],
			steps: [
				...sent(bad, 0),
				...sent(well, 53 * MINUTE),
				{ at: 59 * MINUTE, do: 'runsEnd', workflow: 'A', how: 'fails', count: 3 },
			],
		}),
	},
	narrowerFilterDuringARun: {
		story: 'A workflow is published again and asks for less, while a run goes on that will fail',
		law: 'onlyWhatIsAskedForRuns',
		history: history({
			workflows: [{ runMs: [5 * SECOND, 5 * SECOND] }],
			events: poison,
			steps: [
				...sent(poison, 55 * SECOND),
				{ at: 57 * SECOND, do: 'republish', workflow: 'A', gapMs: 10, statuses: ['ISSUED'] },
			],
		}),
	},
	publishedAgainWithABacklog: {
		story: 'Beside another, a workflow with a long backlog is published again, and is back in a moment',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			workflows: [{}, { runMs: [SECOND, SECOND], options: { parallelRuns: 10 } }],
			events: many,
			steps: [...sent(many, 0), { at: 7 * SECOND, do: 'republish', workflow: 'B', gapMs: 10 }],
		}),
	},
	hungRunAndStop: {
		story: 'n8n steps down while a run goes on that never ends, of an event that is off the queue',
		law: 'nothingIsLeft',
		history: history({
			workflows: [{ options: { removeWhen: 'received' } }],
			events: one,
			steps: [{ at: 0, do: 'runsEnd', workflow: 'A', how: 'hangs', count: 1 }, ...sent(one, 10 * SECOND)],
		}),
	},
	unreadCredentialAgainAndAgain: {
		story: 'A workflow whose credential cannot be read is published again seven times',
		law: 'thereIsNoStorm',
		history: history({
			events: one,
			steps: [
				{ at: 0, do: 'credentialUnreadable', workflow: 'A', forMs: 10 * MINUTE, hangs: false },
				...Array.from({ length: 7 }, (_, index) => ({
					at: (10 + 10 * index) * SECOND,
					do: 'republish' as const,
					workflow: 'A',
					gapMs: 100,
				})),
				...sent(one, 2 * MINUTE),
			],
		}),
	},
};
