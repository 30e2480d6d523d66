import type { Client, SetFilters } from '../../../service/api/client';
import { documentTypeKey } from '../../../service/model/documentType';
import { documentsOf, shownText, type DocumentEntry, type SetResult } from '../../../service/model/set';
import { isUuid } from '../../../service/model/uuid';
import { PAGE_SIZE } from '../descriptions/defaults';
import { asking, findSet, matching, narrowing, part, type Search } from './pickers';
import { plainText } from '../parameters/values';

/** Sets that are looked through for their types, from both ends of the list: the newest stand at one of them. */
const SETS = 500;
/** Sets that are asked for one by one, where the list leaves the documents out. */
const SETS_BY_REFERENCE = 3;

/** The types of the chosen set's documents; where none is chosen, or an expression gives it, those of the newest sets. */
export const searchDocumentTypes: Search = async (context, filter) => {
	return await asking(context, async (client) => {
		const setId = plainText(context.getCurrentNodeParameter('setId'));
		const documents = isUuid(setId)
			? documentsOf(await findSet(client, setId))
			: await newestDocuments(client, narrowing(context));
		return part(matching(typesOf(documents), filter));
	});
};

async function newestDocuments(client: Client, filters: SetFilters): Promise<readonly DocumentEntry[]> {
	const sets = await newest(client, filters);
	const documents = sets.flatMap(documentsOf);
	if (documents.length > 0) return documents;
	const references = new Set(
		sets.map(({ shipmentRef }) => shownText(shipmentRef)).filter((text) => text !== null),
	);
	const found = [...references]
		.slice(0, SETS_BY_REFERENCE)
		.map((shipmentRef) => newest(client, { ...filters, shipmentRef }));
	return (await Promise.all(found)).flat().flatMap(documentsOf);
}

async function newest(client: Client, filters: SetFilters): Promise<SetResult[]> {
	const sets: SetResult[] = [];
	const paging = { style: 'auto' as const, pageSize: PAGE_SIZE.missing, partIsFine: true, withoutXml: true };
	for await (const page of client.lookThroughSets(filters, paging)) {
		sets.push(...page);
		if (sets.length >= SETS) break;
	}
	return sets;
}

/** Each once, however it is spelled, by name. */
function typesOf(documents: readonly DocumentEntry[]) {
	const types = new Map<string, string>();
	for (const { docType } of documents) {
		const type = shownText(docType);
		if (type !== null && !types.has(documentTypeKey(type))) types.set(documentTypeKey(type), type);
	}
	return (
		[...types.values()]
			.sort((a, b) => a.localeCompare(b, 'en'))
			// Types are compared by their letters: without the sign that would make it an expression, it is the same one.
			.map((type) => ({ name: type, value: type.replace(/^=+/, '') }))
	);
}
