import { FILE_NAME_OF_ONE, WAIT_FOR_ONE } from '../descriptions/defaults';
import { waitMs } from './callOptions';
import { download, fileNameOf } from './download';
import type { Operation } from './operation';
import { eventBehindFixedSet, refuseOtherSet } from './otherSet';

interface GetPdfRequest {
	setId: string;
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
		const setId = parameters.id('setId', 'Set');
		refuseOtherSet(eventBehindFixedSet(parameters), setId);
		return {
			setId,
			documentId: parameters.id('documentId', 'Document'),
			binaryField: parameters.binaryField(),
			fileNameTemplate: parameters.fileName(FILE_NAME_OF_ONE, ['setId', 'documentId']),
			waitMs: waitMs(options, WAIT_FOR_ONE),
		};
	},
	async answer({ setId, documentId, binaryField, fileNameTemplate, waitMs }, work) {
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
