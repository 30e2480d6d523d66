import { bodyOf } from './history/bodies';
import {
	isFault,
	knows,
	type CredentialPlan,
	type Happening,
	type History,
	type RunEnd,
} from './history/history';
import { randomFrom } from './history/random';
import type { BrokerSide } from './brokerSide';
import { brokersOf } from './places';
import {
	CLOSING_MS,
	HANDLED_WITHIN_MS,
	PROBED_EVERY_COUNTED_MS,
	PROBED_EVERY_MS,
	UNKNOWN_AFTER_MS,
} from './bounds';
import { simulationClock, type SimulationClock } from './clock';
import type { Ledger, Span } from './ledger';
import { N8nProcess } from './n8n/process';
import type { RunWeather } from './n8n/runs';

/** A history in which so much happens goes in a circle, and is not followed to its end. */
const MOST_CALLS = 150_000;
// One that waits to be let in tries twice a minute, for hours.
const MOST_LINKS = 6_000;
/** Of each event sent, for each workflow, where less is remembered than is on its way. */
const FORGETFUL_RUNS = 4;

const START = Date.UTC(2026, 10, 20, 9, 48, 18);

/** Runs a history to its end and answers everything that came of it. The same history gives the same answer, always. */
export async function simulate(history: History): Promise<Ledger> {
	const random = Math.random;
	const { stackTraceLimit } = Error;
	// The waits between two tries to connect are spread by chance.
	Math.random = randomFrom(history.seed ^ 0x5eed).next;
	// A stack costs more than the rest of an error, and nobody reads it here.
	Error.stackTraceLimit = 0;
	const world = new World(history);
	const onRejection = (reason: unknown) => void world.ledger.uncaught.push(String(reason));
	process.on('unhandledRejection', onRejection);
	try {
		return await world.run();
	} finally {
		process.off('unhandledRejection', onRejection);
		Math.random = random;
		Error.stackTraceLimit = stackTraceLimit;
	}
}

class World {
	readonly ledger: Ledger;
	private readonly clock: SimulationClock = simulationClock(START);
	private readonly broker: BrokerSide;
	private readonly weather: RunWeather = {
		databaseAway: false,
		downstreamAway: new Set(),
		mishaps: new Map<string, RunEnd[]>(),
	};
	private readonly credentials = new Map<string, CredentialPlan>();
	private readonly unreadable = new Map<string, { hangs: boolean }>();
	private readonly processes: N8nProcess[] = [];
	private current: N8nProcess | undefined;
	/** How many faults of a kind are on at this moment: two may overlap. */
	private readonly ill = new Map<string, number>();

	constructor(private readonly history: History) {
		this.ledger = {
			history,
			runs: [],
			reports: [],
			logs: [],
			links: [],
			registrations: [],
			wishes: [],
			spans: [],
			messages: [],
			seen: {},
			givenBack: [],
			renewed: [],
			came: [],
			shown: {},
			credentials: [],
			mostUnsettled: 0,
			mostConsumersOfAChannel: 0,
			cutShort: false,
			faultsOverAt: 0,
			endedAt: 0,
			left: { timers: 0, links: 0, subscribers: 0 },
			uncaught: [],
		};
		this.broker = brokersOf(history, this.clock, () => this.now());
		for (const { name, credential, published, statuses, options } of history.workflows) {
			this.edit(name, credential);
			this.ledger.wishes.push({ workflow: name, at: 0, published, statuses, options });
		}
	}

	async run(): Promise<Ledger> {
		const { ledger } = this;
		this.startProcess('init');
		for (const step of this.history.steps) {
			if (this.goesInCircles) break;
			await this.clock.advance(Math.max(0, step.at - this.now()));
			if (isFault(step)) ledger.faultsOverAt = Math.max(ledger.faultsOverAt, this.now());
			this.happens(step);
		}
		await this.clock.advance(Math.max(0, ledger.faultsOverAt - this.now()));
		await this.clock.advance(1_000);
		await this.untilQuiet();
		// What the queue itself took is missed at the next try of a workflow that waits, at the latest.
		if (this.broker.hasTaken) await this.clock.advance(PROBED_EVERY_COUNTED_MS + PROBED_EVERY_MS);
		ledger.endedAt = this.now();
		// What runs are still going when nobody listens any more is no part of the history, and n8n does not live on for them.
		ledger.messages = this.broker.messages();
		for (const process of this.processes) process.stepDown();
		await this.clock.advance(CLOSING_MS);
		const listening = await Promise.all(this.processes.map((process) => process.listening()));
		ledger.left = {
			timers: this.processes.reduce((sum, { pendingTimers }) => sum + pendingTimers, 0),
			links: this.broker.connections,
			subscribers: listening.filter(Boolean).length,
		};
		for (const process of this.processes) process.kill();
		ledger.mostUnsettled = this.broker.mostUnsettled;
		ledger.mostConsumersOfAChannel = this.broker.mostConsumersOfAChannel;
		return ledger;
	}

