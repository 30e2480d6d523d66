import type { IExecuteResponsePromiseData, IRun, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { isServiceError, messageOf } from '../../../service/errors';
import { hubOfProcess, type Hub, type Membership } from '../../../service/queue/hub';
import { brokerError, needsPerson } from '../../../service/queue/refusal';
import type { DeliveredEvent, Subscription } from '../../../service/queue/subscription';
import { pause, systemClock, type Clock } from '../../../service/surroundings';
import { nodeErrorInOneText } from '../adapters/errors';
import { outcomeOf, outcomeOnWorker } from '../adapters/outcome';
import { readQueueAddress } from '../adapters/queueAddress';
import { eventItem } from './eventItem';
import { reportTo } from './report';
import { readSettings, type TriggerSettings } from './settings';

/** A person who publishes waits at most so long for the first word of the queue. */
const FIRST_WORD_MS = 15_000;
const JOIN_AGAIN_MS = 30_000;

/** What the trigger meets beside n8n. */
export interface TriggerSurroundings {
	hub: Hub;
	clock: Clock;
}

/**
 * The published trigger: joins the hub and stays. Throws only when a person publishes and must mend something first
 * (login refused, queue or virtual host missing, certificate); at the start of n8n it never throws, since n8n would
 * give the trigger up for good.
 */
export async function listen(
	context: ITriggerFunctions,
	surroundings: TriggerSurroundings = { hub: hubOfProcess(context.logger), clock: systemClock },
): Promise<ITriggerResponse> {
	const starting = ['init', 'leadershipChange'].includes(context.getActivationMode());
	const closed = new AbortController();
	let membership: Membership | undefined;
	try {
		const joinLater = () => {
			membership = undefined;
			void joinUntilDone(subscription, closed.signal, (joined) => (membership = joined), surroundings);
		};
		const subscription = subscriptionOf(context, readSettings(context), joinLater, surroundings.clock);
		if (context.getWorkflowSettings?.().saveDataErrorExecution === 'none') {
			context.logger.warn(
				`${subscription.title}: "Save failed production executions" is off in the workflow settings, so events that cannot be handled show in this log only`,
			);
		}
		if (starting) joinLater();
		else membership = await joinNow(subscription, context, surroundings);
	} catch (error) {
		throw nodeErrorInOneText(context.getNode(), error);
	}
	return {
		closeFunction: async () => {
			closed.abort();
			await membership?.leave();
		},
	};
}

async function joinNow(
	subscription: Subscription,
	context: ITriggerFunctions,
	{ hub, clock }: TriggerSurroundings,
): Promise<Membership> {
	const membership = await hub.subscribe(subscription, false);
	try {
		await Promise.race([membership.untilListening(), pause(clock, FIRST_WORD_MS)]);
	} catch (error) {
		const reason = brokerError(error, subscription.queue);
		if (needsPerson(reason)) {
			await membership.leave();
			throw reason;
		}
		context.logger.warn(
			`${subscription.title}: published, and listening as soon as the message queue answers`,
		);
	}
	return membership;
}

/** At the start of n8n even the credential may be out of reach for a moment; later, its password may be refused. */
async function joinUntilDone(
	subscription: Subscription,
	closed: AbortSignal,
	onJoined: (membership: Membership) => void,
	{ hub, clock }: TriggerSurroundings,
): Promise<void> {
	for (let reported = false; !closed.aborted; reported = true) {
		try {
			const membership = await hub.subscribe(subscription, true);
			onJoined(membership);
			if (closed.aborted) await membership.leave();
			return;
		} catch (error) {
			if (!reported) subscription.report({ kind: 'outage', error: brokerError(error, subscription.queue) });
			await pause(clock, JOIN_AGAIN_MS, closed);
		}
	}
}

function subscriptionOf(
	context: ITriggerFunctions,
	settings: TriggerSettings,
	onRefused: () => void,
	clock: Clock,
): Subscription {
	const { id, name } = context.getWorkflow();
	const node = context.getNode();
	const title = `Workflow "${name ?? id}", node "${node.name}"`;
	return {
		key: `${id}:${node.id}`,
		title,
		queue: settings.queue,
		filter: settings.filter,
		options: settings.options,
		readAddress: async () => await readQueueAddress(context, clock),
		run: async (events, attempt) => await run(context, events, attempt, settings.simplify, clock),
		onRefused,
		report: (problem) => reportTo(context, title, problem),
	};
}

/** Starts one execution. `emit` is looked up at this moment: n8n replaces it after `trigger()` has returned. */
async function run(
	context: ITriggerFunctions,
	events: readonly DeliveredEvent[],
	attempt: number,
	simplify: boolean,
	clock: Clock,
) {
	const done = context.helpers.createDeferredPromise<IRun>();
	const response = hearsWorkers(context)
		? context.helpers.createDeferredPromise<IExecuteResponsePromiseData>()
		: undefined;
	const outcome = response ? outcomeOnWorker(done.promise, response.promise, clock) : outcomeOf(done.promise);
	try {
		const items = events.map(({ event, redelivered }) =>
			eventItem(event, { redelivered, attempt, isSample: false }, simplify),
		);
		context.emit([items], response, done);
	} catch (error) {
		return { kind: 'notStarted' as const, reason: isServiceError(error) ? error.message : messageOf(error) };
	}
	return await outcome;
}

/** Queue mode of n8n 2.7 and newer: an older main process, when it ends, stops the runs that have a response to give. */
function hearsWorkers(context: ITriggerFunctions): boolean {
	return process.env['EXECUTIONS_MODE'] === 'queue' && typeof context.saveFailedExecution === 'function';
}
