import { events, history, MINUTE, SECOND, sent, type Example } from './example';

const thirty = events(30);
const threeBad = events(3, () => ({ poison: true }));
const twoMoreBad = events(3, (number) => ({ poison: number < 6 }), 4);
const oneSet = events(10, () => ({ set: 1, poison: true }));
const longOnes = events(22);
const oneBad = events(1, () => ({ status: 'DRAFTED', poison: true }));
const goodSince = events(2, () => ({}), 2);
const badAmongGood = events(9, (number) => ({ poison: [1, 2, 4, 6, 8].includes(number) }));
const noEvent = events(1, () => ({ odd: 'text' }), 2);
const failingSets = events(40, (number) => ({ set: number % 4, poison: number <= 4 }));
const noEventLater = events(1, () => ({ odd: 'text' }), 41);
const twelveBad = events(12, () => ({ poison: true }));
const fourGood = events(4, () => ({}), 13);
const batch = events(10, (number) => ({ poison: number === 4 }));
const oneFailingSet = [...events(35, () => ({ set: 1, poison: true })), ...events(1, () => ({ set: 2 }), 36)];
const oneLarge = events(1, () => ({ changes: { note: 'x'.repeat(900_000) } }));
const smallOnes = events(190, () => ({}), 2);
const after = events(2, () => ({ status: 'SIGNED' }), 200);

/** What the workflow needs is away, or n8n is ill. */
export const badTimes: Record<string, Example> = {
	besideAWaitingOneAfterALargeBody: {
		story:
			'A large event has come and gone, and a while later what one of two workflows needs is away for hours: what is kept for it takes all that a channel delivers',
		law: 'nobodyIsHeldUp',
		history: history({
			workflows: [{}, {}],
			events: [...oneLarge, ...smallOnes],
			steps: [
				...sent(oneLarge, 10 * SECOND),
				{ at: 20 * MINUTE, do: 'downstreamAway', workflow: 'A', forMs: 240 * MINUTE },
				...sent(smallOnes, 21 * MINUTE, MINUTE),
			],
		}),
	},
	goodBehindTwoBadOnesInALongWait: {
		story:
			'A workflow waits over three events that fail for ever, and forty minutes later come two more, and a good one behind them',
		law: 'nobodyIsHeldUp',
		history: history({
			seed: 61002220,
			queue: { type: 'quorum', deliveryLimit: 20, consumerTimeoutMs: 30 * MINUTE },
			events: [...threeBad, ...twoMoreBad],
			steps: [...sent(threeBad, 4 * MINUTE), ...sent(twoMoreBad, 44 * MINUTE)],
		}),
	},
	publishedAgainAndAgain: {
		story:
			'The mail server is away for twenty minutes, and somebody publishes the workflow again eight times meanwhile',
		law: 'aWaitingWorkflowResumes',
		history: history({
			seed: 61000223,
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE },
			events: thirty,
			steps: [
				...sent(thirty, 0),
				{ at: SECOND, do: 'downstreamAway', workflow: 'A', forMs: 20 * MINUTE },
				...[5, 6, 7, 8, 9, 10, 11, 12].map((minute) => ({
					at: minute * MINUTE,
					do: 'republish' as const,
					workflow: 'A',
					gapMs: 200,
				})),
			],
		}),
	},
	databaseAwayFinished: {
		story: "n8n's database is away for five minutes, and events are removed when the workflow has finished",
		law: 'nothingIsLost',
		history: history({
			workflows: [{ options: { removeWhen: 'finished' } }],
			events: thirty,
			steps: [{ at: SECOND, do: 'databaseAway', forMs: 5 * MINUTE }, ...sent(thirty, 10 * SECOND)],
		}),
	},
	databaseAwayHalfAnHour: {
		story: "n8n's database is away for half an hour",
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			events: thirty,
			steps: [{ at: SECOND, do: 'databaseAway', forMs: 30 * MINUTE }, ...sent(thirty, 10 * SECOND)],
		}),
	},
	badOnesAndOnePlace: {
		story: 'Five of nine events fail for ever, runs are long, and one runs at a time',
		law: 'nobodyIsHeldUp',
		history: history({
			workflows: [{ options: { parallelRuns: 1, attempts: 10 }, runMs: [150 * SECOND, 150 * SECOND] }],
			events: badAmongGood,
			steps: sent(badAmongGood, 10 * SECOND),
		}),
	},
	backWhileTheLastAttemptRuns: {
		story:
			'A run fails five times over what is away, and while the last one goes on, another of its status succeeds',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			workflows: [{ runMs: [2 * MINUTE, 2 * MINUTE] }],
			events: events(2),
			steps: [
				{ at: 0, do: 'runsEnd', workflow: 'A', how: 'fails', count: 4 },
				...sent(events(1), 10 * SECOND),
				...sent(
					events(1, () => ({}), 2),
					20 * MINUTE,
				),
				{ at: 20 * MINUTE + 20 * SECOND, do: 'runsEnd', workflow: 'A', how: 'fails', count: 1 },
			],
		}),
	},
	badOneAndOthersSucceed: {
		story: 'One event fails for ever on a quorum queue; others have succeeded since when a further one comes',
		law: 'allIsHandledInTime',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE },
			events: [...oneBad, ...goodSince],
			steps: [
				...sent(oneBad, 15 * MINUTE),
				...sent(goodSince.slice(0, 1), 130 * MINUTE),
				...sent(goodSince.slice(1), 138 * MINUTE),
			],
		}),
	},
	databaseBackAndNothingToTry: {
		story:
			"n8n's database is away, the workflow is published again and asks for less, and what is no event waits for its report",
		law: 'allIsHandledInTime',
		history: history({
			events: [...events(1), ...noEvent],
			steps: [
				{ at: 9 * SECOND, do: 'databaseAway', forMs: 5 * MINUTE },
				...sent(events(1), 10 * SECOND),
				...sent(noEvent, MINUTE),
				{ at: 4 * MINUTE + 50 * SECOND, do: 'republish', workflow: 'A', gapMs: SECOND, statuses: ['OTHER'] },
			],
		}),
	},
	databaseAwayBesideAnAbsentOne: {
		story:
			"n8n's database is away for an hour, and one of two workflows is published again meanwhile, and not let in",
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			workflows: [{}, {}],
			events: thirty,
			steps: [
				{ at: 10 * SECOND, do: 'databaseAway', forMs: 60 * MINUTE },
				{ at: 20 * SECOND, do: 'republish', workflow: 'B', gapMs: SECOND },
				...sent(thirty, 30 * SECOND),
			],
		}),
	},
	databaseAwayBesideOneThatLeft: {
		story:
			"An event has failed in one of two workflows when n8n's database goes away and the one is unpublished",
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			workflows: [{}, {}],
			events: events(4),
			steps: [
				{ at: 9 * SECOND, do: 'runsEnd', workflow: 'B', how: 'fails', count: 1 },
				...sent(events(1), 10 * SECOND),
				{ at: 12 * SECOND, do: 'databaseAway', forMs: 30 * MINUTE },
				{ at: 13 * SECOND, do: 'unpublish', workflow: 'B' },
				...sent(
					events(3, () => ({}), 2),
					30 * SECOND,
				),
			],
		}),
	},
	mailServerAway: {
		story: 'The mail server that the workflow needs is away for 20 minutes',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			events: [...thirty, ...after],
			steps: [
				{ at: SECOND, do: 'downstreamAway', workflow: 'A', forMs: 20 * MINUTE },
				...sent(thirty, 10 * SECOND),
				...sent(after, 30 * MINUTE),
			],
		}),
	},
	deliveryLimitOfAFailingSet: {
		story: 'Ten events of one set fail ten times each, on a queue that allows 20 deliveries',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			queue: { type: 'quorum', deliveryLimit: 20, consumerTimeoutMs: 30 * MINUTE },
			workflows: [{ options: { attempts: 10 } }],
			events: oneSet,
			steps: sent(oneSet, 0),
		}),
	},
	deliveryLimitOfLongRuns: {
		story: '22 runs of 24 minutes, one at a time, all well, on a queue that allows 20 deliveries',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			queue: { type: 'quorum', deliveryLimit: 20, consumerTimeoutMs: 30 * MINUTE },
			workflows: [{ options: { parallelRuns: 1 }, runMs: [24 * MINUTE, 24 * MINUTE] }],
			events: longOnes,
			steps: sent(longOnes, 0),
		}),
	},
	batchGivenUpWhole: {
		story: 'One event of ten in a batch fails for ever',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			workflows: [{ options: { batchSize: 10 } }],
			events: [...batch, ...after],
			steps: [...sent(batch, 0), ...sent(after, 40 * MINUTE)],
		}),
	},
	oneFailingSetHoldsAnother: {
		story: '35 failing events of one set stand before one of another',
		law: 'nobodyIsHeldUp',
		history: history({ events: oneFailingSet, steps: sent(oneFailingSet, 0) }),
	},
};

