import type { ITriggerFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import type { StatusEvent } from '../../../service/model/event';
import { MAX_SHOWN_BYTES } from '../../../service/queue/decode';
import type { Problem } from '../../../service/queue/subscription';

interface Text {
	message: string;
	description: string;
}

/**
 * Shows a problem to a person: as a failed execution, which also starts the error workflow; on hosts older than 2.7,
 * which cannot store one, as a log line. The body of the event is part of it, so that nothing is lost and "Parse Event"
 * can take it up again. Never throws.
 */
export function reportTo(context: ITriggerFunctions, title: string, problem: Problem): void {
	const { message, description } = textOf(problem);
	context.logger.error(`${title}: ${message}`, { problem: problem.kind });
	try {
		if (typeof context.saveFailedExecution === 'function') {
			context.saveFailedExecution(new NodeOperationError(context.getNode(), message, { description }));
			return;
		}
	} catch (error) {
		context.logger.error(`${title}: n8n could not store the report`, { reason: String(error) });
	}
	context.logger.error(`${title}: ${description}`);
}

function textOf(problem: Problem): Text {
	switch (problem.kind) {
		case 'unreadable':
			return {
				message: `A message on the queue is not a status event: ${problem.reason}`,
				description: `It was rejected and will not come again. If the service keeps rejected messages, it is there. The message as received:\n${problem.body}`,
			};
		case 'gaveUp':
			return {
				message: `The workflow failed ${times(problem.attempts)} for ${named(problem.events)}, which is not tried again`,
				description: `The last time: ${problem.reason}. Mend the cause, then run the workflow with the event again. ${bodies(problem.events)}`,
			};
		case 'unknownResult':
			return {
				message: `n8n did not say how the run for ${named(problem.events)} ended`,
				description: `Look the run up in the executions. The event was removed from the queue and is not run again, since the run may have done its work. ${bodies(problem.events)}`,
			};
		case 'notStarted':
			return {
				message: `n8n could not start a run for ${named(problem.events)}`,
				description: `${problem.reason}. The event was removed from the queue, as Remove From Queue says. ${bodies(problem.events)}`,
			};
		case 'outage':
			return {
				message: `The trigger cannot listen to the queue: ${problem.error.message}`,
				description: [
					problem.error.remedy,
					'The trigger goes on trying and listens again by itself as soon as it can.',
					// Of a queue that is gone, nobody knows.
					problem.error.code !== 'notFound' && 'No event is lost meanwhile: they wait on the queue.',
				]
					.filter(Boolean)
					.join(' '),
			};
	}
}

const times = (count: number) => (count === 1 ? 'once' : `${count} times`);

function named(events: readonly StatusEvent[]): string {
	const [first] = events;
	if (events.length !== 1 || !first) return `${events.length} events`;
	return `the event ${first.status} of ${first.parcelReference ?? first.setId ?? 'a set without a reference'}`;
}

/** As many as there are, each with room for {@link MAX_SHOWN_BYTES}: what a batch leaves out here is gone. */
function bodies(events: readonly StatusEvent[]): string {
	const sent = events.map(({ raw }) => raw);
	const text = written(sent.length === 1 ? sent[0] : sent) ?? written(sent.map(shallow)) ?? '';
	const room = MAX_SHOWN_BYTES * events.length;
	const cut = text.length > room ? `${text.slice(0, room)} …` : text;
	return `The event as received:\n${cut}`;
}

/** JSON can be read from any depth and written from some only. */
function written(value: unknown): string | undefined {
	try {
		return JSON.stringify(value, null, 2);
	} catch {
		return undefined;
	}
}

/** The service's own fields are texts. */
function shallow(body: Record<string, unknown>): Record<string, unknown> {
	return Object.fromEntries(Object.entries(body).filter(([, value]) => typeof value !== 'object'));
}
