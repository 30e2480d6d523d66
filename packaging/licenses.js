const { readdir, readFile, writeFile } = require('node:fs/promises');
const path = require('node:path');

const LICENSES = 'THIRD-PARTY-LICENSES.txt';

/** Software inside a package that brings no licence file for it. */
const COMPILED_IN = {
	undici: [
		'llhttp, compiled into undici, comes under the MIT License in the words above:',
		'Copyright Fedor Indutny, 2018.',
	],
};

/** The last part of a README that holds the licence, where there is no file of its own. */
const IN_README = /\n#+ Licen[cs]e\s+(Copyright [^]*)$/i;

/** The licence texts in one folder; a `LICENSE` may do no more than point to a `LICENSE-MIT`. */
async function licencesIn(folder) {
	const files = await readdir(folder);
	const read = async (file) => (await readFile(path.join(folder, file), 'utf8')).trim();
	const found = files.filter((name) => /^licen[cs]e([-.](mit|bsd|md|txt))?$/i.test(name)).sort();
	if (found.length > 0 || !files.includes('README.md')) return Promise.all(found.map(read));
	return IN_README.exec(await read('README.md'))?.slice(1) ?? [];
}

/** Writes the licences of what is bundled, as they ask for: every copy carries them. Parts of a package may have their own. */
async function writeLicenses({ packages }) {
	const texts = [];
	for (const { folders, manifest } of packages) {
		const { name, version, license } = manifest;
		const found = (await Promise.all([...folders].sort().map(licencesIn))).flat();
		if (found.length === 0) throw new Error(`${name} ships no licence text`);
		const compiledIn = COMPILED_IN[name] ?? [];
		texts.push(`${name} ${version} (${license})\n\n${[...found, ...compiledIn].join('\n\n')}\n`);
	}
	const line = `\n${'-'.repeat(80)}\n\n`;
	await writeFile(
		LICENSES,
		`This package holds the following software of others.\n${line}${texts.join(line)}`,
	);
}

module.exports = { writeLicenses };
