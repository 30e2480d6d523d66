import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(__dirname, '..', '..');
const PAGE = readFileSync(join(PROJECT, 'docs', 'troubleshooting.md'), 'utf8');

const source = ['service', 'nodes', 'credentials']
	.flatMap((folder) =>
		readdirSync(join(PROJECT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
			join(folder, file),
		),
	)
	.filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
	.map((file) => readFileSync(join(PROJECT, file), 'utf8'))
	.join('\n');

/** The texts in the first column of the tables headed "Text". */
function quotedTexts(): string[] {
	const rows = PAGE.split('\n').filter((line) => /^\| [^|]*`/.test(line) && !/^\| You see/.test(line));
	return rows.flatMap((row) =>
		[...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, text]) => text ?? ''),
	);
}

describe('the page that explains errors by their text', () => {
	it('explains a good number of them', () => expect(quotedTexts().length).toBeGreaterThan(60));

	it.each(quotedTexts())('quotes the text as the package words it: %s', (text) => {
		for (const part of text.split('…').map((piece) => piece.replace(/^[\s,]+|[\s,]+$/g, ''))) {
			expect(source).toContain(part);
		}
	});
});
