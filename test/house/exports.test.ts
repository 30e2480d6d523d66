import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';

const PROJECT = join(__dirname, '..', '..');
const files = execFileSync('git', ['ls-files'], { cwd: PROJECT, encoding: 'utf8' })
	.split('\n')
	.filter((file) => /\.(ts|[cm]?js|html)$/.test(file))
	.map((file) => ({ file, text: readFileSync(join(PROJECT, file), 'utf8') }));

const wordsIn = (text: string) => new Set(text.match(/[\p{L}_$][\p{L}\d_$]*/gu));

/** What the files that import one name, by that file. A script names it alone, and puts its path together. */
const namedBeside = new Map<string, Set<string>[]>(files.map(({ file }) => [file, []]));
for (const { file, text } of files) {
	const words = wordsIn(text);
	for (const [, path = ''] of text.matchAll(/['"`](\.{1,2}\/[^'"`\n]*)['"`]/g)) {
		const target = normalize(join(dirname(file), path));
		for (const end of ['', '.ts', '/index.ts'])
			if (target + end !== file) namedBeside.get(target + end)?.push(words);
	}
	if (!file.endsWith('.mjs')) continue;
	for (const [other, named] of namedBeside) if (words.has(basename(other, '.ts'))) named.push(words);
}

const EXPORTED = /^export (?:async )?(?:const|function\*?|class|interface|type|enum) ([\w$]+)/gm;
const exported = files
	.filter(({ file }) => file.endsWith('.ts'))
	.flatMap(({ file, text }) => [...text.matchAll(EXPORTED)].map(([, name]) => ({ file, name: name! })));

it('what a file exports is named in another one that imports it', () => {
	expect(exported.length).toBeGreaterThan(800);
	const alone = exported.filter(
		({ file, name }) =>
			!/\.(node|credentials)\.ts$/.test(file) && !namedBeside.get(file)?.some((words) => words.has(name)),
	);
	// What nobody uses is to be removed, what only its own file uses is not to be exported.
	expect(alone.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
});

/** A field of the panel and what reads it; the methods of a panel, loaded when it calls them; what queue and changes each keep for themselves. */
const TWINS = /^(paging|timeZone|list\w+|search\w+|suggest\w+|Lately|Progress)$/;

it('no two files of the product export one name for two things', () => {
	const first = new Map<string, string>();
	const product = exported.filter(({ file }) => /^(nodes|service|credentials)\//.test(file));
	const again = product.filter(({ file, name }) => {
		const isFirst = !first.has(name) || first.get(name) === file;
		if (isFirst) first.set(name, file);
		return !isFirst && !TWINS.test(name);
	});
	expect(again.map(({ file, name }) => `${file}: ${name} is a name of ${first.get(name)}`)).toEqual([]);
});
