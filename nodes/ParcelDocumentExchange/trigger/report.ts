import type { ITriggerFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { canonicalJson } from '../../../service/model/canonicalJson';
import type { StatusEvent } from '../../../service/model/event';
import type { Problem, WaitCause } from '../../../service/queue/contract';
import { within, type Clock } from '../../../service/surroundings';
import { QUEUE_CREDENTIAL } from '../adapters/queueAddress';

interface Text {
	message: string;
	description: string;
	/** Bodies of which the description shows a part, and nothing else may show more. */
	leftOut?: readonly string[];
}

/** Bodies as a report shows them. */
interface Shown {
	text: string;
	/** All of them, where the text has not the whole of each. */
	leftOut?: readonly string[];
}

/** How much of one event a report shows, in characters: the largest body read as an event has as many bytes. */
const EVENT_CHARACTERS = 1024 * 1024;

/** How much a report shows in all. What is left out of one stands in the log. */
const REPORT_CHARACTERS = 8 * 1024 * 1024;

/** How much of a word of the sender the first line of a report shows. */
const TITLE_CHARACTERS = 100;

/** What is reported is off the queue already, and the process may end: the log must have it soon. */
const ANSWER_MS = 1_000;

/**
 * Shows a problem to a person: as a failed execution, which also starts the error workflow. The body of the event is part
 * of it, so that nothing is lost and "Parse Event" can take it up again. Where n8n cannot store one (older than 2.7, or
 * its database is away, which it does not say), all of it goes to the log. Never throws.
 */
export function reportTo(context: ITriggerFunctions, title: string, problem: Problem, clock: Clock): void {
	const { message, description, leftOut = [] } = textOf(problem);
	context.logger.error(`${title}: ${message}`, { problem: problem.kind });
	for (const body of leftOut)
		context.logger.error(`${title}: whole, what a report is too short for`, { body });
	const toLog = () => context.logger.error(`${title}: ${description}`);
	if (typeof context.saveFailedExecution !== 'function') return toLog();
	const store = () => {
		try {
			context.saveFailedExecution?.(new NodeOperationError(context.getNode(), message, { description }));
		} catch (error) {
			context.logger.error(`${title}: n8n could not store the report`, { reason: String(error) });
			toLog();
		}
	};
	// The store fails without a word; a read of the same database does not.
	const answer = (async () => await context.getCredentials(QUEUE_CREDENTIAL))();
	void within(clock, ANSWER_MS, answer, () => new Error('timeout'))
		.catch(() => toLog())
		.then(store);
}

function textOf(problem: Problem): Text {
	const shown = bodies('events' in problem ? problem.events : []);
	switch (problem.kind) {
		case 'unreadable':
			return unreadable(problem);
		case 'gaveUp':
			return {
				message: `The workflow failed ${times(problem.attempts)} for ${named(problem.events)}, which is not tried again`,
				description: `The last time: ${problem.reason}. Mend the cause, then run the workflow with the event again. ${asReceived(shown)}`,
				leftOut: shown.leftOut,
			};
		case 'unknownResult':
			return {
				message: `n8n did not say how the run for ${named(problem.events)} ended`,
				description: `Look the run up in the executions. The event was removed from the queue and is not run again, since the run may have done its work. ${asReceived(shown)}`,
				leftOut: shown.leftOut,
			};
		case 'notStarted':
			return {
				message: `n8n could not start a run for ${named(problem.events)}`,
				description: `${problem.reason}. The event was removed from the queue, as Remove From Queue says. ${asReceived(shown)}`,
				leftOut: shown.leftOut,
			};
		case 'notKept':
			return {
				message: `This workflow did not get ${problem.events.length > 0 ? named(problem.events) : counted(problem.count)}: ${NOT_KEPT[problem.why].reason}`,
				description: `${NOT_KEPT[problem.why].remedy} ${
					problem.events.length > 0
						? // The log has them all already.
							asReceived(shown)
						: 'Their content stands in n8n’s log: it is shown here only to a workflow that was let in before.'
				}`,
			};
		case 'waits':
			return waits(problem);
		case 'outage':
			return {
				message: `The trigger cannot listen to the queue: ${problem.error.message}`,
				description: [
					problem.error.remedy,
					'The trigger goes on trying and listens again by itself as soon as it can.',
					eventsMeanwhile(problem),
				]
					.filter(Boolean)
					.join(' '),
			};
	}
}

function unreadable({ messages }: Extract<Problem, { kind: 'unreadable' }>): Text {
	const [first] = messages;
	if (messages.length === 1 && first) {
		return {
			message: `A message on the queue is not a status event: ${first.reason}`,
			description: `It was rejected and will not come again. If the service keeps rejected messages, it is there. The message as received:\n${first.body}`,
		};
	}
	const all = messages.map(({ reason, body }) => `${reason}:\n${body}`);
	const { text, leftOut } = cut(all.join('\n\n'), REPORT_CHARACTERS, () => all);
	return {
		message: `${messages.length} messages on the queue are not status events`,
		description: `They were rejected and will not come again. If the service keeps rejected messages, they are there. Tell the service what it sends. The messages as received:\n${text}`,
		leftOut,
	};
}

const WAITS: Record<WaitCause, { what: string; remedy: string }> = {
	failing: {
		what: 'its runs fail',
		remedy:
			'Look at the failed runs in the executions and mend what they need, such as a mail server or a drive.',
	},
	notStarting: {
		what: 'n8n cannot start its runs',
		remedy: 'Ask the administrator of n8n to look at its log and its database.',
	},
	unknown: {
		what: 'n8n does not say how its runs end',
		remedy:
			'Look the runs up in the executions, and ask the administrator of n8n whether its workers are well.',
	},
};

function waits({
	cause,
	reason,
	since,
	nextTryInMs,
	countsDeliveries,
	placesTaken,
}: Extract<Problem, { kind: 'waits' }>): Text {
	const { what, remedy } = WAITS[cause];
	const began = new Date(since).toISOString().slice(0, 16).replace('T', ' ');
	if (placesTaken !== undefined) {
		return {
			message: `The workflow starts nothing more, since all its places for runs are taken (${placesTaken})`,
			description: `No event is lost: they stay on the queue, in their order, and one that cannot stay is reported with its content. No run has ended since ${began} UTC. Look the runs up in the executions: when one ends, the next event runs by itself, and one that hangs can be stopped there. Where none is shown as running, n8n did not say how they ended: restart n8n, or wait for the first free place, ${minutes(nextTryInMs)} from now at the latest. To have more places at once, raise Parallel Runs and publish the workflow again.`,
		};
	}
	const limit = countsDeliveries
		? ' A queue with a limit of deliveries drops in the end what it gave out too often.'
		: '';
	return {
		message: `The workflow waits, since ${what}: ${reason || 'no reason was given'}`,
		description: `No event is lost: they stay on the queue, in their order, and one that cannot stay is reported with its content.${limit} It waits since ${began} UTC and tries again by itself, the next time in ${minutes(nextTryInMs)}; when one run succeeds, all go on. ${remedy} To try at once, unpublish the workflow and publish it again.`,
	};
}

const NOT_KEPT = {
	absent: {
		reason: 'it was away, or could not be let in to the queue, for too long',
		remedy:
			'Another workflow reads the queue, and events are kept beside it for 20 minutes, 200 at most. Publish this workflow, or mend what keeps it out, then run it with the event.',
	},
	waiting: {
		reason: 'it waited for too long while others went on',
		remedy:
			'Where other workflows read the queue, 200 events at most are kept for one that waits; and where other events succeed, none that failed for good and came 15 times, since the queue may drop such. Mend what makes the runs fail, then run the workflow with the event.',
	},
	left: {
		reason: 'it was unpublished before the event was done',
		remedy:
			'A run had failed and was to be tried again. If it still matters, run the workflow with the event.',
	},
	late: {
		reason: 'n8n started it when the event was off the queue already',
		remedy:
			'While n8n starts, events stay on the queue for the workflows that start later: 200 at most, and those that another workflow has handled for 40 seconds. This one started after that. If the event still matters here, run the workflow with it. What made n8n start it so late may be another trigger that could not reach its server.',
	},
	dropped: {
		reason: 'what went back to the queue did not come again',
		remedy:
			'The trigger gives back what is not done when its workflow is published again, when events are held for long, and when the connection is lost. Either a limit of the queue dropped it (maximum length, time to live, limit of deliveries), or somebody else has taken it: another reader, or a person who emptied the queue. It may still come by itself, where the queue sends what it drops round by another one. Look whether the event was handled; if not, run the workflow with it. Ask the service for a queue without such limits.',
	},
	queueGone: {
		reason: 'the queue was deleted with it',
		remedy:
			'A queue that deletes itself (auto-delete, expires) goes when nobody reads it for a moment, also when the trigger connects again. Run the workflow with the event, ask the service for what else waited on the queue, and for a queue that stays.',
	},
};

function eventsMeanwhile({ error, othersListen }: Extract<Problem, { kind: 'outage' }>): string {
	if (othersListen) {
		return 'Another workflow listens to the queue meanwhile: what this one asks for is kept for 20 minutes, 200 events at most, and what cannot be kept is reported with its content.';
	}
	if (error.code === 'notFound')
		return 'If the queue was deleted, what waited on it is gone with it: ask the service for those events.';
	// The broker does what it must not, and so nothing is promised of it.
	if (error.code === 'unexpectedResponse') return '';
	return error.takenMeanwhile ? '' : 'No event is lost meanwhile: they wait on the queue.';
}

const counted = (count: number) => (count === 1 ? 'an event' : `${count} events`);

const times = (count: number) => (count === 1 ? 'once' : `${count} times`);

function minutes(ms: number): string {
	const count = Math.ceil(ms / 60_000);
	return count <= 1 ? 'a minute' : `${count} minutes`;
}

function named(events: readonly StatusEvent[]): string {
	const [first] = events;
	if (events.length !== 1 || !first) return `${events.length} events`;
	const reference = first.parcelReference ?? first.setId ?? 'a set without a reference';
	return `the event ${inTitle(first.status)} of ${inTitle(reference)}`;
}

/** The sender chooses it, and it stands in lists of executions and mails. */
const inTitle = (text: string) =>
	text.length > TITLE_CHARACTERS ? `${text.slice(0, TITLE_CHARACTERS)}…` : text;

const asReceived = ({ text }: Shown) => `The event as received:\n${text}`;

/** As many as there are: what a report leaves out may be gone. */
function bodies(events: readonly StatusEvent[]): Shown {
	const sent = events.map(({ raw }) => raw);
	const value = sent.length === 1 ? sent[0] : sent;
	const room = Math.min(REPORT_CHARACTERS, EVENT_CHARACTERS * 2 * events.length);
	const legible = written(value, 2);
	if (legible !== undefined && legible.length <= room) return { text: legible };
	const whole = written(value);
	const each = () => sent.map(canonicalJson);
	if (whole !== undefined) return cut(whole, room, each);
	return { text: cut(written(sent.map(shallow)) ?? '', room, each).text, leftOut: each() };
}

/** @param each of them whole */
function cut(text: string, room: number, each: () => readonly string[]): Shown {
	return text.length > room ? { text: `${text.slice(0, room)} …`, leftOut: each() } : { text };
}

/** JSON can be read from any depth and written from some only. */
function written(value: unknown, indent?: number): string | undefined {
	try {
		return JSON.stringify(value, null, indent);
	} catch {
		return undefined;
	}
}

/** The service's own fields are texts. */
function shallow(body: Record<string, unknown>): Record<string, unknown> {
	return Object.fromEntries(Object.entries(body).filter(([, value]) => typeof value !== 'object'));
}
