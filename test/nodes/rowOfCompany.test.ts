import type { IDataObject } from 'n8n-workflow';
import { move, startService, type ParcelSet, type Service } from '../../sandbox/service';
import type { NodeRun } from '../support/engine';
import { openFrontDoor } from '../support/frontDoor';
import { byTrigger, inPlace, runOfOneSet } from '../support/eventInFront';

/** A table whose columns say nothing of customers to us: the service knows the companies that stand in it. */

let service: Service;
let set: ParcelSet;
beforeAll(async () => {
	service = await startService();
	const [, seller, holder] = service.data.customers;
	set = service.data.sets.find(({ customerId }) => customerId === seller!.customerId)!;
	// One who holds the papers of others: the set says its ID alone.
	set.customerId = holder!.customerId;
});
afterAll(() => service.close());

const nameOf = ({ customerName }: { customerName: string }) => customerName;
const own = () => service.data.customers[2]!;
const other = () => service.data.customers[0]!;
/** Companies that have nothing to do with the set. */
const houses = () => {
	const ofSet = [set.consignor, set.consignee, set.from].map((party) => party?.customerName);
	return service.data.counterparties.map(nameOf).filter((name) => !ofSet.includes(name));
};

const SHEET = { type: 'n8n-nodes-base.googleSheets', operation: 'read' };
const contacts = (names: string[], column = 'House') =>
	names.map((name, n) => ({ [column]: name, Person: `P${n}`, Address: `c${n}@x` }));

interface Asked extends Partial<NodeRun> {
	/** The own row of another table. */
	ofOwn?: IDataObject;
	rows: IDataObject[];
	to?: string;
	setId?: string;
	/** Narrow the Search. */
	lookup?: IDataObject;
	baseUrl?: string;
}

async function told({
	ofOwn = { customerId: set.customerId, Name: own().customerName, Team: 'Import' },
	rows,
	to = '$("Input").first().json.Address',
	setId = '={{ $("Event").item.json.setId }}',
	lookup = {},
	baseUrl = service.baseUrl,
	...more
}: Asked): Promise<string> {
	const event = byTrigger({ ...move(service.data, set.setId, 'sign', Date.now()) });
	const { error } = await runOfOneSet(
		baseUrl,
		{ resource: 'document', operation: 'getAllPdfs', onePerSet: true },
		{
			setId: { __rl: true, mode: 'id', value: setId },
			documentId: '',
			lookup,
		},
		{
			before: { type: 'x.parcelDocumentExchangeTrigger', items: inPlace([event]) },
			between: {
				type: 'n8n-nodes-base.microsoftExcel',
				items: inPlace([ofOwn]),
				typed: { operation: 'lookup', value: '={{ $json.customerId }}' },
			},
			items: rows.map((json) => ({ json, pairedItem: { item: 0 } })),
			typed: SHEET,
			after: { attachments: '={{ $json.attachments }}', to: `={{ ${to} }}` },
			afterType: 'n8n-nodes-base.emailSend',
			...more,
		},
	);
	return error?.message ?? '';
}

/** A table that is read whole, and a step behind it that gives some of its rows. */
const chosen = (of: IDataObject[], rows: IDataObject[], step: IDataObject): Asked => ({
	between: { type: SHEET.type, items: inPlace(of), typed: { operation: SHEET.operation } },
	rows,
	typed: step,
});

/** The own row, and a bank, an agent and another, each with words of its own. */
const desks = (...said: IDataObject[]) =>
	contacts([nameOf(own()), ...houses().slice(0, 3)]).map((row, n) => ({ ...row, ...said[n] }));

/** What a Filter, or an If, asks of each row. */
const whether = (...asked: Array<[string, string]>) => ({
	type: 'n8n-nodes-base.filter',
	conditions: {
		conditions: asked.map(([field, rightValue]) => ({
			leftValue: `={{ $json.${field} }}`,
			rightValue,
			operator: { operation: rightValue === '' ? 'notEmpty' : 'equals' },
		})),
	},
});

const inCode = (jsCode: string) => ({ type: 'n8n-nodes-base.code', jsCode });

/** Steps that leave one row of several, or make one of them, whatever they say. */
const LEAVE_ONE: ReadonlyArray<[string, { type: string; typed: IDataObject }]> = [
	['Limit', { type: 'n8n-nodes-base.limit', typed: { maxItems: 1 } }],
	['Remove Duplicates', { type: 'n8n-nodes-base.removeDuplicates', typed: { compare: 'selectedFields' } }],
	['Item Lists', { type: 'n8n-nodes-base.itemLists', typed: { operation: 'limit' } }],
	['Aggregate', { type: 'n8n-nodes-base.aggregate', typed: { aggregate: 'aggregateAllItemData' } }],
	['Code', { type: 'n8n-nodes-base.code', typed: { jsCode: 'return [$input.first()];' } }],
];

