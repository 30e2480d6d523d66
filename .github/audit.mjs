#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const HELP = `npm run audit     asks npm for advisories against what the package bundles, in the versions of sbom.cdx.json

It ends with 0 for none, with 1 for some, and with 2 when nobody knows: nothing was built, or npm had no answer.
`;

/**
 * Each bundled package as npm reads them: `{ name, version }`.
 * @throws Error when nothing was built
 */
function bundled() {
	try {
		const { components } = JSON.parse(readFileSync('sbom.cdx.json', 'utf8'));
		const packages = components.map(({ group, name, version }) => ({
			name: group ? `${group}/${name}` : name,
			version,
		}));
		if (packages.length > 0) return packages;
	} catch {
		// None, or none that can be read: the same is to be done.
	}
	throw new Error('There is no sbom.cdx.json that names what is bundled: "npm run build" makes it.');
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
function audit() {
	const packages = bundled();
	const folder = mkdtempSync(join(tmpdir(), 'bundled-'));
	try {
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
		// Whatever this person's npm is told otherwise: it has to ask, and to say what it heard.
		const args = ['audit', '--json', '--no-offline', '--loglevel=silly'];
		const options = { cwd: folder, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 };
		return verdict(advisoriesIn(spawnSync('npm', args, options)));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

const { values } = parseArgs({ options: { help: { type: 'boolean' } } });
if (values.help) process.stdout.write(HELP);
else {
	try {
		process.exitCode = audit();
	} catch (error) {
		process.stderr.write(`${error.message}\n`);
		process.exitCode = 2;
	}
}
