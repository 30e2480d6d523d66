import { ODD_BODIES } from './bodies';
import {
	ACCOUNT,
	ELSEWHERE,
	OTHER_HOST,
	USUAL_HOST,
	OTHER_ACCOUNT,
	WRONG_ACCOUNT,
	type CredentialPlan,
	type EventPlan,
	type Happening,
	type History,
	type HostPlan,
	type QueuePlan,
	type RunEnd,
	type ShortBounds,
	type Step,
	type WorkflowPlan,
} from './history';
import { randomFrom, type Random } from './random';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const STATUSES = ['DRAFTED', 'Signed', 'ISSUED', 'TITLE_HELD'] as const;
const ODD = Object.keys(ODD_BODIES) as [string, ...string[]];
const NAMES = ['A', 'B', 'C', 'D'] as const;

/** The history of a seed. */
export function historyOf(seed: number): History {
	const random = randomFrom(seed);
	const workflows = workflowsOf(random);
	const host = hostOf(random);
	const long = workflows.some(({ runMs }) => runMs[1] > 10 * MINUTE);
	const events = eventsOf(random, long ? MOST_LONG_RUNS : Infinity);
	const spanMs = random.pick([MINUTE, 5 * MINUTE, 5 * MINUTE, 20 * MINUTE, HOUR]);
	const sends = sendsOf(random, events, spanMs);
	const faults = faultsOf(random, workflows, host, spanMs);
	let steps: Step[] = [...sends, ...faults].sort((a, b) => a.at - b.at);
	const queue = queueOf(random);
	let bounds = random.percent(40) ? boundsOf(random) : undefined;
	// Drawn last: the other histories are as they were before there was such a queue.
	if (random.percent(5)) queue.maxLength = random.pick([5, 20, 60]);
	if (random.percent(50)) host.cutsOffRuns = true;
	if (random.percent(50)) steps.push(...impatienceOf(random, faults));
	steps.sort((a, b) => a.at - b.at);
	if (random.percent(20)) {
		enlarge(random, events);
		if (random.percent(75)) bounds = { ...bounds, ...byteBoundsOf(random) };
	}
	if (random.percent(15)) spell(random, events);
	if (random.percent(20)) {
		steps.push(...secondThoughtsOf(random, workflows, spanMs));
		steps.sort((a, b) => a.at - b.at);
	}
	if (events.length <= MOST_LONG_RUNS && random.percent(20)) lengthen(random, workflows);
	if (queue.type === 'quorum' && random.percent(40)) renew(random, queue);
	// From a source of its own: the other histories are as they were before there was such a place.
	const ofPlaces = randomFrom(seed ^ 0x91ace);
	if (ofPlaces.percent(15)) {
		steps.push(...secondPlaceOf(ofPlaces, { workflows, events, steps, spanMs }));
		steps.sort((a, b) => a.at - b.at);
	}
	const ofHosts = randomFrom(seed ^ 0x4057);
	// Where less is remembered than is on its way, what went back under one name and ended under the other is forgotten.
	const forgets = bounds?.remembered !== undefined;
	if (workflows.length === 1 && !forgets && ofHosts.percent(30))
		steps = movedTo(ofHosts, { workflows, steps, spanMs });
	const ofReturns = randomFrom(seed ^ 0x2e7);
	if (ofReturns.percent(15)) {
		steps.push(...returnsOf(ofReturns, workflows, spanMs));
		steps.sort((a, b) => a.at - b.at);
	}
	return { seed, queue, host, ...(bounds && { bounds }), workflows, events, steps };
}

/** Runs of 40 minutes take days of simulated time where they are many. */
const MOST_LONG_RUNS = 20;

/** Runs whose end comes a moment before it is waited for no longer, and after all was given back once. */
function lengthen(random: Random, workflows: readonly WorkflowPlan[]): void {
	const workflow = random.pick(workflows as [WorkflowPlan, ...WorkflowPlan[]]);
	workflow.runMs = [21 * MINUTE, 24 * MINUTE];
	delete workflow.executionTimeout;
}

/** A RabbitMQ 4, which has a limit of deliveries where the queue says nothing. */
function renew(random: Random, queue: QueuePlan): void {
	queue.rabbit = random.pick(['4.0', '4.3']);
	queue.deliveryLimit ??= 20;
}

