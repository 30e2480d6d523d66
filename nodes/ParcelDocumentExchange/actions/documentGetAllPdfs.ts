import { setMaxListeners } from 'node:events';
import { ServiceError } from '../../../service/errors';
import { documentsOfTypes } from '../../../service/model/documentType';
import { PLACEHOLDERS } from '../../../service/model/fileNameTemplate';
import {
	documentIdOf,
	documentsOf,
	shownText,
	type DocumentEntry,
	type SetResult,
} from '../../../service/model/set';
import { FILE_NAME_OF_SET, WAIT_BEHIND_EVENT, WAIT_OF_MODEL } from '../descriptions/defaults';
import {
	eachOnce,
	factsOfSet,
	fileNamesOf,
	documentKey,
	noDocuments,
	severalNames,
	withoutType,
} from './documentsOfSet';
import { download, type PdfFile } from './download';
import { findWanted, readWanted, type WantedSet } from './lookup';
import type { Answer, Operation, Work } from './operation';
import { unusable } from '../parameters/values';

interface GetAllPdfsRequest {
	wanted: WantedSet;
	documentTypes: string[];
	binaryField: string;
	fileNameTemplate: string;
	onePerSet: boolean;
}

/** Documents of a set that are fetched at most: a set has a handful, and each is named and waited for. */
const MOST_DOCUMENTS = 10_000;

/** From an event or a set to every PDF of the set. One PDF that cannot be had fails the whole input item. */
export const documentGetAllPdfs: Operation<GetAllPdfsRequest> = {
	sideBySide: true,
	inOneTurn: true,
	read: (parameters) => ({
		wanted: readWanted(parameters, parameters.asTool ? WAIT_OF_MODEL : WAIT_BEHIND_EVENT),
		documentTypes: parameters.chosenTexts('documentTypes', 'Document Types', 'documentType'),
		binaryField: parameters.binaryField(),
		fileNameTemplate: parameters.fileName(FILE_NAME_OF_SET, PLACEHOLDERS),
		onePerSet: parameters.flag('onePerSet', false),
	}),

	async answer(request, work) {
		const { wanted, documentTypes, binaryField } = request;
		const { set, leftMs } = await findWanted(wanted, work);
		const listed = documentsOf(set);
		const once = eachOnce(listed);
		const all = [...once.values()];
		if (all.length === 0) throw noDocuments(set.setId, wanted.waitMs);
		if (all.length > MOST_DOCUMENTS) throw tooManyDocuments(set.setId);
		for (const sentence of severalNames(listed, once)) work.hint(sentence);
		work.types.saw(listed);
		work.looked();
		await refuseUnknownTypes(documentTypes, work);
		// By any of its entries, where a document stands in the set under several types.
		const chosen = documentsOfTypes(listed, documentTypes).map(
			(entry) => once.get(documentKey(entry)) ?? entry,
		);
		const documents = [...new Set(chosen)];
		const untyped = all.filter((entry) => shownText(entry.docType) === null && !documents.includes(entry));
		if (untyped.length > 0) work.hint(withoutType(set.setId, untyped));
		if (documents.length === 0) {
			work.hint(
				`Set ${set.setId} has no document of the chosen types. ${typesOf(all) ? `Its documents are of the types: ${typesOf(all)}` : 'Its documents have no type'}.`,
			);
			return [];
		}
		// Of all documents, not of those chosen alone: what is chosen changes no name.
		const names = fileNamesOf(request.fileNameTemplate, set, all);
		const files = await together(work, documents, (document, signal) =>
			download(work, {
				setId: set.setId,
				documentId: documentIdOf(document),
				fileName: names.get(document) ?? '',
				facts: { name: shownText(document.name), docType: shownText(document.docType), ...factsOfSet(set) },
				waitMs: leftMs,
				signal,
			}),
		);
		if (request.onePerSet) return [oneItem(set, files, binaryField)];
		return files.map(({ json, binary }) => ({ json, binary: { [binaryField]: binary } }));
	},
};

/** @throws ServiceError `invalidInput` for a type that none of the sets of the run has: it is misspelled, or never comes */
async function refuseUnknownTypes(chosen: readonly string[], work: Work): Promise<void> {
	const { missing, known } = await work.types.missing(chosen, work.waiting.signal);
	if (missing.length === 0) return;
	throw unusable(
		'Document Types',
		`holds a type that no set of the input has: ${missing.join(', ').slice(0, MOST_SHOWN)}`,
		known.length === 0
			? 'No document of these sets has a type: take the types away.'
			: `The types there are: ${known.join(', ').slice(0, MOST_SHOWN)}. Choose among them, or take the type away.`,
	);
}

const MOST_SHOWN = 500;

function typesOf(documents: readonly DocumentEntry[]): string {
	const types = new Set(documents.map(({ docType }) => shownText(docType)).filter((type) => type !== null));
	return [...types].join(', ').slice(0, MOST_SHOWN);
}

/** Does the task for all, in order; the first that fails stops those that have not begun, and ends the others' waits. */
async function together<T, R>(
	work: Work,
	entries: readonly T[],
	task: (entry: T, signal: AbortSignal) => Promise<R>,
): Promise<R[]> {
	const failed = new AbortController();
	const signal = AbortSignal.any([work.waiting.signal, failed.signal]);
	// As many may listen as there are documents: Node takes more than ten for a leak and says so in n8n's log.
	setMaxListeners(0, signal);
	let first: unknown;
	const tasks = entries.map(async (entry) => {
		try {
			return await task(entry, signal);
		} catch (error) {
			if (!failed.signal.aborted) {
				first = error;
				failed.abort();
			}
			return undefined;
		}
	});
	const answers = await Promise.all(tasks);
	if (failed.signal.aborted) throw first instanceof Error ? first : new Error(String(first));
	return answers as R[];
}

/** All files in one item, in the form n8n's mail nodes take: the names of the binary fields, joined by commas. */
function oneItem(set: SetResult, files: readonly PdfFile[], binaryField: string): Answer {
	const fields = files.map((_, index) => `${binaryField}_${index}`);
	return {
		json: {
			...factsOfSet(set),
			attachments: fields.join(','),
			files: files.map(({ json }, index) => ({ ...json, binaryField: fields[index] })),
			setId: set.setId,
		},
		binary: Object.fromEntries(files.map(({ binary }, index) => [fields[index], binary])),
	};
}

function tooManyDocuments(setId: string): ServiceError {
	const most = MOST_DOCUMENTS.toLocaleString('en');
	return new ServiceError(
		'unexpectedResponse',
		`The search shows more than ${most} documents of set ${setId}`,
		{
			remedy:
				'Nothing was fetched. Tell the service; Document, Get Many lists them, and Get PDF fetches one.',
		},
	);
}
