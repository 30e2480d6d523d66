import type { Random } from '../../sandbox/service/random';
import type { AskPage } from '../../service/api/page';
import { ServiceError } from '../../service/errors';
import { MINUTE, START, written, type Order } from './changingList';
import { PollHost, type PollMemory } from './pollHost';

const HOUR = 60 * MINUTE;
const ORDERS: Order[] = ['newest first', 'oldest first', 'by creation'];
const LESS_OFTEN = 0.4;

interface Row {
	setId: string;
	status: string;
	at: number;
	made: number;
}
/** What a set came to: each status once. */
interface State {
	status: string;
	from: number;
	toldAt: number[];
}

/** How the service cuts its list into pages; some leave rows out after that, and count what they show, and others move it between two pages. */
export type Pages =
	| 'as asked'
	| 'the last one again behind it'
	| 'with sets left out'
	| 'of a list that moves'
	| 'each counted alone';

/** What happens in a history, by its seed. */
function traitsOf(random: Random) {
	const some = () => random.next() < LESS_OFTEN;
	const traits = {
		memory: random.pick<PollMemory>(['live', 'durable']),
		order: random.pick(ORDERS),
		count: random.pick([0, 1, 3, 5, 6, 10, 11, 25, 60]),
		pageSize: random.pick([5, 10]),
		...{
			behind: some(),
			faults: some(),
			kills: some(),
			olderRows: some(),
			redated: some(),
			backdated: some(),
		},
		...{
			leaves: some(),
			lost: some(),
			runForEach: some(),
			ties: some(),
			bursts: some(),
			mixed: some(),
			clock: some(),
		},
	};
	// What nobody could tell apart: a date set back and a copy that is behind, or another row of the set.
	if (traits.behind || traits.olderRows) traits.backdated = false;
	return traits;
}

/** A service, n8n and the poll trigger between them, with what goes wrong from a seed. */
export class PollHistory {
	/** What it should not have told, or not left out. */
	readonly wrong: string[] = [];
	readonly traits: ReturnType<typeof traitsOf>;
	/** The service's time, and by how much n8n's clocks are off. */
	now = START;
	skew = 0;
	skewOfDates = 0;
	readonly n8n: PollHost;
	private rows: Row[] = [];
	private readonly away: Row[] = [];
	private readonly older: Row[] = [];
	private readonly states = new Map<string, State[]>();
	/** The date of the newest row of a set that was there at first, or was told. */
	private readonly newest = new Map<string, number>();
	/** Sets told as an older row shows them, since the newer one stood on no page: what they are has to be told behind it. */
	private readonly toldAsOlder = new Set<string>();
	private readonly past: Array<{ at: number; rows: Row[] }> = [];
	private readonly restarts: number[] = [];
	private shown: Row[] = [];
	private isQuiet = true;
	private searches = 0;
	private killAt = -1;
	private runsSeen = 0;

	/** @param refilters somebody changes the filters now and then, and leaves a time to begin with in place */
	constructor(
		private readonly random: Random,
		private readonly refilters = false,
		private readonly pages: Pages = 'as asked',
	) {
		const traits = (this.traits = traitsOf(random));
		// Each page shows the list as it is then.
		if (pages === 'of a list that moves') traits.behind = false;
		// What nobody could tell apart: a row that is older, and one that only the new filters show.
		if (refilters) traits.olderRows = traits.backdated = false;
		const runs = traits.runForEach ? { runs: 'oneForEachSet' } : {};
		const since = refilters ? { changedSince: new Date(START - 20_000 * MINUTE).toISOString() } : {};
		this.n8n = new PollHost({
			memory: traits.memory,
			credentials: { baseUrl: 'http://service', username: 'clerk', password: 'secret' },
			parameters: { options: { pageSize: traits.pageSize, ...runs, ...since } },
			typed: { options: since },
		});
	}

