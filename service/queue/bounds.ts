const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const MEGABYTE = 1024 * 1024;

/** Every wait and every limit of listening. Tests meet them in shorter histories. */
export interface Bounds {
	/** Waits before the second, third, … attempt; the last one repeats. */
	retryWaitsMs: readonly number[];
	/** A run without a word for so long is taken for ended with an unknown result. */
	runWordMs: number;
	/** One whose event is off the queue already holds its place and its set no longer than this. */
	heldMs: number;
	/** A run that was not refused within this time has begun. n8n waits 20 seconds for a database that does not answer. */
	takenMs: number;

	/** A lane waits after so many runs that failed in a row … */
	streakRuns: number;
	/** … of at least so many sets, */
	streakSets: number;
	/** or after so many runs of unknown result in a row. */
	streakUnknown: number;
	/** Tries of a waiting lane, counted from the beginning of the wait … */
	probesMs: readonly number[];
	/** … and the time between all further ones. */
	probeEveryMs: number;
	/** The same where the broker counts deliveries: those of the beginning, before what was delivered goes back; … */
	countedProbesMs: readonly number[];
	/** … then after so long, by how often what waits came back; … */
	countedRestsMs: readonly number[];
	/** … then at marks of the day, the same for all, so far apart, … */
	countedProbeEveryMs: number;
	/**
	 * … and from so many returns on so far, since few deliveries may be left: a weekend of three days on RabbitMQ 4 as it comes
	 * costs none of its events.
	 */
	countedRarely: ReadonlyArray<{ from: number; everyMs: number }>;
	/**
	 * What comes behind a few that failed is taken no sooner than this after the queue was left alone, by how often in a row that
	 * was in vain, and then not before these are tried; behind what is tried so rarely not the first time.
	 */
	lookBehindMs: readonly number[];
	/** A try waits so long for the events it chooses from. */
	collectMs: number;
	/** Where deliveries are counted, a round of tries begins none after so long: with runs of nine minutes, it is over at {@link renewAfterMs}. */
	tryForMs: number;
	/** Events a waiting lane chooses its tries from. */
	lookThrough: number;
	/** A lane that waits is reported after so long, … */
	reportWaitAfterMs: number;
	/** … then again after so long, … */
	reportWaitEveryMs: number;
	/** … and never sooner after the report before. */
	reportWaitAtMostMs: number;
	/** The same where all places are taken, and no run has ended for so long: slow ones are no news. */
	reportFullAfterMs: number;

	/** Who left may return for so long. */
	returnMs: number;
	/** A host that starts brings up its triggers within this time after the one before, … */
	startGapMs: number;
	/** … and almost always within this: so long, what was handled already is kept too. */
	startHandledMs: number;
	/** … and all of them within this. */
	startLongestMs: number;
	/** Whoever waits to be let in tries again after this time. */
	admitAgainMs: number;
	/** Events kept for one that is absent or waits, beside others: so many, … */
	keptEvents: number;
	/** … of so many bytes, … */
	keptBytes: number;
	/** … counted from this time on, since whoever is published again is back in a moment, … */
	keptFreelyMs: number;
	/** … for one that is absent no longer than this, … */
	keptMs: number;
	/** … and for one that waits up to so many deliveries, where the broker counts them. */
	keptDeliveries: number;

