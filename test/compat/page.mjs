/** What older versions of n8n lack, and what the package does there instead. By the version that brought it. */
const SINCE = [
	[
		'2.41',
		"HTTP Request obeys the allowed domains of this package's credential, in its login as well",
		'In 2.35 it logs in and is refused then, in 1.123 it goes anywhere. The nodes of this package obey in each version',
	],
	[
		'2.40',
		'A trigger that cannot start is tried five times, then given up by n8n',
		'n8n tries for ever. The trigger starts in either case and connects by itself',
	],
	[
		'2.35',
		'n8n says when it could not start a run',
		'The trigger waits until the event is 25 minutes old, then reports that the result is unknown',
	],
	[
		'2.35',
		"HTTP Request trusts the CA certificate of this package's credential",
		'It does not, in 1.123 and 2.8. The nodes of this package do in each version',
	],
	['2.30', 'n8n can forbid connections to private addresses', 'There is nothing to obey'],
	[
		'2.7',
		'Reports of the trigger are saved as failed executions and start the error workflow',
		'They are in the log, with the whole event',
	],
	[
		'2.7',
		'In queue mode, the end of a run that a busy main process missed is known from the worker',
		'It is known when the event is 25 minutes old',
	],
	[
		'2.6',
		"The trigger knows the workflow's time-out",
		'A run without an answer is waited for until the event is 25 minutes old',
	],
	['2.0', 'Workflows are published', 'They are activated'],
];

/**
 * What n8n 3 changes by itself and this package could notice. The source of each: n8n's own rules for the move, in n8n 2.41
 * under `dist/modules/breaking-changes/rules/v3`.
 */
const VERSION_3 = [
	[
		'Manual runs always on workers, in queue mode',
		'`offload-manual-executions`',
		'`OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS=true`',
		'tested',
	],
	[
		'No binary data in memory',
		'`in-memory-binary-data`',
		'n8n 2: files, in queue mode the database',
		'tested',
	],
	[
		'Tasks of the Code node end after a minute',
		'`task-runner-task-timeout`',
		'`N8N_RUNNERS_TASK_TIMEOUT=60`',
		'tested',
	],
	[
		'The Compression node unpacks 256 MiB and 1,000 entries at most',
		'`compression-node-limits`',
		'`N8N_COMPRESSION_NODE_MAX_DECOMPRESSED_SIZE_BYTES=268435456`, `N8N_COMPRESSION_NODE_MAX_ZIP_ENTRIES=1000`',
		'tested',
	],
	[
		'The folder of stored files has another name',
		'`storage-path-rename`',
		'`N8N_MIGRATE_FS_STORAGE_PATH=true`',
		'tested',
	],
	[
		'Old nodes, modes and sources removed',
		'`removed-nodes` and the others on workflows',
		"n8n's report names none of our templates",
		'tested',
	],
	[
		'Unverified packages do not load unless told',
		'`unverified-packages`',
		'`N8N_UNVERIFIED_PACKAGES_ENABLED=true` keeps this one: [Running n8n](running.md#docker)',
		'prepared',
	],
	[
		'Docker alone',
		'`docker-only-deployment`',
		'The package needs nothing of the machine: [Docker](running.md#docker)',
		'prepared',
	],
];

/** The page docs/compatibility.md, from what was found in each version. */
export function pageOf(results) {
	const all = results.flatMap(({ tests }) => tests).sort((a, b) => a.file.localeCompare(b.file));
	const sentences = [...new Set(all.map(({ sentence }) => sentence))];
	const mark = ({ tests }, sentence) => {
		const test = tests.find((one) => one.sentence === sentence);
		if (!test) return '–';
		return test.held ? '✓' : '✗';
	};
	const held = ({ tests }) => tests.filter((test) => test.held).length;
	return (
		[
			'# Compatibility',
			"Written by `npm run test:compat`, which installs the packed package in each of these versions by n8n's own steps and runs the same tests there.",
			table(
				['n8n', 'Node.js', 'Tests that hold'],
				results.map((result) => [
					result.version,
					result.nodeVersion,
					`${held(result)} of ${result.tests.length}`,
				]),
			),
			'The package needs Node.js 20.18.1 or newer. Of n8n, 2.35.7 is the newest that runs on Node.js 22: 2.36 and newer ask for Node.js 24. Versions in between are expected to work: what differs is looked for at run time, not by the number of the version.',
			'## What older versions lack',
			table(['Since n8n', 'What is there', 'Before'], SINCE),
			'## n8n 3',
			'`npm test -- --only host,workers --n8n-3-defaults` runs the tests in n8n 2.41 with every default of n8n 3 that it has a setting for. "Prepared" is what could not be tried here.',
			table(['What changes', "n8n's rule", 'Here', ''], VERSION_3),
			'## What holds where',
			'✓ holds, ✗ does not, – was not run: often because this version has no such thing (see above).',
			table(
				['', ...results.map(({ version }) => version)],
				sentences.map((sentence) => [sentence, ...results.map((result) => mark(result, sentence))]),
			),
		].join('\n\n') + '\n'
	);
}

function table(head, rows) {
	const line = (row) => `| ${row.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