/** Each as small as it makes sense; what is not drawn stays as in production. */
function boundsOf(random: Random): ShortBounds {
	const drawn: ShortBounds = {
		keptEvents: random.pick([undefined, 3, 10, 40]),
		keptDeliveries: random.pick([undefined, undefined, 5]),
		lookThrough: random.pick([undefined, 8, 30]),
		remembered: random.pick([undefined, 5, 30]),
		singleReports: random.pick([undefined, 3]),
		reportedPerMinute: random.pick([undefined, undefined, 20]),
	};
	return Object.fromEntries(Object.entries(drawn).filter(([, value]) => value !== undefined));
}

/** As much smaller than in production, beside each other, as the bodies of a history are. */
function byteBoundsOf(random: Random): ShortBounds {
	const keptBytes = random.pick([30_000, 150_000]);
	const givenBack = random.percent(30) ? { givenBackBytes: keptBytes } : {};
	return { keptBytes, prefetchBytes: 4 * keptBytes, ...givenBack };
}

/** One large body among small ones, a few, or most of them. */
function enlarge(random: Random, events: EventPlan[]): void {
	const share = random.pick([0, 5, 30, 80]);
	const kilobytes = random.pick([2, 10, 40]);
	const first = random.whole(0, events.length - 1);
	events.forEach((event, index) => {
		if (index === first || random.percent(share)) event.kilobytes = kilobytes;
	});
}

/** Its senders write the id of a set each in its own way. */
function spell(random: Random, events: readonly EventPlan[]): void {
	for (const event of events) event.spelling = random.pick(['plain', 'inCapitals', 'inSpaces']);
}

function queueOf(random: Random): QueuePlan {
	const kind = random.pick(['classic', 'classic', 'quorum', 'quorum', 'limited', 'limited']);
	const messageTtlMs = random.percent(6) ? random.pick([MINUTE, 10 * MINUTE, HOUR]) : undefined;
	const latencyMs = random.percent(10)
		? random.pick<readonly [number, number]>([
				[20, 200],
				[500, 1_500],
			])
		: undefined;
	return {
		type: kind === 'classic' ? 'classic' : 'quorum',
		// RabbitMQ looks for what is out too long once a minute.
		consumerTimeoutMs: random.pick([30 * MINUTE, 30 * MINUTE, 22 * MINUTE]),
		...(kind === 'limited' ? { deliveryLimit: random.pick([20, 20, 20, 3]) } : {}),
		...(messageTtlMs === undefined ? {} : { messageTtlMs }),
		...(random.percent(6) ? { deadLettersReturn: true } : {}),
		...(latencyMs === undefined ? {} : { latencyMs }),
	};
}

function hostOf(random: Random): HostPlan {
	return {
		startGapMs: random.pick([100, 100, SECOND, 6_500, 15 * SECOND]),
		closeGapMs: random.pick([0, 0, SECOND, 5 * SECOND, 12 * SECOND]),
		concurrency: random.pick([0, 0, 0, 0, 5, 2]),
		startFailure: random.pick(['rejects', 'rejects', 'rejects', 'undefined', 'never']),
		...(random.percent(10) ? { reports: random.pick(['missing', 'thrown'] as const) } : {}),
	};
}

function workflowsOf(random: Random): WorkflowPlan[] {
	const count = random.pick([1, 1, 1, 2, 2, 2, 3, 4]);
	return NAMES.slice(0, count).map((name) => {
		const some = <T>(share: number, values: readonly [T, ...T[]]) =>
			random.percent(share) ? random.pick(values) : undefined;
		const options = {
			removeWhen: some(30, ['finished', 'received', 'received'] as const),
			parallelRuns: some(50, [1, 2, 10, 30]),
			keepOrder: some(15, [false]),
			attempts: some(25, [1, 2, 10]),
			batchSize: some(20, [3, 10, 50]),
			skipRepeats: some(10, [false]),
		};
		const runMs = random.pick<readonly [number, number]>([
			[50, 500],
			[50, 500],
			[50, 500],
			[500, 5 * SECOND],
			[500, 5 * SECOND],
			[SECOND, 20 * SECOND],
			[SECOND, 20 * SECOND],
			[30 * SECOND, 4 * MINUTE],
			[30 * SECOND, 4 * MINUTE],
			[35 * MINUTE, 40 * MINUTE],
		]);
		return {
			name,
			published: name === 'A' || random.percent(85),
			statuses: random.percent(60) ? [] : chosen(random),
			options: Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)),
			runMs,
			// Never shorter than a run takes: what is cut off each time would be poison.
			...(random.percent(15)
				? { executionTimeout: Math.ceil(runMs[1] / SECOND) + random.pick([1, 5, 60]) }
				: {}),
			credential: random.percent(6) ? WRONG_ACCOUNT : ACCOUNT,
		};
	});
}

