import type { QueuePlan } from '../history/history';
import { events, history, HOUR, MINUTE, SECOND, sent, type Example } from './example';

/** As RabbitMQ 4 has it by itself. */
const limited: QueuePlan = { type: 'quorum', consumerTimeoutMs: 30 * MINUTE, deliveryLimit: 20 };

const dayLong = events(2_000, (number) => ({ set: number % 400 }));
const day = (queue: QueuePlan) =>
	history({
		queue,
		events: dayLong,
		steps: [
			{ at: 10 * SECOND, do: 'downstreamAway', workflow: 'A', forMs: 24 * HOUR },
			...sent(dayLong, 20 * SECOND, 40 * SECOND),
		],
	});

const sixty = events(60, (number) => ({ set: number % 30 }));

/** So few that the workflow does not wait: each fails by itself. */
const hourly = events(2);

const twoBad = events(2, () => ({ poison: true }));
const good = events(2, () => ({}), 3);
/** Of two sets, so that the workflow does not wait. */
const ofTwoSets = events(128, (number) => ({ set: number % 2 }));
const ofTheFirst = events(2, () => ({ status: 'ISSUED' }));
const ofTheSecond = events(84, () => ({ status: 'SIGNED' }), 3);
const fiftyBad = events(50, () => ({ poison: true }));
const others = events(20, () => ({}), 51);
const steady = events(60, (number) => ({ set: number % 5 }));
const few = events(5);
const manyNames = Array.from({ length: 300 }, (_, index) => ({ name: `W${index}` }));

