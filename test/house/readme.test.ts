import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(__dirname, '..', '..');
const README = readFileSync(join(PROJECT, 'README.md'), 'utf8');
const paragraphs = README.split(/\n{2,}/);

/** What somebody looks for before the package gets a password, and the page that tells the rest. */
const TOLD: [subject: string, words: RegExp, page: string][] = [
	['how to check what is installed', /sbom\.cdx\.json[^]*npm run verify/, 'SECURITY.md'],
	['what was tried for n8n 3', /every default of n8n 3/, 'docs/compatibility.md'],
	['what a run tells n8n', /set, bytes, searches and tries/, 'docs/running.md'],
	['who starts a workflow without a queue', /needs no queue/, 'docs/poll-trigger.md'],
];

it.each(TOLD)('README.md tells %s in a paragraph, with the way to its page', (_, words, page) => {
	const paragraph = paragraphs.find((one) => words.test(one)) ?? '';
	const [, linked] = /blob\/main\/([\w./-]+?)(?:#[\w-]+)?\)/.exec(paragraph) ?? [];
	expect(linked).toBe(page);
	expect(existsSync(join(PROJECT, page))).toBe(true);
});

it('README.md leads to headings that are there', () => {
	const links = [...README.matchAll(/blob\/main\/([\w./-]+\.md)#([\w-]+)\)/g)];
	expect(links.length).toBeGreaterThan(2);
	for (const [, page = '', heading] of links) {
		const headings = [...readFileSync(join(PROJECT, page), 'utf8').matchAll(/^#+ (.*)$/gm)].map(
			([, text = '']) =>
				text
					.toLowerCase()
					.replace(/[^\w\s-]/g, '')
					.trim()
					.replace(/\s+/g, '-'),
		);
		expect(headings).toContain(heading);
	}
});
