import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import ts from 'typescript';

const PROJECT = join(__dirname, '..', '..');
const page = readFileSync(join(PROJECT, 'CONTRIBUTING.md'), 'utf8');
const [, table = ''] = /## Words\n[^|]*([^]*?)\n\n/.exec(page) ?? [];
const glossary = table
	.split('\n')
	.slice(2)
	.map((row) => row.split('|').map((cell) => cell.trim()))
	.map(([, word = '', , others = '']) => ({ word, others: others.split(', ').filter(Boolean) }));

const files = execFileSync('git', ['ls-files', 'nodes', 'service', 'credentials'], {
	cwd: PROJECT,
	encoding: 'utf8',
})
	.split('\n')
	.filter((file) => file.endsWith('.ts'));

/** `lookAtSets` → look, at, sets, and set. */
const wordsOf = (name: string) =>
	name
		.replaceAll(/([a-z\d])(?=[A-Z])/g, '$1 ')
		.toLowerCase()
		.split(/[^a-z]+/)
		.flatMap((word) => [word, word.replace(/s$/, '')]);

function namesIn(file: string): string[] {
	const text = readFileSync(join(PROJECT, file), 'utf8');
	const names = [basename(file, '.ts'), basename(dirname(file))];
	const visit = (node: ts.Node): void => {
		if (ts.isIdentifier(node)) names.push(node.text);
		ts.forEachChild(node, visit);
	};
	visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
	return names;
}

/** Each word in the names of the product, its files and folders among them, with a place where it stands. */
const used = new Map<string, string>();
for (const file of files) {
	for (const name of namesIn(file)) {
		for (const word of wordsOf(name)) if (!used.has(word)) used.set(word, `${file}: ${name}`);
	}
}

it('the glossary of CONTRIBUTING has at most 25 words, each once', () => {
	expect(glossary.length).toBeGreaterThan(20);
	expect(glossary.length).toBeLessThanOrEqual(25);
	expect(new Set(glossary.map(({ word }) => word)).size).toBe(glossary.length);
	expect(glossary.filter(({ others }) => others.length === 0)).toEqual([]);
});

it.each(glossary)('"$word" is a word of the product', ({ word }) => {
	// What no name has any more is no word of this house: take its row away.
	expect(used.has(word) || used.has(`${word}s`)).toBe(true);
});

it.each(glossary)('a thing that is called "$word" has no other name', ({ word, others }) => {
	const found = others.flatMap((other) => {
		const place = used.get(other);
		return place === undefined ? [] : [`${place} says ${other}: if it is that thing, call it ${word}`];
	});
	expect(found).toEqual([]);
});
