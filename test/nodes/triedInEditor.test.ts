import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorTexts, type ErrorText } from '../support/errorTexts';
import { patternOf, type Told } from '../support/mishap';
import { ACCOUNT } from '../support/mishaps/account';
import { ANSWERS } from '../support/mishaps/answers';
import { CONNECTION } from '../support/mishaps/connection';
import { DIALOGS, DIALOGS_OF_QUEUE } from '../support/mishaps/dialogs';
import { DOWNLOADS } from '../support/mishaps/downloads';
import { GUARDED, GUARDED_LISTS, GUARDED_TRIGGER } from '../support/mishaps/guarded';
import { LISTS } from '../support/mishaps/lists';
import { PAGING } from '../support/mishaps/paging';
import { PARAMETERS } from '../support/mishaps/parameters';
import { PUBLISHING, QUEUE } from '../support/mishaps/queue';
import { REPORTS } from '../support/mishaps/reports';
import { USUAL, USUAL_OF_TRIGGER } from '../support/mishaps/usual';

/** Every error is provoked and read in n8n's editor, by test/host/editorErrors.test.ts or by test/errors. */

const TABLES: Record<string, Record<string, Told>> = {
	...{
		ACCOUNT,
		ANSWERS,
		CONNECTION,
		DIALOGS,
		DIALOGS_OF_QUEUE,
		DOWNLOADS,
		GUARDED,
		GUARDED_LISTS,
		GUARDED_TRIGGER,
	},
	...{ LISTS, PAGING, PARAMETERS, PUBLISHING, QUEUE, REPORTS, USUAL, USUAL_OF_TRIGGER },
};

