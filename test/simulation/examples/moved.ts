import { ACCOUNT, ELSEWHERE, OTHER_ACCOUNT } from '../history/history';
import { events, history, MINUTE, SECOND, sent, type Example } from './example';

const elsewhere = { ...OTHER_ACCOUNT, vhost: ELSEWHERE };
const own = events(1);
const theirs = events(4, () => ({ vhost: ELSEWHERE }), 2);

/** A workflow is pointed to a queue elsewhere, or another one of that name stands there. */
export const moved: Record<string, Example> = {
	anotherCompanysEventsWhileTheOwnConnectionIsLost: {
		story:
			'A workflow is published again during a run, beside one that reads a queue of that name on another virtual host; then its connection is lost, and events come there',
		law: 'nothingComesFromElsewhere',
		history: history({
			workflows: [{ runMs: [2 * MINUTE, 2 * MINUTE] }, { credential: elsewhere }],
			events: [...own, ...theirs],
			steps: [
				...sent(own, 20 * SECOND),
				{ at: 25 * SECOND, do: 'republish', workflow: 'A', gapMs: 200 },
				{ at: 40 * SECOND, do: 'linkLost', username: ACCOUNT.username },
				...sent(theirs, 40 * SECOND + 100, 100),
			],
		}),
	},
};