const asked = () => {
	const { counterparties = 0, customers: ofCustomers = 0 } = service.counters.byRoute;
	return counterparties + ofCustomers;
};

it.each<[string, () => Asked]>([
	['by name', () => ({ rows: contacts([other(), own()].map(nameOf)) })],
	['by ID', () => ({ rows: contacts([other().customerId.toUpperCase(), 'Nobody']) })],
	['that is a counterparty', () => ({ rows: contacts([...houses().slice(0, 2), nameOf(own())]) })],
	['where the own has no row in that table', () => ({ rows: contacts([nameOf(other()), 'Nobody']) })],
	[
		'where the own row of the same table has its name alone',
		() => ({ rows: contacts([other(), own()].map(nameOf)), ofOwn: { Team: 'Import' } }),
	],
	[
		'behind several events, where each row comes as often',
		() => ({ rows: Array.from({ length: 7 }, () => contacts([other(), own()].map(nameOf))).flat() }),
	],
	[
		'where it stands first among those that a Filter left',
		() => {
			const all = desks({}, { Active: 'yes' }, { Active: 'yes' });
			return chosen(all, all.slice(1, 3), whether(['Active', 'yes']));
		},
	],
	[
		'where an If in a loop asks something of each row',
		() => {
			const all = contacts([other(), own()].map(nameOf));
			return {
				...chosen(all, all.slice(0, 1), { ...whether(['Person', '']), type: 'n8n-nodes-base.if' }),
				setId: `={{ ${JSON.stringify(set.setId)} }}`,
				lookup: { customerId: set.customerId },
				before: { type: SHEET.type, items: inPlace(all), typed: { operation: 'read' } },
				between: {
					type: 'n8n-nodes-base.splitInBatches',
					items: inPlace(all.slice(0, 1)),
					typed: { batchSize: 1 },
				},
			};
		},
	],
	[
		'where Code takes the first',
		() => {
			const all = contacts([other(), own()].map(nameOf));
			return chosen(all, all.slice(0, 1), inCode('return [$input.first()];'));
		},
	],
	...LEAVE_ONE.map(([which, step]): [string, () => Asked] => [
		`where ${which} left it, and an If behind asks something of it`,
		() => {
			const all = contacts([other(), own()].map(nameOf));
			return {
				...chosen(all, all.slice(0, 1), { ...whether(['Person', '']), type: 'n8n-nodes-base.if' }),
				setId: `={{ ${JSON.stringify(set.setId)} }}`,
				lookup: { customerId: set.customerId },
				before: { type: SHEET.type, items: inPlace(all), typed: { operation: 'read' } },
				between: { items: inPlace(all.slice(0, 1)), ...step },
				to: '$("Event").first().json.Address',
			};
		},
	]),
	[
		'where an If behind the table asks for the status of the event, and something of each row',
		() => {
			const all = contacts([other(), own()].map(nameOf));
			const conditions = [
				['={{ $("Event").item.json.status }}', 'SIGNED'],
				['={{ $json.Person }}', 'P0'],
			].map(([leftValue, rightValue]) => ({ leftValue, rightValue, operator: { operation: 'equals' } }));
			return {
				...chosen(all, all, { type: 'n8n-nodes-base.if', conditions: { conditions } }),
				to: '$("Between").first().json.Address',
			};
		},
	],
	[
		'of which Code asks whether there is an address',
		() => {
			const all = contacts([other(), own()].map(nameOf));
			const jsCode = 'const row = $input.first();\nif (!row.json.Address) {\n\treturn [];\n}\nreturn [row];';
			return chosen(all, all.slice(0, 1), inCode(jsCode));
		},
	],
	[
		'of which Code takes a name and an address, and asks whether there is one',
		() => {
			const all = contacts([other(), own()].map(nameOf));
			const jsCode =
				'const row = $input.first().json;\nconst out = { House: row.House, Address: row.Address };\nif (!out.Address) {\n\treturn [];\n}\nreturn [{ json: out }];';
			return chosen(all, all.slice(0, 1), inCode(jsCode));
		},
	],
	[
		'where the address is taken of the first for a status',
		() => ({
			rows: contacts([other(), own()].map(nameOf)),
			to: '$("Event").item.json.status === "SIGNED" ? $("Input").first().json.Address : "desk@x"',
		}),
	],
	[
		'where an If behind the table asks for one of two statuses',
		() => {
			const all = contacts([other(), own()].map(nameOf));
			const status = '$("Event").item.json.status';
			const leftValue = `={{ ${status} === "SIGNED" || ${status} === "ISSUED" }}`;
			const conditions = [{ leftValue, rightValue: '', operator: { operation: 'true' } }];
			return {
				...chosen(all, all, { type: 'n8n-nodes-base.if', conditions: { conditions } }),
				to: '$("Between").first().json.Address',
			};
		},
	],
	[
		'beside an address for copies that stands in all rows',
		() => ({
			rows: contacts([other(), own()].map(nameOf)).map((row) => ({ ...row, Copies: 'desk@x' })),
			to: '[$("Input").first().json.Address, $("Input").first().json.Copies].join()',
		}),
	],
])('refuses the row of another company of the service %s', async (_, one) => {
	expect(await told(one())).toMatch(
		/^What is sent goes by the row of somebody else: in "(Input|Between|Event)", its House is /,
	);
});