/** The texts that cannot be read in an editor, and why. */
const NOT_TRIED: Record<string, string> = {
	'The run was stopped.': 'n8n shows a run that was stopped by hand as stopped, and no error of ours',
	'The answer is a PDF whose bytes were taken for text on the way.':
		'the same as other answers that are no PDF; test/service/api/pdf.test.ts has it',
	'The service shows sets of customer … that it leaves out where several customers are asked for.':
		'the same as other lists that are not whole; test/nodes/ignoredFilters.test.ts has it',
	'The proxy …, which n8n goes through, cannot be reached.':
		'needs an n8n behind a proxy; test/service/api/guards.test.ts has it',
	'The proxy that n8n was told to use has no address that can be used.':
		'needs an n8n behind a proxy; test/service/api/guards.test.ts has it',
	'The PDF came without its end, and not twice the same.':
		'needs a transfer that is cut at another place each time; test/service/api/pdf.test.ts has it',
	'… asks whether … has run, and it has, for other sets than those that came now':
		'needs branches that lead here one after the other; test/nodes/ranForOthers.test.ts has it',
	'… takes the first of …, which ran for other sets than those that came now': 'the same',
	'… takes what stands at the same place in …, and that is another set by now':
		'needs what the steps in front gave; test/nodes/placedElsewhere.test.ts has it',
	'More sets change from look to look than a look has time for: this one started runs for …, and … wait.':
		'needs looks that are a day apart; test/nodes/pollWaiting.test.ts has it',
	'Every subscriber left': 'goes to a trigger that has left already',
	'The session was closed': 'the same',
	'The channel to the message queue was closed': 'is followed by a new connection, not by an error',
	'The message queue ended the subscription': 'the same',
	'The PDF was not read to its end.': 'n8n reads what it stores to the end, or fails itself',
	'The virtual host is empty': 'an empty field means /, the default one',
	'The virtual host was not found':
		'RabbitMQ says so while the connection is opened, and amqplib keeps that to itself: the text about the login that was accepted stands for it',
	'The message queue does not let this user into the virtual host': 'the same',
	'The queue credential cannot be used (…)':
		'comes when the connection is lost after the credential was deleted; test/nodes/queueAddress.test.ts has it',
	'n8n did not hand out the queue credential (…)':
		'needs a store of secrets that is away; test/nodes/queueAddress.test.ts has it',
	'The trigger failed by a fault of its own (…)':
		'no fault is known; test/service/queue/refusal.test.ts has it',
	'n8n did not hand out the queue credential in time':
		'needs a database that falls silent; test/nodes/queueAddress.test.ts has it',
	'n8n could not start a run for …':
		'needs an n8n that refuses a run after a minute; test/nodes/settingsAndReports.test.ts has it',
	'n8n did not say how the run for … ended': 'takes 25 minutes; test/nodes/settingsAndReports.test.ts has it',
	'The workflow waits, since …: …': 'takes five minutes; test/nodes/settingsAndReports.test.ts has it',
	'The workflow waits, since …: no reason was given': 'the same',
	'The workflow starts nothing more, since all its places for runs are taken (…)':
		'takes two hours; test/nodes/settingsAndReports.test.ts has it',
	'This workflow did not get …: …':
		'takes 20 minutes or 200 events; test/nodes/settingsAndReports.test.ts has it',
	'… messages on the queue are not status events':
		'takes more than 20 of them and a minute; test/nodes/settingsAndReports.test.ts has it',
	'This workflow runs on n8n’s new engine, which does not tell the trigger how a run ended':
		'that engine is off unless n8n is started with it; test/nodes/listen.test.ts has it',
	'The message queue takes back what is not done within … milliseconds, which is too soon':
		'comes while a published workflow runs, from a broker that is set so; the tests of the broker have it',
	'The message queue took back what was not done in time': 'needs a machine that stands still for minutes',
	'Of the first events of the queue “…”, one or more were given out … times, and tests leave them alone now':
		'takes more tests than one; test/broker/peek.test.ts has it',
	'The message queue announced a message of more than 128 MB':
		'needs a broker that misbehaves; test/service/queue/session.test.ts has it',
	'The message queue delivered more than … times the … messages it was asked for':
		'needs a broker that misbehaves; test/service/queue/session.test.ts has it',
	'Remove From Queue holds none of its three choices':
		'the editor offers no other; test/nodes/settingsAndReports.test.ts has it',
	'There is no poll time': 'test/host/pollTrigger.test.ts publishes one without',
	'"Statuses" lets none of the sets through that "Search Status" asks for':
		'refuses publishing as a field that is empty does; test/nodes/poll.test.ts has it',
	'Runs holds none of its two choices': 'the editor offers no other; test/nodes/poll.test.ts has it',
	'The service says that … sets match, and shows none from number … on.':
		'is told by the poll trigger after three looks; test/service/changes/look.test.ts has it',
	'The service took too long for a look at its sets.':
		'takes three looks of half a minute; test/nodes/poll.test.ts has it',
	'An expression in the filters asks the service for other sets than in the look before.':
		'takes two looks of a published workflow; test/nodes/poll.test.ts has it',
	'The service shows … sets and may count no further: there may be more.':
		'the same, of 10,000 sets; test/service/changes/strangeLists.test.ts has it',
	'No set matches, among the … looked at.':
		'is read in a run of the poll trigger, by test/host/pollTrigger.test.ts',
	'The input item has too many lists and objects in each other':
		'n8n itself can hand on no such item from node to node; test/nodes/anyValue.test.ts has it',
	'"…" holds an entry that is empty':
		'as every filter that comes out empty; test/nodes/emptyFilters.test.ts has it',
	'The service shows other papers of set … each time':
		'needs a set that changes with every look; test/nodes/splitSets.test.ts has it',
	'The search shows more than … documents of set …': 'the same; test/nodes/manyDocuments.test.ts has it',
	'The set ID is not an ID of the service: ….': 'the same as of a document, which is tried',
	'Asked for the sets from number … on, the service sent …: it does not go by the page asked for, in the address.':
		'the same as in neither, which is tried',
	'The certificate of … cannot be trusted (…).': 'the same as other certificates: OpenSSL has many codes',
	'The answer holds more than … rows.':
		'the same as other odd answers; test/service/api/bounds.test.ts has it',
	'The answer holds the field "…" twice, with two values.':
		'the same; test/service/api/wholeJson.test.ts has it',
	'The service gives … companies, and says that there are more.':
		'the same; test/nodes/partsOfLists.test.ts has it',
	'The service shows a set with the reference … that has no ID':
		'the same as other odd answers; test/nodes/byReference.test.ts has it',
	'Whether the set with the reference … is of that customer cannot be seen: the service gives sets of any customer':
		'needs a service that ignores a filter; test/nodes/ignoredFilters.test.ts has it',
	'The event is about set …, but Set gives …, that of another event in this run':
		'needs several events in one run; test/nodes/otherEventOfRun.test.ts has it',
	'The item is about set …, but n8n takes it for that of set …: the step … changed the order of the items':
		'needs several events in one run, and Code; test/nodes/crossedItems.test.ts has it',
	'The papers of … sets came, and a mail behind would not keep them apart':
		'needs several sets in one run, and a mail behind; test/nodes/mixedUpMails.test.ts has it',
	'The papers came, and a mail behind would leave without them':
		'comes in runs that nobody watches alone; test/nodes/wouldBeLost.test.ts has it',
	'The papers came, and one file would replace another': 'the same; test/nodes/wouldBeLost.test.ts has it',
	'Set is fixed to …, and … starts this workflow for whatever failed':
		'comes in runs of an error workflow alone; test/nodes/otherSet.test.ts has it',
	'Execute Once is on, and events of … sets came: only the first would get its papers':
		'needs several events in one run; test/nodes/leftOut.test.ts has it',
	'Several sets came to …, and it took … alone: the others would get no papers':
		'the same, of a step in front; test/nodes/leftOut.test.ts has it',
	'… brought together what came of different sets, and what is sent goes by it':
		'needs sets with one shipment, and a Merge in front; test/nodes/letGoInFront.test.ts has it',
	'What is sent goes by the row of somebody else: in …, its … is …':
		'needs a table in front, and a mail behind; test/nodes/rowOfOther.test.ts has it',
	'The input is about set …, but set … is what was typed into the step …':
		'the same as of an event, behind a search; test/nodes/typedInFront.test.ts has it',
	'The item says … in …, but Set gives …, that of another item in this run':
		'needs what the steps in front gave; test/nodes/otherRow.test.ts has it',
	'The input is about set …, but Set gives …, that of another item in this run':
		'needs several sets in one run; test/nodes/otherEventOfRun.test.ts has it',
	'The input is about set …, but Set is fixed to …':
		'the same as of an event, behind a search; test/nodes/typedInFront.test.ts has it',
	'This list comes from the service': 'is read in the panel of the trigger, by test/host/editor.test.ts',
	'"…" writes with getWorkflowStaticData over what the poll trigger remembers':
		'needs an n8n without durable cursors, and a step of Code; test/nodes/poll.test.ts has it',
	'The poll trigger begins anew':
		'needs a credential that is edited between two looks; test/nodes/poll.test.ts has it',
	'Two triggers of this workflow read the queue …: "…" and "…"':
		'needs two triggers; test/nodes/sameQueue.test.ts has it',
	'No event came within 15 minutes': 'takes 15 minutes; tried by hand',
	'This account is for …, and the call goes to …: it was not made.':
		"is read in n8n's HTTP Request node, by test/host/httpRequest.test.ts",
	'The URL of this call is not complete.':
		'HTTP Request itself refuses such a URL; test/nodes/apiCredential.test.ts has it',
	'The PDF comes too slowly: after … bytes, it only drips.':
		'takes a minute for each try; test/service/api/drip.test.ts has it',
	'The answer of … took more than half an hour.':
		'takes half an hour; test/service/api/transport.test.ts has it',
	'More than … sets match.': 'takes a million sets; test/service/api/pages.test.ts has it',
	'The service says that … sets match, and gave … whichever page it was asked for: whether there are more cannot be seen.':
		'the same as other odd answers; test/service/api/oddPaging.test.ts has it',
	'The service says that … sets match, and gave …, but a narrower search shows others: it counts no further than that.':
		'takes 500 sets; test/service/api/narrower.test.ts has it',
	'Set number … of the list alone is too large to read.':
		'takes answers of 32 MB; test/service/api/bounds.test.ts has it',
	'The service sent something among the sets that is none.':
		'the same as other odd answers; test/service/api/pages.test.ts has it',
	'The service shows a document without an ID (…).':
		'the same as other odd answers; test/nodes/documentGetAllPdfs.test.ts has it',
	'The service answered with an error that came as a success. It said: "…"':
		'the same as other odd answers; test/service/api/envelope.test.ts has it',
	'The service sent a part of the answer as if a part had been asked for':
		'the same as other odd answers; test/service/api/pdf.test.ts has it',
};

