const BEGIN = /-----BEGIN ([A-Z0-9 ]{1,40})-----/g;

/** One block of a PEM text. */
interface PemBlock {
	/** `CERTIFICATE`, for example. */
	label: string;
	/** What stands between its first and its last line. */
	body: string;
	/** As it stands in the text. */
	whole: string;
}

/**
 * The blocks of a PEM text, in one go through it: a beginning without its end is none, and a text of nothing but
 * beginnings costs no more than its length.
 */
export function pemBlocks(text: string): PemBlock[] {
	const blocks: PemBlock[] = [];
	/** Labels that do not end any more. */
	const endless = new Set<string>();
	BEGIN.lastIndex = 0;
	for (let match = BEGIN.exec(text); match; match = BEGIN.exec(text)) {
		const [line, label = ''] = match;
		if (endless.has(label)) continue;
		const last = `-----END ${label}-----`;
		const end = text.indexOf(last, BEGIN.lastIndex);
		if (end < 0) {
			endless.add(label);
			continue;
		}
		const start = match.index + line.length;
		blocks.push({ label, body: text.slice(start, end), whole: text.slice(match.index, end + last.length) });
		BEGIN.lastIndex = end + last.length;
	}
	return blocks;
}

/**
 * A PEM text as OpenSSL reads it. A text pasted into a one-line field has lost its line breaks (or holds `\n` as two
 * characters): they are put back. A text in order comes back unchanged.
 */
export function repairPem(text: string): string {
	const unescaped = text.replace(/\\r\\n|\\n/g, '\n').trim();
	const blocks = pemBlocks(unescaped);
	if (blocks.length === 0) return unescaped;
	return blocks
		.map(({ label, body, whole }) => {
			// An encrypted key of the old form has header lines (Proc-Type, DEK-Info): its lines carry meaning.
			if (body.includes(':')) return whole;
			const base64 = body.replace(/\s+/g, '');
			return `-----BEGIN ${label}-----\n${base64.replace(/.{1,64}/g, '$&\n')}-----END ${label}-----`;
		})
		.join('\n')
		.concat('\n');
}
