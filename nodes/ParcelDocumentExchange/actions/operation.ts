import type { Readable } from 'node:stream';
import type { IBinaryData, INodeExecutionData } from 'n8n-workflow';
import type { Client } from '../../../service/api/client';
import type { SetRow } from '../../../service/model/set';
import type { Parameters } from '../parameters/parameters';
import type { Waiting } from './patience';
import type { QueueState } from './queueState';
import type { SetFinder } from './setFinder';
import type { TypesSeen } from './typesSeen';
import { LIMIT } from '../descriptions/defaults';
import { wholeNumber } from '../parameters/values';

/** What an input item works with. All of it is shared with the other items of the run that ask in the same way. */
export interface Work {
	itemCount: number;
	/** Whether a model is answered, which does not see what the editor shows. */
	asTool: boolean;
	/** The client of the node's account, opened at first use. */
	client(): Promise<Client>;
	/** Looks at a queue with the account that this item has for it, once in a run for each account. */
	askQueue(queue: string): Promise<QueueState>;
	/** Finds sets by id, one reading for all items that ask in the same turn. */
	finder: SetFinder;
	/** The sets that the items came to, by their IDs. */
	found: Map<string, SetRow>;
	/** Does one download when it has its turn: so many run side by side, over all items. */
	download<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T>;
	/** The types of documents that the sets of all items have. */
	types: TypesSeen;
	/** Says that this item adds no more types. */
	looked(): void;
	/** Takes a PDF, or the stream of one, into n8n's storage; the answer is what an item carries of it. */
	storePdf(file: Buffer | Readable, fileName: string): Promise<IBinaryData>;
	/** Time, and the signal that fires when the run is stopped or has failed. */
	waiting: Waiting;
	/** A line shown beside the output: something worth a look, nothing that went wrong. */
	hint(message: string): void;
}

/** An item that goes out; the item loop adds which input item it came from. */
export type Answer = Pick<INodeExecutionData, 'json' | 'binary'>;

/** One operation of the node. */
export interface Operation<Request> {
	/** The parameters of one input item, checked. Nothing is sent. @throws ServiceError `invalidInput` */
	read(parameters: Parameters): Request;
	/** The items that answer one input item. @throws ServiceError, n8n's errors */
	answer(request: Request, work: Work): Promise<Answer[]>;
	/** True when input items are answered side by side; otherwise one after the other. */
	sideBySide?: boolean;
	/** True when the finder is asked: all items in one turn, so that their lookups share searches. */
	inOneTurn?: boolean;
}

/** How many items to give: Infinity for Return All. */
export function readLimit(parameters: Parameters): number {
	if (parameters.flag('returnAll', false)) return Infinity;
	return wholeNumber(parameters.raw('limit'), { label: 'Limit', ...LIMIT });
}

/** Says that an item's answer ends at the limit. For a single item the editor says so itself. */
export function hintAtLimit(work: Work, limit: number, more: string): void {
	if (work.itemCount > 1 || work.asTool)
		work.hint(`The limit of ${limit} is reached; ${more}. Raise Limit or use Return All.`);
}
