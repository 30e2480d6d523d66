import type { connect } from 'amqplib';
import type { INodeExecutionData, IRun, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { listen } from '../../../nodes/ParcelDocumentExchange/trigger/listen';
import { queueAddressOf } from '../../../nodes/ParcelDocumentExchange/adapters/queueAddress';
import { BOUNDS } from '../../../service/queue/bounds';
import type { Hub } from '../../../service/queue/contract';
import { createHub } from '../../../service/queue/hub';
import { linkOpener } from '../../../service/queue/link';
import { pause, type Clock, type Logger } from '../../../service/surroundings';
import { eventsIn, eventsInBody } from '../history/bodies';
import { ACCOUNT, QUEUE, USUAL_HOST, type CredentialPlan, type WorkflowPlan } from '../history/history';
import type { Ledger, Registration, RunRecord } from '../ledger';
import { deferred, type Deferred } from './deferred';
import { processClock, type ProcessClock } from './processClock';
import { Runs, type RunWeather } from './runs';

/** What all processes of this n8n share: its database, and the world around. */
interface Surroundings {
	ledger: Ledger;
	clock: Clock;
	/** Milliseconds since the beginning of the history. */
	now(): number;
	weather: RunWeather;
	/** The credential of a workflow as n8n's store holds it now. */
	credentialOf(workflow: string): Promise<CredentialPlan>;
	/** The way to the broker. */
	connect: typeof connect;
	/** n8n gave up publishing a workflow, and told the person so. */
	refused(workflow: string): void;
}

type Mode = Registration['mode'];

interface Registered {
	registration: Registration;
	response: ITriggerResponse;
}

/** n8n tries an activation five times, with these waits. */
const ACTIVATION_WAITS_MS = [1_000, 2_000, 4_000, 8_000];
/** How long the end of n8n waits for its runs. */
const SHUTDOWN_MS = 30_000;

/** One process of n8n, from its start to its end: a hub, the triggers it has registered, and their runs. */
export class N8nProcess {
	readonly hub: Hub;
	private readonly clock: ProcessClock;
	private readonly runs: Runs;
	private readonly registered = new Map<string, Registered>();
	private readonly links = new Set<{ destroy(): void }>();
	private alive = true;
	/** What it does with its triggers, one after another. */
	private work: Promise<void> = Promise.resolve();

	constructor(
		readonly life: number,
		private readonly around: Surroundings,
	) {
		this.clock = processClock(around.clock);
		this.runs = new Runs(around.ledger.history, this.clock, around.now, around.weather);
		const logger = this.logger();
		this.hub = createHub(logger, this.clock, linkOpener(this.watchedConnect()), {
			...BOUNDS,
			...around.ledger.history.bounds,
		});
	}

	/** Starts the published workflows one after another. */
	start(workflows: readonly string[], mode: 'init' | 'leadershipChange'): void {
		this.inTurn(async () => {
			for (const name of workflows) {
				await this.pause(this.around.ledger.history.host.startGapMs);
				await this.activate(name, mode);
			}
		});
	}

	publish(workflow: string, mode: 'activate' | 'update'): void {
		this.inTurn(() => this.activate(workflow, mode));
	}

	unpublish(workflow: string): void {
		this.inTurn(() => this.deactivate(workflow));
	}

	/** A new version: the old one is closed, then the new one is registered. */
	republish(workflow: string, gapMs: number): void {
		this.inTurn(async () => {
			await this.deactivate(workflow);
			await this.pause(gapMs);
			await this.activate(workflow, 'update');
		});
	}

	/** Closes all triggers, one after another; runs go on. */
	stepDown(): void {
		this.inTurn(() => this.closeAll());
	}

	/** SIGTERM: triggers are closed, runs are waited for, and then it is over. Calls back when it is. */
	stop(onGone: () => void): void {
		this.inTurn(async () => {
			await this.closeAll();
			this.runs.dropQueued();
			if (this.around.ledger.history.host.cutsOffRuns) this.runs.cutOff();
			for (let waited = 0; waited < SHUTDOWN_MS && this.runs.count > 0; waited += 500) await this.pause(500);
			await this.pause(500);
			this.kill();
			onGone();
		});
	}

	/** Gone without a word. */
	kill(): void {
		this.alive = false;
		this.clock.stop();
		this.runs.end();
		for (const link of this.links) link.destroy();
		this.links.clear();
		for (const { registration } of this.registered.values()) registration.endedAt ??= this.around.now();
		this.registered.clear();
	}

	/** Nothing runs, but for runs that will never end. */
	get isIdle(): boolean {
		return this.runs.isIdle;
	}

	/** Whether an event could still reach anybody here. */
	async listening(): Promise<boolean> {
		if (!this.alive) return false;
		const address = queueAddressOf({ host: USUAL_HOST, port: 5672, ...ACCOUNT });
		const all = { statuses: [], customerIds: [], instances: [] };
		const untap = await this.hub.tap(address, QUEUE, all, () => {});
		untap?.();
		return untap !== undefined;
	}

	/** Timers of the trigger that are left, once everything is closed; those of n8n's own runs are its own. */
	get pendingTimers(): number {
		return this.clock.pending - this.runs.timers;
	}

	private inTurn(work: () => Promise<void>): void {
		this.work = this.work.then(() => (this.alive ? work() : undefined));
		this.work.catch((error) => void this.around.ledger.uncaught.push(String(error)));
	}

	private pause(ms: number): Promise<void> {
		return pause(this.clock, ms);
	}

	private async activate(name: string, mode: Mode): Promise<void> {
		for (let failures = 0; this.alive; failures += 1) {
			if (await this.register(name, mode)) return;
			const waitMs = ACTIVATION_WAITS_MS[failures];
			if (waitMs === undefined) return mode === 'activate' ? this.around.refused(name) : undefined;
			await this.pause(waitMs);
		}
	}

	private async register(name: string, mode: Mode): Promise<boolean> {
		const { ledger, now } = this.around;
		const plan = ledger.history.workflows.find((workflow) => workflow.name === name);
		if (!plan || this.registered.has(name)) return true;
		const wish = ledger.wishes.filter(({ workflow }) => workflow === name).at(-1);
		if (!wish?.published) return true;
		const registration: Registration = {
			number: ledger.registrations.length,
			life: this.life,
			workflow: name,
			mode,
			statuses: wish.statuses,
			options: wish.options,
			calledAt: now(),
		};
		ledger.registrations.push(registration);
		try {
			const context = this.contextOf(plan, registration);
			const response = await listen(context, { hub: this.hub, clock: this.clock });
			registration.returnedAt = now();
			this.registered.set(name, { registration, response });
			return true;
		} catch (error) {
			registration.threw = String(error);
			registration.endedAt = now();
			return false;
		}
	}

	private async deactivate(name: string): Promise<void> {
		const found = this.registered.get(name);
		if (!found) return;
		this.registered.delete(name);
		found.registration.closeCalledAt = this.around.now();
		await found.response.closeFunction?.();
		found.registration.closedAt = this.around.now();
	}

	private async closeAll(): Promise<void> {
		for (const name of [...this.registered.keys()]) {
			await this.deactivate(name);
			if (this.registered.size > 0) await this.pause(this.around.ledger.history.host.closeGapMs);
		}
	}

	/** As much of n8n's trigger context as a production trigger meets. */
	private contextOf(plan: WorkflowPlan, registration: Registration): ITriggerFunctions {
		const { ledger, now, weather, credentialOf } = this.around;
		const { reports } = ledger.history.host;
		const parameters: Record<string, unknown> = {
			queue: QUEUE,
			statuses: [...registration.statuses],
			output: 'raw',
			testWith: 'nextEvent',
			options: { ...registration.options },
		};
		const node = {
			id: 'event',
			name: 'Event',
			type: 'n8n-nodes-parcel-document-exchange.parcelDocumentExchangeTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		};
		const context = {
			logger: this.logger(),
			getNode: () => ({ ...node }),
			getWorkflow: () => ({ id: `id-${plan.name}`, name: plan.name, active: true }),
			getWorkflowSettings: () => ({ executionTimeout: plan.executionTimeout ?? -1 }),
			getMode: () => 'trigger',
			getActivationMode: () => registration.mode,
			getNodeParameter: (name: string, byDefault: unknown) => parameters[name] ?? byDefault,
			getCredentials: async () => ({
				host: USUAL_HOST,
				port: 5672,
				vhost: '/',
				tls: false,
				...(await credentialOf(plan.name)),
			}),
			helpers: { createDeferredPromise: deferred },
			emit: (data: INodeExecutionData[][], _response?: unknown, done?: Deferred<IRun>) => {
				if (!this.alive) return;
				const items = data[0] ?? [];
				const record: RunRecord = {
					attempt: 1,
					id: ledger.runs.length + 1,
					life: this.life,
					workflow: plan.name,
					registration: registration.number,
					events: eventsIn(JSON.stringify(items.map(({ json }) => json['message'] ?? json))),
					handedAt: now(),
					mishap: false,
				};
				record.attempt = this.runs.countOf(record);
				ledger.runs.push(record);
				this.runs.hand(record, plan, done);
			},
			saveFailedExecution:
				reports === 'missing'
					? undefined
					: (error: Error & { description?: string }) => {
							if (!this.alive) return;
							const text = `${error.message}\n${error.description ?? ''}`;
							ledger.reports.push({
								life: this.life,
								workflow: plan.name,
								at: now(),
								text,
								events: eventsIn(text),
								stored: !weather.databaseAway && !reports,
							});
							if (reports === 'thrown') throw new Error('The executions cannot be written');
						},
		};
		return context as unknown as ITriggerFunctions;
	}

	private logger(): Logger {
		const { ledger, now } = this.around;
		const write = (level: 'debug' | 'info' | 'warn' | 'error') => (message: string, meta?: unknown) => {
			if (!this.alive) return;
			const text = meta === undefined ? message : `${message} ${JSON.stringify(meta)}`;
			ledger.logs.push({ life: this.life, at: now(), level, text });
		};
		return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
	}

	/** The way to the broker, with each connection written down and known, so that a killed process leaves none. */
	private watchedConnect(): typeof connect {
		const { ledger, now, connect: connectTo } = this.around;
		const watched = async (...[options, socket]: Parameters<typeof connect>) => {
			if (!this.alive) return await new Promise<never>(() => {});
			const { username = '', password = '', vhost } = options as Partial<CredentialPlan>;
			const record: Ledger['links'][number] = {
				life: this.life,
				askedAt: now(),
				username,
				password,
				...(vhost === undefined ? {} : { vhost: decodeURIComponent(vhost) }),
			};
			const number = ledger.links.push(record) - 1;
			const connection = await connectTo(options, socket);
			const link = { destroy: () => socketOf(connection).destroy() };
			if (!this.alive) {
				link.destroy();
				return await new Promise<never>(() => {});
			}
			record.acceptedAt = now();
			this.links.add(link);
			const failed = (error: unknown) => {
				if (!this.alive) return;
				record.failedAt ??= now();
				record.failure ??= String(error);
			};
			connection.on('error', failed);
			connection.on('close', () => {
				record.lostAt ??= now();
				this.links.delete(link);
			});
			const createChannel = connection.createChannel.bind(connection);
			connection.createChannel = async () => {
				const channel = await createChannel();
				channel.on('error', failed);
				const consume = channel.consume.bind(channel);
				const nack = channel.nack.bind(channel);
				const close = channel.close.bind(channel);
				channel.close = async () => {
					ledger.renewed.push({ life: this.life, at: now() });
					await close();
				};
				// A settlement names the message by its tag alone.
				const eventsOf = new Map<number, readonly number[]>();
				channel.nack = (message, upTo, requeue) => {
					const given = (requeue && eventsOf.get(message.fields.deliveryTag)) || [];
					for (const event of given) ledger.givenBack.push({ life: this.life, event, at: now() });
					nack(message, upTo, requeue);
				};
				channel.consume = async (queue, onMessage, options) =>
					await consume(
						queue,
						(message) => {
							if (!this.alive) return;
							const events = message ? eventsInBody(message.content) : [];
							if (message) eventsOf.set(message.fields.deliveryTag, events);
							for (const event of events) {
								ledger.seen[event] = this.life;
								ledger.came.push({ life: this.life, event, at: now(), link: number });
								ledger.shown[event] = (ledger.shown[event] ?? 0) + 1;
							}
							onMessage(message);
						},
						options,
					);
				return channel;
			};
			return connection;
		};
		return watched as typeof connect;
	}
}

function socketOf(connection: unknown): { destroy(): void } {
	return (connection as { connection: { stream: { destroy(): void } } }).connection.stream;
}
