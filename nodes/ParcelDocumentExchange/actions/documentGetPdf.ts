import { FILE_NAME_OF_ONE, WAIT_FOR_ONE } from '../descriptions/defaults';
import type { Paging } from '../../../service/api/client';
import { paging, waitMs } from '../parameters/callOptions';
import { download, fileNameOf } from './download';
import { ServiceError } from '../../../service/errors';
import { documentsOf, idKey } from '../../../service/model/set';
import { findWanted, idOfSet, readSet, type NamedSet } from './lookup';
import type { Operation, Work } from './operation';

interface GetPdfRequest {
	set: NamedSet;
	paging: Paging;
	documentId: string;
	/** Whether it was typed or picked while the set comes from the input item. */
	isOfOneSet: boolean;
	binaryField: string;
	fileNameTemplate: string;
	waitMs: number;
}

/**
 * The id of the set. Its document is asked for by ids alone, and a service may not compare the two: where one of them was
 * chosen while building and the other comes with each item, the set is looked at first.
 *
 * @throws ServiceError `invalidInput` when the document is none of the set, or the set is not the event's
 */
async function checkedSet(
	{ set, isOfOneSet, documentId, paging }: GetPdfRequest,
	work: Work,
): Promise<string> {
	const isNamedByEvent = set.isFixed && set.events.some(({ setId }) => setId === null);
	if (!isOfOneSet && !isNamedByEvent) return await idOfSet(set, {}, paging, work);
	const found = (await findWanted({ ...set, filters: {}, paging, waitMs: 0 }, work)).set;
	const isIn = documentsOf(found).some((document) => idKey(document.documentId ?? '') === idKey(documentId));
	if (isOfOneSet && !isIn) throw ofOtherSet(documentId, found.setId);
	return found.setId;
}

function ofOtherSet(documentId: string, setId: string): ServiceError {
	return new ServiceError(
		'invalidInput',
		`Document is fixed to ${documentId}, which is none of the documents of set ${setId}`,
		{
			remedy:
				'Nothing was fetched: this would be a paper of another parcel. Put Document on By ID with an expression as well, such as {{ $json.documentId }} behind Document, Get Many, or use Get All PDFs.',
		},
	);
}

/** One item with the PDF of one document. Only its ids are known here, so its name and type are null. */
export const documentGetPdf: Operation<GetPdfRequest> = {
	sideBySide: true,
	read(parameters) {
		const options = parameters.fields('options');
		const set = readSet(parameters);
		return {
			set,
			documentId: parameters.id('documentId', 'Document'),
			isOfOneSet: parameters.isFixed('documentId') && !set.isFixed && !parameters.asTool,
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
		return [{ json, binary: { [binaryField]: binary } }];
	},
};
