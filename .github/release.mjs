#!/usr/bin/env node
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const HELP = `npm run release -- minor               the next version: patch, minor, major, or a number such as 1.2.0
npm run release -- --check v1.2.0     says whether a tag, package.json and CHANGELOG.md name the same version
`;
const CHANGELOG = 'CHANGELOG.md';
/** What changed since the last version stands under this heading until it is released. */
const NEXT = '## Next';

/** What a program prints. One that fails has shown what is wrong: we only say which it was. */
function out(program, ...args) {
	try {
		return execFileSync(program, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] }).trim();
	} catch {
		return problem(`"${program} ${args.join(' ')}" failed: mend what it says and run the command again.`);
	}
}

const currentVersion = () => JSON.parse(readFileSync('package.json', 'utf8')).version;

/** The arguments of git that take back what a release has changed so far. */
let undo;

function problem(text) {
	process.stderr.write(`${text}\n`);
	if (undo) spawnSync('git', undo, { stdio: 'inherit' });
	process.exit(1);
}

/** The notes under a heading of the changelog; empty where there is none. */
function notesUnder(heading) {
	const sections = readFileSync(CHANGELOG, 'utf8').split(/^(?=## )/m);
	const section = sections.find((text) => text.startsWith(`${heading}\n`)) ?? '';
	return section.slice(heading.length).trim();
}

function check(tag) {
	const version = currentVersion();
	if (tag !== `v${version}`)
		problem(`The tag ${tag} is not the version in package.json, which is ${version}.`);
	if (!notesUnder(`## ${version}`)) problem(`${CHANGELOG} does not say what changed in ${version}.`);
}

/** Version, changelog, commit and tag in one step; nothing leaves this machine. */
function release(step) {
	if (out('git', 'status', '--porcelain'))
		problem('There are changes that are not committed: commit them first.');
	if (!notesUnder(NEXT))
		problem(`${CHANGELOG} has nothing under "${NEXT}": say there what changed for users.`);
	// From here on all or nothing: whatever fails, everything is as it was.
	undo = ['reset', '--quiet', '--hard', out('git', 'rev-parse', 'HEAD')];
	const tag = out('npm', 'version', step, '--no-git-tag-version');
	if (out('git', 'tag', '--list', tag)) problem(`There is a tag ${tag} already: choose another version.`);
	const changelog = readFileSync(CHANGELOG, 'utf8');
	writeFileSync(CHANGELOG, changelog.replace(`${NEXT}\n`, `## ${tag.slice(1)}\n`));
	out('git', 'commit', '--all', '--message', `release: ${tag}`);
	out('git', 'tag', '--annotate', tag, '--message', tag);
	process.stdout.write(`${tag} is ready. "git push --follow-tags" publishes it.\n`);
}

const { values, positionals } = parseArgs({
	options: { check: { type: 'string' }, help: { type: 'boolean' } },
	allowPositionals: true,
});
const [step = ''] = positionals;
if (values.check !== undefined) check(values.check);
else if (/^(patch|minor|major|\d+\.\d+\.\d+)$/.test(step)) release(step);
else process.stdout.write(HELP);
