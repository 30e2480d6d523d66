import type { IBinaryData, IDataObject } from 'n8n-workflow';
import { changed, isServiceError, messageOf } from '../../../service/errors';
import { safeFileName } from '../../../service/model/fileName';
import { fillTemplate, type FileNameFacts } from '../../../service/model/fileNameTemplate';
import type { Work } from './operation';
import { Patience, secondsText } from './patience';

export const PDF_MIME_TYPE = 'application/pdf';
const EXTENSION = '.pdf';

/** One PDF to be had. */
export interface PdfWanted {
	setId: string;
	documentId: string;
	name: string | null;
	docType: string | null;
	fileName: string;
	/** How long to wait while it is not ready. */
	waitMs: number;
	/** Fires when nobody wants it any more. */
	signal: AbortSignal;
}

/** What is known of a PDF that was had. */
export interface PdfFile {
	json: IDataObject;
	binary: IBinaryData;
}

/** A file name for one document: the template filled in, safe on every drive, unlike any other of this run. */
export function claimFileName(work: Work, template: string, facts: Partial<FileNameFacts>): string {
	return work.names.claim(safeFileName(fillTemplate(template, facts), EXTENSION), EXTENSION);
}

/**
 * Gets one PDF into n8n's storage, streamed, when a download slot is free. A PDF that is not ready yet (not found, or
 * something that is no PDF) is asked for again while the wait lasts; its slot is free for others meanwhile.
 *
 * @throws ServiceError naming the document
 */
export async function download(work: Work, wanted: PdfWanted): Promise<PdfFile> {
	const { setId, documentId, name, docType, fileName, waitMs, signal } = wanted;
	const patience = new Patience(waitMs, { ...work.waiting, signal });
	const client = await work.client();
	for (;;) {
		try {
			const { stored, bytes, sha256, complete } = await work.download(signal, () =>
				client.pdf(setId, documentId, (file) => work.storePdf(file, fileName)),
			);
			if (!complete)
				work.hint(`${fileName} has no end-of-file mark: it may be cut. Open it before you send it on.`);
			const json = {
				setId,
				documentId,
				name,
				docType,
				fileName,
				mimeType: PDF_MIME_TYPE,
				bytes,
				sha256,
				complete,
			};
			return { json, binary: stored };
		} catch (error) {
			if (!isNotReady(error) || patience.leftMs <= 0) throw naming(wanted, error);
			await patience.pause();
		}
	}
}

function isNotReady(error: unknown): boolean {
	// Of the PDF nothing is known before the login.
	if (!isServiceError(error) || error.login) return false;
	// Conflict, Locked, Too Early: how services say "not now".
	return (
		['notFound', 'unexpectedResponse'].includes(error.code) || [409, 423, 425].includes(error.httpStatus ?? 0)
	);
}

function naming({ setId, documentId, name, waitMs }: PdfWanted, error: unknown): unknown {
	if (!isServiceError(error) || error.code === 'cancelled') return error;
	const document = name ? `"${name}" (${documentId})` : documentId;
	const waited = isNotReady(error) && waitMs > 0 ? ` after waiting ${secondsText(waitMs)}` : '';
	return changed(error, {
		message: `No PDF of document ${document} of set ${setId}${waited}: ${messageOf(error)}`,
		remedy:
			error.code === 'notFound' && !error.login
				? 'Check the set and the document. A PDF can be ready a little later than its event: raise Wait Up To in the options.'
				: error.remedy,
		cause: error,
	});
}
