import type { IDataObject, INode, INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { ObservableObject } from 'n8n-workflow';
import { pollForChanges } from '../../nodes/ParcelDocumentExchange/poll/poll';
import { recordingLogger } from './subscriber';

/**
 * As much of n8n as a polling node sees. `live`: what a node remembers is stored when it emits, before the run is, and not
 * at all otherwise. `durable`: it is committed together with the run, or after a look without one.
 */
export type PollMemory = 'live' | 'durable';

let hosts = 0;

export interface PollHostOptions {
	memory: PollMemory;
	credentials: Record<string, unknown>;
	parameters?: Record<string, unknown>;
	/** The node's name; its id is the same in each host. */
	node?: string;
	/** Hosts of one workflow are its nodes. */
	workflow?: string;
	/** The parameters as they were typed, with their expressions. */
	typed?: IDataObject;
	/** Milliseconds that n8n gives a look with durable cursors. */
	budgetMs?: number;
	/** What n8n stores of all nodes of the workflow at once, where it has no durable cursors. */
	ofWorkflow?: IDataObject;
	/** The other steps of the workflow. */
	steps?: Array<Pick<INode, 'name' | 'parameters' | 'disabled'>>;
}

export class PollHost {
	/** The items of each run that was stored. */
	readonly runs: IDataObject[][] = [];
	readonly failures: Array<Error & { description?: string }> = [];
	/** n8n cannot store runs. */
	databaseIsAway = false;
	/** Runs go on until they are ended. */
	readonly open: Array<() => void> = [];
	runsStayOpen = false;
	readonly logger = recordingLogger();

	private database: IDataObject = {};
	private live: IDataObject = {};
	private copied: IDataObject = {};
	private context?: IPollFunctions;
	/** What a process knows, it knows of a workflow: another one stands for another process. */
	private process = 0;
	private isKilled = false;
	/** What the run before took along, whether or not it could be stored. */
	private taken = '';
	private readonly credentialGates: Promise<void>[] = [];
	private readonly name: string;

	constructor(private readonly options: PollHostOptions) {
		this.name = options.workflow ?? `host ${hosts++}`;
	}

	get parameters(): Record<string, unknown> {
		return (this.options.parameters ??= {});
	}

	get typed(): IDataObject {
		return (this.options.typed ??= {});
	}

	/** A new process: nothing but the database is left, and the first look runs inside publishing. */
	async start(mode: 'activate' | 'init' = 'init', process = this.process + 1): Promise<void> {
		this.isKilled = false;
		this.process = process;
		// A durable job is there already when n8n starts: only publishing looks at once.
		if (mode === 'init' && this.options.memory === 'durable') return;
		await this.publish(mode);
	}

	/** Published again in the same process. */
	async publish(mode: 'activate' | 'init' = 'activate'): Promise<void> {
		const stored = copy(this.database);
		const { memory, ofWorkflow } = this.options;
		// Who is published by itself has a copy of its own of what all remember.
		if (ofWorkflow) {
			this.copied = ObservableObject.create(copy(ofWorkflow)) as IDataObject;
			this.live = (this.copied[this.key] ??= ObservableObject.create({})) as IDataObject;
		} else this.live = memory === 'live' ? (ObservableObject.create(stored) as IDataObject) : stored;
		this.context = this.newContext(mode, this.live, false);
		await this.run(this.context, true);
		if (this.options.memory === 'live' && !this.isKilled) this.store(this.live);
	}

	/** A scheduled look. */
	async look(): Promise<void> {
		const { memory } = this.options;
		const context = memory === 'live' ? this.context! : this.newContext('init', copy(this.database), true);
		try {
			await this.run(context, false);
		} catch (error) {
			this.failures.push(error as Error);
		}
	}

	/** From now on nothing is stored any more. */
	kill(): void {
		this.isKilled = true;
	}

	get isDead(): boolean {
		return this.isKilled;
	}

	/** Kills n8n between storing what the node remembers and storing the run, at the next one. */
	killAtNextRun = false;
	/** n8n cannot store the next run, and the one after it again. */
	loseNextRun = false;
	/** n8n cannot store the next run, and says so late, when each of the losses is called. */
	loseNextRunLate = false;
	readonly losses: Array<() => void> = [];

	/** n8n hands out the credential for the client late, once. @returns lets it go */
	holdUpCredential(): () => void {
		let release = () => {};
		const gate = new Promise<void>((resolve) => (release = resolve));
		// The first time is for whose sets they are.
		this.credentialGates.push(Promise.resolve(), gate);
		return release;
	}

	/** Somebody edits what is stored. */
	edit(changes: object): void {
		Object.assign(this.database, changes);
	}

	/** What "Fetch Test Event" has. */
	manualContext(): IPollFunctions {
		return Object.assign(this.newContext('manual', {}, false), { getMode: () => 'manual' });
	}

	private get key(): string {
		return `node:${this.options.node ?? 'Poll'}`;
	}

	private store(data: IDataObject): void {
		const { ofWorkflow } = this.options;
		if (!ofWorkflow) this.database = copy(data);
		else {
			for (const key of Object.keys(ofWorkflow)) delete ofWorkflow[key];
			Object.assign(ofWorkflow, copy(this.copied));
		}
	}

	private async run(context: IPollFunctions, publishing: boolean): Promise<void> {
		await pollForChanges(context);
		// A look commits what it remembers and has given no run along; the first one, in publishing, only where it does so itself.
		const isDurable = this.options.memory === 'durable' && !publishing;
		const staged = JSON.stringify(context.getWorkflowStaticData('node'));
		if (isDurable && !this.isKilled && !this.databaseIsAway && staged !== this.taken) {
			this.database = JSON.parse(staged) as IDataObject;
		}
	}

	private newContext(activation: string, data: IDataObject, isTask: boolean): IPollFunctions {
		const { credentials } = this.options;
		const context = {
			logger: this.logger,
			getNode: () => ({
				id: 'node',
				name: this.options.node ?? 'Poll',
				type: 'x',
				typeVersion: 1,
				position: [0, 0],
				parameters: this.options.typed ?? this.parameters,
			}),
			getWorkflow: () => ({ id: `workflow ${this.process} ${this.name}`, name: 'Papers', active: true }),
			getCredentials: async () => {
				const gate = this.credentialGates.shift();
				await gate;
				return credentials;
			},
			getMode: () => 'trigger',
			getActivationMode: () => activation,
			getTimezone: () => 'UTC',
			getNodeParameter: (name: string, byDefault: unknown) => this.parameters[name] ?? byDefault,
			getWorkflowStaticData: () => data,
			workflow: { staticData: this.copied, nodes: { ...this.options.steps } },
			__emitError: (error: Error) => this.failures.push(error),
			...(this.options.memory === 'durable' && {
				__commitCursor: async () => {
					if (this.databaseIsAway) throw new Error('The database is away');
					if (!this.isKilled) this.database = copy(data);
				},
			}),
			...(isTask ? { getPollBudgetMs: () => this.options.budgetMs ?? 36_000 } : {}),
			helpers: { createDeferredPromise: deferred },
			__emit: (items: INodeExecutionData[][], _response: unknown, done?: Deferred) =>
				this.emit(data, items[0]!, done),
		};
		return context as unknown as IPollFunctions;
	}

	private emit(data: IDataObject, items: INodeExecutionData[], done?: Deferred): void {
		if (this.isKilled) return;
		this.taken = JSON.stringify(data);
		const { memory } = this.options;
		if (memory === 'live' && !this.databaseIsAway) this.store(data);
		if (this.killAtNextRun) {
			this.killAtNextRun = false;
			this.isKilled = true;
			return;
		}
		if (this.databaseIsAway || this.loseNextRun) {
			this.loseNextRun = false;
			done?.reject(new Error('The database is away'));
			return;
		}
		if (this.loseNextRunLate) {
			this.loseNextRunLate = false;
			this.losses.push(() => done?.reject(new Error('The database does not answer')));
			return;
		}
		if (memory === 'durable') this.database = copy(data);
		this.runs.push(items.map(({ json }) => json));
		const end = () => done?.resolve({ status: 'success', data: { resultData: {} } });
		if (this.runsStayOpen) this.open.push(end);
		else end();
	}
}

interface Deferred {
	promise: Promise<unknown>;
	resolve: (value: unknown) => void;
	reject: (error: Error) => void;
}

function deferred(): Deferred {
	let resolve!: Deferred['resolve'];
	let reject!: Deferred['reject'];
	const promise = new Promise((yes, no) => {
		resolve = yes;
		reject = no;
	});
	return { promise, resolve, reject };
}

function copy(data: object): IDataObject {
	return JSON.parse(JSON.stringify(data)) as IDataObject;
}
