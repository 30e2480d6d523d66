import { waitMs } from './callOptions';
import { claimFileName, download } from './download';
import type { Operation } from './operation';

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
		return {
			setId: parameters.id('setId', 'Set'),
			documentId: parameters.id('documentId', 'Document'),
			binaryField: parameters.binaryField(),
			fileNameTemplate: parameters.optionText('fileName', '{documentId}.pdf'),
			waitMs: waitMs(options, 0),
		};
	},
	async answer({ setId, documentId, binaryField, fileNameTemplate, waitMs }, work) {
		const { json, binary } = await download(work, {
			setId,
			documentId,
			name: null,
			docType: null,
			fileName: claimFileName(work, fileNameTemplate, { setId, documentId }),
			waitMs,
			signal: work.waiting.signal,
		});
		return [{ json, binary: { [binaryField]: binary } }];
	},
};
