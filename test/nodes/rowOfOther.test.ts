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
const REFUSED = /^What is sent goes by the row of somebody else: in "Input", its (\w+) is /;
const rows = (more: (n: number) => IDataObject = () => ({})) =>
	sets.map(({ customerId }, n) => ({ customerId, email: `c${n}@x`, ...more(n) }));
const event = (n: number) => byTrigger({ ...move(service.data, sets[n]!.setId, 'sign', Date.now()) });
const ofFirst = (all: IDataObject[]) => all.map((json) => ({ json, pairedItem: { item: 0 } }));

interface Asked extends Partial<NodeRun> {
	/** Of the event's set: the last, unless told. */
	of?: number;
	to?: string;
}

async function told({ of = 2, to = '$("Input").item.json.email', ...more }: Asked) {
	const { error, items } = await runOfOneSet(
		service.baseUrl,
		{ resource: 'document', operation: 'getAllPdfs', onePerSet: true },
		{
			setId: { __rl: true, mode: 'id', value: '={{ $("Event").item.json.setId }}' },
			documentId: '',
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
	return error?.message ?? '';
}

const own = () => [rows()[2]!];
const other = () => [rows()[0]!];

it.each<[string, () => Asked]>([
	['a table that is read whole', () => ({ items: ofFirst(rows()) })],
	['the first of them', () => ({ items: ofFirst(rows()), to: '$("Input").first().json.email' })],
	['one by its number', () => ({ items: ofFirst(rows()), to: '$("Input").all()[1].json.email' })],
	['a customer whose ID was typed to try it', () => ({ items: ofFirst(other()) })],
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
])('refuses %s', async (_, asked) => expect(await told(asked())).toMatch(REFUSED));

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
		['the row of the customer', () => ({ items: ofFirst(own()) })],
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
	])('%s', async (_, asked) => expect(await told(asked())).toBe(''));
});
