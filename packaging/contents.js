const { readFile } = require('node:fs/promises');
const path = require('node:path');

/** Its own helpers are in each file that it makes. */
const BUNDLER = 'node_modules/esbuild/';

const OURS = /^(running:)?(nodes|credentials|service|packaging)\//;
const PACKAGE = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+\//;

/**
 * What the bundles hold, by esbuild's own account.
 * @param metafiles esbuild's, one for each build
 * @returns `{ packages, own }`. `packages`: those of others by the folder they are installed in, each with its
 * `manifest`, the `folders` of its bundled files and its `bytes` in each output. `own`: our bytes in each output.
 * Every byte of every output is somebody's
 * @throws Error when a bundled file is neither ours nor of a package
 */
async function contentsOf(metafiles) {
	const packages = new Map();
	const own = new Map();
	const add = (bytes, output, count) => bytes.set(output, (bytes.get(output) ?? 0) + count);
	const packageAt = (root) => {
		if (!packages.has(root)) packages.set(root, { root, folders: new Set(), bytes: new Map() });
		return packages.get(root);
	};
	for (const [output, { bytes, inputs }] of metafiles.flatMap(({ outputs }) => Object.entries(outputs))) {
		let rest = bytes;
		for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
			rest -= bytesInOutput;
			const [root] = PACKAGE.exec(input) ?? [];
			if (root) {
				packageAt(root).folders.add(path.dirname(input));
				add(packageAt(root).bytes, output, bytesInOutput);
			} else if (OURS.test(input)) add(own, output, bytesInOutput);
			else throw new Error(`${output} holds ${input}, which is neither ours nor of a package`);
		}
		add(packageAt(BUNDLER).bytes, output, rest);
	}
	for (const one of packages.values()) {
		// A package's own licence counts, wherever its bundled files lie.
		one.folders.add(path.dirname(`${one.root}package.json`));
		one.manifest = JSON.parse(await readFile(path.join(one.root, 'package.json'), 'utf8'));
	}
	const sorted = [...packages.values()].sort((a, b) => (a.root < b.root ? -1 : 1));
	if (sorted.length < 2) throw new Error('No bundled package was found: did the bundle change its shape?');
	return { packages: sorted, own };
}

module.exports = { contentsOf };
