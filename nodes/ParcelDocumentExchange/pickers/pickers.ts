import type { ILoadOptionsFunctions, INodeListSearchResult, INodePropertyOptions } from 'n8n-workflow';
import type { Client, SetFilters } from '../../../service/api/client';
import { mayNotRead, ServiceError } from '../../../service/errors';
import { grouped } from '../../../service/model/grouped';
import { partyId, partyName, type Party } from '../../../service/model/party';
import {
	documentsOf,
	idKey,
	isSet,
	shownStatus,
	shownText,
	type DocumentEntry,
	type SetResult,
} from '../../../service/model/set';
import { isUuid } from '../../../service/model/uuid';
import { systemClock } from '../../../service/surroundings';
import { API_CREDENTIAL, clientOf } from '../adapters/credentials';
import { maskedError, nodeErrorInOneText } from '../adapters/errors';
import { PAGE_SIZE } from '../descriptions/defaults';
import { SAMPLE_CUSTOMER_ID } from '../events/samples';
import { plainText } from '../parameters/values';
import { SetFinder } from '../actions/setFinder';

/** Entries given at a time: n8n asks for more when a person scrolls to the end. */
const ENTRIES = 200;
/** Sets looked through for what a person typed: the service searches by whole references only. */
const MOST_SETS = 5_000;

const NO_SET =
	'Choose the set From List first. Where its ID comes from an expression, choose By ID for the document as well.';

interface Entry {
	name: string;
	value: string;
	description?: string;
}

/** What n8n asks for a list: what was typed to narrow it, and where the last part ended. */
export type Search = (
	context: ILoadOptionsFunctions,
	filter?: string,
	token?: string,
) => Promise<INodeListSearchResult>;

/** Customers and counterparties in one list, each id once. */
export const searchParties: Search = async (context, filter, token) => {
	return await asking(context, async (client) => part(matching(await parties(client), filter), token));
};

/** The customers to choose from. Only this list needs an account of the service: n8n does not ask for one. */
export const searchCustomers: Search = async (context, filter, token) => {
	if (context.getNode().credentials?.[API_CREDENTIAL]) return await searchParties(context, filter, token);
	const missing = new ServiceError('invalidInput', 'This list comes from the service', {
		remedy:
			'Choose an account under Credential for Parcel Document Exchange API above, or choose By ID and type the ID.',
	});
	throw nodeErrorInOneText(context.getNode(), missing);
};

/** Those of {@link searchParties} for a list of check boxes, whole. */
export async function listParties(context: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return await asking(context, async (client) => toldApart(choosable(await parties(client))));
}

/** Without a filter, all sets, as far as a person scrolls; with one, those among the first {@link MOST_SETS} that match. */
export const searchSets: Search = async (context, filter, token) => {
	return await asking(context, async (client) => {
		const filters = narrowing(context);
		const most = filter ? MOST_SETS : startOf(token) + ENTRIES;
		const sets = new Map<string, SetResult>();
		/** @returns whether there are more than that */
		const take = async (narrowed: SetFilters) => {
			let taken = 0;
			// One more tells whether the list goes on.
			const paging = {
				style: 'auto' as const,
				pageSize: PAGE_SIZE.missing,
				limit: most + 1,
				partIsFine: true,
				withoutXml: true,
			};
			for await (const page of client.searchSets(narrowed, paging)) {
				taken += page.length;
				for (const set of page.filter(isSet)) {
					const id = idKey(set.setId);
					if (!sets.has(id)) sets.set(id, set);
				}
			}
			return taken > most;
		};
		// A reference typed in full finds its set however far down the list it is.
		if (filter) await take({ ...filters, shipmentRef: filter });
		const goesOn = await take(filters);
		const entries = matching([...sets.values()].map(setEntry), filter);
		if (goesOn && filter) entries.push(lookedThrough(entries.length));
		return part(entries, token);
	});
};

/** What the panel narrows its sets by, as far as it is typed or picked. */
export function narrowing(context: ILoadOptionsFunctions): SetFilters {
	const customerId = plainText(context.getCurrentNodeParameter('lookup.customerId'));
	// Behind a sample event, the customer is a made-up one who has no sets.
	const narrows = isUuid(customerId) && customerId !== SAMPLE_CUSTOMER_ID;
	return narrows ? { customerIds: [customerId] } : {};
}

/** The last line of a list that is not whole. @throws ServiceError in place of a list with nothing else in it */
function lookedThrough(found: number): Entry {
	const looked = MOST_SETS.toLocaleString('en');
	const remedy = 'Type the whole shipment reference, or choose By ID and type the ID.';
	if (found === 0) throw new ServiceError('notFound', `None of the first ${looked} sets matches`, { remedy });
	return { name: `Only the first ${looked} sets were looked through. ${remedy}`, value: '' };
}