it.each<[string, () => Asked]>([
	['nothing of either company', () => ({ rows: contacts(['Nobody', 'Nobody else']) })],
	['the own company', () => ({ rows: contacts([own(), other()].map(nameOf)) })],
	[
		'the own company beside another',
		() => ({
			rows: contacts([nameOf(other()), 'Nobody']).map((row) => ({ ...row, For: nameOf(own()) })),
		}),
	],
	[
		'another spelling of the own company',
		() => ({
			rows: contacts([`${nameOf(own())} Ltd`, ...[nameOf(other()), 'Nobody']]),
		}),
	],
	[
		'a company that the own row names',
		() => {
			const [agent = '', ...more] = houses();
			return {
				ofOwn: { customerId: set.customerId, Agent: agent },
				rows: contacts([agent, ...more]),
			};
		},
	],
	[
		'a company that the own row names in other words',
		() => {
			const [agent = '', ...more] = houses();
			const [first = ''] = agent.split(' ');
			return { ofOwn: { customerId: set.customerId, Agent: first }, rows: contacts([agent, ...more]) };
		},
	],
	[
		'a company that the own row names among others',
		() => {
			const [agent = '', ...more] = houses();
			return {
				ofOwn: { customerId: set.customerId, Notify: `${houses()[5]!}; ${agent}` },
				rows: contacts([agent, ...more]),
			};
		},
	],
	[
		'a company that is told where the run is started',
		() => {
			const [agent = '', ...more] = houses();
			return {
				before: {
					type: 'n8n-nodes-base.webhook',
					items: inPlace([{ setId: set.setId, body: { to: agent } }]),
				},
				ofOwn: { Name: nameOf(set.consignee), Agent: '' },
				rows: contacts([agent, ...more]),
			};
		},
	],
	[
		'a company that the own row of the same table names',
		() => {
			const [agent = '', ...more] = houses();
			return { rows: [...contacts([agent, ...more]), { House: nameOf(own()), Agent: agent, Address: '' }] };
		},
	],
	[
		'a company that somebody typed',
		() => {
			const [agent = '', ...more] = houses();
			return { rows: contacts([agent, ...more], 'Company'), typed: { ...SHEET, value: agent } };
		},
	],
	[
		'the company of all colleagues',
		() => ({ rows: contacts(Array.from({ length: 4 }, () => houses()[0]!)) }),
	],
	['the company of most colleagues', () => ({ rows: contacts([houses()[0]!, houses()[0]!, houses()[1]!]) })],
	[
		'the company of several colleagues, in a list of many',
		() => ({ rows: contacts(Array.from({ length: 40 }, (__, n) => houses()[n % 4]!)) }),
	],
	['the only row', () => ({ rows: contacts([houses()[0]!]) })],
	[
		'one of several companies for whom it is the address',
		() => ({ rows: contacts(houses().slice(0, 4)).map((row) => ({ ...row, Address: 'agent@x' })) }),
	],
	[
		'a company, in a table that was asked for what came',
		() => ({
			rows: contacts(houses().slice(0, 3)),
			typed: { ...SHEET, value: '={{ $json.Team }}' },
		}),
	],
	[
		'a company, and alone a word that a Filter asks for',
		() => {
			const all = desks({}, {}, { Default: 'x' });
			return chosen(all, all.slice(2, 3), whether(['Default', '']));
		},
	],
	[
		'a company, and alone both words that a Filter asks for',
		() => {
			const all = desks(
				{ Role: 'Bank', Land: 'DE' },
				{ Role: 'Bank', Land: 'NL' },
				{ Role: 'Agent', Land: 'NL' },
			);
			return chosen(all, all.slice(1, 2), whether(['Role', 'Bank'], ['Land', 'NL']));
		},
	],
	[
		'a company, where Code looks for it by the beginning of the reference',
		() => {
			const all = desks({ Begins: 'X' }, { Begins: set.parcelRef.slice(0, 3) }, { Begins: 'Y' });
			const jsCode =
				'const ref = $("Event").first().json.parcelReference;\nreturn $input.all().filter(({ json }) => ref.startsWith(json.Begins));';
			return chosen(all, all.slice(1, 2), inCode(jsCode));
		},
	],
	...[
		'const ref = $("Event").first().json.parcelReference;\nreturn [$input.all().find((item) => ref.startsWith(item.json.Begins))];',
		'const ref = $("Event").first().json.parcelReference;\nfor (const item of $input.all()) {\n\tconst begins = item.json.Begins;\n\tif (ref.startsWith(begins)) {\n\t\treturn [item];\n\t}\n}\nreturn [];',
		'const ref = $("Event").first().json.parcelReference;\nreturn $input.all().filter((item) => {\n\tlet { Begins: begins, Address } = item.json;\n\treturn ref.startsWith(begins);\n});',
	].map((jsCode): [string, () => Asked] => [
		`a company, where Code looks for it: ${jsCode}`,
		() => {
			const all = desks({ Begins: 'X' }, { Begins: set.parcelRef.slice(0, 3) }, { Begins: 'Y' });
			return chosen(all, all.slice(1, 2), inCode(jsCode));
		},
	]),
	[
		'a company, where Code has an address for each port',
		() => {
			const all = desks({ Port: 'X' }, { Port: 'Y' }, { Port: 'Z' });
			const jsCode = 'for (const item of items) item.json.Address = byPort[item.json.Port];\nreturn items;';
			return chosen(all, all.slice(1, 2), inCode(jsCode));
		},
	],
	[
		'a company, where the address is looked for by the beginning of the reference',
		() => ({
			rows: desks({ Begins: 'X' }, { Begins: set.parcelRef.slice(0, 3) }, { Begins: 'Y' }, { Begins: 'Z' }),
			to: '$("Input").all().find(({ json }) => $("Event").item.json.parcelReference.startsWith(json.Begins)).json.Address',
		}),
	],
	[
		'a company, and a part of the own name',
		() => ({
			rows: contacts([...houses().slice(0, 3)]).map((row, n) => ({
				...row,
				Of: n === 0 ? nameOf(own()).split(' ')[0]! : `N${n}`,
			})),
		}),
	],
	[
		'the companies of all to whom it goes',
		() => ({
			rows: contacts(houses().slice(0, 4)),
			to: '$("Input").all().map(({ json }) => json.Address).join()',
		}),
	],
	['a company, where there is no own row', () => ({ rows: contacts(houses()), ofOwn: { Team: 'Import' } })],
])('goes on with a row that says %s', async (_, one) => expect(await told(one())).toBe(''));

