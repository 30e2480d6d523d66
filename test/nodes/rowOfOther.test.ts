import type { IDataObject } from 'n8n-workflow';
import { move, startService, type ParcelSet, type Service } from '../../sandbox/service';
import type { NodeRun } from '../support/engine';
import { byTrigger, inPlace, runOfOneSet } from '../support/eventInFront';

/** A table of customers in front: what is sent goes by the row of the customer whose papers came, or nothing is handed on. */

let service: Service;
let sets: ParcelSet[];
beforeAll(async () => {
	service = await startService();
	const byCustomer = new Map(service.data.sets.map((set) => [set.customerId, set]));
	sets = [...byCustomer.values()].slice(0, 3);
});
afterAll(() => service.close());

const NOBODY = '11111111-1111-4111-8111-111111111111';
const REFUSED = /^What is sent goes by the row of somebody else: in "Input", its ([\w.]+) is /;
const rows = (more: (n: number) => IDataObject = () => ({})) =>
	sets.map(({ customerId }, n) => ({ customerId, email: `c${n}@x`, ...more(n) }));
const event = (n: number) => byTrigger({ ...move(service.data, sets[n]!.setId, 'sign', Date.now()) });
const ofFirst = (all: IDataObject[]) => all.map((json) => ({ json, pairedItem: { item: 0 } }));

interface Asked extends Partial<NodeRun> {
	/** Of the event's set: the last, unless told. */
	of?: number;
	to?: string;
	setId?: string;
	/** Narrow the Search. */
	lookup?: IDataObject;
}

const told = async (asked: Asked) => (await toldAndHinted(asked)).error;

async function toldAndHinted({
	of = 2,
	to = '$("Input").item.json.email',
	setId = '={{ $("Event").item.json.setId }}',
	lookup = {},
	...more
}: Asked) {
	const { error, items, hints } = await runOfOneSet(
		service.baseUrl,
		{ resource: 'document', operation: 'getAllPdfs', onePerSet: true },
		{
			setId: { __rl: true, mode: 'id', value: setId },
			documentId: '',
			lookup,
		},
		{
			before: {
				type: 'x.parcelDocumentExchangeTrigger',
				items: inPlace([event(of)]),
			},
			typed: { type: 'n8n-nodes-base.googleSheets', operation: 'read' },
			after: { attachments: '={{ $json.attachments }}', to: `={{ ${to} }}` },
			afterType: 'n8n-nodes-base.emailSend',
			...more,
		},
	);
	if (error) expect(items).toEqual([]);
	return { error: error?.message ?? '', hints };
}

/** A run that begins with no event. */
const calledWith = (more: IDataObject = {}): Asked => ({
	before: {
		type: 'n8n-nodes-base.executeWorkflowTrigger',
		items: inPlace([{ setId: sets[2]!.setId, ...more }]),
	},
});

const own = () => [rows()[2]!];
const other = () => [rows()[0]!];
/** With the names of their companies. */
const named = (more: (n: number) => IDataObject = () => ({})) =>
	rows((n) => ({ company: sets[n]!.consignor.customerName, ...more(n) }));

const SHEET = { type: 'n8n-nodes-base.googleSheets', operation: 'read' };
const byPaper = (field: string) =>
	`$("Input").all().find((row) => row.json.email && row.json.parcel === $json.${field})?.json.email`;

const FOLDER = '{{ $("Input").item.json.folder }}';
/** Folders that are typed together with the names of the files in them. */
const PATHS = [
	['ftp', 'path', `=/customers/${FOLDER}/{{ $json.fileName }}`],
	['dropbox', 'path', `=/{{ $("Event").item.json.status }}/${FOLDER}/{{ $binary.data_0.fileName }}`],
	['readWriteFile', 'fileName', `=/data/${FOLDER}/papers.pdf`],
	['googleCloudStorage', 'objectName', `=${FOLDER}/{{ $json.setId }}.pdf`],
	['azureStorage', 'container', `=${FOLDER}`],
	['azureStorage', 'blobCreate', `=${FOLDER}/{{ $json.fileName }}`],
	['ssh', 'path', `=/customers/${FOLDER}`],
	['httpRequest', 'url', `=https://x/customers/${FOLDER}`],
	['s3', 'fileName', '={{ "customers/" + $("Input").item.json.folder + "/" + $binary.data_0.fileName }}'],
	['nextCloud', 'path', '={{ `/customers/${$("Input").item.json.folder}/${$json.fileName}` }}'],
	['dropbox', 'path', `=${FOLDER}{{ $json.fileName }}`],
	['writeBinaryFile', 'fileName', '={{ "customers/" + $("Input").item.json.folder }}/{{ $json.fileName }}'],
] as const;

/** The folder of one of all rows, to which Edit Fields in front of the papers adds others. */
const folderNamed = (n: number, more: (n: number) => IDataObject = () => ({})): Asked => ({
	between: {
		type: SHEET.type,
		items: ofFirst(rows((one) => ({ folder: `folder of ${one}`, ...more(one) }))),
		typed: { operation: 'read' },
	},
	items: ofFirst([{ folder: `/customers/folder of ${n}/in` }]),
	typed: {
		type: 'n8n-nodes-base.set',
		assignments: { assignments: [{ name: 'folder', value: '=/customers/{{ $json.folder }}/in' }] },
	},
	after: { path: '={{ $("Input").first().json.folder }}/{{ $json.fileName }}' },
	afterType: 'n8n-nodes-base.ftp',
});

/** Edit Fields in front of the table, which is asked by what is typed there. */
const bySettings = (name: string, value: string): Asked => ({
	before: {
		type: 'n8n-nodes-base.set',
		items: inPlace([{ setId: sets[2]!.setId, [name]: value }]),
		typed: { includeOtherFields: true, assignments: { assignments: [{ name, value }] } },
	},
	typed: { ...SHEET, lookup: `={{ $json.${name} }}` },
});

const byCustomer = { ...SHEET, lookup: '={{ $json.customerId }}' };

/** A table that is asked for the customer and for what somebody typed. */
const eitherOf = (matchType: string, typed: IDataObject = { keyName: 'purpose', keyValue: 'papers' }) => ({
	type: 'n8n-nodes-base.dataTable',
	operation: 'get',
	matchType,
	filters: {
		conditions: [{ keyName: 'customerId', keyValue: '={{ $json.customerId }}' }, typed],
	},
});

/** What a table has for each row of one in front that is read whole. */
const ofEachRow = (more: Asked = {}): Asked => ({
	before: {
		type: 'n8n-nodes-base.microsoftExcel',
		items: inPlace(rows(() => ({ email: '' }))),
		typed: { operation: 'read' },
	},
	items: inPlace(rows()),
	typed: byCustomer,
	setId: `={{ ${JSON.stringify(sets[2]!.setId)} }}`,
	lookup: { customerId: sets[2]!.customerId },
	...more,
});

const colleagues = () => ['Kim', 'Lee'].map((company) => ({ company, email: `${company}@x` }));