const forty = events(3);
const tenShort = events(10);

/** Runs that are called unknown, though n8n tells how they end. */
export const unknownResults: Record<string, Example> = {
	longRunsRemovedWhenStarted: {
		story: 'Runs of 40 minutes that succeed, removed when they have started',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			workflows: [{ options: { removeWhen: 'received' }, runMs: [40 * MINUTE, 40 * MINUTE] }],
			events: forty,
			steps: sent(forty, 0),
		}),
	},
	waitingForAPlace: {
		story: 'Ten runs of 50 seconds, a time limit of 60, and n8n runs one at a time',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			host: { concurrency: 1 },
			workflows: [{ executionTimeout: 60, runMs: [50 * SECOND, 50 * SECOND], options: { parallelRuns: 10 } }],
			events: tenShort,
			steps: sent(tenShort, 0),
		}),
	},
	noEventBehindFailingSets: {
		story:
			'Nothing that a waiting workflow looks through can succeed, and behind all of it comes what is no event',
		law: 'allIsHandledInTime',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE },
			bounds: { keptEvents: 3, lookThrough: 30 },
			events: [...failingSets, ...noEventLater],
			steps: [
				...sent(failingSets.slice(0, 20), 10 * SECOND),
				...sent(failingSets.slice(20), 50 * MINUTE),
				...sent(noEventLater, 51 * MINUTE),
			],
		}),
	},
	goodOnesTriedInAnOutage: {
		story:
			'A workflow waits over twelve events that fail for ever, and the four good ones that come next are tried while what it needs is away',
		law: 'allIsHandledInTime',
		history: history({
			queue: { type: 'quorum', consumerTimeoutMs: 30 * MINUTE },
			events: [...twelveBad, ...fourGood],
			steps: [
				...sent(twelveBad, 0),
				...sent(fourGood, 2 * MINUTE),
				{ at: 3 * MINUTE, do: 'downstreamAway', workflow: 'A', forMs: 20 * MINUTE },
			],
		}),
	},
};
