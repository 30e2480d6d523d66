import type { Paging } from '../../../service/api/client';
import { asError, isServiceError, ServiceError } from '../../../service/errors';
import { folded } from '../../../service/model/folded';
import { documentsOf, idKey, type DocumentEntry, type SetRow } from '../../../service/model/set';
import { FILE_NAME_OF_ONE, WAIT_FOR_ONE } from '../descriptions/defaults';
import { paging, waitMs } from '../parameters/callOptions';
import { download, fileNameOf } from './download';
import { findWanted, idOfSet, readSet, type NamedSet } from './lookup';
import type { Operation, Work } from './operation';
import type { Parameters } from '../parameters/parameters';
import { textsIn } from '../parameters/values';
import type { StepOfRun } from '../parameters/stepsInFront';

interface GetPdfRequest {
	set: NamedSet;
	paging: Paging;
	documentId: string;
	/** Whether it was typed or picked, here or in a step in front, while the set comes from the input item. */
	isOfOneSet: boolean;
	/** Whether both were typed or picked: changed later, the set leaves the document of the one before. */
	isFixedPair: boolean;
	/** What the set comes from, where the document comes from elsewhere. */
	beside?: 'event' | 'input';
	/** Whether the document is the first, say, of those of the set. */
	isByPlace: boolean;
	binaryField: string;
	fileNameTemplate: string;
	waitMs: number;
}

/**
 * The id of the set. Its document is asked for by ids alone, and a service may not compare the two: where they come from
 * two places, one of them chosen while building, or the set named by an event and the document by something else, the
 * set is looked at first. That takes as many searches as Set, Get does.
 *
 * @throws ServiceError `invalidInput` when the document is none of the set, or the set is not the event's
 */
async function checkedSet(request: GetPdfRequest, work: Work): Promise<string> {
	const { set, isOfOneSet, beside, documentId, paging, waitMs } = request;
	const isNamedByEvent = set.isFixed && set.about.events.some(({ setId }) => setId === null);
	if (!isOfOneSet && beside === undefined && !isNamedByEvent) return await idOfSet(set, {}, paging, work);
	const setId = await idOfSet(set, {}, paging, work);
	const found = await documentsShown(request, setId, waitMs, work).catch((error: unknown) => {
		if (isOfOneSet || !isServiceError(error) || error.code !== 'notFound') throw asError(error);
		return undefined;
	});
	const documents = found ?? [];
	if (isAmong(documents, documentId)) return setId;
	if (isOfOneSet) throw ofOtherSet(documentId, setId);
	if (documents.length > 0) throw noneOf(documentId, setId, beside ?? 'event');
	work.hint(notSeen(documentId, setId, found ? 'its documents' : 'that set'));
	return setId;
}

/** Those that a search shows of the set. @throws ServiceError as {@link findWanted} does */
async function documentsShown(
	{ set, paging }: GetPdfRequest,
	setId: string,
	waitMs: number,
	work: Work,
): Promise<DocumentEntry[]> {
	const wanted = { ...set, setId, reference: undefined, filters: {}, paging, waitMs };
	return documentsOf((await findWanted(wanted, work)).set);
}

const isAmong = (documents: readonly DocumentEntry[], documentId: string) =>
	documents.some((document) => idKey(document.documentId ?? '') === idKey(documentId));

const notSeen = (documentId: string, setId: string, what: string) =>
	`Whether document ${documentId} belongs to set ${setId} cannot be seen: the search does not show ${what}. The service was asked for both together.`;

/**
 * Looks whether a document that the service gave is of the set that was typed or picked with it. Only once it was given:
 * what the service says of a pair that it refuses is more than a search shows.
 *
 * @throws ServiceError `invalidInput` when the set has other documents
 */
async function refuseOfOtherSet(request: GetPdfRequest, setId: string, work: Work): Promise<void> {
	const { documentId } = request;
	const shown = await documentsShown(request, setId, 0, work).catch((error: unknown) => {
		if (!isServiceError(error) || ['cancelled', 'invalidInput'].includes(error.code)) throw asError(error);
		return [];
	});
	if (isAmong(shown, documentId)) return;
	if (shown.length > 0) throw ofOtherSet(documentId, setId);
	work.hint(notSeen(documentId, setId, 'its documents'));
}

function isFixedDocument(parameters: Parameters, documentId: string): boolean {
	const isTyped = ({ typed }: StepOfRun) => typed.ids.has(idKey(documentId));
	return parameters.isFixed('documentId') || parameters.stepsInFront.some(isTyped);
}