/** Behind the own row of a table, the rows of another that is asked for none of it. */
const ofColleagues = (
	all: IDataObject[],
	typed: IDataObject = { ...SHEET },
	more: IDataObject = {},
): Asked => ({
	before: {
		type: 'n8n-nodes-base.microsoftExcel',
		items: inPlace([{ ...named()[2], party: sets[2]!.customerId, email: '', team: 'Import', ...more }]),
		typed: byCustomer,
	},
	items: ofFirst(
		all.map((row) => {
			const unnumbered = Object.entries(row).filter(([name]) => name !== 'customerId');
			return { ...Object.fromEntries(unnumbered), ...(typed.lookup && { team: typed.lookup }) };
		}),
	),
	typed,
	setId: `={{ ${JSON.stringify(sets[2]!.setId)} }}`,
	lookup: { customerId: sets[2]!.customerId },
});

/** The own row of one table, and a whole one behind it, of which the first is taken. */
const behindOwn = (ofOwn: IDataObject, all: IDataObject[], asked: IDataObject, more: Asked = {}): Asked => ({
	between: {
		type: 'n8n-nodes-base.microsoftExcel',
		items: inPlace([{ customerId: sets[2]!.customerId, ...ofOwn }]),
		typed: { lookup: '={{ $json.customerId }}', ...asked },
	},
	items: ofFirst(all),
	to: '$("Input").first().json.email',
	...more,
});

/** One question, as an If keeps it. */
const whether = (leftValue: string, rightValue: string) => ({
	type: 'n8n-nodes-base.if',
	conditions: { conditions: [{ leftValue, rightValue, operator: { operation: 'equals' } }] },
});

const numbered = (column: string) => [
	{ customerId: NOBODY, [column]: 7001, email: 'fast@x' },
	{ customerId: NOBODY.replaceAll('1', '2'), [column]: 7002, email: 'slow@x' },
];

/** Customers and agencies in one table that is read whole, of which a step behind leaves one row: of an agency, or of another. */
const lookedFor = (typed: IDataObject, ofOther?: IDataObject): Asked => {
	const agencies = ['a', 'b'].map((name, n) => ({
		customerId: '',
		company: `Agency ${name}`,
		begins: n === 0 ? sets[2]!.parcelRef.slice(0, 5) : 'ZZ',
		email: `${name}@x`,
	}));
	const all = [...named((n) => ({ begins: '', ...(n === 0 && ofOther) })), ...agencies];
	return {
		between: { type: SHEET.type, items: ofFirst(all), typed: { operation: 'read' } },
		items: ofFirst([{ email: ofOther ? 'c0@x' : 'a@x' }]),
		typed,
		to: '$("Input").first().json.email',
	};
};
const inCode = (jsCode: string) => ({
	type: 'n8n-nodes-base.code',
	jsCode: `const event = $("Event").first().json;\nconst rows = $input.all();\n${jsCode}`,
});
const comparing = (leftValue: string, operation: string, rightValue: string, combinator = 'and') => ({
	type: 'n8n-nodes-base.filter',
	conditions: {
		combinator,
		conditions: [
			{ leftValue, rightValue, operator: { operation } },
			{ leftValue: '={{ $json.email }}', rightValue: '', operator: { operation: 'notEmpty' } },
		],
	},
});
/** With one more condition. */
const besides = (
	{ type, conditions }: ReturnType<typeof comparing>,
	leftValue: string,
	operation: string,
	rightValue: string,
) => ({
	type,
	conditions: {
		...conditions,
		conditions: [...conditions.conditions, { leftValue, rightValue, operator: { operation } }],
	},
});
const REFERENCE = '$("Event").first().json.parcelReference';

/** The own row of a customer, a team that is read whole, and Code that looks for the deputy of its manager. */
const ofDeputy = (): Asked => ({
	...ofColleagues([]),
	before: {
		type: 'n8n-nodes-base.microsoftExcel',
		items: inPlace([{ ...named()[2], name: sets[2]!.consignor.customerName, email: '', manager: 'Kim' }]),
		typed: byCustomer,
	},
	between: {
		type: SHEET.type,
		items: ofFirst(
			['Kim', 'Lee', 'Mia'].map((name, n, all) => ({ name, email: `${name}@x`, deputy: all[n + 1] })),
		),
		typed: { operation: 'read' },
	},
	items: ofFirst([{ to: 'Lee@x' }]),
	typed: inCode(
		'const team = rows.map(({ json }) => json);\nconst kim = team.find((one) => one.name === event.manager);\nconst deputy = team.find((one) => one.name === kim.deputy);\nreturn [{ json: { to: deputy.email } }];',
	),
	to: '$("Input").first().json.to',
});

/** What two rows say by chance. */
const BY_CHANCE = [
	'TRUE',
	'FALSCH',
	'yes',
	'Inactive',
	'2026-01-31',
	'31.01.2026',
	'1/31/26, 9:05 AM',
	'2026-01-31T09:05:00.000Z',
	'2026-01-31 09:05:00+00',
	'3.00000000000000000000',
];

/** As some steps give the rows of a table, and how a mail takes the address of one. */
const SHAPES: Array<[string, (all: IDataObject[]) => IDataObject[], (n: number) => string]> = [
	[
		'in an object',
		(all) => [{ result: { data: all } }],
		(n) => `$("Input").item.json.result.data[${n}].email`,
	],
	[
		'in a list of lists',
		(all) => [{ values: all.map(Object.values) }],
		(n) => `$("Input").item.json.values[${n}][1]`,
	],
	[
		'in an object of its own',
		(all) => all.map((fields, id) => ({ id, fields })),
		(n) => `$("Input").all()[${n}].json.fields.email`,
	],
	[
		'in lists, as what is looked up in another table',
		(all) => all.map((row) => ({ ...row, customerId: [row.customerId] })),
		(n) => `$("Input").all()[${n}].json.email`,
	],
];