function chosen(random: Random): string[] {
	const some = ['DRAFTED', 'SIGNED', 'ISSUED', 'OTHER'].filter(() => random.percent(50));
	return some.length > 0 ? some : ['SIGNED'];
}

function eventsOf(random: Random, atMost: number): EventPlan[] {
	const count = Math.min(atMost, random.pick([20, 20, 40, 60, 100, 200, 300]));
	const sets = random.pick([1, 3, 6, 10, 40]);
	const poisonShare = random.pick([0, 0, 0, 3, 10, 30]);
	const oddShare = random.pick([0, 0, 0, 5, 20]);
	const alikeShare = random.pick([0, 0, 0, 0, 10]);
	return Array.from({ length: count }, (_, index): EventPlan => {
		const number = index + 1;
		const event: EventPlan = { number, set: random.whole(1, sets), status: random.pick(STATUSES) };
		if (random.percent(poisonShare)) event.poison = true;
		else if (random.percent(oddShare)) event.odd = random.pick(ODD);
		else if (number > 1 && random.percent(alikeShare)) event.changes = alike(random, number);
		return event;
	});
}

/** What another event has too: this one differs from it in fewer fields than one would think of. */
function alike(random: Random, number: number): Record<string, unknown> {
	const date = 'Fri Nov 20 08:00:00 UTC 2026';
	return random.pick<Record<string, unknown>>([
		{ updatedDate: date },
		{ updatedDate: date, setId: undefined, parcelReference: `PRC-${number}` },
		{ updatedDate: undefined },
		{ updatedDate: 1_795_000_000 + number },
		{ updatedDate: date, actorCompany: `Company ${number}` },
		{ updatedDate: date, instance: number % 2 ? 'Hub' : 'Exchange' },
		{ updatedDate: date, customerId: number, setId: number },
		{ updatedDate: date, user: `User ${number}` },
	]);
}

function sendsOf(random: Random, events: readonly EventPlan[], spanMs: number): Step[] {
	const bursts = Array.from({ length: random.whole(1, 6) }, (_, index) =>
		index === 0 ? 0 : random.whole(0, spanMs),
	).sort((a, b) => a - b);
	const steady = random.percent(30);
	const repeatShare = random.pick([0, 0, 0, 10]);
	const steps: Step[] = [];
	events.forEach(({ number }, index) => {
		const burst = bursts[Math.floor((index / events.length) * bursts.length)] ?? 0;
		const at = steady ? Math.floor((index / events.length) * spanMs) : burst;
		steps.push({ at, do: 'send', event: number });
		if (random.percent(repeatShare))
			steps.push({ at: at + random.whole(0, spanMs), do: 'send', event: number });
	});
	return steps;
}

type Draw = (random: Random, workflow: WorkflowPlan, spanMs: number) => Happening;

const LONG = [20 * SECOND, MINUTE, 5 * MINUTE, 20 * MINUTE, HOUR] as const;

