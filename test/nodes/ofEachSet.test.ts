import { refusalOf } from '../support/publishing';
import { event, mail, ofSet, pollTo, step, told, type Step } from '../support/stepsBehind';

/** Steps that give something of each set that comes, rather than hand it on: what one of them gave first is of one set alone. */

const batch = (...to: string[]): Step => ({ ...event(...to), parameters: { options: { batchSize: 5 } } });
const papers = (...to: string[]) =>
	step('PDFs', 'x.parcelDocumentExchange', { operation: 'getAllPdfs', onePerSet: true }, to);
const goesTo = (toEmail: string) => mail('={{ $json.attachments }}', { toEmail: `={{ ${toEmail} }}` });
const rows = (lookupValue: string, ...to: string[]) =>
	step('Rows', 'googleSheets', { operation: 'read', lookupValue }, to);
const set = (value: string, ...to: string[]): Step => ({
	...step('Set', 'set', { assignments: { a: [{ name: 'team', value }] }, includeOtherFields: true }, to),
	typeVersion: 3.4,
});
const code = (jsCode: string, to: string[], mode = 'runOnceForAllItems') =>
	step('C', 'code', { jsCode, mode }, to);
const merge = (combineBy: string, ...to: string[]) =>
	step('Merge', 'merge', { mode: 'combine', combineBy, fieldsToMatchString: 'customerId' }, to);

const CUSTOMER = '={{ $json.customerId }}';
const FIRST_OF = /^The step "Mail" takes what it says from one item of "(Rows|C|Merge|Set)" for all others/;
const FIRST = /^The step "Mail" takes what it says from the first item that comes for all others/;
const ALL = /^The step "Mail" takes where it goes from all items /;

const TEAM = /^The step "Set" takes where it goes from all items /;

const ROWS = ['first()', 'last()', 'all()[0]'].map((which) => `$("Rows").${which}.json.email`);
const EACH =
	'return { json: { ...$json, email: $("Rows").all().find((one) => one.json.id === $json.customerId).json.email }, binary: $binary };';
const EACH_OF_ALL = [
	'return $input.all().map((item) => ({ json: { ...item.json, email: item.json.customerId }, binary: item.binary }));',
	'for (const item of items) { item.json.email = item.json.customerId; }\nreturn items;',
	'const out = [];\nfor (const item of $input.all()) { out.push({ json: { ...item.json, email: item.json.customerId }, binary: item.binary }); }\nreturn out;',
];

