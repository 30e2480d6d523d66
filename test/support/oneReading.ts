import type { AskPage, Page, Row } from '../../service/api/page';
import { Reading } from '../../service/api/reading';
import { RowNames } from '../../service/api/rowNames';
import { isServiceError, type ServiceError } from '../../service/errors';

/** A list as a service gives it, in pages of ten. */
export interface List {
	/** Its rows, by the number of the call: those of one number are one set. 3.5 is one of set 3 with other papers, 3.25 of another customer. */
	rows: number[] | ((call: number, offset: number) => number[]);
	total?: number | ((call: number) => number);
	/** The most rows of an answer. */
	most?: number;
	/** Each answer holds all that follows, however many are asked for. */
	whole?: boolean;
	/** By the number of the call, so many rows of its page, at most. */
	short?: Record<number, number>;
	/** What comes in place of a page, or stands in it as well. */
	instead?: (offset: number, call: number, limit: number) => Partial<Page> | ServiceError | undefined;
}

/** More than any reading of such a list takes. */
const MOST_CALLS = 1_000;

const given = <T>(value: T | ((call: number, offset: number) => T), call: number, offset: number): T =>
	typeof value === 'function' ? (value as (call: number, offset: number) => T)(call, offset) : value;

export const rowOf = (row: number): Row => {
	const setId = `${Math.floor(row)}`;
	if (Number.isInteger(row)) return { key: setId, value: { setId } };
	const what = row % 1 === 0.5 ? { documents: [{ documentId: `${row}` }] } : { customerId: `${row}` };
	return { key: `${row}`, value: { setId, ...what } };
};

/** A service that gives that list, and what it was asked. */
export function giverOf({ rows, total, most = Infinity, whole = false, short = {}, instead }: List) {
	const asked: string[] = [];
	const ask: AskPage = async (offset, limit) => {
		const call = asked.push(`${offset}+${limit}`);
		if (call > MOST_CALLS) throw new Error('It asks for ever.');
		const list = given(rows, call, offset);
		const cut = Math.min(limit, most);
		const some = list.slice(offset, whole ? Infinity : offset + cut);
		const came = some.slice(0, short[call] ?? Infinity).map(rowOf);
		const other = instead?.(offset, call, limit);
		if (isServiceError(other)) {
			if (['unavailable', 'cancelled'].includes(other.code)) throw other;
			return other;
		}
		const full = came.length === some.length && came.length >= cut;
		return {
			offset,
			total: given(total ?? list.length, call, offset),
			rows: came,
			full,
			bytes: 10 * came.length,
			...other,
		};
	};
	return { ask, asked };
}

/** Goes through a list once, and says what was asked, what came, and what that tells of the list. */
export async function read(list: List, options: Partial<Reading['options']> = {}) {
	const { ask, asked } = giverOf(list);
	const reading = new Reading(ask, {
		...{ pageSize: 10, width: 1, endsFirst: false, exact: false, endsEarly: false },
		...{ names: new RowNames(), wanted: () => Infinity, ...options },
	});
	const left: number[] = [];
	const found: string[] = [];
	for await (const page of reading.pages()) {
		left.push(reading.pagesLeft);
		found.push(...page.map(({ key }) => key));
	}
	const { keys, least, largestPage, rowBytes, otherTotal, warning } = reading;
	const is = [
		...(['shrank', 'grew', 'ended', 'stuck', 'endsInRefusal', 'endsWithMore', 'ignoresPage'] as const),
		...(['isThinned', 'overfull', 'countsOtherwise', 'isCovered', 'isOfOnePiece', 'isShuffled'] as const),
	].filter((name) => reading[name]);
	return {
		...{
			asked: asked.join(' '),
			left: left.join(' '),
			found: found.length,
			keys: keys.size,
			least,
			most: reading.most,
			repeats: reading.repeats,
		},
		...{ largestPage, rowBytes: Math.round(rowBytes), otherTotal, warning, is: is.join(' ') },
	};
}
