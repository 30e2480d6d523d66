#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { filesIn } from '../packaging/archive.mjs';
import { newFolder } from '../sandbox/setup/caches.mjs';

const HELP = `npm run audit                   asks npm for advisories against what the package bundles, in the versions of sbom.cdx.json
npm run audit -- --published    the same of the version that npm gives out, which may bundle older ones

It ends with 0 for none, with 1 for some, and with 2 when nobody knows: nothing was built or published, or npm had no answer.
`;

/** Whatever this person's npm is told otherwise: it has to ask, and to speak as it is read below. */
const ASKING = ['--no-offline', '--prefer-online', '--json', '--no-color', '--heading=npm'];
const npm = (args, cwd) =>
	spawnSync('npm', [...args, ...ASKING], { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });

/**
 * Each package that a bill of materials names, as npm reads them: `{ name, version }`.
 * @throws Error when it names none
 */
function namedIn(read, otherwise) {
	try {
		const { components } = JSON.parse(read());
		const packages = components.map(({ group, name, version }) => ({
			name: group ? `${group}/${name}` : name,
			version,
		}));
		if (packages.length > 0) return packages;
	} catch {
		// None, or none that can be read: the same is to be done.
	}
	throw new Error(otherwise);
}

const built = () =>
	namedIn(
		() => readFileSync('sbom.cdx.json'),
		'There is no sbom.cdx.json that names what is bundled: "npm run build" makes it.',
	);

const MOST_BYTES = 100 * 1024 * 1024;

/** @throws Error when npm gives none out, or one that does not name what it bundles */
function published(folder) {
	const { name } = JSON.parse(readFileSync('package.json', 'utf8'));
	const { stdout, stderr } = npm(['pack', `${name}@latest`], folder);
	const [tarball] = readdirSync(folder);
	if (tarball === undefined) {
		throw new Error(`${stderr ?? ''}npm gave out no ${name}, so nobody knows what its users run.`);
	}
	const [{ version }] = JSON.parse(stdout);
	process.stdout.write(`${name} ${version} bundles `);
	const packed = readFileSync(join(folder, tarball));
	return namedIn(
		() => filesIn(gunzipSync(packed, { maxOutputLength: MOST_BYTES })).files.get('package/sbom.cdx.json'),
		`the sbom.cdx.json in ${name} ${version} cannot be read, so nobody knows what its users run.`,
	);
}

/** What npm tells of its work, beside what it warns of. */
const TALK = /^npm (sill|verb|http|info|timing)/;
/** npm counts whatever a registry says, `null` too, and what it never asked for as no advisory: only here it tells. */
const ANSWERED = /^npm sill\w* audit report \{/m;

/**
 * The advisories that the registry named.
 * @throws Error when it did not answer: then nobody knows
 */
function advisoriesIn({ stdout, stderr }) {
	try {
		if (ANSWERED.test(stderr)) {
			const found = Object.values(JSON.parse(stdout).vulnerabilities);
			return found.flatMap(({ via }) => via.filter((one) => typeof one === 'object'));
		}
	} catch {
		// What npm said of it stands in its errors.
	}
	const said = (stderr ?? '').split('\n').filter((line) => line !== '' && !TALK.test(line));
	throw new Error(
		[
			...said,
			'npm had no answer from the registry, so nobody knows whether there are advisories: this is no finding, and no all-clear. Run it again later.',
		].join('\n'),
	);
}

/** @returns the exit status: 0 for no advisory, 1 for some, which are shown */
function verdict(advisories) {
	for (const { name, range, severity, title, url } of advisories) {
		process.stdout.write(`${name} ${range}: ${title} (${severity}), ${url}\n`);
	}
	process.stdout.write(`Advisories: ${advisories.length}\n`);
	return advisories.length > 0 ? 1 : 0;
}

/** Where npm installs each of them: a second version of one lies in the folder of the first. */
function placed(packages) {
	const places = {};
	for (const { name, version } of packages) {
		let place = `node_modules/${name}`;
		while (place in places) place += `/node_modules/${name}`;
		places[place] = { version };
	}
	return places;
}

/** What builds and tests the package is not what its users run: npm is shown the bundled packages and nothing else. */
function audit(packages, folder) {
	const root = {
		...{ name: 'what-is-bundled', version: '0.0.0' },
		dependencies: Object.fromEntries(packages.map(({ name, version }) => [name, version])),
	};
	const lock = {
		...{ name: root.name, version: root.version, lockfileVersion: 3 },
		packages: { '': root, ...placed(packages) },
	};
	writeFileSync(join(folder, 'package.json'), JSON.stringify(root));
	writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
	process.stdout.write(`${packages.map(({ name, version }) => `${name} ${version}`).join(', ')}\n`);
	return verdict(advisoriesIn(npm(['audit', '--loglevel=silly'], folder)));
}

const { values } = parseArgs({ options: { help: { type: 'boolean' }, published: { type: 'boolean' } } });
if (values.help) process.stdout.write(HELP);
else {
	const folder = await newFolder('bundled-');
	try {
		process.exitCode = audit(values.published ? published(folder) : built(), folder);
	} catch (error) {
		process.stderr.write(`${error.message}\n`);
		process.exitCode = 2;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
