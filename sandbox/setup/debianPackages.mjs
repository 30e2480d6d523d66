import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommand } from './command.mjs';
import { SetupProblem, step } from './steps.mjs';

/** What we use of each Debian package: with all its files there, however they came, nothing is installed. */
const FILES = {
	'build-essential': ['g++', 'make'],
	python3: ['python3'],
	openssl: ['openssl'],
	'rabbitmq-server': ['/usr/lib/rabbitmq/bin/rabbitmq-server', 'escript', 'epmd'],
	chromium: ['/usr/bin/chromium'],
	postgresql: ['/usr/lib/postgresql/*/bin/postgres'],
	'redis-server': ['redis-server'],
};

/** A `*` stands for one folder of any name: PostgreSQL's is its version. */
function placesOf(file) {
	if (!file.startsWith('/'))
		return (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, file));
	const [parent, rest] = file.split('/*/');
	if (rest === undefined) return [file];
	return existsSync(parent) ? readdirSync(parent).map((name) => join(parent, name, rest)) : [];
}

function isThere(file) {
	const places = placesOf(file);
	return places.some((place) => {
		try {
			accessSync(place, constants.X_OK);
			return true;
		} catch {
			return false;
		}
	});
}

/**
 * Installs those of the named packages that are missing, naming them first.
 * @throws SetupProblem with the command to type when we may not install
 */
export async function needDebianPackages(...names) {
	const missing = names.filter((name) => !FILES[name].every(isThere));
	if (missing.length === 0) return;
	const command = `apt-get install --no-install-recommends ${missing.join(' ')}`;
	if (!isThere('apt-get'))
		throw new SetupProblem(`Missing on this system: ${missing.join(', ')}. Install them and start again.`);
	if (process.getuid?.() !== 0) {
		throw new SetupProblem(
			`Missing Debian packages: type "sudo apt-get update && sudo ${command}" and start again.`,
		);
	}
	await step(`Debian packages ${missing.join(', ')}`, async (progress) => {
		// RUNLEVEL=1 keeps Debian from starting a server of its own: ours are private and started when needed.
		const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
		const onLine = (line) => progress(line.slice(0, 60));
		// Killed in the middle, it would have to be repaired by hand ("dpkg --configure -a"): it may outlive us.
		const options = { env, onLine, tied: false };
		const update = await runCommand('apt-get', ['update'], options);
		const install = await runCommand(
			'apt-get',
			['install', '-y', '--no-install-recommends', ...missing],
			options,
		);
		if (install.code === 0 && missing.every((name) => FILES[name].every(isThere))) return;
		const [reason] = `${install.output}\n${update.output}`.match(/^E: .*/m) ?? [
			'apt-get ended with an error',
		];
		throw new SetupProblem(
			`"${command}" failed (${reason.replace(/^E: /, '')}): run it by hand, mend what it names, and start again.`,
		);
	});
}
