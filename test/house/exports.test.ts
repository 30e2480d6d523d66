import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(__dirname, '..', '..');
const files = execFileSync('git', ['ls-files'], { cwd: PROJECT, encoding: 'utf8' })
	.split('\n')
	.filter((file) => /\.(ts|[cm]?js|html)$/.test(file))
	.map((file) => ({ file, text: readFileSync(join(PROJECT, file), 'utf8') }));

/** In how many files each name stands. */
const places = new Map<string, number>();
for (const { text } of files)
	for (const name of new Set(text.match(/[\p{L}_$][\p{L}\d_$]*/gu)))
		places.set(name, (places.get(name) ?? 0) + 1);

const EXPORTED = /^export (?:async )?(?:const|function\*?|class|interface|type|enum) ([\w$]+)/gm;
const exported = files
	.filter(({ file }) => file.endsWith('.ts'))
	.flatMap(({ file, text }) => [...text.matchAll(EXPORTED)].map(([, name]) => ({ file, name: name! })));

it('what a file exports is named in another one', () => {
	expect(exported.length).toBeGreaterThan(800);
	const alone = exported.filter(
		({ file, name }) => places.get(name) === 1 && !/\.(node|credentials)\.ts$/.test(file),
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
