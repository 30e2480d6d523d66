#!/usr/bin/env node
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const HELP = `npm run audit     asks npm for advisories against what the package bundles, in the versions of sbom.cdx.json
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
		const { status } = spawnSync('npm', ['audit', '--audit-level=info'], { cwd: folder, stdio: 'inherit' });
		return status ?? 2;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

const { values } = parseArgs({ options: { help: { type: 'boolean' } } });
if (values.help) process.stdout.write(HELP);
else process.exitCode = audit();
