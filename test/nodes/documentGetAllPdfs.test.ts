import type { IDataObject } from 'n8n-workflow';
import { draftSet, move, startService, type ParcelSet, type Service } from '../../sandbox/service';
import { runAction } from '../support/actionNode';
import { bytesOf, type NodeRun } from '../support/engine';
import { opening } from '../support/closing';
import { openFrontDoor } from '../support/frontDoor';

let service: Service;
beforeEach(async () => void (service = await startService()));
afterEach(() => service.close());

const getAllPdfs = (parameters: IDataObject = {}, more: Partial<NodeRun> = {}, baseUrl = service.baseUrl) =>
	runAction(baseUrl, { resource: 'document', operation: 'getAllPdfs', ...parameters }, more);

const eventOf = ({ setId, customerId }: ParcelSet) => ({ json: { setId, customerId } });
const documentIdsOf = (set: ParcelSet) => set.documents.map(({ documentId }) => documentId);
const noWait = { waitSeconds: 0 };

it('works straight from an event, with nothing typed in: one item per PDF', async () => {
	const set = service.data.sets[140]!;
	const event = move(service.data, set.setId, 'sign', Date.now());
	const { items, error } = await getAllPdfs({}, { items: [{ json: { ...event } }] });
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.documentId)).toEqual(documentIdsOf(set));
	for (const [index, item] of items.entries()) {
		const document = set.documents[index]!;
		const bytes = await service.pdf(set, document);
		expect(item.json).toEqual({
			setId: set.setId,
			documentId: document.documentId,
			name: document.name,
			docType: document.docType,
			...{ parcelRef: set.parcelRef, shipmentRef: set.shipmentRef, status: 'SIGNED' },
			...{ vesselName: set.vesselName, billOfLadingDate: set.billOfLadingDate },
			fileName: `${set.billOfLadingDate} ${set.parcelRef.replaceAll('/', '_')} ${document.name}.pdf`,
			mimeType: 'application/pdf',
			bytes: bytes.length,
			sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
			complete: true,
		});
		expect(item.binary?.data).toMatchObject({ fileName: item.json.fileName, mimeType: 'application/pdf' });
		expect(await bytesOf(item.binary?.data)).toEqual(bytes);
		expect(item.pairedItem).toEqual({ item: 0 });
	}
});

it('takes many events: one scan, all PDFs, in the order of the events', async () => {
	const sets = [250, 3, 77, 199, 4].map((place) => service.data.sets[place]!);
	const { items } = await getAllPdfs({ lookup: {} }, { items: sets.map(eventOf) });
	expect(items.map(({ json }) => json.documentId)).toEqual(sets.flatMap(documentIdsOf));
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
		sets.flatMap(({ documents }, item) => documents.map(() => ({ item }))),
	);
	// All four pages of the list: that costs less than asking for each set alone.
	expect(service.counters.byRoute.search).toBe(4);
});