	/**
	 * A channel gives back what it delivered after this time: RabbitMQ closes one after 30 minutes. Later than {@link keptMs}:
	 * the same moment would settle what was kept right before the close, and a quorum queue loses such acknowledgements.
	 */
	renewAfterMs: number;
	/** The same of a channel that takes nothing more, since another process leads: longer than the end of a run is waited for. */
	keepAtMostMs: number;
	/** From so many on, where the broker counts deliveries, it delivers no more than can be run at this moment. */
	spareDeliveries: number;
	/** A channel whose every delivery counts takes nothing more for so long before {@link renewAfterMs}, and ends what it has. */
	drainMs: number;
	/** What went back to the queue is remembered until it comes again: so many messages, … */
	givenBackEvents: number;
	/** … of so many bytes. */
	givenBackBytes: number;
	/** Nothing waits on the queue for so long, and yet it does not come: one that stands still may say so for a while. */
	noneWaitsMs: number;
	/** What does not come again is told no sooner after the report before. */
	missingEveryMs: number;
	/** A queue that nobody reads is looked at so often: one that is to be deleted unused counts from then on. */
	leaseMs: number;
	/** While runs go on after everybody left, another reader of the queue is looked for so often … */
	successorLookMs: number;
	/** … and believed when it was there for so long: a dead connection counts until three of its heartbeats are missed. */
	successorSureMs: number;
	/** Growth of the prefetch, in times of what the lanes ask for. */
	prefetchSteps: readonly number[];
	/** Beside what a slow workflow holds, one that has nothing to run is delivered more: so many in all. No more than {@link givenBackEvents}. */
	heldBesideEvents: number;
	/** Bytes in flight at most, reckoned with the largest body seen. */
	prefetchBytes: number;
	/** Between two channels that grow. */
	growAgainMs: number;
	/** The same for somebody who joined while some are delivered, and nobody starves. */
	joinedGapMs: number;
	/** A quorum queue forgets acknowledgements that came shortly before a close. */
	silenceMs: number;

	/** Unreadable messages, or events that are not kept, reported one by one in an hour. */
	singleReports: number;
	/** From then on in one report a minute. */
	reportedPerMinute: number;
	/** Why a subscriber cannot listen is told again after this time. */
	tellAgainMs: number;
	/** Outcomes remembered for each subscriber, … */
	remembered: number;
	/** … and for how long. */
	rememberedMs: number;
}

/** Those of a process that listens for real. */
export const BOUNDS: Bounds = {
	retryWaitsMs: [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE],
	runWordMs: 25 * MINUTE,
	heldMs: 24 * HOUR,
	takenMs: MINUTE,

	streakRuns: 10,
	streakSets: 3,
	streakUnknown: 3,
	probesMs: [MINUTE, 3 * MINUTE, 8 * MINUTE, 18 * MINUTE],
	probeEveryMs: 10 * MINUTE,
	countedProbesMs: [MINUTE, 3 * MINUTE, 8 * MINUTE],
	countedRestsMs: [10, 20, 40, 80].map((minutes) => minutes * MINUTE),
	countedProbeEveryMs: 2 * HOUR,
	countedRarely: [
		{ from: 15, everyMs: 12 * HOUR },
		{ from: 18, everyMs: 24 * HOUR },
	],
	lookBehindMs: [MINUTE, 30 * MINUTE],
	collectMs: 3 * SECOND,
	tryForMs: 12 * MINUTE,
	lookThrough: 1_000,
	reportWaitAfterMs: 5 * MINUTE,
	reportFullAfterMs: 2 * HOUR,
	reportWaitEveryMs: 24 * HOUR,
	reportWaitAtMostMs: HOUR,

	returnMs: 3 * MINUTE,
	startGapMs: 3 * MINUTE,
	startHandledMs: 40 * SECOND,
	startLongestMs: 15 * MINUTE,
	admitAgainMs: 30 * SECOND,
	keptEvents: 200,
	keptBytes: 16 * MEGABYTE,
	keptFreelyMs: MINUTE,
	keptMs: 20 * MINUTE,
	keptDeliveries: 15,

	renewAfterMs: 21 * MINUTE,
	keepAtMostMs: 29 * MINUTE,
	spareDeliveries: 5,
	drainMs: 8 * MINUTE,
	givenBackEvents: 10_000,
	givenBackBytes: 16 * MEGABYTE,
	noneWaitsMs: 2 * MINUTE,
	missingEveryMs: 20 * MINUTE,
	leaseMs: MINUTE,
	successorLookMs: 20 * SECOND,
	successorSureMs: MINUTE,
	prefetchSteps: [1, 4, 16],
	heldBesideEvents: 10_000,
	prefetchBytes: 64 * MEGABYTE,
	growAgainMs: 2 * SECOND,
	joinedGapMs: MINUTE,
	silenceMs: SECOND,

	singleReports: 20,
	reportedPerMinute: 200,
	tellAgainMs: HOUR,
	remembered: 10_000,
	rememberedMs: 24 * HOUR,
};
