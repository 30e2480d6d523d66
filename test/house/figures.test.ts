import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ParcelDocumentExchangeTrigger } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchangeTrigger.node';
import {
	ATTEMPTS,
	PARALLEL_DOWNLOADS,
	PARALLEL_RUNS,
	WAIT_BEHIND_EVENT,
	WAIT_FOR_ONE,
	WAIT_OF_MODEL,
} from '../../nodes/ParcelDocumentExchange/descriptions/defaults';
import { BOUNDS } from '../../service/queue/bounds';
import { MAX_BODY_BYTES } from '../../service/queue/decode';
import { unsaid } from '../support/unsaid';

/** What a page, a hint of a panel or an error says of a wait or a bound is what the code goes by. */

const PROJECT = join(__dirname, '..', '..');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const UNITS: Record<string, number> = { SECOND, MINUTE, HOUR };
const WORDS = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

const read = (file: string) => readFileSync(join(PROJECT, file), 'utf8');
const panel = new ParcelDocumentExchangeTrigger().description.properties;
/** Without the breaks of its lines. */
const textOf = (place: string) =>
	(place === 'the panel of the trigger' ? JSON.stringify(panel) : read(place)).replace(/\s+/g, ' ');

/** A number that a file keeps to itself, by its name there. */
function kept(file: string, name: string): number {
	const [, written] = new RegExp(`const ${name} = ([\\d_ *A-Z]+);`).exec(read(file)) ?? [];
	if (written === undefined) throw new Error(`${file} has no ${name} any more: say here where it is`);
	return written
		.replaceAll('_', '')
		.split('*')
		.map((factor) => UNITS[factor.trim()] ?? Number(factor))
		.reduce((product, factor) => product * factor, 1);
}

const inWords = (count: number) => WORDS[count] ?? String(count);
const many = (count: number) => count.toLocaleString('en');
const megabytes = (bytes: number) => `${bytes / 1024 / 1024} MB`;
function lasting(ms: number): string {
	if (ms < MINUTE) return `${ms / SECOND} seconds`;
	return ms < HOUR ? `${ms / MINUTE} minutes` : `${ms / HOUR} hours`;
}
function lastingInWords(ms: number): string {
	const [count = '', unit = ''] = lasting(ms).split(' ');
	return `${inWords(Number(count))} ${unit}`;
}

const waits = BOUNDS.retryWaitsMs.map(lasting);
const [longest = ''] = waits.slice(-1);
const someWaits = waits.slice(0, -1).join(', ');
const keptFor = `${many(BOUNDS.keptEvents)} of its events (${megabytes(BOUNDS.keptBytes)})`;
const trigger = 'docs/trigger.md';
const running = 'docs/running.md';
const scale = 'docs/scale.md';
const hint = 'the panel of the trigger';
const poll = 'docs/poll-trigger.md';
const pdfs = 'docs/pdfs.md';
const troubles = 'docs/troubleshooting.md';

const polled = (name: string, file = 'poll') => kept(`nodes/ParcelDocumentExchange/poll/${file}.ts`, name);
const changes = (name: string, file: string) => kept(`service/changes/${file}.ts`, name);
const largestPdf = `The PDF is larger than ${kept('service/api/pdf.ts', 'MOST_BYTES') / 1024 ** 3} GB`;

/** Templates whose Set → Get stands behind the trigger: what it is by itself there would not wait for the set. */
const BEHIND_EVENT = ['google-drive', 's3', 'sharepoint'].map((drive): [string, string] => [
	`workflows/issued-to-${drive}-folders.workflow.json`,
	`"waitSeconds": ${WAIT_BEHIND_EVENT.missing}`,
]);