describe('types of documents', () => {
	it('are compared on their letters', async () => {
		const set = service.data.sets[8]!;
		const { items } = await getAllPdfs({ documentTypes: ['bill of lading'] }, { items: [eventOf(set)] });
		expect(items.map(({ json }) => json.docType)).toEqual(['BILL_OF_LADING']);
	});

	it.each<[string, unknown]>([
		[
			'a list of pickers, From List',
			[{ documentType: { __rl: true, mode: 'list', value: 'BILL_OF_LADING' } }],
		],
		['a list of pickers, By Name', [{ documentType: { __rl: true, mode: 'name', value: 'bill of lading' } }]],
		[
			'a picker with an expression',
			[{ documentType: { __rl: true, mode: 'name', value: '={{ $json.type }}' } }],
		],
		['a picker with a plain text', [{ documentType: 'Bill of lading' }]],
		['pickers without a collection', [{ __rl: true, mode: 'name', value: 'Bill of lading' }]],
		['a list of texts', ['Bill of lading']],
		['texts and pickers', ['Bill of lading', { documentType: { mode: 'list', value: 'BILL_OF_LADING' } }]],
		['an expression for all', '={{ [$json.type] }}'],
		['an expression with commas', '={{ $json.type + "," }}'],
	])('are chosen by %s', async (_, documentTypes) => {
		const set = service.data.sets[8]!;
		const event = eventOf(set);
		const item = { json: { ...event.json, type: 'Bill of lading' } };
		const { items, error } = await getAllPdfs({ documentTypes } as IDataObject, { items: [item] });
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.docType)).toEqual(['BILL_OF_LADING']);
	});

	it.each<[string, unknown, RegExp]>([
		[
			'a picker in which nothing was chosen',
			[{ documentType: { __rl: true, mode: 'list', value: '' } }],
			/is empty/,
		],
		['an entry whose picker was taken out', [{}], /is empty/],
		[
			'one beside a chosen one',
			[{ documentType: 'Bill of lading' }, { documentType: { mode: 'list', value: '' } }],
			/an entry that is empty/,
		],
		[
			'an expression that finds nothing',
			[{ documentType: { mode: 'name', value: '={{ $json.missing }}' } }],
			/is empty/,
		],
	])('are an error that names the field, not all types: %s', async (_, documentTypes, says) => {
		const { items, error } = await getAllPdfs({ documentTypes } as IDataObject, {
			items: [eventOf(service.data.sets[8]!)],
		});
		expect(items).toEqual([]);
		expect(error?.message).toMatch(says);
		expect(error?.message).toContain('"Document Types"');
	});

	it('that are no texts are an error: the PDFs of all types would come', async () => {
		const types = '={{ [{ type: "Invoice" }] }}';
		const { items, error } = await getAllPdfs(
			{ documentTypes: types },
			{ items: [eventOf(service.data.sets[0]!)] },
		);
		expect(items).toEqual([]);
		expect(error?.message).toBe('"Document Types" cannot be {"type":"Invoice"}');
	});

	it('are compared on their digits, too', async () => {
		const set = service.data.sets[8]!;
		const types = ['INVOICE_1', 'INVOICE_2', 'T1', 'T2'];
		const [first] = set.documents;
		set.documents = types.map((docType, index) => ({
			...first!,
			docType: docType as 'BILL_OF_LADING',
			documentId: `${first!.documentId.slice(0, -1)}${index}`,
		}));
		for (const [chosen, given] of [
			[['invoice 2'], ['INVOICE_2']],
			[['T1'], ['T1']],
			[
				['t-2', 'Invoice-1'],
				['INVOICE_1', 'T2'],
			],
		]) {
			const { items, error } = await getAllPdfs({ documentTypes: chosen }, { items: [eventOf(set)] });
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json.docType)).toEqual(given);
		}
	});

	it.each([
		['alone', ['Invoice'], 'Invoice'],
		['beside one that is there', ['Bill of lading', 'Invoce', 'T1'], 'Invoce, T1'],
	])(
		'that no set of the input has are an error that names those there are: %s',
		async (_, types, missing) => {
			const sets = service.data.sets.slice(0, 2);
			const { items, error } = await getAllPdfs({ documentTypes: types }, { items: sets.map(eventOf) });
			expect(items).toEqual([]);
			expect(error).toMatchObject({
				message: `"Document Types" holds a type that no set of the input has: ${missing}`,
				description: expect.stringMatching(/^The types there are: .*BILL_OF_LADING/),
			});
			expect(service.counters.byRoute.pdf ?? 0).toBe(0);
		},
	);

	it('that only another set of the input has give no item of the one, and a hint that names its types', async () => {
		const [without, having] = service.data.sets.slice(0, 2);
		having!.documents[0]!.docType = 'INVOICE' as 'BILL_OF_LADING';
		const { items, hints, error } = await getAllPdfs(
			{ documentTypes: ['Invoice'] },
			{ items: [eventOf(without!), eventOf(having!)] },
		);
		expect(error).toBeUndefined();
		expect(items.map(({ json, pairedItem }) => [json.docType, pairedItem])).toEqual([
			['INVOICE', { item: 1 }],
		]);
		expect(hints).toEqual([{ message: expect.stringMatching(/BILL_OF_LADING, UPLOADABLE_DOCUMENT/) }]);
	});

	it.each([
		['an empty one', ''],
		['none', null],
		['something odd', { code: 7 }],
	])('leave out a document whose type is %s, and say so', async (_label, docType) => {
		const [set] = service.data.sets;
		Object.assign(set!.documents[1]!, { docType, name: 'Invoice 7' });
		const { items, hints } = await getAllPdfs(
			{ documentTypes: ['Bill of lading'] },
			{ items: [eventOf(set!)] },
		);
		expect(items.map(({ json }) => json.docType)).toEqual(['BILL_OF_LADING']);
		expect(hints).toEqual([
			{ message: expect.stringMatching(/has documents without a type, 1 of them left out.*"Invoice 7"/) },
		]);
		expect((await getAllPdfs({}, { items: [eventOf(set!)] })).hints).toEqual([]);
	});

	it('that fail one item do not hold up the others, nor wait for those that fail', async () => {
		const [one, other] = service.data.sets.slice(0, 2);
		const inputs = [
			{ ...eventOf(one!).json, type: 'Bill of lading' },
			{ ...eventOf(other!).json, type: 'Nothing' },
			{ setId: 'no id', type: 'Bill of lading' },
			{ setId: '00000000-0000-4000-8000-00000000abcd', type: 'Bill of lading' },
		];
		const { items } = await getAllPdfs(
			{ documentTypes: '={{ [$json.type] }}', lookup: {}, options: noWait },
			{ items: inputs.map((json) => ({ json })), settings: { onError: 'continueRegularOutput' } },
		);
		expect(
			items.map(({ json, pairedItem }) => [json.docType ?? 'error', (pairedItem as { item: number }).item]),
		).toEqual([
			['BILL_OF_LADING', 0],
			['error', 1],
			['error', 2],
			['error', 3],
		]);
	});
});

