import { setMaxListeners } from 'node:events';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import type { Client } from '../../../service/api/client';
import { FileNames } from '../../../service/model/fileName';
import { systemClock } from '../../../service/surroundings';
import { parallelDownloads, timeoutSeconds } from './callOptions';
import { PDF_MIME_TYPE } from './download';
import type { Work } from './operation';
import { SetFinder } from './setFinder';
import { Slots } from './slots';

/** Hints shown beside the output of one run; more would hide it. */
const MOST_HINTS = 5;

/** Downloads per connection: while n8n writes one file to its storage, the connection is free for the next. */
const PER_CONNECTION = 2;

/** What the items of one run share, the way to stop it, and the way to show its hints when it is done. */
export function openWork(context: IExecuteFunctions): { work: Work; stop(): void; showHints(): void } {
	// As with n8n's own nodes, what concerns the whole run is read from the first item. An expression that cannot be
	// resolved fails the items that ask, each as such: thrown from here, n8n would pass the input on as if it were good.
	const options = () => (context.getNodeParameter('options', 0, {}) ?? {}) as IDataObject;
	const failed = new AbortController();
	const cancelled = context.getExecutionCancelSignal?.();
	const signal = cancelled ? AbortSignal.any([cancelled, failed.signal]) : failed.signal;
	// Every PDF that is waited for listens to it, and Node takes more than ten listeners for a leak.
	setMaxListeners(0, signal);
	const waiting = { clock: systemClock, signal };
	let opened: Promise<Client> | undefined;
	let slots: Slots | undefined;
	const client = () => (opened ??= openClient(context, options, signal));
	const hints = new Map<string, number>();
	return {
		work: {
			itemCount: context.getInputData().length,
			client,
			finder: new SetFinder(client, waiting),
			download: (wanted, task) =>
				(slots ??= new Slots(parallelDownloads(options()) * PER_CONNECTION)).use(wanted, task),
			names: new FileNames(),
			storePdf: (file, fileName) => context.helpers.prepareBinaryData(file, fileName, PDF_MIME_TYPE),
			waiting,
			hint: (message) => hints.set(message, (hints.get(message) ?? 0) + 1),
		},
		stop: () => failed.abort(),
		showHints() {
			const messages = [...hints].map(([message, times]) =>
				times > 1 ? `${message} (${times} items)` : message,
			);
			const shown = messages.slice(0, MOST_HINTS);
			if (messages.length > MOST_HINTS)
				shown.push(`… and ${messages.length - MOST_HINTS} more of this kind.`);
			// Absent in old versions of n8n.
			if (shown.length > 0) context.addExecutionHints?.(...shown.map((message) => ({ message })));
		},
	};
}

/** Loaded here, so that an operation that asks the service nothing loads no HTTP client either. */
async function openClient(
	context: IExecuteFunctions,
	readOptions: () => IDataObject,
	signal: AbortSignal,
): Promise<Client> {
	const options = readOptions();
	const settings = {
		timeoutSeconds: timeoutSeconds(options),
		parallelDownloads: parallelDownloads(options),
		signal,
	};
	const { clientOf } = await import('../adapters/credentials');
	return await clientOf(context, 0, settings);
}
