const { build } = require('esbuild');
const manifest = require('../package.json');

/** The files n8n loads, as package.json names them: `dist/x.js` is made of `x.ts`. */
const entryPoints = [...manifest.n8n.credentials, ...manifest.n8n.nodes].map((file) =>
	file.replace(/^dist\//, '').replace(/\.js$/, '.ts'),
);

/** Large, and needed at the first use only: files of their own, so that n8n's start does not read and parse them. */
const LIBRARIES = ['amqplib', 'undici'];

/** What all bundles have in common. */
const common = {
	...{ bundle: true, platform: 'node', target: 'node20', format: 'cjs', metafile: true },
	// At the end of each file: what authors ask to keep of pieces that have no licence file of their own.
	...{ legalComments: 'eof', logLevel: 'warning' },
};

/** A library that is imported dynamically lies beside the nodes, see {@link bundleLibraries}. */
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
 * @returns esbuild's metafile: which file each output was made of
 */
async function bundleEntries() {
	const { metafile } = await build({
		...common,
		entryPoints,
		outdir: 'dist',
		outbase: '.',
		// Said, since esbuild takes no notice of one in a checkout below a folder called node_modules.
		tsconfig: 'tsconfig.json',
		external: ['n8n-workflow'],
		plugins: [librariesApart],
		// `require` in its place: a library is CommonJS.
		supported: { 'dynamic-import': false },
	});
	return metafile;
}

/** @returns esbuild's metafile, as {@link bundleEntries} */
async function bundleLibraries() {
	const { metafile } = await build({ ...common, entryPoints: LIBRARIES, outdir: 'dist/libraries' });
	return metafile;
}

module.exports = { bundleEntries, bundleLibraries };