/** What lasts for long, and harms nobody. */
export const long: Record<string, Example> = {
	awayForADay: {
		story: 'What the workflow needs is away for 24 hours, and 2,000 events come to a classic queue',
		law: 'onlyTheGuiltyEndInReports',
		history: day({ type: 'classic', consumerTimeoutMs: 30 * MINUTE }),
	},
	awayForADayOnAQuorumQueue: {
		story: 'The same on a quorum queue',
		law: 'onlyTheGuiltyEndInReports',
		history: day({ type: 'quorum', consumerTimeoutMs: 30 * MINUTE }),
	},
	awayForADayOnALimitedQueue: {
		story: 'The same on a quorum queue that allows 20 deliveries',
		law: 'onlyTheGuiltyEndInReports',
		history: day(limited),
	},
	awayForAWeekendWithANewProcessEachNight: {
		story:
			'What the workflow needs is away for a weekend, on a queue that allows 20 deliveries, and n8n is started anew each night',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			queue: limited,
			events: sixty,
			steps: [
				{ at: 10 * SECOND, do: 'downstreamAway', workflow: 'A', forMs: 64 * HOUR },
				...sent(sixty, 20 * SECOND, 5 * MINUTE),
				...[9, 33, 57].map((hour) => ({ at: hour * HOUR, do: 'restart' as const, downMs: 20 * SECOND })),
				{ at: 70 * HOUR, do: 'republish', workflow: 'A', gapMs: 2 * SECOND },
			],
		}),
	},
	awayForAWeekendAndADayWithANewProcessEachNight: {
		story: 'The same for a weekend of 87 hours, with a fourth night',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			queue: limited,
			events: sixty,
			steps: [
				{ at: 10 * SECOND, do: 'downstreamAway', workflow: 'A', forMs: 87 * HOUR },
				...sent(sixty, 20 * SECOND, 5 * MINUTE),
				...[10, 34, 58, 82].map((hour) => ({ at: hour * HOUR, do: 'restart' as const, downMs: 20 * SECOND })),
				{ at: 90 * HOUR, do: 'republish', workflow: 'A', gapMs: 2 * SECOND },
			],
		}),
	},
	twoOfThemAwayForAWeekendWithANewProcessEachNight: {
		story:
			'Two events come while what the workflow needs is away for a weekend, and n8n is started anew each night',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			queue: limited,
			events: hourly,
			steps: [
				{ at: 10 * SECOND, do: 'downstreamAway', workflow: 'A', forMs: 64 * HOUR },
				...sent(hourly, 20 * SECOND, HOUR),
				...[9, 33, 57].map((hour) => ({ at: hour * HOUR, do: 'restart' as const, downMs: 20 * SECOND })),
				{ at: 70 * HOUR, do: 'republish', workflow: 'A', gapMs: 2 * SECOND },
			],
		}),
	},
	aGoodOneBehindTwoThatCameOften: {
		story:
			'Two events fail by themselves, alone for a day, and a good one comes while the queue is left alone for half a day',
		law: 'nobodyIsHeldUp',
		history: history({
			queue: limited,
			events: [...twoBad, ...good],
			steps: [...sent(twoBad, 20 * SECOND), ...sent(good, 33 * HOUR, HOUR)],
		}),
	},
	aGoodOneBehindTwoThatFail: {
		story: 'The same in the first hours',
		law: 'nobodyIsHeldUp',
		history: history({
			queue: limited,
			events: [...twoBad, ...good],
			steps: [...sent(twoBad, 20 * SECOND), ...sent(good, 4.5 * HOUR, HOUR)],
		}),
	},
	ofTwoSetsEachHalfHourOverAWeekend: {
		story:
			'What the workflow needs is away for a weekend, and one event comes each half hour, all of two sets: none of them waits behind others that fail for a reason of their own',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			queue: limited,
			events: ofTwoSets,
			steps: [
				{ at: 10 * SECOND, do: 'downstreamAway', workflow: 'A', forMs: 64 * HOUR },
				...sent(ofTwoSets, 20 * SECOND, 30 * MINUTE),
				{ at: 70 * HOUR, do: 'republish', workflow: 'A', gapMs: 2 * SECOND },
			],
		}),
	},
	twoFailBesideAnotherWorkflowThatWaits: {
		story:
			'What two workflows need is away for a night: two events of the one fail, and the other waits with all that comes for it meanwhile',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			queue: limited,
			workflows: [{ statuses: ['ISSUED'] }, { statuses: ['SIGNED'] }],
			events: [...ofTheFirst, ...ofTheSecond],
			steps: [
				...['A', 'B'].map((workflow) => ({
					at: 10 * SECOND,
					do: 'downstreamAway' as const,
					workflow,
					forMs: 14 * HOUR,
				})),
				...sent(ofTheFirst, 20 * SECOND),
				...sent(ofTheSecond, MINUTE, 10 * MINUTE),
			],
		}),
	},
	twoOfThemAwayForADayOnALimitedQueue: {
		story: 'Two events come an hour apart, while what the workflow needs is away for a day',
		law: 'onlyTheGuiltyEndInReports',
		history: history({
			queue: limited,
			events: hourly,
			steps: [
				{ at: 10 * SECOND, do: 'downstreamAway', workflow: 'A', forMs: 24 * HOUR },
				...sent(hourly, 20 * SECOND, HOUR),
			],
		}),
	},
	fiftyFailingSetsAtTheHead: {
		story: 'Fifty sets of one customer fail for ever, and stand before twenty others',
		law: 'nobodyIsHeldUp',
		history: history({
			events: [...fiftyBad, ...others],
			steps: [...sent(fiftyBad, 10 * SECOND), ...sent(others, 11 * SECOND)],
		}),
	},
	publishedEveryTwoMinutes: {
		story: 'A workflow is published again every two minutes, beside a well one',
		law: 'nobodyIsHeldUp',
		history: history({
			workflows: [{}, {}],
			events: steady,
			steps: [
				...Array.from({ length: 15 }, (_, index) => ({
					at: (1 + 2 * index) * MINUTE,
					do: 'republish' as const,
					workflow: 'B',
					gapMs: 2 * SECOND,
				})),
				...sent(steady, 30 * SECOND, 30 * SECOND),
			],
		}),
	},
	neverReadCredential: {
		story: 'The credential of a workflow cannot be read for three hours, beside a well one',
		law: 'nobodyIsHeldUp',
		history: history({
			workflows: [{}, {}],
			events: steady,
			steps: [
				{ at: 0, do: 'credentialUnreadable', workflow: 'B', forMs: 3 * HOUR, hangs: false },
				...sent(steady, 30 * SECOND, MINUTE),
			],
		}),
	},
	threeHundredWorkflows: {
		story: '300 workflows start one by one, half a second apart, and the events were there before',
		law: 'nothingIsLost',
		history: history({
			host: { startGapMs: 500 },
			workflows: manyNames,
			events: few,
			steps: sent(few, 0),
		}),
	},
	waitsBesideAWellOne: {
		story: 'What one workflow needs is away for two hours, and another runs all its events as they come',
		law: 'nobodyIsHeldUp',
		history: history({
			workflows: [{}, {}],
			events: steady,
			steps: [
				{ at: 10 * SECOND, do: 'downstreamAway', workflow: 'B', forMs: 2 * HOUR },
				...sent(steady, 20 * SECOND, 30 * SECOND),
			],
		}),
	},
};