/** Whether an item names the document itself, as one of several or as the one it is about. */
function isNamedBy(item: SetRow, documentId: string): boolean {
	const named = [item.documentId, ...documentsOf(item).map((document) => document.documentId)];
	return named.some((id) => typeof id === 'string' && idKey(id) === idKey(documentId));
}

/**
 * From where the set comes, when the document comes from elsewhere: `$("Documents").first()` gives one document for all
 * items. Undefined where the item, or one that it came from, names both.
 */
function otherPlace(parameters: Parameters, set: NamedSet, documentId: string): GetPdfRequest['beside'] {
	if (set.about.events.length > 0) return isNamedBy(parameters.item, documentId) ? undefined : 'event';
	if (parameters.asTool || (set.isFixed && parameters.isFixed('documentId'))) return undefined;
	const { setId } = parameters.item;
	// Documents of one set that was typed: a look for each of them would cost a search for each.
	if (set.isFixed && (typeof setId !== 'string' || idKey(setId) === idKey(set.setId))) return undefined;
	const wanted = [set.reference ?? set.setId, documentId].map(folded);
	const namesBoth = (item: object) => {
		const texts = textsIn(item).map(folded);
		return wanted.every((name) => texts.includes(name));
	};
	const isOne = namesBoth(parameters.item) || set.about.itemsBehindItem().some(namesBoth);
	return isOne ? undefined : 'input';
}

function noneOf(documentId: string, setId: string, beside: 'event' | 'input'): ServiceError {
	return new ServiceError(
		'invalidInput',
		`Document ${documentId} is none of the documents of set ${setId}, which the ${beside} is about`,
		{
			remedy:
				'Nothing was fetched: this would be a paper of another parcel. Use Get All PDFs in place of this step, or take the set and the document from the same item, such as those of Document, Get Many.',
		},
	);
}

function ofOtherSet(documentId: string, setId: string): ServiceError {
	return new ServiceError(
		'invalidInput',
		`Document is fixed to ${documentId}, which is none of the documents of set ${setId}`,
		{
			remedy:
				'Nothing is handed on: this would be a paper of another parcel. Choose the document again, or put Document on By ID with an expression as well, such as {{ $json.documentId }} behind Document, Get Many, or use Get All PDFs.',
		},
	);
}

/** `{{ $json.documents[0].documentId }}`, as n8n writes it when that field is dragged, and `.first()` and its like. */
const PLACE = /\bdocuments\s*\??\.?\s*(?:\[\s*\d+\s*\]|\b(?:first|last|at|pop|shift|slice|randomItem)\s*\()/;

const BY_PLACE =
	'Document is the one at that place in the list of its set: another set may have another paper there, and the others are left out. Use Get All PDFs, with Document Types for a certain one, or put Document, Get Many in front and drag its documentId.';

/** One item with the PDF of one document. Only its ids are known here, so its name and type are null. */
export const documentGetPdf: Operation<GetPdfRequest> = {
	sideBySide: true,
	read(parameters) {
		const options = parameters.fields('options');
		const set = readSet(parameters);
		const documentId = parameters.id('documentId', 'Document');
		return {
			set,
			documentId,
			beside: otherPlace(parameters, set, documentId),
			isFixedPair: set.isFixed && parameters.isFixed('documentId') && !parameters.asTool,
			isOfOneSet: !set.isFixed && !parameters.asTool && isFixedDocument(parameters, documentId),
			isByPlace: PLACE.test(parameters.written('documentId') ?? ''),
			binaryField: parameters.binaryField(),
			fileNameTemplate: parameters.fileName(FILE_NAME_OF_ONE, ['setId', 'documentId']),
			waitMs: waitMs(options, WAIT_FOR_ONE),
			paging: paging(options),
		};
	},
	async answer(request, work) {
		const { documentId, binaryField, fileNameTemplate, waitMs } = request;
		const setId = await checkedSet(request, work);
		const { json, binary } = await download(work, {
			setId,
			documentId,
			fileName: fileNameOf(fileNameTemplate, { setId, documentId }),
			facts: { name: null, docType: null },
			waitMs,
			signal: work.waiting.signal,
		});
		if (request.isFixedPair) await refuseOfOtherSet(request, setId, work);
		if (request.isByPlace) work.hint(BY_PLACE);
		return [{ json, binary: { [binaryField]: binary } }];
	},
};