it.each<[string, () => Asked]>([
	['a table that is read whole', () => ({ items: ofFirst(rows()) })],
	['the first of them', () => ({ items: ofFirst(rows()), to: '$("Input").first().json.email' })],
	['one by its number', () => ({ items: ofFirst(rows()), to: '$("Input").all()[1].json.email' })],
	['a customer whose ID was typed to try it', () => ({ items: ofFirst(other()) })],
	[
		'a table that gives a row where any of its conditions comes true, and one was typed',
		() => ({
			items: ofFirst(rows(() => ({ purpose: 'papers' }))),
			typed: eitherOf('anyCondition'),
		}),
	],
	[
		'the same by a yes or no',
		() => ({
			items: ofFirst(rows(() => ({ active: true }))),
			typed: eitherOf('anyCondition', { keyName: 'active', keyValue: 'true' }),
		}),
	],
	[
		'the same where the other condition goes by what many say, such as the status of the event',
		() => ({
			items: ofFirst(rows(() => ({ status: event(2).status }))),
			typed: eitherOf('anyCondition', { keyName: 'status', keyValue: '={{ $json.status }}' }),
		}),
	],
	[
		'the same where its conditions stand among its options',
		() => ({
			items: ofFirst(rows(() => ({ purpose: 'papers' }))),
			typed: {
				type: 'n8n-nodes-base.baserow',
				additionalOptions: { filterType: 'OR', filters: { fields: eitherOf('').filters.conditions } },
			},
		}),
	],
	[
		'the same of groups of conditions',
		() => ({
			items: ofFirst(rows(() => ({ purpose: 'papers' }))),
			typed: {
				type: 'n8n-nodes-base.hubspot',
				filterGroupsUi: { filterGroupsValues: eitherOf('').filters.conditions },
			},
		}),
	],
	['what a table has for each row of another, which is read whole', () => ofEachRow()],
	...['sort', 'splitInBatches', 'filter'].map((type): [string, () => Asked] => [
		`the same behind ${type}`,
		() =>
			ofEachRow({
				between: { type: `n8n-nodes-base.${type}`, items: inPlace(rows(() => ({ email: '' }))) },
			}),
	]),
	[
		'a table that is read whole, whose rows have a word in common with the own row of another one',
		() => ({
			before: {
				type: 'n8n-nodes-base.microsoftExcel',
				items: inPlace([{ ...own()[0], email: '', active: 'yes' }]),
				typed: byCustomer,
			},
			items: ofFirst(rows(() => ({ active: 'yes' }))),
			setId: `={{ ${JSON.stringify(sets[2]!.setId)} }}`,
			lookup: { customerId: sets[2]!.customerId },
		}),
	],
	[
		'a page that was picked, as Notion calls its columns',
		() => ({
			items: ofFirst(other().map(({ customerId, email }) => ({ property_customer_id: customerId, email }))),
			typed: { type: 'n8n-nodes-base.notion', operation: 'get', pageId: 'the-page' },
		}),
	],
	[
		'a record that was picked to try it',
		() => ({
			items: ofFirst([{ id: 'rec0001', ...other()[0] }]),
			typed: { type: 'n8n-nodes-base.airtable', operation: 'get', record: 'rec0001' },
		}),
	],
	[
		'the same where its ID is spelled otherwise',
		() => ({
			items: ofFirst([{ Id: '1234', ...other()[0] }]),
			typed: { type: 'n8n-nodes-base.nocoDb', operation: 'get', id: '1234' },
		}),
	],
	[
		'a row of a table that is read whole, in which somebody has still to fill in the ID',
		() => ({ items: ofFirst(named((n) => (n === 2 ? {} : { customerId: '' }))) }),
	],
	[
		'a row that names its customer in a field of any name',
		() => ({
			items: ofFirst(rows(() => ({ customerId: '' })).map((row, n) => ({ ...row, Nr: sets[n]!.customerId }))),
		}),
	],
	[
		'a row that names its parcel',
		() => ({ items: ofFirst(sets.map(({ parcelRef }, n) => ({ Parcel: parcelRef, email: `c${n}@x` }))) }),
	],
	[
		'a folder of somebody else',
		() => ({
			items: ofFirst(rows((n) => ({ folder: `folder of ${n}` }))),
			after: { folderId: '={{ $("Input").item.json.folder }}' },
			afterType: 'n8n-nodes-base.googleDrive',
		}),
	],
	...PATHS.map(([drive, field, path]): [string, () => Asked] => [
		`a folder of somebody else in what ${drive} calls ${field}`,
		() => ({
			items: ofFirst(rows((n) => ({ folder: `folder of ${n}` }))),
			after: { [field]: path, contentType: 'binaryData' },
			afterType: `n8n-nodes-base.${drive}`,
		}),
	]),
	[
		'one in the list that an answer holds',
		() => ({ items: ofFirst([{ data: rows(), total: 3 }]), to: '$("Input").item.json.data[0].email' }),
	],
	...SHAPES.map(([where, shaped, field]): [string, () => Asked] => [
		`one that comes ${where}`,
		() => ({ items: ofFirst(shaped(rows())), to: field(1) }),
	]),
	[
		'the number of a chat',
		() => ({
			items: ofFirst(rows((n) => ({ chat: 770_001 + n }))),
			after: { binaryData: true as never, chatId: '={{ $("Input").first().json.chat }}' },
			afterType: 'n8n-nodes-base.telegram',
		}),
	],
	[
		'the row at the place of the paper',
		() => ({ items: ofFirst(rows()), to: '$("Input").all()[$itemIndex].json.email' }),
	],
	[
		'the first where the paper says nothing by which a row is looked for',
		() => ({ items: ofFirst(rows()), to: `${byPaper('none')} ?? $("Input").first().json.email` }),
	],
	[
		'the reference of another parcel that was typed to try it',
		() => {
			const [row] = sets.map(({ parcelRef }, n) => ({ parcelRef, email: `c${n}@x` }));
			return { items: ofFirst([row!]), typed: { ...SHEET, lookup: row!.parcelRef } };
		},
	],
	[
		'the reference of another parcel that was typed into a step in front of the table',
		() => {
			const { parcelRef } = sets[0]!;
			return { ...bySettings('parcel', parcelRef), items: ofFirst([{ parcelRef, email: 'c0@x' }]) };
		},
	],
	[
		'a customer with whom another workflow is called, and who was typed',
		() => ({
			typed: {
				type: 'n8n-nodes-base.executeWorkflow',
				workflowInputs: { value: { customerId: sets[0]!.customerId } },
			},
			items: ofFirst(other()),
		}),
	],
	[
		'one beside an address of the office',
		() => ({ items: ofFirst(rows()), to: '$("Input").first().json.email }}, office@x{{ ""' }),
	],
	[
		'one in an object, with its name',
		() => ({
			items: ofFirst(rows((n) => ({ email: '', contact: { email: `c${n}@x` } }))),
			to: '"Contact <" + $("Input").first().json.contact.email + ">"',
		}),
	],
	[
		'one that is looked for by another customer',
		() => ({
			items: ofFirst(rows()),
			to: `$("Input").all().find((row) => row.json.customerId === "${sets[0]!.customerId}").json.email`,
		}),
	],
	[
		'a table that knows customers by their names alone',
		() => ({
			items: ofFirst(sets.map(({ consignor }, n) => ({ Name: consignor.customerName, email: `c${n}@x` }))),
		}),
	],
	[
		'the name of a customer that was typed to try it',
		() => {
			const all = sets.map(({ consignor }, n) => ({ company: consignor.customerName, email: `c${n}@x` }));
			return {
				items: ofFirst(all),
				typed: { type: 'n8n-nodes-base.googleSheets', lookup: all[0]!.company },
			};
		},
	],
	[
		'what a step behind wrote for the mail',
		() => ({
			items: ofFirst(rows()),
			after: { assignments: '={{ $("Input").item.json.email }}' },
			afterType: 'n8n-nodes-base.set',
			behind: [
				{
					name: 'Edit',
					type: 'n8n-nodes-base.set',
					parameters: {
						assignments: { assignments: [{ name: 'to', value: '={{ $("Input").item.json.email }}' }] },
					},
				},
				{
					name: 'Mail',
					type: 'n8n-nodes-base.emailSend',
					parameters: { toEmail: '={{ $json.to }}', attachments: '={{ $json.attachments }}' },
				},
			],
		}),
	],
	[
		'one where the customer was asked for',
		() => ({
			...calledWith(),
			items: ofFirst(other()),
			lookup: { customerId: sets[2]!.customerId },
		}),
	],
	[
		'one where several customers were asked for, and the event says which it is',
		() => ({ items: ofFirst(other()), lookup: { customerId: [sets[0]!.customerId, sets[2]!.customerId] } }),
	],
	[
		'one of a table that is asked for the status of the event alone, and has the own row, too',
		() => ({
			items: ofFirst(rows(() => ({ wants: event(2).status }))),
			typed: { ...SHEET, lookup: '={{ $json.status }}' },
		}),
	],
	[
		'one where a workflow is called with the set and its customer',
		() => ({ ...calledWith({ customer: sets[2]!.customerId }), items: ofFirst(other()) }),
	],
])('refuses %s', async (_, asked) => expect(await told(asked())).toMatch(REFUSED));