/** What may go wrong; a history draws from a few of these only, so that each is met often and together with few others. */
const FAULTS: Record<string, Draw> = {
	linkLost: () => ({ do: 'linkLost' }),
	channelLost: () => ({ do: 'channelLost' }),
	// What came back first is behind what came back since.
	channelsLostInARow: (random) => ({
		do: 'channelLost',
		times: random.whole(2, 4),
		everyMs: random.pick([50, 500, 3 * SECOND]),
	}),
	linkFrozen: (random) => ({
		do: 'linkFrozen',
		direction: random.pick(['toBroker', 'toClient']),
		forMs: random.pick([2 * SECOND, 20 * SECOND, 2 * MINUTE]),
	}),
	queueStandsStill: (random) => ({
		do: 'queueStandsStill',
		forMs: random.pick([SECOND, 20 * SECOND, 90 * SECOND]),
	}),
	brokerAway: (random) => ({
		do: 'brokerAway',
		forMs: random.pick([3 * SECOND, 20 * SECOND, 90 * SECOND, 10 * MINUTE]),
	}),
	brokerFrozen: (random) => ({
		do: 'brokerFrozen',
		forMs: random.pick([2 * SECOND, 20 * SECOND, 2 * MINUTE]),
	}),
	kill: (random) => ({ do: 'kill', downMs: random.pick([2 * SECOND, 20 * SECOND, 5 * MINUTE]) }),
	restart: (random) => ({ do: 'restart', downMs: random.pick([2 * SECOND, 20 * SECOND, 5 * MINUTE]) }),
	leaderChange: (random) => ({
		do: 'leaderChange',
		overlapMs: random.pick([0, 2 * SECOND, 10 * SECOND, MINUTE]),
	}),
	publish: (_, { name }) => ({ do: 'publish', workflow: name }),
	unpublish: (_, { name }) => ({ do: 'unpublish', workflow: name }),
	republish: (random, { name }) => ({
		do: 'republish',
		workflow: name,
		gapMs: random.pick([10, 200, 2 * SECOND, 8 * SECOND, 40 * SECOND]),
		...(random.percent(20) ? { statuses: chosen(random) } : {}),
		...(random.percent(20) ? { options: { parallelRuns: random.pick([1, 5, 20]) } } : {}),
	}),
	downstreamAway: (random, { name }) => ({ do: 'downstreamAway', workflow: name, forMs: random.pick(LONG) }),
	databaseAway: (random) => ({
		do: 'databaseAway',
		forMs: random.pick([SECOND, 20 * SECOND, 5 * MINUTE, 30 * MINUTE]),
	}),
	credentialUnreadable: (random, { name }) => ({
		do: 'credentialUnreadable',
		workflow: name,
		forMs: random.pick([5 * SECOND, MINUTE, 10 * MINUTE]),
		hangs: random.percent(30),
	}),
	credentialEdited: (random, { name }) => ({
		do: 'credentialEdited',
		workflow: name,
		credential: random.pick([WRONG_ACCOUNT, OTHER_ACCOUNT, ACCOUNT, ACCOUNT]),
	}),
	runsEnd: (random, { name }) => ({
		do: 'runsEnd',
		workflow: name,
		how: random.pick<RunEnd>(['fails', 'fails', 'losesItsResult', 'waits', 'isStopped', 'crashes']),
		count: random.pick([1, 1, 3, 10]),
	}),
	runsHang: (_, { name }) => ({ do: 'runsEnd', workflow: name, how: 'hangs', count: 1 }),
};

/** Somebody sees that a workflow waits, and publishes it again. */
function impatienceOf(random: Random, faults: readonly Step[]): Step[] {
	return faults.flatMap((step) =>
		step.do === 'downstreamAway' && step.forMs >= 5 * MINUTE
			? [
					{
						at: step.at + random.whole(MINUTE, step.forMs),
						do: 'republish' as const,
						workflow: step.workflow,
						gapMs: random.pick([10, 200, 2 * SECOND]),
					},
				]
			: [],
	);
}

/** A person asks for more than before, or for something else, once or several times. */
function secondThoughtsOf(random: Random, workflows: readonly WorkflowPlan[], spanMs: number): Step[] {
	return Array.from({ length: random.whole(1, 3) }, () => ({
		at: random.whole(0, spanMs),
		do: 'republish' as const,
		workflow: random.pick(workflows as [WorkflowPlan, ...WorkflowPlan[]]).name,
		gapMs: random.pick([10, 200, 2 * SECOND, 40 * SECOND]),
		statuses: random.percent(50) ? [] : chosen(random),
	}));
}

function faultsOf(
	random: Random,
	workflows: readonly WorkflowPlan[],
	{ concurrency }: HostPlan,
	spanMs: number,
): Step[] {
	const kinds = Object.keys(FAULTS).filter((kind) => concurrency === 0 || kind !== 'runsHang');
	const enabled = Array.from({ length: random.whole(0, 4) }, () =>
		random.pick(kinds as [string, ...string[]]),
	);
	if (enabled.length === 0) return [];
	const count = random.pick([1, 2, 3, 5, 8, 12, 20]);
	return Array.from({ length: count }, () => {
		const kind = random.pick(enabled as [string, ...string[]]);
		const workflow = random.pick(workflows as [WorkflowPlan, ...WorkflowPlan[]]);
		const draw = FAULTS[kind] as Draw;
		return { at: random.whole(0, spanMs), ...draw(random, workflow, spanMs) };
	});
}

/** No set has events in both places. */
const SETS_OF_A_PLACE = 1_000;