describe('all PDFs of a set in one item', () => {
	it('has the form the mail nodes take', async () => {
		const set = service.data.sets[21]!;
		const { items } = await getAllPdfs({ onePerSet: true }, { items: [eventOf(set)] });
		const fields = set.documents.map((_, index) => `data_${index}`);
		expect(items).toHaveLength(1);
		expect(Object.keys(items[0]?.binary ?? {})).toEqual(fields);
		expect(items[0]?.json).toEqual({
			setId: set.setId,
			parcelRef: set.parcelRef,
			shipmentRef: set.shipmentRef,
			status: set.status.toUpperCase(),
			billOfLadingDate: set.billOfLadingDate,
			vesselName: set.vesselName,
			files: set.documents.map(({ documentId, name, docType }, index) =>
				expect.objectContaining({ documentId, name, docType, binaryField: fields[index], complete: true }),
			),
			attachments: fields.join(','),
		});
	});

	it('begins its fields with the name asked for', async () => {
		const { items } = await getAllPdfs(
			{ binaryPropertyName: 'pdf', onePerSet: true },
			{ items: [eventOf(service.data.sets[0]!)] },
		);
		expect(items[0]?.json.attachments).toMatch(/^pdf_0,pdf_1/);
	});
});

describe('file names', () => {
	it('are made of what is known of the set and the document', async () => {
		const set = service.data.sets[30]!;
		Object.assign(set, {
			parcelRef: 'P-1',
			shipmentRef: 'S-1',
			vesselName: 'AURORA',
			billOfLadingDate: '2026-11-20',
		});
		const fileName = '{shipmentRef} {vesselName} {status} {docType} {first 4 of documentId}';
		const { items } = await getAllPdfs({ options: { fileName } }, { items: [eventOf(set)] });
		expect(items[0]?.json.fileName).toBe(
			`S-1 AURORA ${set.status.toUpperCase()} BILL_OF_LADING ${set.documents[0]!.documentId.slice(0, 4)}.pdf`,
		);
	});

	it('are never alike in one run, over all sets', async () => {
		const sets = service.data.sets.slice(0, 3);
		const { items } = await getAllPdfs({ options: { fileName: 'Copy.pdf' } }, { items: sets.map(eventOf) });
		const names = items.map(({ json }) => String(json.fileName).toLowerCase());
		expect(new Set(names).size).toBe(names.length);
	});

	it('carry the beginning of the id where documents of a set share a name, in every run and order the same', async () => {
		const set = service.data.sets.find(({ documents }) => documents.length > 2)!;
		const [first, second, ...others] = set.documents;
		Object.assign(set, { billOfLadingDate: '2026-06-18', parcelRef: 'PCL-1017' });
		Object.assign(first!, { name: 'Bill of lading', docType: 'A' });
		Object.assign(second!, { name: 'BILL of lading.pdf', docType: 'B' });
		for (const [index, document] of others.entries()) document.name = `Paper ${index}`;
		const namesOf = async (documentTypes: string[] = []) => {
			const { items } = await getAllPdfs({ documentTypes }, { items: [eventOf(set)] });
			return Object.fromEntries(items.map(({ json }) => [json.documentId, json.fileName]));
		};
		const names = await namesOf();
		expect(names).toEqual({
			[first!.documentId]: `2026-06-18 PCL-1017 Bill of lading ${first!.documentId.slice(0, 8)}.pdf`,
			[second!.documentId]: `2026-06-18 PCL-1017 BILL of lading ${second!.documentId.slice(0, 8)}.pdf`,
			...Object.fromEntries(
				others.map(({ documentId }, index) => [documentId, `2026-06-18 PCL-1017 Paper ${index}.pdf`]),
			),
		});
		set.documents.reverse();
		expect(await namesOf()).toEqual(names);
		expect(await namesOf(['A'])).toEqual({ [first!.documentId]: names[first!.documentId] });
	});

	it.each([
		['a path', '../../../root/.ssh/keys'],
		['a Windows path', 'C:\\Windows\\system32'],
		['a device', 'CON'],
		['line breaks', 'Bill\r\nX-Header: yes'],
		['text that reads backwards', 'Bill \u202Efdp.exe'],
		['a zero byte', 'bill.pdf\u0000.exe'],
		['a novel', 'x'.repeat(5_000)],
		['blanks', '   '],
		['markup', '<img src=x onerror=alert(1)>'],
		['a template', '{setId} {nothing} {{ $json }}'],
	])('are safe whatever the document is called: %s', async (_, name) => {
		const set = service.data.sets[0]!;
		for (const document of set.documents) document.name = name;
		for (const fileName of ['', '{name}']) {
			const { items, error } = await getAllPdfs({ options: { fileName } }, { items: [eventOf(set)] });
			expect(error).toBeUndefined();
			for (const { json, binary } of items) {
				expect(json.fileName).not.toMatch(/[<>:"/\\|?*\p{Cc}\p{Cf}]/u);
				expect(json.fileName).not.toMatch(/^(con|\.)/i);
				expect(String(json.fileName).length).toBeLessThanOrEqual(150);
				expect(binary?.data?.fileName).toBe(json.fileName);
				expect(binary?.data?.directory).toBeUndefined();
				expect(json.name).toBe(name.trim() === '' ? null : name);
			}
		}
	});
});

describe('says what is wrong', () => {
	it('when the set has no document', async () => {
		const set = service.data.sets[0]!;
		set.documents = [];
		const { error, items } = await getAllPdfs({ options: noWait }, { items: [eventOf(set)] });
		expect(items).toEqual([]);
		expect(error).toMatchObject({
			message: `The search shows no document of set ${set.setId}`,
			description: expect.stringContaining('Wait Up To'),
			context: { itemIndex: 0 },
		});
	});

	it('when the set is not there', async () => {
		const { error } = await getAllPdfs({ setId: '00000000-0000-4000-8000-00000000abcd', options: noWait });
		expect(error?.message).toContain('does not show set 00000000-0000-4000-8000-00000000abcd');
	});

	it('when the input has no set', async () => {
		const { error } = await getAllPdfs({}, { items: [{ json: { something: 'else' } }] });
		expect(error).toMatchObject({ message: '"Set" is empty', description: expect.stringContaining('setId') });
	});

	it('when one PDF cannot be had, naming it: nothing of that set comes out', async () => {
		const [good, bad] = service.data.sets;
		const { documentId, name } = bad!.documents.at(-1)!;
		const door = await opening(
			openFrontDoor(service, ({ path }) =>
				path.includes(documentId)
					? { status: 410, body: { errorMessage: 'Withdrawn by the carrier' } }
					: undefined,
			),
		);
		const { items } = await getAllPdfs(
			{ options: noWait },
			{ items: [bad!, good!].map(eventOf), settings: { onError: 'continueRegularOutput' } },
			door.baseUrl,
		);
		expect(items[0]?.json.error).toContain(
			`No PDF of document "${name}" (${documentId}) of set ${bad!.setId}`,
		);
		expect(items[0]?.json.error).toContain('Withdrawn by the carrier');
		expect(items.slice(1).map(({ json }) => json.setId)).toEqual(good!.documents.map(() => good!.setId));
	});
});

it('waits for the set, its documents and a PDF, within one wait', async () => {
	const { set } = draftSet(service.data, Date.now());
	const documents = set.documents;
	set.documents = [];
	let searches = 0;
	const door = await opening(
		openFrontDoor(service, ({ path, times }) => {
			if (path.includes('/search') && ++searches === 2) set.documents = documents;
			return path.includes('get-single-pdf') && times === 1
				? { status: 404, body: { message: 'Not yet' } }
				: undefined;
		}),
	);
	const { items, error } = await getAllPdfs(
		{ options: { waitSeconds: 5 } },
		{ items: [eventOf(set)] },
		door.baseUrl,
	);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(documents.length);
});

it('waits for any number of PDFs of a set without a warning of Node', async () => {
	const set = service.data.sets[0]!;
	const [document] = set.documents;
	set.documents = Array.from({ length: 15 }, (_, index) => ({
		...document!,
		documentId: `44444444-4444-4444-8444-${String(index).padStart(12, '0')}`,
	}));
	const door = await opening(
		openFrontDoor(service, ({ path }) =>
			path.includes('get-single-pdf') ? { status: 404, body: '' } : undefined,
		),
	);
	const joined = jest.spyOn(AbortSignal, 'any');
	const { error } = await getAllPdfs(
		{ options: { waitSeconds: 3 } },
		{ items: [eventOf(set)] },
		door.baseUrl,
	);
	const signals = joined.mock.results.map(({ value }) => value as AbortSignal);
	joined.mockRestore();
	expect(error?.message).toMatch(/after waiting \d seconds?:/);
	expect(signals).toHaveLength(2);
	for (const signal of signals) {
		const most = Object.getOwnPropertySymbols(signal).find(
			({ description }) => description === 'events.maxEventTargetListeners',
		);
		expect(most && Reflect.get(signal, most)).toBe(0);
	}
});

it('gives a document that stands twice in its set once', async () => {
	const set = service.data.sets[8]!;
	const ids = documentIdsOf(set);
	set.documents = [...set.documents, ...set.documents];
	const { items } = await getAllPdfs({}, { items: [eventOf(set)] });
	expect(items.map(({ json }) => json.documentId)).toEqual(ids);
});

describe('a document without an ID', () => {
	const without = (set: ParcelSet) => {
		const document = set.documents[1]!;
		Object.assign(document, { documentId: null, name: 'Draft' });
		return document;
	};

	it('is an error that names it, for who wants it', async () => {
		const set = service.data.sets[8]!;
		const { docType } = without(set);
		const { items, error } = await getAllPdfs({}, { items: [eventOf(set)] });
		expect(items).toEqual([]);
		expect(error).toMatchObject({
			message: `The service shows a document without an ID (Draft, ${docType}).`,
			description: expect.stringContaining('choose document types that leave it out'),
		});
	});

	it('hides nothing from who does not: other types of its set, other sets', async () => {
		const [set, other] = service.data.sets.slice(8, 10) as [ParcelSet, ParcelSet];
		const ids = documentIdsOf(set);
		without(set).docType = 'DRAFT' as 'BILL_OF_LADING';
		const chosen = await getAllPdfs({ documentTypes: ['Bill of lading'] }, { items: [eventOf(set)] });
		expect(chosen.error).toBeUndefined();
		expect(chosen.items.map(({ json }) => json.documentId)).toEqual([ids[0]]);
		const { items, error } = await getAllPdfs({}, { items: [eventOf(other)] });
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.documentId)).toEqual(documentIdsOf(other));
	});
});