it('refuses a folder of somebody else that Edit Fields in front puts into others', async () =>
	expect(await told(folderNamed(0))).toMatch(/in "Between", its customerId is /));

const HINT = /^What is sent goes by a row of "Input" whose (\w+) is .+, and nothing says that the papers of /;

describe('where nothing says whose the papers are', () => {
	it.each<[string, () => IDataObject]>([
		['an ID', () => other()[0]!],
		['a name', () => ({ Company: sets[0]!.consignor.customerName, email: 'c0@x' })],
	])('hints at the row of a customer by %s', async (_, row) => {
		const { error, hints } = await toldAndHinted({ ...calledWith(), items: ofFirst([row()]) });
		expect(error).toBe('');
		expect(hints.map(({ message }) => message)).toEqual([expect.stringMatching(HINT)]);
	});

	it('hints at a record that was picked, whose column for the customer has a name of its own', async () => {
		const { error, hints } = await toldAndHinted({
			items: ofFirst([{ id: 'rec0001', Kunde: sets[0]!.customerId, email: 'c0@x' }]),
			typed: { type: 'n8n-nodes-base.airtable', operation: 'get', record: 'rec0001' },
		});
		expect(error).toBe('');
		expect(hints.map(({ message }) => message)).toEqual([expect.stringMatching(HINT)]);
	});

	it.each<[string, () => Asked]>([
		[
			'left by Limit',
			() => ({
				between: {
					type: 'n8n-nodes-base.googleSheets',
					items: inPlace(['Harbour', 'Salt'].map((Company, n) => ({ Company, email: `c${n}@x` }))),
					typed: { operation: 'read' },
				},
				items: ofFirst([{ Company: 'Harbour', email: 'c0@x' }]),
				typed: { type: 'n8n-nodes-base.limit' },
			}),
		],
		...['Shipper', 'Exporter', 'Importer', 'Buyer', 'Seller', 'Organisation'].map(
			(column): [string, () => Asked] => [
				`whose ${column} was typed to try it`,
				() => {
					const { customerName } = sets[0]!.consignor;
					return {
						items: ofFirst([{ [column]: customerName, email: 'c0@x' }]),
						typed: { ...SHEET, lookup: customerName },
					};
				},
			],
		),
	])('hints at a row %s', async (_, asked) => {
		const { error, hints } = await toldAndHinted(asked());
		expect(error).toBe('');
		expect(hints.map(({ message }) => message)).toEqual([
			expect.stringMatching(/^What is sent goes by a row of "(Input|Between)" whose /),
		]);
	});

	it.each<[string, () => Asked]>([
		['that names a desk', () => ({ items: ofFirst([{ desk: 'Import', email: 'import@x' }]) })],
		[
			'that was asked for by what came',
			() => ({
				typed: { type: 'n8n-nodes-base.googleSheets', lookup: '={{ $json.customer }}' },
				items: ofFirst(other()),
			}),
		],
		[
			'of the consignor by its name',
			() => ({ items: ofFirst([{ Company: sets[2]!.consignor.customerName, email: 'c2@x' }]) }),
		],
	])('does not hint at a row %s', async (_, asked) =>
		expect(await toldAndHinted({ ...calledWith(), ...asked() })).toEqual({ error: '', hints: [] }),
	);
});

/** A table that is read whole, of which the steps behind take one row. */
const oneOf = (all: IDataObject[], row: IDataObject, typed: IDataObject = {}): Asked => ({
	items: ofFirst(all),
	merged: { typed: { mode: 'append', ...typed }, items: ofFirst([row]) },
	to: '$("Merge").item.json.email',
});

