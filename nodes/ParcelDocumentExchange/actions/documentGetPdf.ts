import { FILE_NAME_OF_ONE, WAIT_FOR_ONE } from '../descriptions/defaults';
import type { Paging } from '../../../service/api/client';
import { paging, waitMs } from './callOptions';
import { download, fileNameOf } from './download';
import { idOfSet, readSet, type NamedSet } from './lookup';
import type { Operation } from './operation';

interface GetPdfRequest {
	set: NamedSet;
	paging: Paging;
	documentId: string;
	binaryField: string;
	fileNameTemplate: string;
	waitMs: number;
}

/** One item with the PDF of one document. Only its ids are known here, so its name and type are null. */
export const documentGetPdf: Operation<GetPdfRequest> = {
	sideBySide: true,
	read(parameters) {
		const options = parameters.fields('options');
		return {
			set: readSet(parameters),
			documentId: parameters.id('documentId', 'Document'),
			binaryField: parameters.binaryField(),
			fileNameTemplate: parameters.fileName(FILE_NAME_OF_ONE, ['setId', 'documentId']),
			waitMs: waitMs(options, WAIT_FOR_ONE),
			paging: paging(options),
		};
	},
	async answer({ set, documentId, binaryField, fileNameTemplate, waitMs, paging }, work) {
		const setId = await idOfSet(set, {}, paging, work);
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