/** Another queue of the same name: who reads which, what is sent to which, and who is pointed from one to the other. */
function secondPlaceOf(
	random: Random,
	{ workflows, events, steps, spanMs }: Pick<History, 'workflows' | 'events' | 'steps'> & { spanMs: number },
): Step[] {
	const inAnyPlace = (credential: CredentialPlan) =>
		random.percent(50) ? { ...credential, vhost: ELSEWHERE } : credential;
	for (const workflow of workflows) workflow.credential = inAnyPlace(workflow.credential);
	for (const event of events) {
		if (random.percent(50)) continue;
		event.vhost = ELSEWHERE;
		event.set += SETS_OF_A_PLACE;
	}
	for (const step of steps) if (step.do === 'credentialEdited') step.credential = inAnyPlace(step.credential);
	return Array.from({ length: random.whole(0, 4) }, () => {
		const workflow = random.pick(workflows as [WorkflowPlan, ...WorkflowPlan[]]).name;
		return pointedElsewhere(random, workflow, random.whole(0, spanMs), inAnyPlace(ACCOUNT));
	}).flat();
}

/**
 * The broker has another name from some moment on, or its old one again. Where several read the queue and not all are pointed
 * there, they are two readers, and share the events among them: so one alone is.
 */
function movedTo(
	random: Random,
	{ workflows, steps, spanMs }: Pick<History, 'workflows' | 'steps'> & { spanMs: number },
): Step[] {
	const held = new Map(workflows.map(({ name, credential }) => [name, credential]));
	const moments = Array.from({ length: random.whole(1, 4) }, () => random.whole(0, spanMs));
	const soon = random.whole(0, 20 * SECOND);
	if (random.percent(50)) moments.push(moments[0]! + soon);
	moments.sort((a, b) => a - b);
	const gapMs = random.pick([10, 200, 2 * SECOND, 40 * SECOND]);
	let host = USUAL_HOST;
	const moved: Step[] = [];
	const edit = (at: number, workflow: string, credential: CredentialPlan) => {
		held.set(workflow, credential);
		moved.push({ at, do: 'credentialEdited', workflow, credential: { ...credential, host } });
	};
	const move = (at: number) => {
		host = host === USUAL_HOST ? OTHER_HOST : USUAL_HOST;
		for (const [workflow, credential] of held) edit(at, workflow, credential);
		for (const workflow of held.keys()) moved.push({ at, do: 'republish', workflow, gapMs });
	};
	for (const step of steps) {
		while (moments[0] !== undefined && moments[0] <= step.at) move(moments.shift()!);
		if (step.do === 'credentialEdited') edit(step.at, step.workflow, step.credential);
		else moved.push(step);
	}
	for (const at of moments) move(at);
	return moved;
}

/** Some are unpublished for a moment, once or several times, all at one moment or each at its own. */
function returnsOf(random: Random, workflows: readonly WorkflowPlan[], spanMs: number): Step[] {
	const all = random.percent(50);
	const leaving = workflows.filter(() => all || random.percent(50));
	return Array.from({ length: random.pick([1, 1, 2, 3]) }, () => {
		const at = random.whole(0, spanMs);
		return leaving.flatMap(({ name: workflow }): Step[] => {
			const leavesAt = at + (all ? 0 : random.whole(0, MINUTE));
			const awayMs = random.pick([SECOND, 5 * SECOND, 20 * SECOND, MINUTE, 150 * SECOND]);
			return [
				{ at: leavesAt, do: 'unpublish', workflow },
				{ at: leavesAt + random.whole(awayMs / 2, awayMs), do: 'publish', workflow },
			];
		});
	}).flat();
}

/** Its credential is edited, and it is published again: perhaps that cannot be read for a while, or n8n ends meanwhile. */
function pointedElsewhere(random: Random, workflow: string, at: number, credential: CredentialPlan): Step[] {
	const steps: Step[] = [
		{ at, do: 'credentialEdited', workflow, credential },
		{ at, do: 'republish', workflow, gapMs: random.pick([10, 200, 2 * SECOND, 40 * SECOND]) },
	];
	const forMs = random.pick([20 * SECOND, 3 * MINUTE, 25 * MINUTE]);
	if (random.percent(40)) steps.push({ at, do: 'credentialUnreadable', workflow, forMs, hangs: false });
	const end = random.pick([undefined, undefined, undefined, undefined, 'kill', 'restart'] as const);
	const soon = at + random.whole(0, 2 * MINUTE);
	if (end) steps.push({ at: soon, do: end, downMs: random.pick([2 * SECOND, 20 * SECOND]) });
	return steps;
}
