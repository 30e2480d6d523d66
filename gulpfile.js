const { readdir, readFile, rm, writeFile } = require('node:fs/promises');
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

/** Packages that ended up in a bundle, by the folder they came from, each with the folders of its bundled files. Filled by `bundle`, read by `licenses`. */
const bundled = new Map();

const clean = () => rm('dist', { recursive: true, force: true });

/** What all bundles have in common. */
const common = {
	...{ bundle: true, platform: 'node', target: 'node20', format: 'cjs', metafile: true },
	// At the end of each file: what authors ask to keep of pieces that have no licence file of their own.
	...{ legalComments: 'eof', logLevel: 'warning' },
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
		if (!match) continue;
		const folders = bundled.get(match[0]) ?? new Set([path.dirname(`${match[0]}package.json`)]);
		bundled.set(match[0], folders.add(path.dirname(input)));
	}
}

const icons = () => src('nodes/**/*.svg', { encoding: false }).pipe(dest('dist/nodes'));

const codex = () => src(['nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json']).pipe(dest('dist/nodes'));

/** Software inside a package that brings no licence file for it. */
const COMPILED_IN = {
	undici: [
		'llhttp, compiled into undici, comes under the MIT License in the words above:',
		'Copyright Fedor Indutny, 2018.',
	],
};

/** The licence texts in one folder; a `LICENSE` may do no more than point to a `LICENSE-MIT`. */
async function licencesIn(folder) {
	const files = (await readdir(folder))
		.filter((name) => /^licen[cs]e([-.](mit|md|txt))?$/i.test(name))
		.sort();
	return Promise.all(files.map(async (file) => (await readFile(path.join(folder, file), 'utf8')).trim()));
}

/** The licences of what is bundled, as they ask for: every copy carries them. Parts of a package may have their own. */
async function licenses() {
	const texts = [];
	for (const [root, folders] of [...bundled].sort()) {
		const { name, version, license } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
		const found = (await Promise.all([...folders].sort().map(licencesIn))).flat();
		if (found.length === 0) throw new Error(`${name} ships no licence text`);
		const compiledIn = COMPILED_IN[name] ?? [];
		texts.push(`${name} ${version} (${license})\n\n${[...found, ...compiledIn].join('\n\n')}\n`);
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