export const searchDocuments: Search = async (context, filter, token) => {
	return await asking(context, async (client) => {
		const setId = plainText(context.getCurrentNodeParameter('setId'));
		if (!isUuid(setId)) throw new ServiceError('invalidInput', 'No set is chosen yet', { remedy: NO_SET });
		const set = await findSet(client, setId);
		return part(matching(documentsOf(set).flatMap(documentEntry), filter), token);
	});
};

export async function findSet(client: Client, setId: string): Promise<SetResult> {
	const waiting = { clock: systemClock, signal: new AbortController().signal };
	const paging = { style: 'auto' as const, pageSize: PAGE_SIZE.missing };
	const finder = new SetFinder(async () => client, waiting);
	return (await finder.find({ setId, filters: {}, paging, waitMs: 0, doubtIsFine: true })).set;
}

async function parties(client: Client): Promise<Entry[]> {
	const [customers = [], counterparties = []] = await readable([
		client.customers({ partIsFine: true }),
		client.counterparties({ partIsFine: true }),
	]);
	const entries = new Map<string, Entry>();
	for (const [kind, list] of [
		['Customer', customers],
		['Counterparty', counterparties],
	] as const) {
		for (const party of list) {
			const customerId = partyId(party);
			if (customerId === null) continue;
			const known = entries.get(customerId.toLowerCase());
			if (known) known.description = 'Customer and counterparty';
			else
				entries.set(customerId.toLowerCase(), {
					name: partyName(party) || customerId,
					value: customerId,
					description: kind,
				});
		}
	}
	return [...entries.values()].sort((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** A list that the account may not read hides no other. @throws what each of them failed with */
async function readable(lists: readonly Promise<Party[]>[]): Promise<Party[][]> {
	const asked = await Promise.allSettled(lists);
	const isAny = asked.some(({ status }) => status === 'fulfilled');
	return asked.map((list) => {
		if (list.status === 'fulfilled') return list.value;
		if (isAny && mayNotRead(list.reason)) return [];
		throw list.reason;
	});
}

function setEntry(set: SetResult): Entry {
	// The list shows about 45 characters. The whole shipment reference is what a person is asked to type.
	const parts = [
		shownText(set.parcelRef),
		shownStatus(set),
		...[set.shipmentRef, set.vesselName].map(shownText),
	];
	return { name: parts.filter(Boolean).join(' · ') || set.setId, value: set.setId };
}

function documentEntry({ documentId, name, docType }: DocumentEntry): Entry[] {
	if (documentId === null) return [];
	const shown = [name, docType].map(shownText).filter(Boolean).join(' · ');
	return [{ name: shown || documentId, value: documentId }];
}

export function matching(entries: Entry[], filter = ''): Entry[] {
	const wanted = filter.trim().toLowerCase();
	return entries.filter(
		({ name, value }) => name.toLowerCase().includes(wanted) || value.toLowerCase() === wanted,
	);
}

/** How much of an id tells two entries apart that are called the same: who picks cannot see anything else of them. */
const ID_SHOWN = 8;

/**
 * What a person can choose. A value that begins with this sign n8n would take for an expression, and run: whoever writes
 * into the service would be running code here.
 */
function choosable(entries: readonly Entry[]): Entry[] {
	return entries.filter(({ value }) => !value.startsWith('='));
}

function toldApart(entries: readonly Entry[]): Entry[] {
	const ofName = grouped(entries.map((entry) => [entry.name, entry]));
	return entries.map((entry) => {
		const isShared = ofName.get(entry.name)?.[1] !== undefined;
		return isShared ? { ...entry, name: `${entry.value.slice(0, ID_SHOWN)} · ${entry.name}` } : entry;
	});
}

/** The entries from where the last part ended; the token is how many were given so far. */
export function part(all: Entry[], token?: string): INodeListSearchResult {
	const entries = choosable(all);
	const end = startOf(token) + ENTRIES;
	const results = toldApart(entries).slice(startOf(token), end);
	return end < entries.length ? { results, paginationToken: String(end) } : { results };
}

function startOf(token?: string): number {
	return Number(token) || 0;
}

/** In place of the list, the panel shows an error's message and nothing else of it. */
export async function asking<T>(
	context: ILoadOptionsFunctions,
	ask: (client: Client) => Promise<T>,
): Promise<T> {
	let client: Client | undefined;
	try {
		client = await clientOf(context, 0, { timeoutSeconds: 30, parallelDownloads: 1 });
		return await ask(client);
	} catch (error) {
		const told = maskedError(error, (sentence) => client?.masked(sentence) ?? sentence);
		throw nodeErrorInOneText(context.getNode(), told);
	}
}
