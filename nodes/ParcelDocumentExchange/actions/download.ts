import type { IBinaryData, IDataObject } from 'n8n-workflow';
import { changed, isServiceError, messageOf } from '../../../service/errors';
import { safeFileName } from '../../../service/model/fileName';
import { fillTemplate, type FileNameFacts } from '../../../service/model/fileNameTemplate';
import type { Work } from './operation';
import { Patience, secondsText } from './patience';

export const PDF_MIME_TYPE = 'application/pdf';
export const EXTENSION = '.pdf';

interface PdfWanted {
	setId: string;
	documentId: string;
	fileName: string;
	/** What its item says of it, in front of what is known of the file. */
	facts: IDataObject;
	/** How long to wait while it is not ready. */
	waitMs: number;
	/** Fires when nobody wants it any more. */
	signal: AbortSignal;
}

export interface PdfFile {
	json: IDataObject;
	binary: IBinaryData;
}

/** A file name for one document: the template filled in, safe on every drive. */
export function fileNameOf(template: string, facts: Partial<FileNameFacts>): string {
	return safeFileName(fillTemplate(template, facts), EXTENSION);
}

/**
 * Gets one PDF into n8n's storage, streamed, when a download slot is free. A PDF that is not ready yet (not found, or
 * something that is no PDF) is asked for again while the wait lasts; its slot is free for others meanwhile.
 *
 * @throws ServiceError naming the document
 */
export async function download(work: Work, wanted: PdfWanted): Promise<PdfFile> {
	const { setId, documentId, fileName, facts, waitMs, signal } = wanted;
	const client = await work.client();
	let patience: Patience | undefined;
	for (;;) {
		try {
			const { stored, bytes, sha256, complete } = await work.download(signal, () => {
				// Waiting for a turn is not waiting for the PDF.
				patience ??= new Patience(waitMs, { ...work.waiting, signal });
				return client.pdf(setId, documentId, (file) => work.storePdf(file, fileName));
			});
			const json = {
				fileName,
				...facts,
				...{ setId, documentId, mimeType: PDF_MIME_TYPE, bytes, sha256, complete },
			};
			return { json, binary: stored };
		} catch (error) {
			if (!isNotReady(error) || !patience || patience.leftMs <= 0) throw naming(wanted, error);
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

function naming({ setId, documentId, facts, waitMs }: PdfWanted, error: unknown): unknown {
	if (!isServiceError(error) || error.code === 'cancelled') return error;
	const { name } = facts;
	const document = typeof name === 'string' ? `"${name}" (${documentId})` : documentId;
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