	readonly askPage: AskPage = async (offset, limit) => {
		const { random, traits } = this;
		this.now += random.between(10, this.isQuiet ? 50 : 1_500);
		if (++this.searches === this.killAt) this.n8n.kill();
		const chance = this.isQuiet || !traits.faults ? 1 : random.next();
		if (chance < 0.06) throw new ServiceError('unavailable', 'away');
		if (chance < 0.08) this.now += 15_000;
		else if (chance < 0.1 && offset > 0) return new ServiceError('rejected', 'no such page');
		if (this.pages === 'of a list that moves' && !this.isQuiet && random.next() < 0.2) {
			this.step();
			this.shown = this.listed();
		}
		const matching = this.shown.filter((row) => this.isAskedFor(row));
		const lastPage = Math.floor(Math.max(0, matching.length - 1) / limit) * limit;
		const isAgain = this.pages === 'the last one again behind it';
		const from = isAgain ? Math.min(offset, lastPage) : offset;
		const page = this.sorted(matching).slice(from, from + limit);
		const listed = page.filter((row) => !this.isLeftOut(row));
		const counted = matching.filter((row) => !this.isLeftOut(row)).length;
		const total = this.pages === 'each counted alone' ? listed.length : counted;
		const rows = listed.map(({ setId, status, at }) => ({
			key: setId,
			value: { setId, status, modifiedDate: written(at) },
		}));
		return { offset, total, bytes: 0, full: rows.length === limit, rows };
	};

	async run(): Promise<void> {
		const { random, traits, n8n } = this;
		for (let n = 0; n < traits.count; n++)
			this.add(
				START - random.between(0, traits.ties ? 60 : 10_000) * MINUTE,
				this.refilters ? START : -Infinity,
			);
		for (const { setId, at } of this.rows) this.newest.set(setId, at);
		this.shown = this.rows;
		await n8n.start('activate');
		for (let looks = 0; looks < 6; looks++) await this.pass(1);
		// Without durable cursors, n8n stores what was learnt when it is published.
		await n8n.publish();
		this.isQuiet = false;
		for (let looks = random.between(5, 60); looks > 0; looks--) {
			const isBurst = traits.bursts && random.next() < 0.15;
			const steps = isBurst ? random.between(10, 40) : Math.max(0, random.between(-3, 4));
			for (let step = 0; step < steps; step++) this.step();
			if (this.refilters && random.next() < 0.15) await this.refilter();
			await this.pass(random.pick([1, 1, 1, 1, 2, 5, 15, 70, 24 * 60]));
		}
		this.isQuiet = true;
		// An older date is believed when a list that moves has been read ten times, once an hour.
		for (let hours = 0; hours < 12; hours++) {
			for (let looks = 0; looks < 7; looks++) await this.pass(1);
			this.now += HOUR;
		}
		const shown = this.rows.filter((row) => this.isAskedFor(row) && !this.isLeftOut(row));
		for (const { setId, status } of shown) {
			const last = this.states.get(setId)?.at(-1);
			const isDue = (last?.toldAt.length === 0 && last.from > 0) || this.toldAsOlder.has(setId);
			if (isDue) this.wrong.push(`${setId} ${status} is not told`);
		}
	}

	private isLeftOut({ made }: Row): boolean {
		return this.pages === 'with sets left out' && made % 7 === 3;
	}

	private isAskedFor({ made }: Row): boolean {
		const { part } = (this.n8n.parameters['filters'] ?? {}) as { part?: number };
		return part === undefined || made % 3 !== part;
	}

	/** Somebody publishes it with other filters. */
	private async refilter(): Promise<void> {
		const part = this.random.between(0, 3);
		this.n8n.parameters['filters'] = part === 3 ? {} : { part, otherFilters: { part } };
		await this.n8n.publish();
		await new Promise(setImmediate);
		this.judge();
	}

	/** Something happens to a set. */
	private step(): void {
		const { random, traits, rows, away, now } = this;
		if (random.next() < 0.3) this.now += random.between(1, 50_000);
		if (traits.clock && random.next() < 0.1) this.skewOfDates = random.between(-50, 50) * HOUR;
		const row = rows.length > 0 ? random.pick(rows) : undefined;
		const back = away.at(-1);
		const chance = random.next();
		if (!row || chance < 0.15) this.add(now, now);
		else if (chance < 0.25 && traits.leaves) away.push(...rows.splice(rows.indexOf(row), 1));
		else if (chance < 0.3 && back) {
			rows.push(...away.splice(-1));
			if (random.next() < 0.5) this.become(back, now);
		} else if (chance < 0.4 && traits.redated) row.at = now;
		else if (chance < 0.45 && traits.backdated) this.become(row, now - random.between(1, 3_000) * MINUTE);
		else if (chance < 0.5 && traits.olderRows)
			this.older.push({ ...row, status: 'OLDER', at: row.at - random.between(61, 5_000) * MINUTE });
		else this.become(row, now);
		this.keep();
	}