it('gets the PDFs although another set of the list has fields of odd types', async () => {
	const set = service.data.sets[8]!;
	Object.assign(service.data.sets[0]!, { vesselName: 42, transactionId: 7 });
	Object.assign(service.data.sets[1]!.documents[0]!, { name: ['a'], docType: 5 });
	const { items, error } = await getAllPdfs({ lookup: {} }, { items: [eventOf(set)] });
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.documentId)).toEqual(documentIdsOf(set));
});

it.each(['__proto__', 'constructor', 'a b', 'a.b'])(
	'refuses to put the file in a field named %s',
	async (field) => {
		const { error } = await getAllPdfs(
			{ binaryPropertyName: field },
			{ items: [eventOf(service.data.sets[8]!)] },
		);
		expect(error?.message).toContain('Put Output File in Field');
	},
);

it('says which step behind it lets the files go, in front of a mail that attaches them', async () => {
	const behind = [
		{ name: 'Edit', type: 'n8n-nodes-base.set', typeVersion: 3.4, parameters: { options: {} } },
		{ name: 'Mail', type: 'n8n-nodes-base.emailSend', parameters: { options: { attachments: 'data_0' } } },
	];
	const item = eventOf(service.data.sets[5]!);
	const items = [item, { json: { ...item.json, eventId: 'another' } }];
	const { hints } = await getAllPdfs({ onePerSet: true }, { items, behind });
	expect(hints.map(({ message }) => message)).toEqual([
		expect.stringMatching(/^The step "Edit" hands no files on, and "Mail" would send its mail without them/),
	]);
	expect((await getAllPdfs({}, { items: [item], behind: behind.slice(1) })).hints).toEqual([]);
});
