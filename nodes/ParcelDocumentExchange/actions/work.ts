import { setMaxListeners } from 'node:events';
import type { IExecuteFunctions } from 'n8n-workflow';
import type { Client } from '../../../service/api/client';
import { Slots } from '../../../service/slots';
import { systemClock } from '../../../service/surroundings';
import type { ClientOptions } from '../adapters/credentials';
import { isTool } from '../parameters/asTool';
import type { CallSettings } from '../parameters/callOptions';
import { PDF_MIME_TYPE } from './download';
import type { Work } from './operation';
import { SetFinder } from './setFinder';
import { openTracing, type Tracing } from './tracing';
import { TypesSeen } from './typesSeen';

/** Hints shown beside the output of one run; more would hide it. */
const MOST_HINTS = 5;
/** A model has nothing else to see what a list leaves out by; what it is told has a bound all the same. */
const MOST_HINTS_FOR_MODEL = 50;

/** Downloads per connection: while n8n writes one file to its storage, the connection is free for the next. */
const PER_CONNECTION = 2;

/** A run of the node: what its items work with, the way to stop it, and the way to show its hints when it is done. */
export interface RunOfNode extends Pick<Tracing, 'trace'> {
	/** What an item works with that asks in this way. */
	workFor(itemIndex: number, settings: CallSettings): Work;
	/** Nothing more comes of that item. */
	ended(itemIndex: number): void;
	hint: Work['hint'];
	/** What was hinted at so far, as it goes out. */
	hints(): string[];
	/** A sentence that goes out, without the secrets of the accounts that were asked. */
	masked(sentence: string): string;
	found: Work['found'];
	stop(): void;
	showHints(): void;
}

export async function openRun(context: IExecuteFunctions): Promise<RunOfNode> {
	const ofEachItem = await isAccountOfEachItem(context);
	const failed = new AbortController();
	const cancelled = context.getExecutionCancelSignal?.();
	const signal = cancelled ? AbortSignal.any([cancelled, failed.signal]) : failed.signal;
	// Every PDF that is waited for listens to it, and Node takes more than ten listeners for a leak.
	setMaxListeners(0, signal);
	const waiting = { clock: systemClock, signal };
	const itemCount = context.getInputData().length;
	const asTool = isTool(context.getNode());
	const types = new TypesSeen(itemCount);
	const slots = new Slots();
	const found: Work['found'] = new Map();
	const clients: Client[] = [];
	const masked = (sentence: string) => clients.reduce((safe, client) => client.masked(safe), sentence);
	const { hint, hints, showHints } = openHints(context, { masked, asTool });
	const { sent, trace } = openTracing(context);
	const works = new Map<string, ReturnType<typeof open>>();
	const askQueue = openQueues(context, signal);
	const open = (itemIndex: number, settings: CallSettings): Omit<Work, 'looked' | 'askQueue'> => {
		let opened: Promise<Client> | undefined;
		const client = () =>
			(opened ??= openClient(context, itemIndex, { ...settings, signal, sent }).then((one) => {
				clients.push(one);
				return one;
			}));
		return {
			itemCount,
			asTool,
			client,
			finder: new SetFinder(client, waiting),
			download: (wanted, task) => slots.use(wanted, task, settings.parallelDownloads * PER_CONNECTION),
			...{ types, found },
			storePdf: (file, fileName) => context.helpers.prepareBinaryData(file, fileName, PDF_MIME_TYPE),
			waiting,
			hint,
		};
	};
	return {
		workFor(itemIndex, settings) {
			const key = JSON.stringify([settings, ofEachItem ? itemIndex : 0]);
			const work = works.get(key) ?? open(ofEachItem ? itemIndex : 0, settings);
			works.set(key, work);
			return {
				...work,
				askQueue: async (queue) => await askQueue(queue, itemIndex),
				looked: () => types.looked(itemIndex),
			};
		},
		ended: (itemIndex) => types.looked(itemIndex),
		...{ hint, hints, found },
		masked,
		stop: () => failed.abort(),
		showHints,
		trace,
	};
}

function openHints(
	context: IExecuteFunctions,
	{ masked, asTool }: Pick<RunOfNode, 'masked'> & Pick<Work, 'asTool'>,
): Pick<RunOfNode, 'hint' | 'hints' | 'showHints'> {
	const given = new Map<string, number>();
	const most = asTool ? MOST_HINTS_FOR_MODEL : MOST_HINTS;
	const hints = () => {
		const messages = [...given].map(([message, times]) =>
			times > 1 ? `${message} (${times} items)` : message,
		);
		const shown = messages.slice(0, most);
		if (messages.length > most) shown.push(`… and ${messages.length - most} more of this kind.`);
		return shown.map(masked);
	};
	return {
		hint: (message) => void given.set(message, (given.get(message) ?? 0) + 1),
		hints,
		showHints() {
			const shown = hints();
			// Absent in old versions of n8n.
			if (shown.length > 0) context.addExecutionHints?.(...shown.map((message) => ({ message })));
		},
	};
}

/** Loaded here, so that an operation that asks the service nothing loads no HTTP client either. */
async function openClient(
	context: IExecuteFunctions,
	itemIndex: number,
	options: ClientOptions,
): Promise<Client> {
	const { clientOf } = await import('../adapters/credentials');
	return await clientOf(context, itemIndex, options);
}

/** The same for what asks whether the items have accounts of their own. */
async function isAccountOfEachItem(context: IExecuteFunctions, credential?: string): Promise<boolean> {
	if (context.getInputData().length < 2) return false;
	return await (await import('../adapters/credentials')).isAccountOfEachItem(context, credential);
}

/** The same for what asks about queues: each once in a run, or with the account of each item. */
function openQueues(
	context: IExecuteFunctions,
	signal: AbortSignal,
): (queue: string, itemIndex: number) => ReturnType<Work['askQueue']> {
	const states = new Map<string, ReturnType<Work['askQueue']>>();
	let ofEachItem: Promise<boolean> | undefined;
	return async (queue, itemIndex) => {
		const { askQueue } = await import('./queueState');
		const { QUEUE_CREDENTIAL } = await import('../adapters/queueAddress');
		ofEachItem ??= isAccountOfEachItem(context, QUEUE_CREDENTIAL);
		const place = (await ofEachItem) ? itemIndex : 0;
		const key = JSON.stringify([queue, place]);
		const state = states.get(key) ?? askQueue(context, queue, signal, place);
		states.set(key, state);
		return await state;
	};
}
