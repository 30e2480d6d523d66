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

/** Large, and needed at the first use only: files of their own, so that n8n's start does not read and parse them. */
const LIBRARIES = ['amqplib', 'undici'];

/** Packages that ended up in a bundle, by the folder they came from. Filled by `bundle`, read by `licenses`. */
const bundled = new Set();

const clean = () => rm('dist', { recursive: true, force: true });

/** What all bundles have in common. */
const common = {
	...{ bundle: true, platform: 'node', target: 'node20', format: 'cjs', metafile: true },
	...{ legalComments: 'none', logLevel: 'warning' },
};

/** A library that is imported dynamically lies beside the nodes, see `libraries`. */
const librariesApart = {
	name: 'libraries apart',
	setup: ({ onResolve }) =>
		onResolve({ filter: new RegExp(`^(${LIBRARIES.join('|')})$`) }, ({ path: name, kind, importer }) => {
			if (kind !== 'dynamic-import') throw new Error(`${importer} has to import ${name} at its first use`);
			return { path: `../../libraries/${name}.js`, external: true };
		}),
};

/**
 * One file per entry, with everything in it that n8n does not bring along, but for the libraries: n8n installs no
 * dependency for us. What a file imports dynamically lies in it too, and runs at its first use only.
 */
async function bundle() {
	const { metafile } = await build({
		...common,
		entryPoints,
		outdir: 'dist',
		outbase: '.',
		external: ['n8n-workflow'],
		plugins: [librariesApart],
		// `require` in its place: a library is CommonJS.
		supported: { 'dynamic-import': false },
	});
	note(metafile);
}

async function libraries() {
	const { metafile } = await build({
		...common,
		entryPoints: LIBRARIES,
		outdir: 'dist/libraries',
	});
	note(metafile);
}

function note({ inputs }) {
	for (const input of Object.keys(inputs)) {
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
exports.build = series(clean, parallel(bundle, libraries), parallel(icons, codex, licenses));
exports.default = exports.build;