const TOLD: [place: string, words: string][] = [
	[trigger, `tried again after ${someWaits} and ${longest}: ${inWords(ATTEMPTS.missing)} attempts`],
	['CONTRIBUTING.md', `Wait Up To is ${WAIT_BEHIND_EVENT.missing} s where an event may come before`],
	['CONTRIBUTING.md', `(behind a trigger), ${WAIT_FOR_ONE.missing} where a person asks`],
	...BEHIND_EVENT,
	['docs/first-workflow.md', `after ${someWaits} and ${longest}`],
	[troubles, `Less than ${kept('service/api/pdf.ts', 'DRIP_BYTES') / 1024} kB came in two minutes`],
	[
		'service/api/pdf.ts',
		`less than ${kept('service/api/pdf.ts', 'DRIP_BYTES') / 1024} kB came in two minutes`,
	],
	[hint, `The waits in between are ${someWaits}, then ${longest}`],
	[trigger, `up to **Parallel Runs** (${PARALLEL_RUNS.missing})`],
	[trigger, `If n8n does not say within ${lasting(BOUNDS.runWordMs)} how a run ended`],
	[running, `The trigger waits ${lasting(BOUNDS.runWordMs)} for a word`],
	[scale, `a run of more than ${lasting(BOUNDS.runWordMs)} needs`],
	[scale, `after ${lasting(BOUNDS.renewAfterMs)} all goes back`],
	[
		trigger,
		`${inWords(BOUNDS.streakRuns)} runs in a row failed, of ${inWords(BOUNDS.streakSets)} sets or more`,
	],
	[trigger, `or ${inWords(BOUNDS.streakUnknown)} times did not say how one ended`],
	[trigger, `after ${[...BOUNDS.probesMs, 28 * MINUTE].map((ms) => ms / MINUTE).join(', ')} … minutes`],
	[trigger, `in the end one every ${lastingInWords(BOUNDS.countedProbeEveryMs)}`],
	[
		trigger,
		BOUNDS.countedRarely
			.map(({ from, everyMs }) => `after ${from} returns at marks of ${lasting(everyMs)}`)
			.join(', and '),
	],
	[trigger, `after ${lasting(BOUNDS.reportWaitAfterMs)}, then once a day`],
	[trigger, `Up to ${keptFor} are kept`],
	[trigger, `${many(BOUNDS.keptEvents)} events (${megabytes(BOUNDS.keptBytes)}) at most are kept for it`],
	[trigger, `published anew has ${lastingInWords(BOUNDS.returnMs)} to come back`],
	[trigger, `with n8n ${lastingInWords(BOUNDS.startGapMs)} after the last one`],
	[trigger, `whose account is refused ${lasting(BOUNDS.keptMs)}`],
	[trigger, `has joined for ${lasting(kept('service/queue/quiet.ts', 'STARTING_MS'))}`],
	[trigger, `handled events stay on the queue ${lasting(BOUNDS.startHandledMs)} longer`],
	[trigger, `handled in the last ${lasting(BOUNDS.rememberedMs)} is removed`],
	[trigger, `remembers the newest ${many(BOUNDS.remembered)} for each workflow`],
	[running, `it remembers ${many(BOUNDS.remembered)} IDs per workflow`],
	[hint, `in the last ${lasting(BOUNDS.rememberedMs)}. n8n remembers the newest ${many(BOUNDS.remembered)}`],
	[trigger, `(${many(BOUNDS.givenBackEvents)} events, ${megabytes(BOUNDS.givenBackBytes)}; the log`],
	[trigger, `every ${lasting(BOUNDS.missingEveryMs)} at most`],
	[trigger, `looks at up to ${kept('service/queue/peek.ts', 'HELD_AT_MOST')} waiting events`],
	[trigger, `looks for ${lasting(kept('service/queue/peek.ts', 'LONGEST_LOOK_MS'))} at most`],
	['service/queue/peek.ts', `within ${lasting(kept('service/queue/peek.ts', 'LONGEST_LOOK_MS'))}'`],
	[
		'service/queue/link.ts',
		`more than ${megabytes(kept('service/queue/link.ts', 'LARGEST_MESSAGE_BYTES'))}'`,
	],
	[running, `plus ${kept('service/queue/prefetch.ts', 'SPARE')} messages`],
	[running, `never more than ${megabytes(BOUNDS.prefetchBytes)}`],
	[running, `A message above ${megabytes(MAX_BODY_BYTES)} is rejected`],
	[pdfs, `As a tool of an AI, Get All PDFs waits ${WAIT_OF_MODEL.missing} seconds`],
	[troubles, `tried up to ${inWords(kept('service/api/retry.ts', 'TRIES'))} times`],
	[troubles, `the first ${many(kept('nodes/ParcelDocumentExchange/pickers/pickers.ts', 'MOST_SETS'))} sets`],
	[trigger, `every ${lastingInWords(BOUNDS.probeEveryMs)} in the end`],
	[trigger, `at its ${BOUNDS.keptDeliveries}th return`],
	[troubles, `until its queue had taken it back ${BOUNDS.keptDeliveries} times`],
	[trigger, `goes back every ${lasting(BOUNDS.renewAfterMs)}, and a quorum queue counts that`],
	[trigger, `After ${inWords(BOUNDS.spareDeliveries)} times the trigger takes no more`],
	[trigger, `takes more than ${lasting(BOUNDS.keptMs)}, beside`],
	[troubles, `No event came within ${lasting(kept('service/queue/peek.ts', 'LONGEST_LOOK_MS'))}`],
	[troubles, `The first ${kept('service/queue/peek.ts', 'HELD_AT_MOST')} waiting events`],
	[troubles, `of more than ${megabytes(kept('service/queue/link.ts', 'LARGEST_MESSAGE_BYTES'))}`],
	[troubles, largestPdf],
	['service/api/pdf.ts', largestPdf],
	[pdfs, largestPdf.replace('The PDF is larger than', 'The largest PDF is')],
	[pdfs, `${inWords(kept('service/api/retry.ts', 'TRIES'))} tries in all`],
	[pdfs, `A name has at most ${kept('service/model/fileName.ts', 'LONGEST')} characters`],
	[
		'service/model/fileName.ts',
		`at most ${kept('service/model/fileName.ts', 'LONGEST')} characters; what had to go`,
	],
	[pdfs, `the first ${kept('service/model/fileName.ts', 'ID_LENGTH')} signs of their ID`],
	[pdfs, `allows ${PARALLEL_DOWNLOADS.least} to ${PARALLEL_DOWNLOADS.most}`],
	[
		pdfs,
		`${inWords(PARALLEL_DOWNLOADS.missing).replace(/^./, (first) => first.toUpperCase())} downloads run`,
	],
	[poll, `among the ${many(polled('MOST_SETS', 'newestSet'))} sets at its ends`],
	[poll, `makes it a run for each set: ${polled('MOST_RUNS')} a look`],
	[poll, `${MINUTE / polled('RUN_EVERY_MS')} for each minute since the look before`],
	[poll, `More than ${polled('MOST_CHANGES')} changed sets`],
	[poll, `away for ${inWords(polled('LOOKS_IN_VAIN', 'trouble'))} looks`],
	[poll, `or for two that are ${lasting(polled('RARE_MS', 'trouble'))} apart`],
	[poll, `${many(polled('MOST_SETS'))} are the most`],
	[poll, `has ended within ${lasting(polled('FIRST_RUNS_MS'))}`],
	[poll, `as far as ${lasting(polled('READ_MS'))} go`],
	[poll, `known of the last ${changes('MOST_STORED', 'lately')} changes`],
	[poll, `of the newest ${many(changes('MOST_SETS', 'before'))}`],
	[poll, `2 and ${inWords(changes('PAGES_A_LOOK', 'look'))} pages`],
	[poll, `asked again after ${lastingInWords(changes('AFTER_FAILURE_MS', 'leftOut'))}`],
	[poll, `up to ${inWords(kept('service/api/narrower.ts', 'MOST_CUSTOMERS'))} of them are asked for alone`],
];

it.each(TOLD)('%s says "%s"', (place, words) => {
	// Where this fails, the code was changed: change the page as well, or take the change back.
	expect(unsaid(place, textOf(place), words)).toEqual([]);
});