	/** What the runs take at most, where each workflow runs one after another. */
	private get workMs(): number {
		const { workflows, events } = this.history;
		const poison = events.some((event) => event.poison);
		// A batch may be taken apart, and with a bad event in it has its attempts before.
		return Math.max(
			...workflows.map(
				({ runMs, options: { batchSize = 1 } }) =>
					runMs[1] * events.length * (poison && batchSize > 1 ? 2 : 1),
			),
		);
	}

	/** Ten attempts of each event sent, for each workflow, and as many again. */
	private get mostRuns(): number {
		return 100 + 20 * this.history.steps.length * this.history.workflows.length;
	}

	private get goesInCircles(): boolean {
		const { runs, links } = this.ledger;
		this.ledger.cutShort ||= this.forgetsForEver;
		return (
			this.ledger.cutShort ||
			this.clock.calls > MOST_CALLS ||
			links.length > MOST_LINKS ||
			runs.length > this.mostRuns
		);
	}

	/** Less is remembered than is on its way, and what was forgotten runs again: to the end, this takes minutes and shows nothing. */
	private get forgetsForEver(): boolean {
		const { bounds, steps, workflows } = this.history;
		const { runs } = this.ledger;
		if (runs.length <= 100 + FORGETFUL_RUNS * steps.length * workflows.length) return false;
		return this.broker.mostUnsettled >= (bounds?.remembered ?? Infinity);
	}

	private now(): number {
		return this.clock.now() - START;
	}

	/** Nothing is on the queue, and nothing runs. */
	private async untilQuiet(): Promise<void> {
		const { ledger } = this;
		const latest = () => ledger.faultsOverAt + HANDLED_WITHIN_MS + this.workMs;
		while (!this.goesInCircles && this.now() < latest()) {
			await this.clock.advanceUntil(() => this.isQuiet || this.goesInCircles, latest() - this.now());
			ledger.faultsOverAt = Math.max(ledger.faultsOverAt, lastMishapAt(ledger));
			// What is on its way back to the queue is on none for a moment.
			await this.clock.advance(1_000);
			if (this.isQuiet) return;
		}
	}

	private get isQuiet(): boolean {
		return this.current !== undefined && this.broker.isEmpty && this.processes.every(({ isIdle }) => isIdle);
	}

	private startProcess(mode: 'init' | 'leadershipChange'): N8nProcess {
		const process = new N8nProcess(this.processes.length + 1, {
			ledger: this.ledger,
			clock: this.clock,
			now: () => this.now(),
			weather: this.weather,
			credentialOf: (workflow) => this.credentialOf(workflow),
			connect: this.broker.connect,
			refused: (workflow) => this.wish(workflow, false),
		});
		this.processes.push(process);
		this.current = process;
		process.start(
			this.history.workflows.map(({ name }) => name).filter((name) => this.isPublished(name)),
			mode,
		);
		return process;
	}

	private isPublished(name: string): boolean {
		return this.ledger.wishes.filter(({ workflow }) => workflow === name).at(-1)?.published === true;
	}

	private wish(workflow: string, published: boolean, changes: object = {}): void {
		const last = this.ledger.wishes.filter((wish) => wish.workflow === workflow).at(-1);
		if (last) this.ledger.wishes.push({ ...last, ...changes, at: this.now(), published });
	}

	private async credentialOf(workflow: string): Promise<CredentialPlan> {
		if (this.weather.databaseAway) throw new Error('SQLITE_CANTOPEN: unable to open database file');
		const ill = this.unreadable.get(workflow);
		if (ill?.hangs) return await new Promise<never>(() => {});
		if (ill) throw new Error('External secrets provider not ready');
		const credential = this.credentials.get(workflow);
		if (!credential) throw new Error('Credential does not exist');
		return credential;
	}

	/** Something is ill for a while; overlapping times of one kind are one. */
	private lasts(
		kind: string,
		forMs: number,
		span: Pick<Span, 'what' | 'workflow'>,
		ill: () => void,
		well: () => void,
	): void {
		const key = `${kind} ${span.workflow ?? ''}`;
		const from = this.now();
		const to = from + forMs;
		this.ledger.spans.push({ ...span, from, to });
		this.ledger.faultsOverAt = Math.max(this.ledger.faultsOverAt, to);
		this.ill.set(key, (this.ill.get(key) ?? 0) + 1);
		ill();
		this.clock.after(forMs, () => {
			const left = (this.ill.get(key) ?? 1) - 1;
			this.ill.set(key, left);
			if (left === 0) well();
		});
	}

	private edit(workflow: string, credential: CredentialPlan): void {
		const at = this.now();
		this.credentials.set(workflow, credential);
		this.ledger.credentials.push({ workflow, at, ...credential });
		for (const span of this.ledger.spans) {
			if (span.what === 'wrongPassword' && span.workflow === workflow && span.to === Infinity) span.to = at;
		}
		if (!knows(credential))
			this.ledger.spans.push({ what: 'wrongPassword', workflow, from: at, to: Infinity });
	}

	private instant(what: Span['what'], workflow?: string): void {
		this.ledger.spans.push({ what, workflow, from: this.now(), to: this.now() });
	}

