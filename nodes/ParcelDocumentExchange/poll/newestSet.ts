import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import type { Client } from '../../../service/api/client';
import { ServiceError } from '../../../service/errors';
import { modifiedInstant } from '../../../service/model/modifiedDate';
import type { SetResult } from '../../../service/model/set';
import { clientOf } from '../adapters/credentials';
import { maskedError, nodeError } from '../adapters/errors';
import { setItem } from './item';
import { isWanted } from './poll';
import { readPollSettings } from './settings';
import { outOfTime } from './budget';

/** A person waits for it. */
const MOST_MS = 30_000;
/** Sets that are looked through. */
const MOST_SETS = 1_000;

/** "Fetch Test Event": the set of those that fit which was modified last. Nothing is remembered. */
export async function newestSet(context: IPollFunctions): Promise<INodeExecutionData[][]> {
	let client: Client | undefined;
	try {
		const settings = readPollSettings(context);
		client = await clientOf(context, 0, {
			timeoutSeconds: settings.timeoutSeconds,
			parallelDownloads: 4,
			signal: AbortSignal.timeout(MOST_MS),
		});
		let newest: { set: SetResult; at: number } | undefined;
		let looked = 0;
		const paging = {
			...settings.paging,
			limit: MOST_SETS,
			partIsFine: true,
			withoutXml: settings.simplify,
		};
		for await (const page of client.lookThroughSets(settings.filters, paging)) {
			looked += page.length;
			for (const set of page) {
				const at = modifiedInstant(set.modifiedDate, settings.zone) ?? 0;
				if (isWanted(set, settings) && (!newest || at > newest.at)) newest = { set, at };
			}
		}
		if (newest) return [[setItem(newest.set, settings)]];
		throw new ServiceError(
			'notFound',
			`No set matches, among the ${looked.toLocaleString('en')} looked at.`,
			{
				remedy: 'Choose other statuses or filters to test with.',
			},
		);
	} catch (error) {
		const known = outOfTime(error, 'Try again. If this stays, choose filters that match fewer sets.');
		const told = maskedError(known, (sentence) => client?.masked(sentence) ?? sentence);
		throw nodeError(context.getNode(), told);
	}
}