	private add(at: number, from: number): void {
		const made = this.states.size;
		const row = { setId: `set-${made}`, status: 'STEP_0', at, made };
		this.rows.push(row);
		this.states.set(row.setId, [{ status: row.status, from, toldAt: [] }]);
	}

	private become(row: Row, at: number): void {
		const states = this.states.get(row.setId)!;
		// Of two changes in one minute, nobody can tell which was first.
		if (this.traits.behind && Math.floor(at / MINUTE) <= Math.floor(row.at / MINUTE)) return;
		Object.assign(row, { status: `STEP_${states.length}`, at });
		states.push({ status: row.status, from: this.now, toldAt: [] });
	}

	/** For copies of the list that are behind. */
	private keep(): void {
		this.past.push({ at: this.now, rows: this.listed().map((row) => ({ ...row })) });
		if (this.past.length > 400) this.past.shift();
	}

	private listed(): Row[] {
		const ids = new Set(this.rows.map(({ setId }) => setId));
		return [...this.rows, ...this.older.filter(({ setId }) => ids.has(setId))];
	}

	private sorted(rows: readonly Row[]): Row[] {
		const { order, mixed } = this.traits;
		if (order === 'by creation') return [...rows].sort((a, b) => a.made - b.made);
		const all = mixed ? rows.map((row) => ({ row, place: this.random.next() })) : [];
		const among = mixed ? all.sort((a, b) => a.place - b.place).map(({ row }) => row) : [...rows];
		return among.sort((a, b) => (order === 'newest first' ? b.at - a.at : a.at - b.at));
	}

	/** So many minutes, and a look. */
	private async pass(minutes: number): Promise<void> {
		const { random, traits, n8n, isQuiet } = this;
		this.now += minutes * MINUTE;
		this.keep();
		const may = (trait: boolean, chance: number) => !isQuiet && trait && random.next() < chance;
		const behindMs = may(traits.behind, 0.4) ? random.between(1, 4) * MINUTE : 0;
		this.shown = (this.past.findLast(({ at }) => at <= this.now - behindMs) ?? this.past[0]!).rows;
		this.killAt = may(traits.kills, 0.08) ? this.searches + random.between(1, 4) : -1;
		n8n.killAtNextRun = may(traits.kills, 0.05);
		n8n.loseNextRun = may(traits.lost, 0.1);
		await n8n.look();
		await new Promise(setImmediate);
		Object.assign(n8n, { killAtNextRun: false, loseNextRun: false });
		this.judge();
		if (n8n.isDead || may(traits.kills, 0.04)) {
			n8n.kill();
			this.restarts.push(this.now);
			this.now += 20_000;
			if (traits.clock) this.skew = random.pick([0, 0, -1, 1, 26, -26, 4]) * HOUR;
			await n8n.start();
			await new Promise(setImmediate);
			this.judge();
		}
	}

	private judge(): void {
		for (const { setId, status, updatedAt } of this.n8n.runs.slice(this.runsSeen).flat()) {
			const line = `${String(setId)} ${String(status)}`;
			const states = this.states.get(String(setId)) ?? [];
			const at = Date.parse(String(updatedAt));
			const newest = this.newest.get(String(setId)) ?? -Infinity;
			this.newest.set(String(setId), Math.max(newest, at));
			// An older row is not known to be one until a newer one has come.
			if (status === 'OLDER' && at > newest) {
				this.toldAsOlder.add(String(setId));
				continue;
			}
			const state = states.find((each) => each.status === status);
			if (!state) this.wrong.push(`${line} never was`);
			else {
				const isAfterOlder = this.toldAsOlder.delete(String(setId));
				if (state.from === -Infinity && !isAfterOlder) this.wrong.push(`${line} was there at first`);
				const before = isAfterOlder ? undefined : state.toldAt.at(-1);
				const isAcrossRestart = this.restarts.some((at) => before !== undefined && before <= at);
				const mayTwice = this.traits.memory === 'live' && isAcrossRestart;
				if (before !== undefined && !mayTwice) this.wrong.push(`${line} is told twice`);
				const later = states.slice(states.indexOf(state) + 1);
				if (later.some(({ toldAt }) => toldAt.length > 0)) this.wrong.push(`${line} is told late`);
				state.toldAt.push(this.now);
			}
		}
		this.runsSeen = this.n8n.runs.length;
	}
}