it.each<[string, Step[], RegExp, string[]?]>([
	...ROWS.flatMap((address): [string, Step[], RegExp][] => [
		[
			`a row that was read for each, in front: ${address}`,
			[batch('Rows'), rows(CUSTOMER, 'PDFs'), papers('Mail'), goesTo(address)],
			FIRST_OF,
		],
		[
			`a row that was read for each, beside: ${address}`,
			[batch('Rows', 'PDFs'), rows(CUSTOMER), papers('Mail'), goesTo(address)],
			FIRST_OF,
		],
	]),
	[
		'a row of a step with an apostrophe in its name, as n8n writes it where it is dragged',
		[
			{ ...batch("Customer's row") },
			{ ...rows(CUSTOMER, 'PDFs'), name: "Customer's row" },
			papers('Mail'),
			goesTo("$('Customer\\'s row').first().json.email"),
		],
		/^The step "Mail" takes what it says from one item of "Customer's row" for all others/,
	],
	[
		'what all events of a step with an apostrophe in its name say, written by Code into each',
		[
			{ ...batch('PDFs'), name: "Today's" },
			papers('C'),
			code(
				"const to = $('Today\\'s').all().map((one) => one.json.email).join();\nreturn { json: { ...$json, to }, binary: $binary };",
				['Mail'],
				'runOnceForEachItem',
			),
			goesTo('$json.to'),
		],
		/^The step "C" takes where it goes from all items of "Today's"/,
	],
	[
		'what n8n’s assistant wrote for each',
		[
			batch('C'),
			step('C', 'aiTransform', { jsCode: EACH_OF_ALL[1]! }, ['PDFs']),
			papers('Mail'),
			goesTo('$("C").first().json.email'),
		],
		FIRST_OF,
	],
	[
		'a row that was read behind, by what a step in front gave for each',
		[
			batch('PDFs'),
			papers('Rows', 'Merge'),
			rows('={{ $("Event").item.json.customerId }}', 'Merge#2'),
			merge('combineByPosition', 'Mail'),
			goesTo('$("Rows").first().json.email'),
		],
		FIRST_OF,
	],
	...[
		'={ "team": "{{ $json.customerId }}" }',
		'={{ { team: $json.customerId } }}',
		"={{ { team: 'desk@a.example,' + $json.customerId } }}",
		'={ "own_team": "desk@a.example", "team": "{{ $json.customerId }}" }',
		'={ "of": { "team": "desk@a.example" }, "team": "{{ $json.customerId }}" }',
	].map((jsonOutput): [string, Step[], RegExp] => [
		`what Edit Fields wrote as JSON: ${jsonOutput}`,
		[
			batch('Set'),
			{ ...set('', 'PDFs'), parameters: { mode: 'raw', jsonOutput, includeOtherFields: true } },
			papers('Mail'),
			goesTo('$("Set").first().json.team'),
		],
		FIRST_OF,
	]),
	[
		'what was written of it anew',
		[
			batch('Rows'),
			rows(CUSTOMER, 'Set'),
			set('={{ $json.email }}', 'PDFs'),
			papers('Mail'),
			goesTo('$("Set").first().json.team'),
		],
		FIRST_OF,
	],
	...['first().json.email', 'all().map((one) => one.json.email).join()'].map(
		(which): [string, Step[], RegExp] => [
			`what was asked elsewhere for each: ${which}`,
			[
				pollTo('Rows'),
				step('Rows', 'httpRequest', { url: '=https://crm.example/{{ $json.customerId }}' }, ['PDFs']),
				papers('Mail'),
				goesTo(`$("Rows").${which}`),
			],
			which.startsWith('first') ? FIRST_OF : ALL,
		],
	),
	[
		'what was asked for each by its event',
		[
			batch('Set'),
			set('desk', 'Rows'),
			rows('={{ $("Event").item.json.customerId }}', 'PDFs'),
			papers('Mail'),
			goesTo(ROWS[0] ?? ''),
		],
		FIRST_OF,
	],
	...[
		'$("Merge").first().json.email',
		'$input.first().json.email',
		'$input.all().map((one) => one.json.email).join()',
	].map((address): [string, Step[], RegExp, string[]] => [
		`papers merged with the rows of a table: ${address}`,
		[
			batch('Rows', 'PDFs'),
			rows('', 'Merge#2'),
			papers('Merge'),
			merge('combineByFields', 'Mail'),
			goesTo(address),
		],
		address.includes('all()') ? ALL : address.includes('Merge') ? FIRST_OF : FIRST,
		['Rows'],
	]),
	...[...EACH_OF_ALL, EACH].flatMap((js): [string, Step[], RegExp][] => {
		const made = (...to: string[]) => code(js, to, js === EACH ? 'runOnceForEachItem' : undefined);
		return [
			['$("C").first().json.email', FIRST_OF] as const,
			['$input.first().json.email', FIRST] as const,
			['$input.all().map((one) => one.json.email).join()', ALL] as const,
			['$("Event").all().map((one) => one.json.customerId).join()', ALL] as const,
		].map(([address, told]) => [
			`behind Code for each: ${js} ${address}`,
			[batch('PDFs'), papers('C'), made('Mail'), goesTo(address)],
			told,
		]);
	}),
	[
		'Code for each in front',
		[
			batch('C'),
			code(EACH, ['PDFs'], 'runOnceForEachItem'),
			papers('Mail'),
			goesTo('$("C").last().json.email'),
		],
		FIRST_OF,
	],
	...['$json.team', '$("Set").item.json.team'].flatMap((address): [string, Step[], RegExp][] => [
		[
			`what all say, written into each: ${address}`,
			[
				batch('PDFs'),
				papers('Set'),
				set('={{ $input.all().map((one) => one.json.customerId).join() }}', 'Mail'),
				goesTo(address),
			],
			TEAM,
		],
		[
			`all rows that were read for each, written into each: ${address}`,
			[
				batch('Rows'),
				rows(CUSTOMER, 'PDFs'),
				papers('Set'),
				set('={{ $("Rows").all().map((one) => one.json.email).join() }}', 'Mail'),
				goesTo(address),
			],
			TEAM,
		],
	]),
	[
		'in a loop, all rows that were read in front of it',
		[
			batch('Rows'),
			rows(CUSTOMER, 'Loop'),
			step('Loop', 'splitInBatches', {}, [], ['PDFs']),
			papers('Mail'),
			{ ...goesTo('$("Rows").all().map((one) => one.json.email).join()'), to: [['Loop']] },
		],
		ALL,
	],
])('%s: refused', (_, steps, expected, once = []) => expect(refusalOf(steps, once)).toMatch(expected));

