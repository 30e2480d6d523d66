import type { Bounds } from '../../../service/queue/bounds';

/**
 * A history: everything that happens to the trigger from outside, written down before it begins. It is plain data, so that
 * it can be printed, made shorter and run again. What follows from it (which run fails at what moment) is decided by the
 * words of the history alone, never by what was drawn before.
 */
export interface History {
	seed: number;
	queue: QueuePlan;
	host: HostPlan;
	/** Bounds of the hub that are smaller than in production, so that a short history meets them. */
	bounds?: ShortBounds;
	workflows: WorkflowPlan[];
	/** Each with a number of its own, in the order in which they were made. */
	events: EventPlan[];
	/** In order of time. */
	steps: Step[];
}

export type ShortBounds = Partial<
	Pick<
		Bounds,
		| 'keptEvents'
		| 'keptBytes'
		| 'keptDeliveries'
		| 'givenBackBytes'
		| 'prefetchBytes'
		| 'lookThrough'
		| 'remembered'
		| 'singleReports'
		| 'reportedPerMinute'
	>
>;

export interface QueuePlan {
	type: 'classic' | 'quorum';
	/** Which RabbitMQ it is on; 3.10 where nothing is said. */
	rabbit?: '4.0' | '4.3';
	/** Deliveries after which a quorum queue drops a message; none for no limit. */
	deliveryLimit?: number;
	/** The broker closes a channel that leaves a message unsettled for so long. */
	consumerTimeoutMs?: number;
	/** Messages older than this, and ready, vanish. */
	messageTtlMs?: number;
	/** More than these, and ready, are dropped, the oldest first. */
	maxLength?: number;
	/** What is rejected comes back to the same queue, as a mistaken policy has it. */
	deadLettersReturn?: boolean;
	/** How long a frame travels, from and to; less than a millisecond where nothing is said. */
	latencyMs?: readonly [low: number, high: number];
}

/** How this n8n is set up. */
export interface HostPlan {
	/** Between the start of one workflow and the next, in milliseconds. */
	startGapMs: number;
	/** What the closing of another trigger takes between two of ours, in milliseconds. */
	closeGapMs: number;
	/** Runs of all workflows side by side at most; 0 for no limit. */
	concurrency: number;
	/** How n8n tells that a run could not be started: today's, an older version's, or not at all. */
	startFailure: 'rejects' | 'undefined' | 'never';
	/** When it ends, runs that go on are cut off, and it says so: as a main process does whose workers run them. */
	cutsOffRuns?: true;
	/** What becomes of a report where the database is there: stored where nothing is said; this n8n has no such store, or it throws. */
	reports?: 'missing' | 'thrown';
}

export interface WorkflowPlan {
	name: string;
	/** Published before the history begins. */
	published: boolean;
	statuses: string[];
	options: {
		removeWhen?: 'succeeded' | 'finished' | 'received';
		parallelRuns?: number;
		keepOrder?: boolean;
		attempts?: number;
		batchSize?: number;
		batchSeconds?: number;
		skipRepeats?: boolean;
	};
	/** Its time limit in n8n, in seconds; none for none. */
	executionTimeout?: number;
	/** How long its runs take, in milliseconds. */
	runMs: readonly [low: number, high: number];
	credential: CredentialPlan;
}

export interface CredentialPlan {
	username: string;
	password: string;
	/** {@link ELSEWHERE}, or the first place where nothing is said. */
	vhost?: string;
	/** {@link OTHER_HOST}, or {@link USUAL_HOST} where nothing is said. */
	host?: string;
}

export interface EventPlan {
	number: number;
	/** Where the queue is that it is sent to, as in a credential. */
	vhost?: string;
	/** Events of one set go in order. */
	set: number;
	/** Its set's id is written as another sender would: the name of one of {@link SPELLINGS}. */
	spelling?: keyof typeof SPELLINGS;
	status: string;
	/** Fields of the body that differ from the usual ones. */
	changes?: Record<string, unknown>;
	/** No event at all: the name of a body of {@link ODD_BODIES}. */
	odd?: string;
	/** Its body is larger than the usual one by so much. */
	kilobytes?: number;
	/** Every run with it fails. */
	poison?: boolean;
}

/** Ways to write the id of one and the same set. */
export const SPELLINGS = {
	plain: (id: string) => id,
	inCapitals: (id: string) => id.toUpperCase(),
	inSpaces: (id: string) => ` ${id} `,
};

export type RunEnd = 'fails' | 'hangs' | 'losesItsResult' | 'waits' | 'isStopped' | 'crashes';

/** What happens, at a moment counted from the beginning in milliseconds. */
export type Step = { at: number } & Happening;

export type Happening =
	| { do: 'send'; event: number }
	/** Where a virtual host is named, that one alone: it may as well be another broker. */
	| { do: 'linkLost'; username?: string; vhost?: string }
	| { do: 'channelLost'; times?: number; everyMs?: number }
	| { do: 'queueStandsStill'; forMs: number }
	| { do: 'brokerAway'; forMs: number; vhost?: string }
	| { do: 'brokerFrozen'; forMs: number }
	| { do: 'linkFrozen'; direction: 'toBroker' | 'toClient'; forMs: number }
	| { do: 'kill'; downMs: number }
	| { do: 'restart'; downMs: number }
	| { do: 'leaderChange'; overlapMs: number }
	| { do: 'publish'; workflow: string }
	| { do: 'unpublish'; workflow: string }
	| {
			do: 'republish';
			workflow: string;
			gapMs: number;
			statuses?: string[];
			options?: WorkflowPlan['options'];
	  }
	| { do: 'downstreamAway'; workflow: string; forMs: number }
	| { do: 'databaseAway'; forMs: number }
	| { do: 'credentialUnreadable'; workflow: string; forMs: number; hangs: boolean }
	| { do: 'credentialEdited'; workflow: string; credential: CredentialPlan }
	| { do: 'runsEnd'; workflow: string; how: RunEnd; count: number };

/** The account that the broker knows. */
export const ACCOUNT: CredentialPlan = { username: 'reader', password: 'right' };
/** Another one that it knows. */
export const OTHER_ACCOUNT: CredentialPlan = { username: 'clerk', password: 'right-too' };
/** The password was changed, or mistyped. */
export const WRONG_ACCOUNT: CredentialPlan = { username: 'reader', password: 'stale' };

/** Whether the broker lets this one in. */
export function knows({ username, password }: CredentialPlan): boolean {
	return [ACCOUNT, OTHER_ACCOUNT].some((known) => known.username === username && known.password === password);
}

export const QUEUE = 'parcel-events';

/** A virtual host beside the usual one, with another queue of the same name. */
export const ELSEWHERE = 'elsewhere';
const FIRST_PLACE = '/';

export const USUAL_HOST = 'queue.example.com';
/** Another name of the same broker: it is the same queue, and nobody can see that. */
export const OTHER_HOST = '192.0.2.7';

/** The virtual host that an event is sent to, or that a credential points to. */
export const placeOf = ({ vhost = FIRST_PLACE }: Pick<CredentialPlan, 'vhost'>) => vhost;

/** A queue is a place, and not a name alone: whether this history has a second one. */
export function hasTwoPlaces({ workflows, events, steps }: History): boolean {
	const edited = steps.flatMap((step) => (step.do === 'credentialEdited' ? [step.credential] : []));
	const all = [...events, ...workflows.map(({ credential }) => credential), ...edited];
	return all.some((each) => placeOf(each) !== FIRST_PLACE);
}

/** True for what is done to the trigger, false for what is only its work. */
export function isFault(step: Step): boolean {
	return step.do !== 'send';
}
