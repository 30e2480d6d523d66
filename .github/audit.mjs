#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const HELP = `npm run audit     asks npm for advisories against what the package bundles, in the versions of sbom.cdx.json

It ends with 0 for none, with 1 for some, and with 2 when nobody knows: nothing was built, or npm had no answer.
`;

/** A dependency of ours as npm reads them: `{ name, version }` of each bundled package. */
function bundled() {
	let text;
	try {
		text = readFileSync('sbom.cdx.json', 'utf8');
	} catch {
		return problem('There is no sbom.cdx.json yet: "npm run build" makes it.');
	}
	return JSON.parse(text).components.map(({ group, name, version }) => ({
		name: group ? `${group}/${name}` : name,
		version,
	}));
}

function problem(text) {
	process.stderr.write(`${text}\n`);
	process.exit(2);
}

/** @returns the exit status: 0 for no advisory, 1 for some, which are shown. Without an answer nobody knows, and it ends with 2 */
function verdict({ stdout, stderr }) {
	let answer = {};
	try {
		answer = JSON.parse(stdout);
	} catch {
		// What npm said of it stands in its errors.
	}
	if (typeof answer.vulnerabilities !== 'object') {
		process.stderr.write(stderr ?? '');
		return problem(
			'npm had no answer from the registry, so nobody knows whether there are advisories: this is no finding, and no all-clear. Run it again later.',
		);
	}
	const advisories = Object.values(answer.vulnerabilities).flatMap(({ via }) =>
		via.filter((one) => typeof one === 'object'),
	);
	for (const { name, range, severity, title, url } of advisories) {
		process.stdout.write(`${name} ${range}: ${title} (${severity}), ${url}\n`);
	}
	process.stdout.write(`Advisories: ${advisories.length}\n`);
	return advisories.length > 0 ? 1 : 0;
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
		const installed = packages.map(({ name, version }) => [`node_modules/${name}`, { version }]);
		const lock = {
			...{ name: root.name, version: root.version, lockfileVersion: 3 },
			packages: { '': root, ...Object.fromEntries(installed) },
		};
		writeFileSync(join(folder, 'package.json'), JSON.stringify(root));
		writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
		process.stdout.write(`${packages.map(({ name, version }) => `${name} ${version}`).join(', ')}\n`);
		return verdict(spawnSync('npm', ['audit', '--json'], { cwd: folder, encoding: 'utf8' }));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

const { values } = parseArgs({ options: { help: { type: 'boolean' } } });
if (values.help) process.stdout.write(HELP);
else process.exitCode = audit();
