import type { ILoadOptionsFunctions, INodeListSearchResult, INodePropertyOptions } from 'n8n-workflow';
import type { Client, SetFilters } from '../../../service/api/client';
import { ServiceError } from '../../../service/errors';
import { shownStatus, shownText, type SetResult } from '../../../service/model/set';
import { isUuid } from '../../../service/model/uuid';
import { systemClock } from '../../../service/surroundings';
import { clientOf } from '../adapters/credentials';
import { inOneText, nodeError } from '../adapters/errors';
import { plainText } from './parameters';
import { SetFinder } from './setFinder';

/** A picker is looked at, not read through: what is further down is found by typing. */
const MOST_ENTRIES = 200;
/** Sets looked through for one list. */
const MOST_SETS = 1_000;
const PAGE_SIZE = 100;

const NO_SET =
	'Choose the set From List first. Where its ID comes from an expression, choose By ID for the document as well.';

interface Entry {
	name: string;
	value: string;
	description?: string;
}

/** Customers and counterparties in one list, each id once. */
export async function searchParties(
	context: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await asking(context, async (client) => matching(await parties(client), filter));
}

/** The same for a list of check boxes, whole. */
export async function listParties(context: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await asking(context, parties);
}

export async function searchSets(
	context: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await asking(context, async (client) => {
		const customerId = plainText(context.getCurrentNodeParameter('lookup.customerId'));
		const filters = isUuid(customerId) ? { customerIds: [customerId] } : {};
		const sets = new Map<string, SetResult>();
		const take = async (narrowed: SetFilters) => {
			const paging = { style: 'auto' as const, pageSize: PAGE_SIZE, limit: MOST_SETS };
			for await (const page of client.searchSets(narrowed, paging)) {
				for (const set of page) sets.set(set.setId, set);
			}
		};
		// A reference typed in full finds its set however far down the list it is.
		if (filter) await take({ ...filters, shipmentRef: filter });
		await take(filters);
		return matching([...sets.values()].map(setEntry), filter);
	});
}

export async function searchDocuments(
	context: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await asking(context, async (client) => {
		const setId = plainText(context.getCurrentNodeParameter('setId'));
		if (!isUuid(setId)) throw new ServiceError('invalidInput', 'No set is chosen yet', { remedy: NO_SET });
		const set = await findSet(client, setId);
		return matching((set.documents ?? []).map(documentEntry), filter);
	});
}

async function findSet(client: Client, setId: string): Promise<SetResult> {
	const waiting = { clock: systemClock, signal: new AbortController().signal };
	const paging = { style: 'auto' as const, pageSize: PAGE_SIZE };
	const finder = new SetFinder(async () => client, waiting);
	return (await finder.find({ setId, filters: {}, paging, waitMs: 0 })).set;
}

async function parties(client: Client): Promise<Entry[]> {
	const [customers, counterparties] = await Promise.all([client.customers(), client.counterparties()]);
	const entries = new Map<string, Entry>();
	for (const [kind, list] of [
		['Customer', customers],
		['Counterparty', counterparties],
	] as const) {
		for (const { customerId, customerName } of list) {
			const known = entries.get(customerId.toLowerCase());
			if (known) known.description = 'Customer and counterparty';
			else
				entries.set(customerId.toLowerCase(), {
					name: customerName || customerId,
					value: customerId,
					description: kind,
				});
		}
	}
	return [...entries.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

function setEntry(set: SetResult): Entry {
	// In the order in which they are wanted: the list shows about 45 characters.
	const parts = [
		shownText(set.parcelRef),
		shownStatus(set),
		...[set.vesselName, set.shipmentRef].map(shownText),
	];
	return { name: parts.filter(Boolean).join(' · ') || set.setId, value: set.setId };
}

function documentEntry({ documentId, name, docType }: NonNullable<SetResult['documents']>[number]): Entry {
	return {
		name: [name, docType].map(shownText).filter(Boolean).join(' · ') || documentId,
		value: documentId,
	};
}

function matching(entries: Entry[], filter = ''): INodeListSearchResult {
	const wanted = filter.trim().toLowerCase();
	const results = entries.filter(
		({ name, value }) => name.toLowerCase().includes(wanted) || value.toLowerCase() === wanted,
	);
	return { results: results.slice(0, MOST_ENTRIES) };
}

/** In place of the list, the panel shows an error's message and nothing else of it. */
async function asking<T>(context: ILoadOptionsFunctions, ask: (client: Client) => Promise<T>): Promise<T> {
	try {
		return await ask(await clientOf(context, 0, { timeoutSeconds: 30, parallelDownloads: 1 }));
	} catch (error) {
		const failure = nodeError(context.getNode(), error);
		failure.message = inOneText(failure);
		throw failure;
	}
}
