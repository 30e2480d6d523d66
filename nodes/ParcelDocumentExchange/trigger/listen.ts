import type { IExecuteResponsePromiseData, IRun, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { isServiceError, messageOf, ServiceError } from '../../../service/errors';
import type { Hub, Membership, RunOutcome, Subscription } from '../../../service/queue/contract';
import { hubOfProcess } from '../../../service/queue/hub';
import { brokerError, needsPerson } from '../../../service/queue/refusal';
import { watched } from '../../../service/queue/watch';
import { pause, systemClock, type Clock } from '../../../service/surroundings';
import { nodeErrorInOneText } from '../adapters/errors';
import { outcomeOf, outcomeOnWorker } from '../adapters/outcome';
import { readQueueAddress } from '../adapters/queueAddress';
import { eventItem } from '../events/eventItem';
import { subscriberKey, listens } from './keys';
import { reportTo } from './report';
import { readSettings, type TriggerSettings } from './settings';

/** A person who publishes waits at most so long for the first word of the queue. */
const FIRST_WORD_MS = 15_000;

/** What the trigger meets beside n8n. */
interface TriggerSurroundings {
	hub: Hub;
	clock: Clock;
}

/**
 * The published trigger: joins the hub and stays. Throws for what stands wrong in its own fields; for what the broker says
 * only when a person publishes and must mend it first (login refused, queue or virtual host missing, certificate): at the
 * start of n8n, and when n8n registers the trigger anew by itself, a throw would give the trigger up for good.
 */
export async function listen(
	context: ITriggerFunctions,
	surroundings: TriggerSurroundings = { hub: hubOfProcess(context.logger), clock: systemClock },
): Promise<ITriggerResponse> {
	const mode = context.getActivationMode();
	const starting = ['init', 'leadershipChange'].includes(mode);
	let membership: Membership;
	let unwatch = () => {};
	try {
		const own = subscriptionOf(context, readSettings(context), surroundings.clock);
		const refused = refusedEngine(context, own);
		if (refused) {
			if (!starting) throw refused;
			own.report({ kind: 'outage', error: refused });
			return { closeFunction: async () => {} };
		}
		if (context.getWorkflowSettings?.().saveDataErrorExecution === 'none') {
			context.logger.warn(
				`${own.title}: "Save failed production executions" is off in the workflow settings, so events that cannot be handled show in this log only`,
			);
		}
		const { subscription, joined, end } = watched(own, surroundings.clock);
		const endListening = listens(own.key, context.getNode().name);
		unwatch = () => (end(), endListening());
		membership = await surroundings.hub.subscribe(subscription, starting, mode !== 'activate');
		joined(membership);
		if (mode === 'activate') await firstWord(membership, subscription, context, surroundings.clock);
	} catch (error) {
		unwatch();
		throw nodeErrorInOneText(context.getNode(), error);
	}
	return {
		closeFunction: async () => {
			unwatch();
			await membership.leave();
		},
	};
}

async function firstWord(
	membership: Membership,
	subscription: Subscription,
	context: ITriggerFunctions,
	clock: Clock,
): Promise<void> {
	const heard = new AbortController();
	try {
		await Promise.race([membership.untilListening(), pause(clock, FIRST_WORD_MS, heard.signal)]);
	} catch (error) {
		const reason = brokerError(error, subscription.queue);
		if (needsPerson(reason)) {
			await membership.leave();
			throw reason;
		}
		context.logger.warn(
			`${subscription.title}: published, and listening as soon as the message queue answers`,
		);
	} finally {
		heard.abort();
	}
}

/** n8n's second engine refuses every run whose end is asked for, and says so nowhere but in the log. */
function refusedEngine(context: ITriggerFunctions, { options }: Subscription): ServiceError | undefined {
	if (!isSecondEngine(context) || options.removeWhen === 'received') return undefined;
	return new ServiceError(
		'invalidInput',
		'This workflow runs on n8n’s new engine, which does not tell the trigger how a run ended',
		{
			remedy:
				'Set Remove From Queue, in the options of the trigger, to "When the Workflow Has Started", or choose the usual engine in the workflow settings.',
		},
	);
}

function isSecondEngine(context: ITriggerFunctions): boolean {
	const settings = (context.getWorkflowSettings?.() ?? {}) as { engineType?: unknown };
	return settings.engineType === 'v2';
}

function subscriptionOf(context: ITriggerFunctions, settings: TriggerSettings, clock: Clock): Subscription {
	const { id, name } = context.getWorkflow();
	const node = context.getNode();
	const title = `Workflow "${name ?? id}", node "${node.name}"`;
	const { simplify } = settings;
	const run = isSecondEngine(context) ? handOver : runToItsEnd;
	return {
		key: subscriberKey(`${id}:${node.id}`, node.name),
		title,
		queue: settings.queue,
		filter: settings.filter,
		options: settings.options,
		readAddress: async () => await readQueueAddress(context, clock),
		run: async (events, attempt) => {
			const items = events.map(({ event, redelivered }) =>
				eventItem(event, { redelivered, attempt, isSample: false }, simplify),
			);
			try {
				return await run(context, items, clock);
			} catch (error) {
				return { kind: 'notStarted', reason: isServiceError(error) ? error.message : messageOf(error) };
			}
		},
		report: (problem) => reportTo(context, title, problem, clock),
	};
}

type Items = ReturnType<typeof eventItem>[];

/** Starts one execution. `emit` is looked up at this moment: n8n replaces it after `trigger()` has returned. */
async function runToItsEnd(context: ITriggerFunctions, items: Items, clock: Clock): Promise<RunOutcome> {
	const done = context.helpers.createDeferredPromise<IRun>();
	const response = hearsWorkers(context)
		? context.helpers.createDeferredPromise<IExecuteResponsePromiseData>()
		: undefined;
	const outcome = response ? outcomeOnWorker(done.promise, response.promise, clock) : outcomeOf(done.promise);
	context.emit([items], response, done);
	return await outcome;
}

/** Starts one execution of which nothing more will be heard. */
async function handOver(context: ITriggerFunctions, items: Items): Promise<RunOutcome> {
	context.emit([items]);
	return { kind: 'waiting' };
}

/** Queue mode of n8n 2.7 and newer: an older main process, when it ends, stops the runs that have a response to give. */
function hearsWorkers(context: ITriggerFunctions): boolean {
	return process.env['EXECUTIONS_MODE'] === 'queue' && typeof context.saveFailedExecution === 'function';
}
