import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PROJECT = join(__dirname, '..', '..');
const scripts = ['sandbox', 'sandbox/setup', 'bench', 'docs', 'packaging', '.github'].flatMap((folder) =>
	readdirSync(join(PROJECT, folder))
		.filter((name) => name.endsWith('.mjs'))
		.map((name) => `${folder}/${name}`),
);

it('are looked at', () => {
	expect(scripts).toEqual(
		expect.arrayContaining(['bench/run.mjs', 'docs/pictures.mjs', 'packaging/verify.mjs']),
	);
});

it.each(scripts)(
	"%s starts neither npm nor n8n below the system's temporary folder, where any user may put a node_modules above them",
	(script) => {
		expect(readFileSync(join(PROJECT, script), 'utf8')).not.toMatch(/tmpdir|TMPDIR|\/tmp\b/);
	},
);