const texts = errorTexts();
const rows = texts.filter(({ text }) => !(text in NOT_TRIED));
const mishaps = Object.values(TABLES).flatMap((table) => Object.values(table));

/** Whether a mishap is read with all the words of a row, and with its remedy where that is one text. */
function tries({ says, remedy }: Told, row: ErrorText): boolean {
	// n8n shows the call an error is about beside the remedy, not in front.
	const words = row.text.replace(/^(POST )?…: /, '').replace(/[.…]+$/, '');
	const isWhole = row.remedy !== undefined && !row.remedy.includes('…');
	return new RegExp(patternOf(words), 'i').test(says) && (!isWhole || row.remedy?.includes(remedy) === true);
}

it.each(rows.map((row) => [row.text, row.at, row] as const))(
	'"%s" is tried in the editor (%s)',
	(text, _at, row) => {
		const isTried = mishaps.some((mishap) => tries(mishap, row));
		const wanted = `"${text}", with its remedy, needs an entry in a table of test/support/mishaps, which npm run test:errors then tries, or in NOT_TRIED of this file`;
		expect(isTried ? [] : [wanted]).toEqual([]);
	},
);

it.each(Object.keys(NOT_TRIED))('"%s" is an error that still exists', (text) => {
	const isThere = texts.some((row) => row.text === text);
	expect(isThere ? [] : [`NOT_TRIED of this file names it, and the code does not: ${text}`]).toEqual([]);
});

