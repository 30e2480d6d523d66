import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import ts from 'typescript';
import { ParcelDocumentExchange } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchange.node';
import { ParcelDocumentExchangePollTrigger } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchangePollTrigger.node';
import { ParcelDocumentExchangeTrigger } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchangeTrigger.node';

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

/** What its comments say, but for the names of n8n's own steps and what OAuth calls its things. */
const commentsIn = (file: string) =>
	(readFileSync(join(PROJECT, file), 'utf8').match(/\/\*\*?[^]*?\*\/|(?<=^|\s)\/\/ .*/g) ?? []).map(
		(comment) => comment.replaceAll(/Remove Duplicates|token endpoint/g, ''),
	);

/** Each word in the names of the product, its files and folders among them, with a place where it stands. */
const used = new Map<string, string>();
for (const file of files) {
	for (const name of namesIn(file)) {
		for (const word of wordsOf(name)) if (!used.has(word)) used.set(word, `${file}: ${name}`);
	}
}

/** The same for the comments of the product. */
const commented = new Map<string, string>();
for (const file of files) {
	for (const comment of commentsIn(file)) {
		for (const word of wordsOf(comment)) if (!commented.has(word)) commented.set(word, `${file}: ${comment}`);
	}
}

/** The same for what the panels say, but for the names of n8n's own nodes. */
const said = new Map<string, string>();
const TEXTS = /^(displayName|description|hint|placeholder|action|searchHint|relationHint)$/;
function visitPanel(value: unknown, key: string): void {
	if (typeof value === 'string' && TEXTS.test(key)) {
		for (const word of wordsOf(value.replaceAll('Send Email', ''))) said.set(word, `a panel: "${value}"`);
	}
	if (typeof value !== 'object' || value === null) return;
	for (const [name, one] of Object.entries(value)) visitPanel(one, name);
}
for (const Node of [
	ParcelDocumentExchange,
	ParcelDocumentExchangePollTrigger,
	ParcelDocumentExchangeTrigger,
]) {
	visitPanel(new Node().description, '');
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
	const found = others.flatMap((other) =>
		[used.get(other), commented.get(other), said.get(other)]
			.filter((place) => place !== undefined)
			.map((place) => `${place} says ${other}: if it is that thing, call it ${word}`),
	);
	expect(found).toEqual([]);
});
