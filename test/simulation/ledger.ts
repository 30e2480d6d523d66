import type { CredentialPlan, History, RunEnd } from './history/history';

/** How a run ended in truth, whether or not the trigger was told. */
type RunOutcome = 'succeeded' | 'cannotStart' | 'endedWithProcess' | RunEnd;

/** One run of a workflow, as n8n has it. */
export interface RunRecord {
	id: number;
	life: number;
	workflow: string;
	/** The trigger's registration it came from. */
	registration: number;
	events: number[];
	attempt: number;
	/** When the trigger handed it over. */
	handedAt: number;
	/** When it began; none while it waits for a place, or when it could not. */
	startedAt?: number;
	endedAt?: number;
	outcome?: RunOutcome;
	/** When the trigger was told how it ended. */
	toldAt?: number;
	/** True when the history, not the event, made it end as it did. */
	mishap: boolean;
}

/** A failed execution that a person sees. */
export interface ReportRecord {
	life: number;
	workflow: string;
	at: number;
	text: string;
	events: number[];
	/** False when the database was away: nobody ever sees it. */
	stored: boolean;
}

interface LogRecord {
	life: number;
	at: number;
	level: 'debug' | 'info' | 'warn' | 'error';
	text: string;
}

/** One try to connect, and the connection it came to. */
export interface LinkRecord {
	life: number;
	askedAt: number;
	username: string;
	password: string;
	vhost?: string;
	acceptedAt?: number;
	lostAt?: number;
	/** When an error came over it, and its words: what is closed in order has none. */
	failedAt?: number;
	failure?: string;
}

/** From the call of the trigger function to the end of its close function. */
export interface Registration {
	number: number;
	life: number;
	workflow: string;
	mode: 'init' | 'leadershipChange' | 'activate' | 'update';
	statuses: readonly string[];
	options: History['workflows'][number]['options'];
	calledAt: number;
	returnedAt?: number;
	/** What it threw in place of an answer. */
	threw?: string;
	closeCalledAt?: number;
	closedAt?: number;
	/** The process was gone before it was closed. */
	endedAt?: number;
}

/** What a person wants, from a moment on. */
interface Wish {
	workflow: string;
	at: number;
	published: boolean;
	statuses: readonly string[];
	options: History['workflows'][number]['options'];
}

/** A time in which something was ill. */
export interface Span {
	what:
		| 'broker'
		| 'link'
		| 'process'
		| 'overlap'
		| 'downstream'
		| 'database'
		| 'credential'
		| 'wrongPassword'
		| 'republish'
		| 'mishap';
	workflow?: string;
	from: number;
	to: number;
}

/** A message on the queue, one for each time something was sent. */
export interface MessageRecord {
	event: number;
	sentAt: number;
	deliveries: number;
	/** The most that a quorum queue said of how often it came back, 0 where none did. */
	returns: number;
	/** It was delivered or held while a second connection read the queue: each gets some, and their order is nobody's. */
	shared: boolean;
	/** Where it is at the end. */
	fate: 'onTheQueue' | 'removed' | 'rejected' | 'dropped' | 'expired' | 'overflowed';
	/** When that came about; of one that was removed, when it was delivered last. */
	at: number;
}

/** Everything that came of a history. Times are milliseconds from its beginning. */
export interface Ledger {
	history: History;
	runs: RunRecord[];
	reports: ReportRecord[];
	logs: LogRecord[];
	links: LinkRecord[];
	registrations: Registration[];
	wishes: Wish[];
	spans: Span[];
	messages: MessageRecord[];
	/** By event: the process that got it last. */
	seen: Record<number, number>;
	/** Each time that it came to a process, and over which of the links. */
	came: Array<{ life: number; event: number; at: number; link?: number }>;
	/** What a process gave back one by one. */
	givenBack: Array<{ life: number; event: number; at: number }>;
	/** A process closed a channel, and what that held went back to the queue. */
	renewed: Array<{ life: number; at: number }>;
	/** How often an event came to a process: what was sent into a dead line did not. */
	shown: Record<number, number>;
	/** What n8n's store held of each credential, from a moment on. */
	credentials: Array<CredentialPlan & { workflow: string; at: number }>;
	/** The most messages that were delivered and not settled at one moment. */
	mostUnsettled: number;
	/** The most consumers that one channel has had, one after another or beside each other. */
	mostConsumersOfAChannel: number;
	/** A short memory had it run the same again and again: it was not followed to its end. */
	cutShort: boolean;
	/** When the last fault was over. */
	faultsOverAt: number;
	/** When nothing more happened, or was waited for. */
	endedAt: number;
	/** What was left after everything was closed. */
	left: { timers: number; links: number; subscribers: number };
	/** Exceptions that nobody caught. */
	uncaught: string[];
}

/** The workflow's plan, by name. */
export function workflowOf({ history }: Ledger, name: string) {
	const found = history.workflows.find((workflow) => workflow.name === name);
	if (!found) throw new Error(`The history has no workflow ${name}`);
	return found;
}