const triedElsewhere = Object.entries(NOT_TRIED).flatMap(([text, why]) => {
	const file = /\btest\/[\w/]+\.test\.ts/.exec(why)?.[0];
	return file === undefined ? [] : [[text, file]];
});

it.each(triedElsewhere)('"%s" is read in %s, as it is said here', (text, file) => {
	const lines = readFileSync(join(__dirname, '../..', file), 'utf8').split('\n');
	const whole = new RegExp(patternOf(text.replace(/[.…: "()]+$/, '')));
	expect(lines.filter((line) => whole.test(line))).not.toEqual([]);
});

it('no mishap has a text that is about something else', () => {
	// What to do may have more to it than the table tells.
	const isOurs = ({ says }: Told) => rows.some((row) => tries({ says, remedy: '' }, row));
	expect(mishaps.filter((mishap) => !isOurs(mishap))).toEqual([]);
});

it('every table of mishaps is in the hands of a test', () => {
	const folder = join(__dirname, '..');
	const tests = [
		'host/editorErrors.test.ts',
		...readdirSync(join(folder, 'errors')).map((file) => `errors/${file}`),
	]
		.map((file) => readFileSync(join(folder, file), 'utf8'))
		.join('\n');
	const tried = [...tests.matchAll(/tries\w+\(.*?\b([A-Z_]+)\)/g)].map(([, table]) => table);
	// Some are read a second time, in a German browser.
	expect([...new Set(tried)].sort()).toEqual(Object.keys(TABLES).sort());
});
