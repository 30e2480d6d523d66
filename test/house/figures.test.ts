import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ParcelDocumentExchangeTrigger } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchangeTrigger.node';
import {
	ATTEMPTS,
	PARALLEL_RUNS,
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
const WORDS = ['none', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

const read = (file: string) => readFileSync(join(PROJECT, file), 'utf8');
const panel = new ParcelDocumentExchangeTrigger().description.properties;
/** Without the breaks of its lines. */
const textOf = (place: string) =>
	(place === 'the panel of the trigger' ? JSON.stringify(panel) : read(place)).replace(/\s+/g, ' ');

/** A number that a file keeps to itself, by its name there. */
function kept(file: string, name: string): number {
	const [, written] = new RegExp(`const ${name} = ([\\d_ *]+);`).exec(read(file)) ?? [];
	if (written === undefined) throw new Error(`${file} has no ${name} any more: say here where it is`);
	return written
		.replaceAll('_', '')
		.split('*')
		.reduce((product, factor) => product * Number(factor), 1);
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

const TOLD: [place: string, words: string][] = [
	[trigger, `tried again after ${someWaits} and ${longest}: ${inWords(ATTEMPTS.missing)} attempts`],
	['docs/first-workflow.md', `after ${someWaits} and ${longest}`],
	[
		'docs/troubleshooting.md',
		`Less than ${kept('service/api/pdf.ts', 'DRIP_BYTES') / 1024} kB came in two minutes`,
	],
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
	['docs/pdfs.md', `As a tool of an AI, Get All PDFs waits ${WAIT_OF_MODEL.missing} seconds`],
	['docs/troubleshooting.md', `tried up to ${inWords(kept('service/api/retry.ts', 'TRIES'))} times`],
	[
		'docs/troubleshooting.md',
		`the first ${many(kept('nodes/ParcelDocumentExchange/pickers/pickers.ts', 'MOST_SETS'))} sets`,
	],
];

it.each(TOLD)('%s says "%s"', (place, words) => {
	// Where this fails, the code was changed: change the page as well, or take the change back.
	expect(unsaid(place, textOf(place), words)).toEqual([]);
});
