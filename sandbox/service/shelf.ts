import type { ParcelDocument, ParcelSet } from './parcel';
import { renderPdf } from './pdf';

/** Hands out the bytes of a document. */
export type Shelf = (set: ParcelSet, document: ParcelDocument) => Promise<Buffer>;

const mostBytes = 64 * 1024 * 1024;

/** Draws each PDF once per state of its set, and keeps up to 64 MB of them; the oldest goes first. */
export function createShelf(leastBytes: number): Shelf {
	const drawn = new Map<string, Promise<Buffer>>();
	let bytes = 0;

	return async (set, document) => {
		const key = `${document.documentId} ${set.status} ${set.signed} ${set.modifiedAt}`;
		const known = drawn.get(key);
		if (known) return known;
		const drawing = renderPdf(set, document, leastBytes);
		drawn.set(key, drawing);
		bytes += (await drawing).length;
		for (const [oldest, file] of drawn) {
			if (bytes <= mostBytes || oldest === key) break;
			drawn.delete(oldest);
			bytes -= (await file).length;
		}
		return drawing;
	};
}
