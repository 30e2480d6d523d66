import { extname } from 'node:path';

/** What the page may open in the browser; everything else is saved. Text stays text, whatever it holds. */
const opened: Record<string, string> = {
	'.pdf': 'application/pdf',
	'.png': 'image/png',
	'.jpg': 'image/jpeg',
	'.jpeg': 'image/jpeg',
	'.txt': 'text/plain; charset=utf-8',
	'.csv': 'text/plain; charset=utf-8',
	'.json': 'text/plain; charset=utf-8',
	'.xml': 'text/plain; charset=utf-8',
};

/** The headers to send a file with, decided by its name alone: what a sender says of it is not trusted. */
export function headersFor(name: string): Record<string, string> {
	const type = opened[extname(name).toLowerCase()];
	const last = name.split('/').at(-1) ?? name;
	const kind = type ? 'inline' : 'attachment';
	return {
		'content-type': type ?? 'application/octet-stream',
		'content-disposition': `${kind}; filename*=UTF-8''${encoded(last)}`,
		'x-content-type-options': 'nosniff',
		'cache-control': 'no-store',
	};
}

/** RFC 5987 leaves out a few characters that encodeURIComponent lets through; a lone surrogate would make it throw. */
function encoded(text: string): string {
	const escape = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
	return encodeURIComponent(Buffer.from(text).toString()).replaceAll(/['()*]/g, escape);
}
