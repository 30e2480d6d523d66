import { ACCOUNT, OTHER_ACCOUNT, WRONG_ACCOUNT } from '../history/history';
import { events, history, MINUTE, SECOND, sent, type Example } from './example';

const twenty = events(20);
const one = events(1);
const first = events(2);
const slow = { runMs: [40 * SECOND, 40 * SECOND], options: { parallelRuns: 1 } } as const;
const arrays = events(60, () => ({ odd: 'array' }));
const onTheWay = events(6);
const muchLater = events(6, () => ({}), 7);
const later = events(2, () => ({}), 3);
const kept = events(5, () => ({ status: 'SIGNED' }));
const batchAndOneMore = [
	{ number: 6, set: 1, status: 'TITLE_HELD' },
	{ number: 8, set: 1, status: 'TITLE_HELD' },
	{ number: 9, set: 3, status: 'Signed' },
	{ number: 10, set: 2, status: 'Signed' },
];
const steady = events(260, () => ({ status: 'SIGNED' }));

/** Two users of the broker read one queue, or a workflow moves from the one to the other. */
export const twoUsers: Record<string, Example> = {
	twoUsersOnOneQueue: {
		story:
			'Two workflows read one queue, each with a user of its own, and the broker shares the events among them',
		law: 'nothingIsLost',
		history: history({
			workflows: [{}, { credential: OTHER_ACCOUNT }],
			events: twenty,
			steps: sent(twenty, 20 * SECOND, SECOND),
		}),
	},
	publishedAgainWhileTheOtherOneMoves: {
		story:
			'A workflow is being published again when the connection of the other one is lost, and comes back with another user',
		law: 'nothingIsLost',
		history: history({
			workflows: [{}, {}],
			events: kept,
			steps: [
				{ at: MINUTE, do: 'republish', workflow: 'B', gapMs: 40 * SECOND },
				{ at: 62 * SECOND, do: 'credentialEdited', workflow: 'A', credential: OTHER_ACCOUNT },
				{ at: 63 * SECOND, do: 'linkLost' },
				...sent(kept, 80 * SECOND),
			],
		}),
	},
	firstTakenByAnotherUserWithSlowRuns: {
		story:
			'At the start of n8n the connection of another user, whose runs are slow, takes an event before the own one is let in',
		law: 'nobodyIsHeldUp',
		history: history({
			host: { startGapMs: SECOND },
			workflows: [{}, { credential: OTHER_ACCOUNT, runMs: [15 * MINUTE, 15 * MINUTE] }, {}],
			events: one,
			steps: sent(one, 0),
		}),
	},
	startsLateAsAnotherUser: {
		story:
			'n8n takes a minute to start the second workflow, which has a user of its own, and the first one handles an event by then',
		law: 'nothingIsLost',
		history: history({
			host: { startGapMs: 45 * SECOND },
			workflows: [{}, { credential: OTHER_ACCOUNT }],
			events: first,
			steps: sent(first, 46 * SECOND, 2 * MINUTE),
		}),
	},
	droppedBeforeAnotherUserStarts: {
		story:
			'What a channel held is dropped by the queue before the last workflow starts, which has a user of its own',
		law: 'whatTheQueueTakesIsTold',
		history: history({
			queue: { type: 'classic', consumerTimeoutMs: 30 * MINUTE, maxLength: 2 },
			host: { startGapMs: 6_500 },
			workflows: [{}, slow, { credential: OTHER_ACCOUNT }],
			events: twenty,
			steps: [...sent(twenty, 18_100, 10), { at: 18_500, do: 'channelLost' }],
		}),
	},
	twoUsersAndALostLink: {
		story: 'The same, and both connections are lost, one for longer',
		law: 'nothingIsLost',
		history: history({
			workflows: [{ runMs: [5 * SECOND, 5 * SECOND] }, { credential: OTHER_ACCOUNT }],
			events: twenty,
			steps: [
				...sent(twenty, 20 * SECOND, SECOND),
				{ at: 25 * SECOND, do: 'linkLost' },
				{ at: 29 * SECOND, do: 'linkLost', username: OTHER_ACCOUNT.username },
			],
		}),
	},
	returnedAsAnotherUserGotIt: {
		story:
			'An event comes over the connection of another user, which is renewed at that moment, and comes again over the own one',
		law: 'nothingIsDoubled',
		history: history({
			workflows: [
				{ options: { skipRepeats: false } },
				{ options: { skipRepeats: false } },
				{ statuses: ['DRAFTED'], credential: OTHER_ACCOUNT },
			],
			events: twenty,
			steps: sent(twenty, 20 * SECOND, SECOND),
		}),
	},
	movedWhileItRuns: {
		story: 'A credential is edited to another user while runs go on, and the connection is lost',
		law: 'neverMoreRunsThanAsked',
		history: history({
			workflows: [{ options: { parallelRuns: 1 }, runMs: [MINUTE, MINUTE] }],
			events: [...first, ...later],
			steps: [
				...sent(first, 20 * SECOND),
				{ at: 21 * SECOND, do: 'credentialEdited', workflow: 'A', credential: OTHER_ACCOUNT },
				{ at: 25 * SECOND, do: 'linkLost' },
				...sent(later, 40 * SECOND),
			],
		}),
	},
	movedWithEventsKept: {
		story: 'Events are kept for a workflow that is published again, and it comes back as another user',
		law: 'nothingIsLost',
		history: history({
			workflows: [{ statuses: ['SIGNED'] }, { statuses: ['DRAFTED'] }],
			events: kept,
			steps: [
				{ at: 4 * MINUTE, do: 'republish', workflow: 'A', gapMs: 40 * SECOND },
				...sent(kept, 4 * MINUTE + 10 * SECOND),
				{
					at: 4 * MINUTE + 20 * SECOND,
					do: 'credentialEdited',
					workflow: 'A',
					credential: OTHER_ACCOUNT,
				},
			],
		}),
	},
	movedFromAQueueThatLetsExpire: {
		story:
			'A credential is edited to another user, the connection is lost, and what it held is too old for the queue',
		law: 'whatTheQueueTakesIsTold',
		history: history({
			queue: { type: 'classic', consumerTimeoutMs: 30 * MINUTE, messageTtlMs: MINUTE },
			workflows: [{ options: { parallelRuns: 1 }, runMs: [2 * MINUTE, 2 * MINUTE] }],
			events: kept,
			steps: [
				...sent(kept, 10 * SECOND),
				{ at: 80 * SECOND, do: 'credentialEdited', workflow: 'A', credential: OTHER_ACCOUNT },
				{ at: 90 * SECOND, do: 'linkLost' },
			],
		}),
	},
	movedAndPublishedAgainBesideAnother: {
		story:
			'Two workflows move to another user one after the other, published again, from a queue with a limit of one return',
		law: 'whatTheQueueTakesIsTold',
		history: history({
			queue: { type: 'quorum', deliveryLimit: 1, consumerTimeoutMs: 30 * MINUTE },
			workflows: [
				{ options: { parallelRuns: 1 }, runMs: [2 * MINUTE, 2 * MINUTE] },
				{ options: { parallelRuns: 1 }, runMs: [MINUTE, MINUTE] },
			],
			events: kept,
			steps: [
				...sent(kept, 10 * SECOND),
				{ at: 20 * SECOND, do: 'linkLost' },
				{ at: 80 * SECOND, do: 'credentialEdited', workflow: 'A', credential: OTHER_ACCOUNT },
				{ at: 80 * SECOND, do: 'credentialEdited', workflow: 'B', credential: OTHER_ACCOUNT },
				{ at: 90 * SECOND, do: 'republish', workflow: 'A', gapMs: 2 * SECOND },
				{ at: 94 * SECOND, do: 'republish', workflow: 'B', gapMs: 2 * SECOND },
			],
		}),
	},
	twoWrongPasswordsAtAStart: {
		story:
			'Two passwords are edited to wrong ones while all four workflows run an event; n8n starts again, and one of the four is another user by then',
		law: 'onlyTheProvenAreServed',
		history: history({
			workflows: [
				{ statuses: ['SIGNED', 'OTHER'] },
				{ statuses: ['DRAFTED'], runMs: [5 * SECOND, 5 * SECOND] },
				{ runMs: [35 * MINUTE, 40 * MINUTE], executionTimeout: 2_405 },
				{ runMs: [100, 100] },
			],
			events: first,
			steps: [
				...sent(first, 0),
				{ at: 5 * MINUTE, do: 'credentialEdited', workflow: 'C', credential: WRONG_ACCOUNT },
				{ at: 5 * MINUTE, do: 'credentialEdited', workflow: 'A', credential: WRONG_ACCOUNT },
				{ at: 6 * MINUTE, do: 'restart', downMs: 2 * SECOND },
				{ at: 6 * MINUTE + 18 * SECOND, do: 'credentialEdited', workflow: 'D', credential: OTHER_ACCOUNT },
			],
		}),
	},
	neverLetInIsTold: {
		story: 'A workflow with a wrong password misses sixty events beside a well one',
		law: 'thereIsNoStorm',
		history: history({
			host: { startGapMs: 6_500 },
			workflows: [{}, { credential: WRONG_ACCOUNT }],
			events: steady,
			steps: sent(steady, 20 * SECOND, 2 * SECOND),
		}),
	},
	toldOfOverTheOthersConnection: {
		story:
			'A workflow moves to another user and back, and what waits for the slow one beside it comes over that connection while its own is lost',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			bounds: { remembered: 5 },
			workflows: [
				{ runMs: [100, 100] },
				{ options: { keepOrder: false }, runMs: [35 * MINUTE, 40 * MINUTE] },
			],
			events: onTheWay,
			steps: [
				...sent(onTheWay, 0),
				{ at: 56 * SECOND, do: 'credentialEdited', workflow: 'A', credential: OTHER_ACCOUNT },
				{ at: 62 * SECOND, do: 'channelLost', times: 3, everyMs: 50 },
				{ at: 126 * SECOND, do: 'credentialEdited', workflow: 'A', credential: ACCOUNT },
				{ at: 159 * SECOND, do: 'channelLost', times: 3, everyMs: 500 },
			],
		}),
	},
	backAgainAfterItEndedElsewhere: {
		story:
			'A workflow moves to another user and back, and in between it has what its first connection still held for the slow one beside it',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			bounds: { remembered: 5 },
			workflows: [{}, { runMs: [35 * MINUTE, 40 * MINUTE] }],
			events: [...onTheWay, ...muchLater],
			steps: [
				...sent(onTheWay, 10 * SECOND),
				{ at: 56 * SECOND, do: 'credentialEdited', workflow: 'A', credential: OTHER_ACCOUNT },
				{ at: 62 * SECOND, do: 'channelLost' },
				{ at: 126 * SECOND, do: 'credentialEdited', workflow: 'A', credential: ACCOUNT },
				{ at: 159 * SECOND, do: 'channelLost', times: 2, everyMs: 500 },
				...sent(muchLater, 200 * SECOND),
			],
		}),
	},
	joinedOverTheNextConnection: {
		story:
			'A workflow moves to another user when its channel is lost, and what it runs comes again over the new connection before the old one hands over what it waits for',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			queue: { type: 'classic', consumerTimeoutMs: 30 * MINUTE, latencyMs: [1, 1] },
			bounds: { remembered: 5 },
			workflows: [{ runMs: [2 * MINUTE, 2 * MINUTE] }],
			events: twenty.slice(0, 11),
			steps: [
				...sent(twenty.slice(0, 11), 0),
				{ at: 56 * SECOND, do: 'credentialEdited', workflow: 'A', credential: OTHER_ACCOUNT },
				{ at: 100 * SECOND, do: 'channelLost' },
			],
		}),
	},
	databaseAwayAndOneOfTwoLost: {
		story:
			"Two workflows read one queue as two users; n8n's database is away, and the connection of one is lost and cannot be opened again before its credential can be read",
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			workflows: [{ credential: OTHER_ACCOUNT }, {}],
			events: onTheWay,
			steps: [
				{ at: 19 * SECOND, do: 'databaseAway', forMs: 40 * MINUTE },
				...sent(onTheWay, 20 * SECOND, SECOND),
				{ at: 30 * SECOND, do: 'linkLost', username: ACCOUNT.username },
			],
		}),
	},
	databaseAwayAndOneOfTwoNotLetInYet: {
		story:
			"Two workflows read one queue as two users; n8n's database is away from before one of them is let in, and the other one waits over that for longer than events are kept",
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			seed: 2120001918,
			host: { startGapMs: 6_500, concurrency: 2 },
			workflows: [
				{ options: { batchSize: 3 }, runMs: [SECOND, 20 * SECOND] },
				{ statuses: ['SIGNED', 'ISSUED'], credential: OTHER_ACCOUNT },
			],
			events: batchAndOneMore,
			steps: [
				...sent(batchAndOneMore.slice(0, 2), 2_724),
				...sent(batchAndOneMore.slice(2), 8_168),
				{ at: 14_295, do: 'databaseAway', forMs: 30 * MINUTE },
			],
		}),
	},
	nonsenseWhileTheUserChanges: {
		story: 'The sender sends nonsense, and the workflow that is told moves to another user in the middle',
		law: 'thereIsNoStorm',
		history: history({
			events: arrays,
			steps: [
				...sent(arrays, 10 * SECOND, 5 * SECOND),
				{ at: 2 * MINUTE, do: 'credentialEdited', workflow: 'A', credential: OTHER_ACCOUNT },
				{ at: 2 * MINUTE, do: 'linkLost' },
			],
		}),
	},
};
