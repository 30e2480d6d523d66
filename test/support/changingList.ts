import type { AskPage, Page } from '../../service/api/page';
import { Lately } from '../../service/changes/lately';
import { look, type LookOptions } from '../../service/changes/look';
import { BEGINNING, type Progress } from '../../service/changes/progress';
import { learnChange } from '../../service/changes/seen';
import { SetMemory } from '../../service/changes/setMemory';
import { ServiceError } from '../../service/errors';

/** Half of what a history of a thousand looks costs are fingerprints of the same few keys. */
jest.mock('node:crypto', () => {
	const real = jest.requireActual<typeof import('node:crypto')>('node:crypto');
	const known = new Map<string, ReturnType<typeof real.hash>>();
	return {
		...real,
		hash: (algorithm: string, text: string, form: 'buffer') => {
			let print = known.get(text);
			if (print === undefined) known.set(text, (print = real.hash(algorithm, text, form)));
			return print;
		},
	};
});

export const MINUTE = 60_000;
export const START = Date.UTC(2026, 5, 1);
const MONTHS = [
	...['January', 'February', 'March', 'April', 'May', 'June'],
	...['July', 'August', 'September', 'October', 'November', 'December'],
];

/** As the service writes a date (interface, 2.5). */
export function written(at: number): string {
	const date = new Date(at);
	const two = (value: number) => String(value).padStart(2, '0');
	return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
}

export type Order = 'newest first' | 'oldest first' | 'by creation';
export interface ListedRow {
	setId: string;
	status: string;
	at: number;
	transactionId?: string;
}

/** A page of the list, and what a service of another kind answers in its place. */
export type Answering = (page: Page, offset: number) => Page | ServiceError;

/**
 * A list that changes between looks, and who looks at it.
 *
 * @param most sets that are remembered
 */
export function world(order: Order, count: number, options: Partial<LookOptions> = {}, most = 10_000) {
	let now = START;
	let lookedAt = START;
	let searches = 0;
	const troubles: string[] = [];
	const rows: ListedRow[] = Array.from({ length: count }, (_, n) => ({
		setId: `set-${n}`,
		status: 'DRAFTED',
		// Of a list by creation, some were modified long after.
		at: START - (count - n) * MINUTE - (order === 'by creation' && n % 7 !== 0 ? count * MINUTE : 0),
	}));
	let stands = order === 'by creation';
	/** Sets of one date come in this order. */
	let mixed = (all: ListedRow[]) => all;
	const sorted = () => {
		if (stands) return mixed([...rows]);
		return mixed([...rows]).sort((a, b) => (order === 'newest first' ? b.at - a.at : a.at - b.at));
	};
	/** What the service counts to, and shows. */
	let counted = Infinity;
	let isCut: (offset: number) => boolean = () => false;
	/** What it makes of a page before it answers. */
	let answered: Answering = (page, offset) =>
		page.rows.length === 0 && offset > 0 ? new ServiceError('rejected', 'no such page') : page;
	const askPage: AskPage = async (offset, limit) => {
		searches++;
		const total = Math.min(rows.length, counted);
		if (isCut(offset)) throw new ServiceError('unavailable', 'The service is away');
		const listed = sorted().slice(offset, Math.min(offset + limit, total));
		const page = {
			offset,
			total,
			bytes: 0,
			full: listed.length === limit,
			rows: listed.map(({ setId, status, at, transactionId }) => ({
				key: setId,
				value: { setId, status, transactionId, modifiedDate: written(at) },
			})),
		};
		return answered(page, offset);
	};
	let memory = new SetMemory(most);
	const lately = new Lately();
	const progress: Progress = { ...BEGINNING };
	return {
		rows,
		troubles,
		searches: () => searches,
		progress,
		standsStill: () => (stands = true),
		mixedBy: (mix: typeof mixed) => (mixed = mix),
		countedTo: (count: number) => (counted = count),
		answeredBy: (how: Answering) => (answered = how),
		cutAt: (which: typeof isCut) => (isCut = which),
		remembered: () => memory.size,
		now: () => now,
		pass: (minutes: number) => (now += minutes * MINUTE),
		change(n: number, status: string) {
			Object.assign(rows[n]!, { status, at: now });
		},
		add(setId: string) {
			rows.push({ setId, status: 'DRAFTED', at: now });
		},
		remove: (n: number) => rows.splice(n, 1),
		/** The same set once more, in a row of its own. */
		again(n: number, at: number, more: Partial<ListedRow>) {
			rows.splice(at, 0, { ...rows[n]!, ...more });
		},
		/** One look; what it gives is learnt, and the memory goes through its text. */
		async look(): Promise<string[]> {
			now += MINUTE;
			const sinceLastMs = now - lookedAt;
			lookedAt = now;
			const { changes, trouble } = await look(askPage, memory, progress, {
				pageSize: 10,
				mostChanges: 50,
				width: 4,
				sinceLastMs,
				until: now + 20_000,
				now: () => now,
				lately,
				zone: 'UTC',
				wanted: () => true,
				...options,
			});
			if (trouble) troubles.push(trouble.message);
			for (const change of changes) learnChange(change, memory, lately, progress.pass, now);
			memory = SetMemory.unpacked(memory.packed(), most)!;
			return changes.map(({ set, shown }) => `${set.setId} ${shown.status}`);
		},
	};
}
