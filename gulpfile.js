const { chmod, readdir, rm } = require('node:fs/promises');
const path = require('node:path');
const { dest, parallel, series, src } = require('gulp');
const { bundleEntries, bundleLibraries } = require('./packaging/bundle');
const { contentsOf } = require('./packaging/contents');
const { writeLicenses } = require('./packaging/licenses');
const { writeSbom } = require('./packaging/sbom');

/** What npm packs beside dist. */
const TOP = [
	...['package.json', 'index.js', 'README.md', 'LICENSE', 'CHANGELOG.md'],
	...['THIRD-PARTY-LICENSES.txt', 'sbom.cdx.json'],
];

const clean = () => rm('dist', { recursive: true, force: true });

/** The bundles, and what they owe to others. */
async function bundle() {
	const contents = await contentsOf((await Promise.all([bundleEntries(), bundleLibraries()])).flat());
	await Promise.all([writeLicenses(contents), writeSbom(contents)]);
}

const icons = () => src('nodes/**/*.svg', { encoding: false }).pipe(dest('dist/nodes'));

const codex = () => src(['nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json']).pipe(dest('dist/nodes'));

/** Every file the package may hold can be read by everybody, whatever the umask: npm packs the modes as they are. */
async function modes() {
	const inDist = await readdir('dist', { recursive: true, withFileTypes: true });
	const files = inDist
		.filter((entry) => entry.isFile())
		.map(({ parentPath, name }) => path.join(parentPath, name));
	await Promise.all([...files, ...TOP].map((file) => chmod(file, 0o644)));
}

exports.clean = clean;
exports.build = series(clean, parallel(bundle, icons, codex), modes);
exports.default = exports.build;