it.each<[string, () => Asked]>([
	[
		'a row by a word that was typed, and stands in those of others',
		() => {
			const all = rows(() => ({ active: 'yes' }));
			return oneOf(all, all[0]!, { active: 'yes' });
		},
	],
	[
		'a row that a Merge matches by what the set does not say',
		() => {
			const all = rows(() => ({ country: 'Kenya' }));
			return oneOf(all, all[0]!, {
				mode: 'combine',
				combineBy: 'combineByFields',
				fieldsToMatchString: 'country',
			});
		},
	],
	...(
		[
			['', comparing('={{ $json.wants }}', 'contains', '={{ $("Event").first().json.status }}')],
			['where either is enough', comparing('={{ $json.company }}', 'contains', `={{ ${REFERENCE} }}`, 'or')],
			['that is not like it', comparing('={{ $json.company }}', 'notContains', `={{ ${REFERENCE} }}`)],
			[
				'by a name that was typed to try it',
				inCode('const is = "House 0";\nreturn [rows.find(({ json }) => json.client === is)];'),
			],
			['by a status', inCode('return [rows.find(({ json }) => json.wants.includes(event.status))];')],
			[
				'or takes the first',
				inCode('return [rows.find(({ json }) => event.parcelReference.startsWith(json.begins)) ?? rows[0]];'),
			],
			[
				'or takes the first of the table',
				inCode(
					'return [rows.find(({ json }) => event.parcelReference.startsWith(json.begins)) || $("Between").first()];',
				),
			],
			[
				'by a status, where something else is asked of the event',
				besides(
					comparing('={{ $json.wants }}', 'contains', '={{ $("Event").first().json.status }}'),
					`={{ ${REFERENCE} }}`,
					'notEmpty',
					'',
				),
			],
			[
				'by an ID, of the event of the round before, say',
				comparing('={{ $json.customerId }}', 'equals', '={{ $("Event").first().json.customerId }}'),
			],
			[
				'or gives another than the own',
				inCode(
					'const own = rows.find(({ json }) => json.customerId === event.customerId);\nreturn [rows[0]];',
				),
			],
		] as const
	).map(([how, typed]): [string, () => Asked] => [
		`the row of another that a step left of several ${how}`,
		() => lookedFor(typed, { client: 'House 0', wants: 'signed, issued', begins: 'QQ' }),
	]),
	[
		'an address of another beside the reference of the set',
		() => oneOf(rows(), { email: 'c0@x', ref: sets[2]!.parcelRef }),
	],
	[
		'an address of another that was looked at',
		() => ({
			...oneOf([], rows()[0]!),
			typed: { type: 'n8n-nodes-base.httpRequest', url: '={{ $json.email }}' },
			items: ofFirst([{ email: 'c0@x', valid: 'so' }]),
		}),
	],
	...[true, false].map((isEither): [string, () => Asked] => [
		`a row whose ID is empty, and which says the typed word that the own row says: ${isEither ? 'where either is enough' : 'of all that a Filter left'}`,
		() => {
			const all = named((n) => ({ ...(n < 2 && { customerId: '' }), purpose: 'papers' }));
			const filter = {
				type: 'n8n-nodes-base.filter',
				leftValue: '={{ $json.purpose }}',
				rightValue: 'papers',
			};
			return isEither
				? { items: ofFirst(all), typed: eitherOf('anyCondition') }
				: ofEachRow({
						before: {
							type: 'n8n-nodes-base.microsoftExcel',
							items: inPlace(all),
							typed: { operation: 'read' },
						},
						items: inPlace(all),
						typed: filter,
					});
		},
	]),
	...['', 'Limited'].map((more): [string, () => Asked] => [
		`the rows of customers in a table that is read whole and knows them by name alone, beside the own row of another: ${more}`,
		() => ofColleagues(named((n) => ({ company: `${sets[n]!.consignor.customerName} ${more}`.trim() }))),
	]),
	...['customer', 'company_no', 'party'].map((column): [string, () => Asked] => [
		`contacts in a table that is read whole, whose customers stand in it as ${column}, beside the own row of another`,
		() =>
			ofColleagues(
				colleagues().map((row, n) => ({ ...row, [column]: column === 'party' ? sets[n]!.customerId : n })),
			),
	]),
	...BY_CHANCE.map((word): [string, () => Asked] => [
		`the row of another that says, in another column, what the own row says by chance: ${word}`,
		() => ({
			...ofColleagues([], SHEET, { since: word }),
			items: ofFirst(rows((n) => (n === 0 ? { changed: word } : {})).slice(0, 2)),
			to: '$("Input").first().json.email',
		}),
	]),
	...[
		['language', 'lang', 'English'],
		['currency', 'pays', 'EUR'],
		['days', 'limit', 120],
		['since', 'changed', '2026-01'],
		['agent', 'contact', 'Fast'],
	].map(([column = '', another = '', word]): [string, () => Asked] => [
		`the row of another whose ${another} alone is the ${column} of the own row, which nothing reads`,
		() => ({
			...ofColleagues([], SHEET, { [column]: word }),
			items: ofFirst(rows((n) => ({ [another]: n === 0 ? word : 'none' }))),
			to: '$("Input").first().json.email',
		}),
	]),
	[
		'rows that say the status of the event, which a step in front of the table asks for',
		() =>
			behindOwn(
				{},
				rows(() => ({ contract: 'signed' })),
				{ is: '={{ $json.status }}' },
			),
	],
	[
		'the same where an If behind the table asks whether it is what was typed',
		() => ({
			between: {
				type: 'n8n-nodes-base.microsoftExcel',
				items: ofFirst(rows(() => ({ contract: 'signed' }))),
				typed: { operation: 'read' },
			},
			items: ofFirst([event(2)]),
			typed: whether('={{ $("Event").item.json.status }}', 'SIGNED'),
			to: '$("Between").first().json.email',
		}),
	],
	[
		'rows that say what the own row says of its status, where a step in front of both asks for that of the event',
		() =>
			behindOwn(
				{ status: 'regular' },
				rows(() => ({ status: 'regular' })),
				{
					is: '={{ $json.status }}',
				},
			),
	],
	...['id', 'country', 'manager'].map((column): [string, () => Asked] => [
		`the row of another that alone says what the own row of another table says: ${column}`,
		() => ({
			...ofColleagues([], SHEET, { [column]: '1' }),
			items: ofFirst(rows((n) => ({ [column]: String(n + 1) }))),
			to: '$("Input").first().json.email',
		}),
	]),
	[
		'what a table has by the names of some, of one that is read whole',
		() => {
			const byName = { ...SHEET, lookup: '={{ $json.company }}' };
			const before = {
				type: 'n8n-nodes-base.microsoftExcel',
				items: inPlace(named(() => ({ email: '' }))),
				typed: { operation: 'read' },
			};
			return ofEachRow({ ...ofColleagues(named().slice(0, 2), byName), before });
		},
	],
	[
		'what a table has for the name of another that was typed, beside the own row of another table',
		() =>
			ofColleagues(
				['a', 'b'].map((name) => ({ company: sets[0]!.consignor.customerName, email: `${name}@x` })),
				{ ...SHEET, lookup: sets[0]!.consignor.customerName },
			),
	],
	[
		'a customer of hundreds of rows',
		() => oneOf([...Array.from({ length: 300 }, () => rows()[0]!), ...own()], rows()[0]!),
	],
])('refuses %s', async (_, asked) => {
	expect(await told(asked())).toMatch(/^What is sent goes by the row of somebody else/);
});

/** A row of a forwarder, behind what a web service says of the customer. */
const byForwarder = (answer: IDataObject): Asked => ({
	typed: { type: 'n8n-nodes-base.httpRequest', url: '={{ $json.customerId }}' },
	items: ofFirst([answer]),
	merged: { typed: { mode: 'append' }, items: ofFirst([{ customerId: NOBODY, email: 'forwarder@x' }]) },
	to: '$("Merge").item.json.email',
});

it('refuses a row that nothing in front names', async () => {
	expect(await told(byForwarder({ forwarder: 'none' }))).toMatch(
		/^What is sent goes by the row of somebody else: in "Merge"/,
	);
});

it('says whose row it is', async () => {
	expect(await told({ items: ofFirst(rows()) })).toContain(`its customerId is ${sets[0]!.customerId}`);
});

