import type { IDataObject } from 'n8n-workflow';
import { move, startService, type ParcelSet, type Service } from '../../sandbox/service';
import type { NodeRun } from '../support/engine';
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
}

async function told({
	ofOwn = { customerId: set.customerId, Name: own().customerName, Team: 'Import' },
	rows,
	to = '$("Input").first().json.Address',
	...more
}: Asked): Promise<string> {
	const event = byTrigger({ ...move(service.data, set.setId, 'sign', Date.now()) });
	const { error } = await runOfOneSet(
		service.baseUrl,
		{ resource: 'document', operation: 'getAllPdfs', onePerSet: true },
		{
			setId: { __rl: true, mode: 'id', value: '={{ $("Event").item.json.setId }}' },
			documentId: '',
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
])('refuses the row of another company of the service %s', async (_, one) => {
	expect(await told(one())).toMatch(
		/^What is sent goes by the row of somebody else: in "Input", its House is /,
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
	['a company, where there is no own row', () => ({ rows: contacts(houses()), ofOwn: { Team: 'Import' } })],
])('goes on with a row that says %s', async (_, one) => expect(await told(one())).toBe(''));

it('asks for the companies once in a run, and not where the rows tell', async () => {
	const before = asked();
	const rows = contacts(['Nobody', 'Nobody else']);
	await told({ rows, to: '$("Input").all().map(({ json }) => json.Address).join()' });
	expect(asked() - before).toBe(2);
	await told({ rows: rows.map((row) => ({ ...row, customerId: set.customerId })) });
	expect(asked() - before).toBe(2);
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