	/** At once, or later; what is still to come is a fault that is not over. */
	private instantIn(delayMs: number, what: Span['what'], done: () => void): void {
		const now = () => {
			this.instant(what);
			done();
		};
		if (delayMs === 0) return now();
		this.ledger.faultsOverAt = Math.max(this.ledger.faultsOverAt, this.now() + delayMs);
		this.clock.after(delayMs, now);
	}

	private happens(happening: Happening): void {
		const { broker, weather, current } = this;
		switch (happening.do) {
			case 'send': {
				const event = this.history.events.find(({ number }) => number === happening.event);
				if (event) broker.send(event.number, bodyOf(event));
				return;
			}
			case 'linkLost':
				this.instant('link');
				return broker.loseConnections(happening.username, happening.vhost);
			case 'channelLost': {
				const { times = 1, everyMs = 0 } = happening;
				for (let time = 0; time < times; time += 1) {
					this.instantIn(time * everyMs, 'link', () => broker.loseChannels());
				}
				return;
			}
			case 'queueStandsStill':
				return this.lasts(
					happening.do,
					happening.forMs,
					{ what: 'broker' },
					() => broker.changeLeader(happening.forMs),
					nothing,
				);
			case 'brokerAway': {
				const { vhost, forMs } = happening;
				return this.lasts(
					`${happening.do} ${vhost ?? ''}`,
					forMs,
					{ what: 'broker' },
					() => broker.goAway(vhost),
					() => broker.comeBack(vhost),
				);
			}
			case 'brokerFrozen':
				return this.lasts(happening.do, happening.forMs, { what: 'broker' }, broker.freeze, broker.thaw);
			case 'linkFrozen':
				return this.lasts(
					happening.do,
					happening.forMs,
					{ what: 'broker' },
					() => broker.freezeLinks(happening.direction),
					() => broker.thawLinks(),
				);
			case 'kill':
				if (!current) return;
				this.current = undefined;
				current.kill();
				return this.lasts(happening.do, happening.downMs, { what: 'process' }, nothing, () =>
					this.startProcess('init'),
				);
			case 'restart': {
				if (!current) return;
				this.current = undefined;
				const from = this.now();
				return current.stop(() => {
					this.lasts(happening.do, happening.downMs, { what: 'process' }, nothing, () =>
						this.startProcess('init'),
					);
					this.ledger.spans.push({ what: 'process', from, to: this.now() });
				});
			}
			case 'leaderChange':
				if (!current) return;
				this.startProcess('leadershipChange');
				// Each of several old leaders steps down, however close the changes are.
				this.clock.after(happening.overlapMs, () => current.stepDown());
				return this.lasts(happening.do, happening.overlapMs, { what: 'overlap' }, nothing, nothing);
			case 'publish':
				if (!current || this.isPublished(happening.workflow)) return;
				this.wish(happening.workflow, true);
				return current.publish(happening.workflow, 'activate');
			case 'unpublish':
				if (!current || !this.isPublished(happening.workflow)) return;
				this.wish(happening.workflow, false);
				return current.unpublish(happening.workflow);
			case 'republish': {
				if (!current || !this.isPublished(happening.workflow)) return;
				const { workflow, gapMs, statuses, options } = happening;
				this.wish(workflow, true, { ...(statuses && { statuses }), ...(options && { options }) });
				this.lasts(happening.do, gapMs, { what: 'republish', workflow }, nothing, nothing);
				return current.republish(workflow, gapMs);
			}
			case 'downstreamAway': {
				const { workflow, forMs } = happening;
				return this.lasts(
					happening.do,
					forMs,
					{ what: 'downstream', workflow },
					() => weather.downstreamAway.add(workflow),
					() => weather.downstreamAway.delete(workflow),
				);
			}
			case 'databaseAway':
				return this.lasts(
					happening.do,
					happening.forMs,
					{ what: 'database' },
					() => (weather.databaseAway = true),
					() => (weather.databaseAway = false),
				);
			case 'credentialUnreadable': {
				const { workflow, forMs, hangs } = happening;
				return this.lasts(
					happening.do,
					forMs,
					{ what: 'credential', workflow },
					() => this.unreadable.set(workflow, { hangs }),
					() => this.unreadable.delete(workflow),
				);
			}
			case 'credentialEdited':
				this.instant('credential', happening.workflow);
				return this.edit(happening.workflow, happening.credential);
			case 'runsEnd': {
				const { workflow, how, count } = happening;
				this.instant('mishap', workflow);
				const planned = weather.mishaps.get(workflow) ?? [];
				weather.mishaps.set(workflow, [...planned, ...Array.from({ length: count }, () => how)]);
			}
		}
	}
}

/** A run that ends badly by the history's word is a fault of that moment; one without a word is none after its time. */
function lastMishapAt({ runs }: Ledger): number {
	return Math.max(
		0,
		...runs
			.filter(({ mishap }) => mishap)
			.map(({ outcome, startedAt = 0, endedAt = startedAt }) =>
				outcome === 'hangs' || outcome === 'losesItsResult' ? startedAt + UNKNOWN_AFTER_MS : endedAt,
			),
	);
}

function nothing(): void {}
