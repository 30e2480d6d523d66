/**
 * A PEM text as OpenSSL reads it. A text pasted into a one-line field has lost its line breaks (or holds `\n` as two
 * characters): they are put back. A text in order comes back unchanged.
 */
export function repairPem(text: string): string {
	const unescaped = text.replace(/\\r\\n|\\n/g, '\n').trim();
	const blocks = [...unescaped.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----([\s\S]*?)-----END \1-----/g)];
	if (blocks.length === 0) return unescaped;
	return blocks
		.map(([block, label = '', body = '']) => {
			// An encrypted key of the old form has header lines (Proc-Type, DEK-Info): its lines carry meaning.
			if (body.includes(':')) return block;
			const base64 = body.replace(/\s+/g, '');
			return `-----BEGIN ${label}-----\n${base64.replace(/.{1,64}/g, '$&\n')}-----END ${label}-----`;
		})
		.join('\n')
		.concat('\n');
}