describe('goes on with', () => {
	it.each<[string, () => Asked]>([
		[
			'the row of a forwarder, where a table was asked for the customer as well',
			() => ({
				items: ofFirst([{ customerId: NOBODY, purpose: 'papers', email: 'forwarder@x' }]),
				typed: eitherOf('allConditions'),
			}),
		],
		[
			'the own row, and one for everybody, where either is enough',
			() => ({
				items: ofFirst([...own(), { customerId: '*', purpose: 'papers', email: 'archive@x' }]),
				typed: eitherOf('anyCondition'),
			}),
		],
		...[{ role: 'desk' }, { always: true }].map((typed): [string, () => Asked] => [
			`the own row, and those of two desks without a customer, where either is enough: ${Object.keys(typed)[0]}`,
			() => {
				const [keyName, keyValue] = Object.entries(typed)[0]!;
				const desk = { customerId: '', company: 'Harbour Agency', ...typed };
				return {
					items: ofFirst([named()[2]!, ...['a', 'b'].map((name) => ({ ...desk, email: `${name}@x` }))]),
					typed: eitherOf('anyCondition', { keyName, keyValue: String(keyValue) }),
				};
			},
		]),
		[
			'a record of a desk that was picked, beside the row of the customer',
			() => ({
				before: { type: 'n8n-nodes-base.googleSheets', items: inPlace([named()[2]!]), typed: byCustomer },
				items: ofFirst([{ id: 'rec0009', company: 'Harbour Agency', email: 'desk@x' }]),
				typed: { type: 'n8n-nodes-base.airtable', operation: 'get', id: 'rec0009' },
				setId: `={{ ${JSON.stringify(sets[2]!.setId)} }}`,
				lookup: { customerId: sets[2]!.customerId },
			}),
		],
		[
			'the rows of two desks without a customer that were looked for by what was typed, beside the row of the customer',
			() => ({
				before: { type: 'n8n-nodes-base.microsoftExcel', items: inPlace([named()[2]!]), typed: byCustomer },
				items: ofFirst(
					['a', 'b'].map((name) => ({
						customerId: '',
						company: 'Harbour',
						role: 'desk',
						email: `${name}@x`,
					})),
				),
				typed: { ...SHEET, lookup: 'desk' },
				setId: `={{ ${JSON.stringify(sets[2]!.setId)} }}`,
				lookup: { customerId: sets[2]!.customerId },
			}),
		],
		[
			'a list of colleagues that is read whole, beside the row of the customer: each has a name',
			() => ofColleagues(colleagues()),
		],
		...BY_CHANCE.map((word): [string, () => Asked] => [
			`the same, where the row of the customer and that of one of them say ${word}`,
			() => {
				const [kim, lee] = colleagues();
				return ofColleagues([{ ...kim, started: word }, lee!], SHEET, { since: word });
			},
		]),
		[
			'the same, where the row of the customer and that of one of them have one number in their sheets',
			() => {
				const [kim, lee] = colleagues();
				return ofColleagues([{ ...kim, row_number: 157 }, lee!], SHEET, { row_number: 157 });
			},
		],
		[
			'the same behind a mail that went to one of them, as in the next round of a loop',
			() => ({
				...ofColleagues(colleagues()),
				between: {
					type: 'n8n-nodes-base.gmail',
					items: inPlace([{ accepted: ['Kim@x'] }]),
					typed: { sendTo: '={{ $("Event").first().json.email }}', attachments: 'data' },
				},
				to: '$("Input").first().json.email',
			}),
		],
		[
			'those of them whose team was typed, which the row of the customer names, too',
			() => ofColleagues(colleagues(), { ...SHEET, lookup: 'Import' }),
		],
		[
			'the same of a table that is read whole, of which a Filter leaves the row of the customer and those of the desks',
			() => {
				const chosen = ['a', 'b'].map((name) => ({
					customerId: '',
					company: 'Harbour',
					role: 'desk',
					email: `${name}@x`,
				}));
				return ofEachRow({
					before: {
						type: 'n8n-nodes-base.microsoftExcel',
						items: inPlace([...chosen, ...named()]),
						typed: { operation: 'read' },
					},
					items: inPlace([...chosen, named()[2]!]),
					typed: {
						type: 'n8n-nodes-base.filter',
						leftValue: '={{ $json.role }}',
						rightValue: 'desk',
					},
				});
			},
		],
		[
			'two agencies of the port that the own row names, of a table that is read whole',
			() => ({
				before: {
					type: 'n8n-nodes-base.microsoftExcel',
					items: inPlace([{ ...named()[2], email: '', port: 'Bremen' }]),
					typed: byCustomer,
				},
				items: ofFirst(
					['a', 'b'].map((name) => ({ port: 'Bremen', company: `Agency ${name}`, email: `${name}@x` })),
				),
				typed: { ...SHEET, lookup: '={{ $json.port }}' },
				setId: `={{ ${JSON.stringify(sets[2]!.setId)} }}`,
				lookup: { customerId: sets[2]!.customerId },
			}),
		],
		[
			'what a table has for the own row of one that is read whole, which a Filter left',
			() =>
				ofEachRow({
					between: { type: 'n8n-nodes-base.filter', items: [{ json: own()[0]!, pairedItem: { item: 2 } }] },
					items: ofFirst(own()),
				}),
		],
		[
			'the agent whom the own row of a table names that is read whole',
			() => ({
				before: {
					type: 'n8n-nodes-base.microsoftExcel',
					items: inPlace(named((n) => ({ email: '', agent: `AG-${n}` }))),
					typed: { operation: 'read' },
				},
				items: [{ json: { agent: 'AG-2', company: 'Agents', email: 'agent@x' }, pairedItem: { item: 2 } }],
				typed: { ...SHEET, lookup: '={{ $json.agent }}' },
				setId: `={{ ${JSON.stringify(sets[2]!.setId)} }}`,
				lookup: { customerId: sets[2]!.customerId },
			}),
		],
		['the row of the customer', () => ({ items: ofFirst(own()) })],
		...SHAPES.map(([where, shaped, field]): [string, () => Asked] => [
			`that which comes ${where}`,
			() => ({ items: ofFirst(shaped(rows())), to: field(2) }),
		]),
		[
			'the row that names the parcel of the paper',
			() => ({
				items: ofFirst(rows((n) => ({ parcel: sets[n]!.parcelRef }))),
				to: `${byPaper('parcelRef')} ?? $("Input").first().json.email`,
			}),
		],
		[
			'the row of a desk that was typed into a step in front of the table',
			() => {
				const desk = { desk: 'Import', customerId: NOBODY, email: 'import@x' };
				return { ...bySettings('desk', desk.desk), items: ofFirst([desk]) };
			},
		],
		[
			'what another workflow answers that is called with the customer',
			() => ({
				typed: {
					type: 'n8n-nodes-base.executeWorkflow',
					workflowInputs: { value: { customerId: '={{ $json.customerId }}' } },
				},
				items: ofFirst([{ customerId: NOBODY, email: 'forwarder@x' }]),
			}),
		],
		[
			'an ID in capitals, with blanks',
			() => ({
				items: ofFirst(own().map((row) => ({ ...row, customerId: ` ${row.customerId.toUpperCase()} ` }))),
			}),
		],
		[
			'one row for several customers',
			() => ({ items: ofFirst([{ customerId: sets.map((set) => set.customerId).join(), email: 'c@x' }]) }),
		],
		['several rows of one address', () => ({ items: ofFirst(rows(() => ({ email: 'c@x' }))) })],
		[
			'several rows of one address in a table that is written in Code',
			() => ({
				items: ofFirst(rows(() => ({ email: 'c@x' }))),
				typed: { type: 'n8n-nodes-base.code', jsCode: `return ${JSON.stringify(rows())};` },
			}),
		],
		[
			'a row of its own that names another',
			() => ({
				items: ofFirst(rows((n) => ({ replaces: sets[(n + 1) % 3]!.customerId }))),
				to: '$("Input").last().json.email',
			}),
		],
		['a row for whoever has none', () => ({ items: ofFirst([{ customerId: '', email: 'office@x' }]) })],
		[
			'an office that was typed',
			() => ({
				items: ofFirst([{ customerId: 'OFFICE', email: 'office@x' }, ...own()]),
				to: '$("Input").first().json.email',
				typed: { type: 'n8n-nodes-base.googleSheets', lookup: 'OFFICE' },
			}),
		],
		[
			'rows that say nothing of customers',
			() => ({ items: ofFirst([{ port: 'Hamburg', email: 'agent@x' }]) }),
		],
		['a forwarder whom a step in front names', () => byForwarder({ forwarder: NOBODY })],
		[
			'a sender of another customer',
			() => ({
				items: ofFirst(other()),
				after: { attachments: '={{ $json.attachments }}', from: '={{ $("Input").item.json.email }}' },
			}),
		],
		[
			'contacts of several parties that were asked for by the parcel',
			() => ({
				typed: { type: 'n8n-nodes-base.httpRequest', url: '={{ $json.parcelReference }}' },
				items: ofFirst([...own(), { customerId: NOBODY, email: 'notified@x' }]),
			}),
		],
		[
			'rows of one company',
			() => ({
				typed: { type: 'n8n-nodes-base.googleSheets', lookup: '={{ $json.company }}' },
				items: ofFirst(
					[...own(), { customerId: NOBODY, email: 'sister@x' }].map((row) => ({
						...row,
						company: 'Sisters',
					})),
				),
			}),
		],
		[
			'the one that was looked for among all',
			() => ({
				items: ofFirst(rows()),
				to: '$("Input").all().find((row) => row.json.email === "c2@x").json.email ?? $("Input").first().json.email',
			}),
		],
		[
			'what Code took of the list that an answer holds',
			() => ({
				items: ofFirst([{ data: rows() }]),
				to: '$("Input").item.json.data.find((row) => row.email === "c2@x").email',
			}),
		],
		[
			'the first of the contacts that the row of the customer holds',
			() => ({
				items: ofFirst([
					{ customerId: sets[2]!.customerId, contacts: [{ email: 'c2@x' }, { email: 'c0@x' }] },
					...other(),
				]),
				to: '$("Input").first().json.contacts[1].email',
			}),
		],
		[
			'an address that somebody gave in a form, though it stands in the row of another',
			() => ({
				before: {
					type: 'n8n-nodes-base.formTrigger',
					items: inPlace([{ setId: sets[2]!.setId, to: 'c0@x' }]),
				},
				items: ofFirst(rows()),
				to: '$("Event").item.json.to',
			}),
		],
		[
			'an agent by what the event says',
			() => {
				const agent = { customerId: NOBODY, email: 'agent@x', when: String(event(2).status) };
				return oneOf([agent, ...own()], agent, { by: '={{ $("Event").item.json.status }}' });
			},
		],
		...[
			{ fieldsToMatchString: 'status' },
			{ advanced: true, mergeByFields: { values: [{ field1: 'status', field2: 'when' }] } },
		].map((matched): [string, () => Asked] => [
			`an agent whom a Merge matches by ${Object.keys(matched).join(' and ')}`,
			() => {
				const status = String(event(2).status);
				const agent = { customerId: NOBODY, email: 'agent@x', status, when: status };
				return oneOf([agent, ...own()], agent, {
					mode: 'combine',
					combineBy: 'combineByFields',
					...matched,
				});
			},
		]),
		[
			'a desk by its name, which was typed',
			() => {
				const desk = { customerId: NOBODY, email: 'north@x', desk: 'North' };
				return oneOf([desk, ...rows(() => ({ desk: 'South' }))], desk, { desk: 'North' });
			},
		],
		[
			'a desk by a yes that was typed, and stands in its row alone',
			() => {
				const desk = { customerId: NOBODY, email: 'north@x', papers: 'yes' };
				return oneOf([desk, ...rows(() => ({ papers: 'no' }))], desk, { papers: 'yes' });
			},
		],
		[
			'a forwarder whom the row of the customer names, for which a Merge looks in SQL',
			() => {
				const forwarder = { customerId: NOBODY, email: 'fast@x', name: 'Fast' };
				const query = 'SELECT two.* FROM input2 one JOIN input2 two ON one.forwarder = two.name';
				return oneOf([forwarder, ...rows(() => ({ forwarder: 'Fast' }))], forwarder, { query });
			},
		],
		...[
			comparing(`={{ ${REFERENCE} }}`, 'startsWith', '={{ $json.begins }}'),
			comparing(`={{ ${REFERENCE}.startsWith($json.begins) }}`, 'true', ''),
			comparing('={{ $("Event").first().json.message }}', 'contains', '={{ $json.company }}'),
			inCode(
				'return [rows.find(({ json }) => json.begins && event.parcelReference.startsWith(json.begins))];',
			),
			inCode(
				'const hits = rows.filter(({ json }) => json.begins && event.parcelReference.indexOf(json.begins) === 0);\nreturn [{ json: { email: hits[0].json.email } }];',
			),
			besides(
				comparing(`={{ ${REFERENCE} }}`, 'startsWith', '={{ $json.begins }}'),
				'={{ $json.company }}',
				'notEquals',
				'House',
			),
			inCode(
				'const byBegin = {};\nfor (const row of rows) byBegin[row.json.begins] = row.json.email;\nreturn [{ json: { email: byBegin[event.parcelReference.slice(0, 5)] } }];',
			),
		].map((typed): [string, () => Asked] => [
			`an agency by the beginning of the reference, beside customers: ${JSON.stringify(typed).slice(0, 120)}`,
			() => lookedFor(typed),
		]),
		[
			'an agency that the address looks for by the beginning of the reference, beside customers',
			() => {
				const { between } = lookedFor({});
				const to = `$("Between").all().find(({ json }) => json.begins && ${REFERENCE}.startsWith(json.begins)).json.email`;
				return { between, items: ofFirst([event(2)]), typed: { type: 'n8n-nodes-base.noOp' }, to };
			},
		],
		[
			'the same, and a copy for a desk',
			() => {
				const { between } = lookedFor({});
				const agency = `$("Between").all().find(({ json }) => json.begins && ${REFERENCE}.startsWith(json.begins)).json.email`;
				return {
					between,
					items: ofFirst([event(2)]),
					typed: { type: 'n8n-nodes-base.noOp' },
					to: `[${agency}, "desk@x"].join()`,
				};
			},
		],
		['the deputy whom the row of the manager names', ofDeputy],
		[
			'an agency of a table that is read whole, which a Merge looks for in SQL by a column of the own row',
			() => ({
				...ofColleagues([], SHEET, { agency: 'Fast' }),
				...oneOf(
					['Fast', 'Slow'].map((agency) => ({ customerId: NOBODY, agency, email: `${agency}@x` })),
					{ email: 'Fast@x' },
					{ query: 'SELECT input2.* FROM input1 JOIN input2 ON input1.agency = input2.agency' },
				),
			}),
		],
		[
			'an agency of a table that is read whole, which the address itself looks for by what the own row says',
			() => ({
				...ofColleagues([], SHEET, { id: '1', agency: '3' }),
				items: ofFirst(named((n) => ({ customerId: NOBODY, id: String(n + 1) }))),
				to: '$("Input").all().find((row) => row.json.id === $("Event").first().json.agency).json.email',
			}),
		],
		...[
			'SELECT two.* FROM input1 one JOIN input2 two ON one.`Agent No.` = two.number',
			'SELECT two.* FROM input1 one JOIN input2 two ON one.[Agent No.] = two.number',
			'SELECT input2.* FROM input1 JOIN input2 ON agent = number',
			'SELECT * FROM input1 JOIN input2 USING (agent)',
		].map((query): [string, () => Asked] => [
			`an agent of a table that is read whole, for whom a Merge looks by ${query}`,
			() =>
				behindOwn(
					{ [query.includes('No.') ? 'Agent No.' : 'agent']: 7001 },
					numbered(query.includes('number') ? 'number' : 'agent'),
					{},
					{ merged: { typed: { query }, items: ofFirst([{ email: 'fast@x' }]) } },
				),
		]),
		[
			'an agent of a table that is read whole, for whom Python looks',
			() => {
				const pythonCode = 'return [row for row in rows if row["json"]["number"] == own.get("agent")]';
				const merged = { typed: { pythonCode }, items: ofFirst([{ email: 'fast@x' }]) };
				return behindOwn({ agent: 7001 }, numbered('number'), {}, { merged });
			},
		],
		...['own.forwarder', 'own["Forwarder No."]', 'own.result.forwarder'].map(
			(read): [string, () => Asked] => [
				`a forwarder whose number is in the row of the customer, where Code reads ${read}`,
				() => {
					const column = /"(.+)"/.exec(read)?.[1] ?? 'forwarder';
					const all = rows(() =>
						read.includes('result') ? { result: { [column]: 7001 } } : { [column]: 7001 },
					);
					const forwarder = { customerId: NOBODY, email: 'fast@x', number: 7001 };
					const jsCode = `return $("Input").all().filter((row) => row.json.number === ${read});`;
					return oneOf([forwarder, ...all], forwarder, { jsCode });
				},
			],
		),
		[
			'a forwarder whose ID is in the row of the customer, whatever reads it',
			() => {
				const forwarder = { customerId: NOBODY, email: 'fast@x' };
				return oneOf([forwarder, ...rows(() => ({ forwarder: NOBODY }))], forwarder);
			},
		],
		[
			'an address that was asked for, though it stands in the row of another, too',
			() => ({
				...oneOf([], { customerId: NOBODY, email: 'agent@x' }),
				typed: { type: 'n8n-nodes-base.httpRequest', url: '={{ $json.customerId }}' },
				items: ofFirst([{ email: 'agent@x' }]),
			}),
		],
		[
			'the address of a desk that has some customers of its own',
			() => ({
				...oneOf([{ desk: 'Import', email: 'office@x' }], { customerId: NOBODY, email: 'office@x' }),
				to: '$("Input").first().json.email',
			}),
		],
		[
			'an address that was typed into Edit Fields',
			() => ({
				...oneOf([{ office: 'office@x' }], { customerId: NOBODY, email: 'office@x' }),
				typed: { type: 'n8n-nodes-base.set', office: 'office@x' },
				to: '$("Input").first().json.office',
			}),
		],
		[
			'a row on a way that was made for the customer',
			() => ({
				...oneOf([event(2)], { customerId: NOBODY, email: 'forwarder@x' }),
				typed: { type: 'n8n-nodes-base.if', is: sets[2]!.customerId },
			}),
		],
		[
			'a row of a word, where the others have IDs',
			() => ({
				items: ofFirst([{ customerId: 'default', email: 'office@x' }, ...own()]),
				to: '$("Input").first().json.email',
			}),
		],
		[
			'another spelling of the name of who did it',
			() => ({
				items: ofFirst([
					{ Party: `${String(event(2).actorCompany)} Ltd.`, email: 'party@x' },
					{ Party: sets[2]!.parcelRef, email: 'c2@x' },
				]),
				to: '$("Input").first().json.email',
			}),
		],
		[
			'what another workflow answers',
			() => ({
				typed: { type: 'n8n-nodes-base.executeWorkflow', workflowId: 'x' },
				items: ofFirst([{ customerId: NOBODY, email: 'forwarder@x' }]),
			}),
		],
		[
			'a bank with an ID, of a table that is asked for the status of the event',
			() => ({
				items: ofFirst([{ customerId: NOBODY, wants: event(2).status, email: 'bank@x' }]),
				typed: { ...SHEET, lookup: '={{ $json.status }}' },
			}),
		],
		[
			'desks beside the own row, of a table that is asked for the status of the event',
			() => ({
				items: ofFirst(
					['', sets[2]!.customerId, '*'].map((customerId, n) => ({
						customerId,
						wants: event(2).status,
						email: `d${n}@x`,
					})),
				),
				typed: { ...SHEET, lookup: '={{ $json.status }}' },
			}),
		],
		[
			'an agent of hundreds of customers',
			() => ({
				items: ofFirst(
					Array.from({ length: 300 }, (__, n) => ({
						customerId: n === 157 ? sets[2]!.customerId : `${NOBODY.slice(0, -3)}${n + 200}`,
						email: 'agent@x',
					})),
				),
			}),
		],
		[
			'the folder of the set, in words that the rows of others have',
			() => ({
				items: ofFirst(rows((n) => ({ status: n === 2 ? 'new' : 'SIGNED' }))),
				after: { path: '=/{{ $("Event").item.json.status }}/{{ $json.fileName }}' },
				afterType: 'n8n-nodes-base.ftp',
			}),
		],
		['its folder, put into others by Edit Fields in front', () => folderNamed(2)],
		[
			'the same where another row says what was typed there',
			() => folderNamed(2, (n) => ({ kind: n === 2 ? '' : 'customers' })),
		],
		[
			'its folder in a path that another row has a part of',
			() => ({
				between: {
					type: SHEET.type,
					items: ofFirst(rows((n) => ({ city: n === 2 ? 'Ghent' : 'Bremen', folder: `Bremen/${n}` }))),
					typed: { operation: 'read' },
				},
				items: ofFirst([rows(() => ({ city: 'Ghent', folder: 'Bremen/2' }))[2]!]),
				typed: comparing('={{ $json.customerId }}', 'equals', '={{ $("Event").first().json.customerId }}'),
				after: { path: `=/${FOLDER}/{{ $json.fileName }}` },
				afterType: 'n8n-nodes-base.ftp',
			}),
		],
		[
			'what a file is called by the row of another, in a folder of the set',
			() => ({
				items: ofFirst(rows((n) => ({ folder: `folder of ${n}` }))),
				after: { path: `=/{{ $("Event").item.json.setId }}/${FOLDER} {{ $json.fileName }}` },
				afterType: 'n8n-nodes-base.ftp',
			}),
		],
	])('%s', async (_, asked) => expect(await told(asked())).toBe(''));
});