const DIGEST =
	'const binary = {};\nconst rows = () => { return items.map((item) => item.json.parcelReference).join(); };\nconst list = [];\nfor (const item of items) { list.push(item.json.vesselName); Object.assign(binary, item.binary); }\n';

it.each<[string, Step[], string[]?]>([
	[
		'the row that its own came from',
		[batch('Rows'), rows(CUSTOMER, 'PDFs'), papers('Mail'), goesTo('$("Rows").item.json.email')],
	],
	['rows of one event', [event('Rows'), rows(CUSTOMER, 'PDFs'), papers('Mail'), goesTo(ROWS[0] ?? '')]],
	[
		'rows of one customer, which was chosen',
		[
			{ ...pollTo('Rows'), parameters: { filters: { customerIds: ['a'] } } },
			rows(CUSTOMER, 'PDFs'),
			papers('Mail'),
			goesTo(ROWS[0] ?? ''),
		],
	],
	...[ROWS[0] ?? '', '$("Rows").all().map((one) => one.json.email).join()'].flatMap(
		(address): [string, Step[], string[]?][] => [
			[
				`rows by what is typed in front, asked for each: ${address}`,
				[
					batch('Set'),
					set('desk', 'Rows'),
					rows('={{ $json.team }}', 'PDFs'),
					papers('Mail'),
					goesTo(address),
				],
			],
			[
				`the same by its name, beside: ${address}`,
				[
					batch('Set'),
					set('desk', 'Rows', 'PDFs'),
					rows('={{ $("Set").item.json.team }}'),
					papers('Mail'),
					goesTo(address),
				],
			],
			[
				`rows by the status: ${address}`,
				[batch('Rows'), rows('={{ $json.status }}', 'PDFs'), papers('Mail'), goesTo(address)],
			],
			[
				`rows that are read once: ${address}`,
				[batch('Rows'), rows(CUSTOMER, 'PDFs'), papers('Mail'), goesTo(address)],
				['Rows'],
			],
			[
				`rows that were read in the same loop: ${address}`,
				[
					batch('Loop'),
					step('Loop', 'splitInBatches', {}, [], ['Rows']),
					rows(CUSTOMER, 'PDFs'),
					papers('Mail'),
					{ ...goesTo(address), to: [['Loop']] },
				],
			],
		],
	),
	[
		'a login that is asked for each',
		[
			batch('Login'),
			step('Login', 'httpRequest', { url: 'https://crm.example/login' }, ['PDFs']),
			papers('Mail'),
			goesTo('$("Login").first().json.email'),
		],
	],
	[
		'a log that is written for each',
		[
			batch('Log'),
			step('Log', 'googleSheets', { operation: 'append', value: CUSTOMER }, ['PDFs']),
			papers('Mail'),
			mail('={{ $json.attachments }}', { text: '={{ $("Log").first().json.link }}' }),
		],
	],
	...[
		'return [{ json: { email: "desk@a.example", html: rows() }, binary }];',
		'return { json: { email: "desk@a.example", html: rows() }, binary };',
		'const out = [];\nout.push({ json: { email: "desk@a.example", html: rows() }, binary });\nreturn out;',
	].flatMap((js) =>
		['$("C").first().json.email', '$input.first().json.email'].map((address): [string, Step[]] => [
			`one item that Code makes of all: ${js} ${address}`,
			[batch('PDFs'), papers('C'), code(DIGEST + js, ['Mail']), goesTo(address)],
		]),
	),
	[
		'what Code types into each',
		[
			batch('PDFs'),
			papers('C'),
			code(
				'return { json: { ...$json, email: "desk@a.example" }, binary: $binary };',
				['Mail'],
				'runOnceForEachItem',
			),
			goesTo('$("C").first().json.email'),
		],
	],
	[
		'what is alike in all that Code gives',
		[
			batch('PDFs'),
			papers('C'),
			code(EACH_OF_ALL[0] ?? '', ['Mail']),
			mail('={{ $json.attachments }}', { subject: '={{ $("C").first().json.status }}' }),
		],
	],
	[
		'all rows of a table, written into each',
		[
			batch('Rows', 'PDFs'),
			rows(''),
			papers('Set'),
			set('={{ $("Rows").all().map((one) => one.json.email).join() }}', 'Mail'),
			goesTo('$json.team'),
		],
	],
	[
		'what all say, written into each for the subject',
		[
			batch('PDFs'),
			papers('Set'),
			set('={{ $input.all().map((one) => one.json.parcelReference).join() }}', 'Mail'),
			mail('={{ $json.attachments }}', { toEmail: '={{ $json.email }}', subject: '={{ $json.team }}' }),
		],
	],
	...[
		'={ "of": "{{ $json.customerId }}", "team": "a@b, {{ $vars.team }}", "to": "{{ $json.setId }}" }',
		'={ "its_team": "{{ $json.customerId }}", "team": "desk@a.example" }',
		'={ "its team": "{{ $json.customerId }}", "team": "desk@a.example" }',
		'={ "note": "For the team: {{ $json.customerId }}", "team": "desk@a.example" }',
		"={{ { of: $json.team ? $json.team : $json.customerId, team: 'desk@a.example' } }}",
	].map((jsonOutput): [string, Step[]] => [
		`what Edit Fields wrote as JSON, alike for all, beside what it wrote of each: ${jsonOutput}`,
		[
			batch('Set'),
			{ ...set('', 'PDFs'), parameters: { mode: 'raw', jsonOutput, includeOtherFields: true } },
			papers('Mail'),
			goesTo('$("Set").first().json.team'),
		],
	]),
	[
		'a row of a step with an apostrophe in its name, of each',
		[
			batch("Customer's row"),
			{ ...rows(CUSTOMER, 'PDFs'), name: "Customer's row" },
			papers('Mail'),
			goesTo("$('Customer\\'s row').item.json.email"),
		],
	],
	[
		'a row of settings, merged with all',
		[
			batch('Rows', 'PDFs'),
			rows('', 'Merge#2'),
			papers('Merge'),
			merge('combineAll', 'Mail'),
			goesTo('$("Merge").first().json.email'),
		],
		['Rows'],
	],
])('%s: published', (_, steps, once = []) => expect(refusalOf(steps, once)).toBeUndefined());

