const { rm, readFile, writeFile } = require('node:fs/promises');
const { existsSync } = require('node:fs');
const path = require('node:path');
const { build } = require('esbuild');
const { dest, parallel, series, src } = require('gulp');
const manifest = require('./package.json');

const LICENSES = 'THIRD-PARTY-LICENSES.txt';

/** The files n8n loads, as package.json names them: `dist/x.js` is made of `x.ts`. */
const entryPoints = [...manifest.n8n.credentials, ...manifest.n8n.nodes].map((file) =>
	file.replace(/^dist\//, '').replace(/\.js$/, '.ts'),
);

/** Packages that ended up in a bundle, by the folder they came from. Filled by `bundle`, read by `licenses`. */
const bundled = new Set();

const clean = () => rm('dist', { recursive: true, force: true });

/**
 * One file per entry, with everything in it that n8n does not bring along: n8n installs no dependency for us.
 * What a file imports dynamically lies in it too, and runs at its first use only.
 */
async function bundle() {
	const { metafile } = await build({
		entryPoints,
		outdir: 'dist',
		outbase: '.',
		bundle: true,
		platform: 'node',
		target: 'node20',
		format: 'cjs',
		external: ['n8n-workflow'],
		metafile: true,
		legalComments: 'none',
		logLevel: 'warning',
	});
	for (const input of Object.keys(metafile.inputs)) {
		const match = /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input);
		if (match) bundled.add(match[0]);
	}
}

const icons = () => src('nodes/**/*.svg', { encoding: false }).pipe(dest('dist/nodes'));

const codex = () => src(['nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json']).pipe(dest('dist/nodes'));

/** The licences of what is bundled, as they ask for: every copy carries them. */
async function licenses() {
	const texts = [];
	for (const folder of [...bundled].sort()) {
		const { name, version, license } = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
		const file = ['LICENSE', 'LICENSE.md', 'LICENSE.txt', 'LICENSE-MIT', 'license', 'LICENCE']
			.map((candidate) => path.join(folder, candidate))
			.find((candidate) => existsSync(candidate));
		if (!file) throw new Error(`${name} ships no licence text`);
		texts.push(`${name} ${version} (${license})\n\n${(await readFile(file, 'utf8')).trim()}\n`);
	}
	if (texts.length === 0) throw new Error('No bundled package was found: did the bundle change its shape?');
	const line = `\n${'-'.repeat(80)}\n\n`;
	await writeFile(
		LICENSES,
		`This package holds the following software of others.\n${line}${texts.join(line)}`,
	);
}

exports.clean = clean;
exports.build = series(clean, bundle, parallel(icons, codex, licenses));
exports.default = exports.build;