it('asks for the companies once in a run, and not where the rows tell', async () => {
	const before = asked();
	const rows = contacts(['Nobody', 'Nobody else', 'Nobody at all']);
	await told({ rows, to: '$("Input").all().slice(0, 2).map(({ json }) => json.Address).join()' });
	expect(asked() - before).toBe(2);
	await told({ rows: rows.map((row) => ({ ...row, customerId: set.customerId })) });
	expect(asked() - before).toBe(2);
	await told({ rows: desks({}, { Desk: 'Papers' }).slice(1), typed: { ...SHEET, value: 'Papers' } });
	expect(asked() - before).toBe(2);
});

it('asks a service that wants a rest once, and goes by the rows alone', async () => {
	const paths: string[] = [];
	const door = await openFrontDoor(service, ({ path }) => {
		paths.push(path);
		return /(customers|counterparties)$/.test(path)
			? { status: 503, headers: { 'retry-after': '2' }, body: {} }
			: undefined;
	});
	const rows = contacts([other(), own()].map(nameOf));
	const without = await told({ rows, baseUrl: door.baseUrl }).finally(() => door.close());
	expect(without).toBe('');
	expect(paths.filter((path) => /(customers|counterparties)$/.test(path))).toEqual([
		'/v3/exchange/customers',
	]);
});

it('goes by the rows alone where the service does not tell its companies', async () => {
	const { customers: ofService } = service.data;
	const rows = contacts([other(), own()].map(nameOf));
	const ofOwn = { customerId: set.customerId };
	Object.assign(service.data, { customers: 'none' });
	const without = await told({ rows, ofOwn }).finally(() => {
		service.data.customers = ofService;
	});
	expect(without).toBe('');
	expect(await told({ rows, ofOwn })).not.toBe('');
});