it.each<[string, string, object]>([
	['an approval', 'gmail', { operation: 'sendAndWait' }],
	['a call that is waited for', 'wait', { resume: 'webhook' }],
	['a form that is waited for', 'wait', { resume: 'form' }],
])('%s behind the papers of several sets is told: it is asked for once', (_, type, parameters) => {
	const steps = [
		batch('PDFs'),
		papers('Ask', 'Merge'),
		step('Ask', type, parameters as never, ['Merge#2']),
		merge('combineByPosition', 'Mail'),
		mail(),
	];
	const asks =
		'The step "Ask" asks once for all items that come, and goes on with one answer: with several sets in one run, the papers of the others would go to nobody. Put it into a loop, Loop Over Items, by which it asks for each, or have each set start a run of its own.';
	expect(told(steps, { items: [ofSet('a'), ofSet('b')] })).toContain(asks);
	expect(told([event('PDFs'), ...steps.slice(1)])).not.toContain(asks);
});

it.each(['gmail', 'set'])('%s in front, in a loop of one, is asked for each', (type) => {
	const once = type === 'set' ? ['Ask'] : [];
	const ask = (...to: string[]) =>
		step('Ask', type, type === 'gmail' ? { operation: 'sendAndWait' } : { includeOtherFields: true }, to);
	const gave = new Set(['a', 'b']);
	const given = [
		{ name: 'Event', type: 'x.parcelDocumentExchangeTrigger', setIds: gave, items: [{}, {}] as never },
	];
	const asks = /asks once for all items|Execute Once is on in the settings of "Ask"/;
	const looped = [
		batch('Loop'),
		step('Loop', 'splitInBatches', { batchSize: 1 }, [], ['Ask']),
		ask('PDFs'),
		papers('Mail'),
		{ ...mail(), to: [['Loop']] },
	];
	expect(told(looped, { given, once }).join()).not.toMatch(asks);
	expect(told([batch('Ask'), ask('PDFs'), papers('Mail'), mail()], { given, once }).join()).toMatch(asks);
});
