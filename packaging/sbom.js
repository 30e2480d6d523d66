const { readFile, writeFile } = require('node:fs/promises');
const { Contrib, Enums, Models, Serialize, Spec } = require('@cyclonedx/cyclonedx-library');

const SBOM = 'sbom.cdx.json';

const { Builders, Factories, Utils } = Contrib.FromNodePackageJson;
const licenses = new Contrib.License.Factories.LicenseFactory((expression) => {
	throw new Error(`"${expression}" is more than one licence: say here how it is to be read`);
});
const components = new Builders.ComponentBuilder(new Factories.ExternalReferenceFactory(), licenses);

/** Part of a library as bytes of WebAssembly: it has no package of its own. */
const COMPILED_IN = {
	undici: [new Models.Component(Enums.ComponentType.Library, 'llhttp', { bomRef: 'undici/llhttp' })],
};

/** `pkg:npm/name@version`, as the package URL specification writes it. */
const purlOf = ({ name, version }) => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;

function component(type, manifest, bytes) {
	const made = components.makeComponent(manifest, type);
	const purl = purlOf(manifest);
	made.purl = purl;
	made.bomRef.value = purl;
	for (const [output, count] of bytes) {
		made.properties.add(new Models.Property(`bundled:bytes:${output}`, String(count)));
	}
	return made;
}

/**
 * Writes a CycloneDX bill of materials: each bundled package with the hash of the tarball the registry gave out, and how
 * many bytes of which file are its. The same contents make the same text: no time, no number made up for it.
 */
async function writeSbom({ packages, own }) {
	const manifest = JSON.parse(await readFile('package.json', 'utf8'));
	const locked = JSON.parse(await readFile('package-lock.json', 'utf8')).packages;
	const bom = new Models.Bom();
	const root = component(Enums.ComponentType.Library, manifest, own);
	bom.metadata.component = root;
	for (const { root: folder, manifest: theirs, bytes } of packages) {
		const { version, integrity } = locked[folder.replace(/\/$/, '')] ?? {};
		if (version !== theirs.version) {
			throw new Error(`${theirs.name} ${theirs.version} is not what package-lock.json names: run "npm ci"`);
		}
		const library = component(Enums.ComponentType.Library, theirs, bytes);
		library.hashes.set(...Utils.parsePackageIntegrity(integrity));
		for (const part of COMPILED_IN[theirs.name] ?? []) {
			library.components.add(part);
		}
		bom.components.add(library);
		root.dependencies.add(library.bomRef);
	}
	const serializer = new Serialize.JsonSerializer(
		new Serialize.JSON.Normalize.Factory(Spec.SpecVersionDict['1.6']),
	);
	await writeFile(SBOM, `${serializer.serialize(bom, { sortLists: true, space: '\t' })}\n`);
}

module.exports = { writeSbom };
