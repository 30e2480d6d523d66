import type { IDataObject } from 'n8n-workflow';
import { pdfBytes } from '../support/apiAccount';
import { runAction } from '../support/actionNode';
import { opening } from '../support/closing';
import { reply, startFakeService } from '../support/fakeService';
import { id } from '../support/ids';

/** Documents that a service does not keep apart: one ID for two, or one file. */

async function fetched(documents: IDataObject[], isOneFile = false, more: IDataObject = {}) {
	const results = [{ setId: id('a', 0), shipmentRef: 'S', documents }];
	const { baseUrl } = await opening(
		startFakeService({
			calls: ({ path }) =>
				path.includes('get-single-pdf')
					? reply(200, pdfBytes(300, isOneFile ? 1 : Number(path.slice(-3)) + 2))
					: reply(200, { code: 200, status: 'OK', data: { offset: 0, total: 1, results } }),
		}),
	);
	const { items, hints, error } = await runAction(baseUrl, {
		...{ resource: 'document', operation: 'getAllPdfs', setId: id('a', 0), lookup: {} },
		...{ options: { waitSeconds: 0 }, ...more },
	});
	expect(error).toBeUndefined();
	return { items, hints: hints.map(({ message }) => message) };
}

const bill = { documentId: id('d', 1), name: 'Bill', docType: 'BILL_OF_LADING' };
const invoice = { documentId: id('d', 2), name: 'Invoice', docType: 'INVOICE' };

describe('two documents of one ID', () => {
	const twin = { ...invoice, documentId: ` ${bill.documentId.toUpperCase()}` };
	const said = `"Bill, BILL_OF_LADING" and "Invoice, INVOICE" have one ID, ${bill.documentId}: they came as one file. Ask the service whether a paper is missing.`;

	it('are one file, and said to be', async () => {
		const { items, hints } = await fetched([bill, twin]);
		expect(items).toHaveLength(1);
		expect(hints).toEqual([said]);
	});

	it.each(['BILL_OF_LADING', 'INVOICE'])('are found by the type of each: %s', async (docType) => {
		const documentTypes = [{ documentType: { mode: 'name', value: docType } }];
		const { items, hints } = await fetched([bill, twin], false, { documentTypes });
		expect(items).toHaveLength(1);
		expect(hints).toEqual([said]);
	});

	it('are nothing to speak of where they are called the same', async () => {
		const { items, hints } = await fetched([
			bill,
			{ ...bill, name: 'BILL ', docType: 'bill_of_lading' },
			invoice,
		]);
		expect([items.length, hints]).toEqual([2, []]);
	});
});

describe('two documents of one name, the IDs of which begin alike', () => {
	const copies = [1, 2].map((index) => ({ ...bill, documentId: id('d', index), docType: `COPY_${index}` }));
	const namesOf = async (documents: IDataObject[], more?: IDataObject) => {
		const { items } = await fetched(documents, false, more);
		return Object.fromEntries(items.map(({ json }) => [json.documentId, json.fileName]));
	};
	const names = Object.fromEntries(copies.map(({ documentId }) => [documentId, `Bill ${documentId}.pdf`]));

	it('carry all of it, whatever their order', async () => {
		expect(await namesOf(copies)).toEqual(names);
		expect(await namesOf([...copies].reverse())).toEqual(names);
	});

	it.each(copies)(
		'are called so too where one is asked for alone: $docType',
		async ({ documentId, docType }) => {
			const documentTypes = [{ documentType: { mode: 'name', value: docType } }];
			expect(await namesOf(copies, { documentTypes })).toEqual({ [documentId]: names[documentId] });
		},
	);
});

describe('two documents of one file', () => {
	it.each([false, true])('are both given, and said to be the same (in one item: %s)', async (onePerSet) => {
		const { items, hints } = await fetched([bill, invoice], true, { onePerSet });
		expect(items).toHaveLength(onePerSet ? 1 : 2);
		expect(hints).toEqual([
			`"Bill" and "Invoice" of set ${id('a', 0)} are the same file, byte for byte. Open them before you send them on.`,
		]);
	});

	it('are nothing to speak of where they differ', async () => {
		expect((await fetched([bill, invoice])).hints).toEqual([]);
	});
});

describe('papers of two sets that are one file', () => {
	const sets = [0, 1].map((index) => ({
		setId: id('a', index),
		shipmentRef: `S-${index}`,
		documents: [{ documentId: id('d', index), name: `Bill ${index}`, docType: 'BILL_OF_LADING' }],
	}));
	const run = async (parameters: IDataObject, setIds: string[], isOneFile = true) => {
		const { baseUrl } = await opening(
			startFakeService({
				calls: ({ path }) =>
					path.includes('get-single-pdf')
						? reply(200, pdfBytes(300, isOneFile ? 1 : Number(path.slice(-3)) + 2))
						: reply(200, { code: 200, status: 'OK', data: { offset: 0, total: 2, results: sets } }),
			}),
		);
		return await runAction(
			baseUrl,
			{ resource: 'document', lookup: {}, options: { waitSeconds: 0 }, ...parameters },
			{ items: setIds.map((setId, index) => ({ json: { setId, documentId: id('d', index) } })) },
		);
	};
	const all = { operation: 'getAllPdfs', setId: '={{ $json.setId }}' };
	const both = sets.map(({ setId }) => setId);

	it.each([false, true])('are both given, and said to be the same (in one item: %s)', async (onePerSet) => {
		const { items, hints } = await run({ ...all, onePerSet }, both);
		expect(items).toHaveLength(2);
		expect(hints.map(({ message }) => message)).toEqual([
			`"Bill 0" of set ${id('a', 0)} and "Bill 1" of set ${id('a', 1)} are the same file, byte for byte. Open them before you send them on.`,
		]);
	});

	it('are so one by one, too', async () => {
		const one = { operation: 'getPdf', setId: '={{ $json.setId }}', documentId: '={{ $json.documentId }}' };
		const { hints } = await run(one, both);
		expect(hints.map(({ message }) => message)).toContainEqual(
			`"${id('d', 0)}" of set ${id('a', 0)} and "${id('d', 1)}" of set ${id('a', 1)} are the same file, byte for byte. Open them before you send them on.`,
		);
	});

	it('are nothing to speak of where they differ, or where two events are of one set', async () => {
		expect((await run(all, both, false)).hints).toEqual([]);
		expect((await run(all, [id('a', 0), id('a', 0).toUpperCase()])).hints).toEqual([]);
	});
});
