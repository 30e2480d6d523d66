import { setMaxListeners } from 'node:events';
import { ServiceError } from '../../../service/errors';
import { documentsOfTypes } from '../../../service/model/documentType';
import { fileNameFacts } from '../../../service/model/fileNameTemplate';
import {
	documentIdOf,
	documentsOf,
	shownStatus,
	shownText,
	type DocumentEntry,
	type SetResult,
} from '../../../service/model/set';
import { claimFileName, download, type PdfFile } from './download';
import { readWanted } from './lookup';
import type { Answer, Operation, Work } from './operation';
import { filterTexts } from './parameters';
import { secondsText } from './patience';
import type { Wanted } from './setFinder';

interface GetAllPdfsRequest {
	wanted: Wanted;
	documentTypes: string[];
	binaryField: string;
	fileNameTemplate: string;
	onePerSet: boolean;
}

const WAIT_SECONDS = 60;
const FILE_NAME = '{billOfLadingDate}_{parcelRef}_{docType}_{name}_{first 8 of documentId}.pdf';

/** From an event or a set to every PDF of the set. One PDF that cannot be had fails the whole input item. */
export const documentGetAllPdfs: Operation<GetAllPdfsRequest> = {
	sideBySide: true,
	inOneTurn: true,
	read: (parameters) => ({
		wanted: readWanted(parameters, WAIT_SECONDS),
		documentTypes: filterTexts(parameters.raw('documentTypes'), 'Document Types'),
		binaryField: parameters.binaryField(),
		fileNameTemplate: parameters.optionText('fileName', FILE_NAME),
		onePerSet: parameters.optionFlag('onePerSet', false),
	}),

	async answer(request, work) {
		const { wanted, documentTypes, binaryField } = request;
		const { set, leftMs } = await work.finder.find(wanted);
		const all = documentsOf(set);
		if (all.length === 0) throw noDocuments(wanted);
		const documents = documentsOfTypes(eachOnce(all), documentTypes);
		if (documents.length === 0) {
			const types = [...new Set(all.map(({ docType }) => shownText(docType) ?? 'none'))].join(', ');
			work.hint(
				`Set ${set.setId} has no document of the chosen types. Its documents are of the types: ${types}.`,
			);
			return [];
		}
		const files = await together(work, documents, (document, signal) => {
			const facts = fileNameFacts(set, document);
			return download(work, {
				setId: set.setId,
				documentId: documentIdOf(document),
				name: facts.name,
				docType: facts.docType,
				fileName: claimFileName(work, request.fileNameTemplate, facts),
				waitMs: leftMs,
				signal,
			});
		});
		if (request.onePerSet) return [oneItem(set, files, binaryField)];
		return files.map(({ json, binary }) => ({ json, binary: { [binaryField]: binary } }));
	},
};

/** A document that stands twice in a set is one file. */
function eachOnce(documents: readonly DocumentEntry[]): DocumentEntry[] {
	// The case of an id makes no other document.
	const keyOf = (document: DocumentEntry) => document.documentId?.toLowerCase() ?? document;
	return [
		...new Map(documents.toReversed().map((document) => [keyOf(document), document])).values(),
	].reverse();
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
			setId: set.setId,
			parcelRef: shownText(set.parcelRef),
			shipmentRef: shownText(set.shipmentRef),
			status: shownStatus(set),
			billOfLadingDate: shownText(set.billOfLadingDate),
			vesselName: shownText(set.vesselName),
			files: files.map(({ json }, index) => ({ ...json, binaryField: fields[index] })),
			attachments: fields.join(','),
		},
		binary: Object.fromEntries(files.map(({ binary }, index) => [fields[index], binary])),
	};
}

function noDocuments({ setId, waitMs }: Wanted): ServiceError {
	const waited = waitMs > 0 ? `, also not after waiting ${secondsText(waitMs)}` : '';
	return new ServiceError('notFound', `The search shows no document of set ${setId}${waited}`, {
		remedy:
			'The set may have no documents yet: raise Wait Up To in the options, or start from a later status such as SIGNED.',
	});
}
