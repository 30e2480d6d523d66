import { refusalOf } from '../support/publishing';
import { event, mail, step, type Step } from '../support/stepsBehind';

/** Steps that lead to a mail past the papers, by a Merge that matches them: what they say for all goes to each set, too. */

const batch = (...to: string[]): Step => ({ ...event(...to), parameters: { options: { batchSize: 5 } } });
const papers = (...to: string[]) =>
	step('PDFs', 'x.parcelDocumentExchange', { operation: 'getAllPdfs', onePerSet: true }, to);
const match = step(
	'Merge',
	'merge',
	{
		...{ mode: 'combine', combineBy: 'combineByFields', fieldsToMatchString: 'setId' },
	},
	['Mail'],
);
const rows = (by: string, to = 'Edit') =>
	step(
		'Rows',
		'googleSheets',
		{ operation: 'read', filtersUI: { values: [{ lookupValue: `={{ ${by} }}` }] } },
		[to],
	);
const edit = (to: string) =>
	step(
		'Edit',
		'set',
		{
			assignments: {
				assignments: [
					{ name: 'setId', value: '={{ $("Event").item.json.setId }}' },
					{ name: 'to', value: `={{ ${to} }}` },
				],
			},
		},
		['Merge#2'],
	);
const code = (to: string) =>
	step(
		'Edit',
		'code',
		{
			jsCode: `return $("Event").all().map((event, i) => ({ json: { setId: event.json.setId, to: ${to} } }));`,
		},
		['Merge#2'],
	);
const beside = (by: string, writes: Step, asks = '$json.to') => [
	...[batch('PDFs', 'Rows'), papers('Merge'), rows(by), writes, match],
	mail('={{ $json.attachments }}', { toEmail: `={{ ${asks} }}` }),
];

it.each<[string, Step[], RegExp]>([
	[
		'a row that is looked up by the first',
		beside('$("Event").first().json.customerId', edit('$json.email')),
		/^The step "Rows" takes what it says from one item of "Event" for all others/,
	],
	[
		'Edit Fields that writes the address of the first',
		beside('$json.customerId', edit('$("Rows").first().json.email')),
		/^The step "Edit" takes what it says from one item of "Rows" for all others/,
	],
	[
		'the same, taken of the Merge by its name',
		beside('$json.customerId', edit('$("Rows").first().json.email'), '$("Merge").item.json.to'),
		/^The step "Edit" takes what it says from one item of "Rows" for all others/,
	],
	[
		'Code that does',
		beside('$json.customerId', code('$("Rows").first().json.email')),
		/^The step "Edit" takes what it says from one item of "Rows" for all others/,
	],
])('%s is not published', (_, steps, told) => expect(refusalOf(steps)).toMatch(told));

it.each<[string, Step[]]>([
	['each its own', beside('$json.customerId', edit('$json.email'))],
	[
		'what the mail does not take',
		beside('$json.customerId', edit('$("Rows").first().json.email'), '$json.setId'),
	],
	['what is the same of all', beside('$("Event").first().json.status', edit('$json.email'))],
])('%s is published', (_, steps) => expect(refusalOf(steps)).toBeUndefined());
