const path = require('node:path');
const { build } = require('esbuild');
const manifest = require('../package.json');

/** The files n8n loads, as package.json names them: `dist/x.js` is made of `x.ts`. */
const entryPointsOf = (files) => files.map((file) => file.replace(/^dist\//, '').replace(/\.js$/, '.ts'));

/** Large, and needed at the first use only: files of their own, so that n8n's start does not read and parse them. */
const LIBRARIES = ['amqplib', 'undici'];

/** The same for what the nodes do, beside the panels that they show. */
const RUNNING = 'running';

const PROJECT = path.dirname(__dirname);

/** What all bundles have in common. */
const common = {
	...{ bundle: true, platform: 'node', target: 'node20', format: 'cjs', metafile: true },
	// At the end of each file: what authors ask to keep of pieces that have no licence file of their own.
	...{ legalComments: 'eof', logLevel: 'warning' },
	absWorkingDir: PROJECT,
	// Said, since esbuild takes no notice of one in a checkout below a folder called node_modules.
	tsconfig: 'tsconfig.json',
	external: ['n8n-workflow'],
	// `require` in its place: what lies apart is CommonJS.
	supported: { 'dynamic-import': false },
};

/** A library that is imported dynamically lies beside the nodes, see {@link bundleLibraries}. */
const librariesApart = {
	name: 'libraries apart',
	setup: ({ onResolve }) =>
		onResolve({ filter: new RegExp(`^(${LIBRARIES.join('|')})$`) }, ({ path: name, kind, importer }) => {
			if (kind !== 'dynamic-import') throw new Error(`${importer} has to import ${name} at its first use`);
			return { path: `./libraries/${name}.js`, external: true };
		}),
};

/**
 * What a node's file imports dynamically lies in the file that all nodes share, see {@link bundleRunning}.
 * @param modules gets the path of each such module, from the project's folder and without its ending
 */
const runningApart = (modules) => ({
	name: 'running apart',
	setup({ onResolve, onLoad }) {
		onResolve({ filter: /^\./ }, ({ path: file, kind, resolveDir }) => {
			if (kind !== 'dynamic-import') return undefined;
			const name = path.relative(PROJECT, path.resolve(resolveDir, file)).replaceAll(path.sep, '/');
			modules.add(name);
			return { path: name, namespace: RUNNING };
		});
		onLoad({ filter: /.*/, namespace: RUNNING }, ({ path: name }) => ({
			contents: `module.exports = require('../../${RUNNING}.js')[${JSON.stringify(name)}]();`,
			resolveDir: PROJECT,
		}));
		onResolve({ filter: new RegExp(`/${RUNNING}\\.js$`) }, ({ path: file }) => ({
			path: file,
			external: true,
		}));
	},
});

/**
 * One file per entry, with everything in it that n8n does not bring along: n8n installs no dependency for us. A node's file
 * is its panel; all that happens when it runs, is tested or fills a picker lies apart.
 * @returns esbuild's metafiles: which file each output was made of
 */
async function bundleEntries() {
	const modules = new Set();
	const into = { outdir: 'dist', outbase: '.' };
	const [credentials, nodes] = await Promise.all([
		build({ ...common, ...into, entryPoints: entryPointsOf(manifest.n8n.credentials) }),
		build({
			...{ ...common, ...into, entryPoints: entryPointsOf(manifest.n8n.nodes) },
			plugins: [runningApart(modules)],
		}),
	]);
	return [credentials.metafile, nodes.metafile, await bundleRunning([...modules].sort())];
}

/** One file for all nodes. Of it runs what is asked for, at its first use. */
async function bundleRunning(modules) {
	const entries = modules.map(
		(name) => `${JSON.stringify(name)}: () => require(${JSON.stringify(`./${name}`)}),`,
	);
	const { metafile } = await build({
		...common,
		stdin: {
			contents: `module.exports = {\n${entries.join('\n')}\n};`,
			resolveDir: PROJECT,
			sourcefile: 'packaging/running.js',
		},
		outfile: `dist/${RUNNING}.js`,
		plugins: [librariesApart],
	});
	return metafile;
}

/** @returns esbuild's metafiles, as {@link bundleEntries} */
async function bundleLibraries() {
	const { metafile } = await build({ ...common, entryPoints: LIBRARIES, outdir: 'dist/libraries' });
	return [metafile];
}

module.exports = { bundleEntries, bundleLibraries };
