import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { startService } from '../../sandbox/service';
import { systemClock } from '../../service/surroundings';
import { runAction } from '../support/actionNode';
import { bytesOf, type NodeRun } from '../support/engine';
import { opening } from '../support/closing';
import { reply, startFakeService, type Reaction } from '../support/fakeService';
import { openFrontDoor, type Doorkeeper } from '../support/frontDoor';
import { forAll } from '../support/forAll';

const service = forAll(startService);

const someSet = () => service.data.sets[11]!;
const ids = () => ({ setId: someSet().setId, documentId: someSet().documents[1]!.documentId });

const getPdf = (parameters: IDataObject = {}, more: Partial<NodeRun> = {}, baseUrl = service.baseUrl) =>
	runAction(baseUrl, { resource: 'document', operation: 'getPdf', ...ids(), ...parameters }, more);

async function behind<T>(keeper: Doorkeeper, task: (baseUrl: string) => Promise<T>): Promise<T> {
	const door = await openFrontDoor(service, keeper);
	try {
		return await task(door.baseUrl);
	} finally {
		await door.close();
	}
}

it('gives the PDF with what is known of it', async () => {
	const { items, hints } = await getPdf();
	const bytes = await service.pdf(someSet(), someSet().documents[1]!);
	const { setId, documentId } = ids();
	expect(items).toHaveLength(1);
	expect(items[0]?.json).toEqual({
		setId,
		documentId,
		name: null,
		docType: null,
		fileName: `${documentId}.pdf`,
		mimeType: 'application/pdf',
		bytes: bytes.length,
		sha256: createHash('sha256').update(bytes).digest('hex'),
		complete: true,
	});
	expect(items[0]?.binary?.data).toMatchObject({
		fileName: `${documentId}.pdf`,
		fileExtension: 'pdf',
		mimeType: 'application/pdf',
		bytes: bytes.length,
	});
	expect(await bytesOf(items[0]?.binary?.data)).toEqual(bytes);
	expect(items[0]?.pairedItem).toEqual({ item: 0 });
	expect(hints).toEqual([]);
});

it('tells of a document that is taken by its place among those of a set', async () => {
	const { setId, documents } = someSet();
	const items = [{ json: { setId, documents: documents.map(({ documentId }) => ({ documentId })) } }];
	const hintsOf = async (value: string) => {
		const { error, hints } = await getPdf({ documentId: { __rl: true, mode: 'id', value } }, { items });
		expect(error).toBeUndefined();
		return hints.map(({ message }) => message);
	};
	expect(await hintsOf('={{ $json.documents[0].documentId }}')).toEqual([
		expect.stringMatching(/another set may have another paper there/),
	]);
	expect(await hintsOf('={{ $json.documents.find((one) => one.documentId).documentId }}')).toEqual([]);
});

it('puts the file into the field asked for, under the name asked for', async () => {
	const { items } = await getPdf({ binaryPropertyName: 'bill', options: { fileName: 'copy {documentId}' } });
	expect(Object.keys(items[0]?.binary ?? {})).toEqual(['bill']);
	expect(items[0]?.json.fileName).toBe(`copy ${ids().documentId}.pdf`);
});

it('gives the PDFs of many items in their order, so many at a time, none with the name of another', async () => {
	const [first, second] = someSet().documents;
	const items = [first, second, first, first].map((document) => ({
		json: { documentId: document!.documentId },
	}));
	const result = await getPdf(
		{ documentId: '={{ $json.documentId }}', options: { parallelDownloads: 2, fileName: 'Copy.pdf' } },
		{ items },
	);
	expect(result.items.map(({ json }) => json.documentId)).toEqual(items.map(({ json }) => json.documentId));
	expect(result.items.map(({ json }) => json.fileName)).toEqual([
		'Copy.pdf',
		'Copy (2).pdf',
		'Copy (3).pdf',
		'Copy (4).pdf',
	]);
	expect(result.items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2, 3].map((item) => ({ item })));
});

it('keeps to the number of downloads at a time', async () => {
	const slow = await opening(startService({ latencyMs: 30 }));
	const set = slow.data.sets[0]!;
	const items = Array.from({ length: 12 }, () => ({ json: {} }));
	const parameters = {
		setId: set.setId,
		documentId: set.documents[0]!.documentId,
		options: { parallelDownloads: 3 },
	};
	const result = await getPdf(parameters, { items }, slow.baseUrl);
	expect(result.items).toHaveLength(12);
	expect(slow.counters.mostRequests).toBe(3);
});

describe('says what is wrong', () => {
	it.each<[string, IDataObject, object]>([
		[
			'a set id that is none',
			{ setId: 'P-1' },
			{ name: 'NodeOperationError', message: '"Set" is not an ID: "P-1"' },
		],
		[
			'a document id that is none',
			{ documentId: '../../x' },
			{ name: 'NodeOperationError', message: '"Document" is not an ID: "../../x"' },
		],
		[
			'no document',
			{ documentId: { __rl: true, mode: 'id', value: '={{ $json.documentId }}' } },
			{ message: '"Document" is empty' },
		],
		[
			'a number of downloads that is too large',
			{ options: { parallelDownloads: 64 } },
			{ message: '"Parallel Downloads" cannot be 64', description: 'Use a whole number from 1 to 32.' },
		],
		['a wait that is none', { options: { waitSeconds: -1 } }, { message: '"Wait Up To" cannot be -1' }],
		[
			'a placeholder that does not exist',
			{ options: { fileName: '{documentid} {nmae}.pdf' } },
			{
				message: 'The file name uses {nmae}, which does not exist',
				description: expect.stringMatching(/^Use these: \{setId\} \{documentId\}, or/),
			},
		],
		[
			'a placeholder that its two ids do not tell',
			{ options: { fileName: '{parcelRef}.pdf' } },
			{ message: 'The file name uses {parcelRef}, which is not known from the IDs alone' },
		],
		[
			'a field name with a dot',
			{ binaryPropertyName: 'a.b' },
			{ message: '"Put Output File in Field" cannot be "a.b"' },
		],
		[
			'a set the service does not know',
			{ setId: '00000000-0000-4000-8000-00000000abcd' },
			{ name: 'NodeApiError', httpCode: '404', message: expect.stringContaining('There is no set 00000000') },
		],
		[
			'a document the service does not know',
			{ documentId: '00000000-0000-4000-8000-00000000abcd' },
			{
				name: 'NodeApiError',
				httpCode: '404',
				message: expect.stringMatching(
					/^No PDF of document 00000000-0000-4000-8000-00000000abcd of set .*has no document/,
				),
			},
		],
	])('%s', async (_, parameters, expected) => {
		const { error, items } = await getPdf(parameters);
		expect(items).toEqual([]);
		expect(error).toMatchObject({ context: { itemIndex: 0 }, ...expected });
		expect(error?.description).toBeTruthy();
	});

	it.each<[string, Awaited<ReturnType<Doorkeeper>>, RegExp]>([
		[
			'an error in JSON with status 200',
			{ body: { errorMessage: 'The archive is closed' } },
			/The archive is closed/,
		],
		[
			'a page of a gateway',
			{ headers: { 'content-type': 'text/html' }, body: '<html><body><h1>Please sign in</h1></body></html>' },
			/Please sign in/,
		],
		['nothing', { body: '' }, /empty/],
		[
			'another kind of file',
			{ headers: { 'content-type': 'application/pdf' }, body: Buffer.from('PK\u0003\u0004 zip') },
			/no PDF/,
		],
	])('an answer that is no PDF but %s', async (_, instead, said) => {
		await behind(
			({ path }) => (path.includes('get-single-pdf') ? instead : undefined),
			async (baseUrl) => {
				const { error, items } = await getPdf({}, {}, baseUrl);
				expect(items).toEqual([]);
				expect(error).toMatchObject({
					name: 'NodeOperationError',
					message: expect.stringMatching(said),
					context: { itemIndex: 0 },
				});
				expect(error?.message).toContain(ids().documentId);
			},
		);
	});

	it('that a file has no end-of-file mark, and gives it', async () => {
		const cut = (await service.pdf(someSet(), someSet().documents[1]!)).subarray(0, 1500);
		await behind(
			({ path }) => (path.includes('get-single-pdf') ? { body: cut } : undefined),
			async (baseUrl) => {
				const { items, hints } = await getPdf({}, {}, baseUrl);
				expect(items[0]?.json).toMatchObject({ complete: false, bytes: 1500 });
				expect(hints).toEqual([{ message: expect.stringContaining('may be cut') }]);
			},
		);
	});
});

describe('a PDF that is not ready', () => {
	const notReady = { status: 404, body: { message: 'The PDF is not ready yet' } };

	it('is an error at once unless it may be waited for', async () => {
		await behind(
			({ path, times }) => (path.includes('get-single-pdf') && times < 2 ? notReady : undefined),
			async (baseUrl) => {
				expect((await getPdf({}, {}, baseUrl)).error?.message).toContain('not ready yet');
			},
		);
	});

	it.each<[string, Awaited<ReturnType<Doorkeeper>>]>([
		['is not found at first', notReady],
		['is a word at first', { body: { status: 'pending' } }],
	])('that %s is waited for', async (_, instead) => {
		await behind(
			({ path, times }) => (path.includes('get-single-pdf') && times < 2 ? instead : undefined),
			async (baseUrl) => {
				const { items, error } = await getPdf({ options: { waitSeconds: 1 } }, {}, baseUrl);
				expect(error).toBeUndefined();
				expect(items[0]?.json.complete).toBe(true);
			},
		);
	});

	it.each<[string, Reaction, string]>([
		['is not there', reply(404), 'There is no login at this address (HTTP 404).'],
		['gives no token', reply(200, {}), 'The answer holds no field "token" that can be used.'],
	])('is not what a login means that %s: no wait, and the remedy of the login', async (_, login, said) => {
		const elsewhere = await opening(startFakeService({ logins: () => login }));
		const after = jest.spyOn(systemClock, 'after');
		const { error } = await getPdf({ options: { waitSeconds: 60 } }, {}, elsewhere.baseUrl);
		const pauses = after.mock.calls.filter(([milliseconds]) => milliseconds <= 15_000);
		after.mockRestore();
		expect(error?.message).toContain(said);
		expect(error?.description).toMatch(/^Check the base URL/);
		expect(pauses).toEqual([]);
		expect(elsewhere.logins).toHaveLength(1);
	});

	it('is an error when the wait is over', async () => {
		await behind(
			({ path }) => (path.includes('get-single-pdf') ? notReady : undefined),
			async (baseUrl) => {
				const { error } = await getPdf({ options: { waitSeconds: 1 } }, {}, baseUrl);
				expect(error).toMatchObject({
					httpCode: '404',
					message: expect.stringContaining('after waiting 1 second'),
				});
			},
		);
	});
});

describe('a set and a document that were both chosen', () => {
	const pdf = Buffer.from('%PDF-1.4\n%%EOF\n');
	/** A service that gives any document under any set. */
	const careless = (shown: unknown[]) =>
		opening(
			startFakeService({
				calls: ({ path }) =>
					path.includes('search')
						? reply(200, { code: 200, data: { offset: 0, total: shown.length, results: shown } })
						: reply(200, pdf),
			}),
		);
	const changed = (documentId: string, path: 'id' | 'list') => ({
		documentId: { __rl: true, mode: path, value: documentId },
	});
	const listed = () => {
		const { setId, parcelRef, documents } = someSet();
		return { setId, parcelRef, documents: documents.map(({ documentId }) => ({ documentId })) };
	};

	it.each(['id', 'list'] as const)(
		'are refused where the set was changed afterwards, by %s, and are of one set else',
		async (mode) => {
			const { baseUrl } = await careless([listed()]);
			const wrong = await getPdf(changed(service.data.sets[12]!.documents[0]!.documentId, mode), {}, baseUrl);
			expect(wrong.items).toEqual([]);
			expect(wrong.error?.message).toMatch(/^Document is fixed to .*, which is none of the documents of set/);
			const right = await getPdf(changed(ids().documentId.toUpperCase(), mode), {}, baseUrl);
			expect(right.items).toHaveLength(1);
			expect(right.hints).toEqual([]);
		},
	);

	it('are given where the search does not show the set, with a word about it', async () => {
		const { baseUrl } = await careless([]);
		const { items, hints } = await getPdf({}, {}, baseUrl);
		expect(items).toHaveLength(1);
		expect(hints.map(({ message }) => message)).toEqual([expect.stringMatching(/cannot be seen/)]);
	});
});

describe('behind an event', () => {
	const other = () => service.data.sets[12]!;
	const event = (more: IDataObject = {}) => ({
		json: {
			...{ eventId: '0123456789abcdef0123456789abcdef', status: 'SIGNED', setId: someSet().setId },
			...{ parcelReference: someSet().parcelRef, ...more },
		},
	});
	const setId = '={{ $json.setId }}';
	const document = (id: () => string) => `={{ ${JSON.stringify(id())} }}`;
	const downloads = () => service.counters.byRoute.pdf ?? 0;

	it.each<[string, () => IDataObject]>([
		['by an expression', () => ({ setId, documentId: document(() => other().documents[0]!.documentId) })],
		['that was typed', () => ({ setId, documentId: other().documents[0]!.documentId })],
		[
			'beside its set that was typed',
			() => ({ documentId: document(() => other().documents[0]!.documentId) }),
		],
	])('refuses a document that its set does not hold, %s', async (_label, parameters) => {
		const before = downloads();
		const { items, error } = await getPdf(parameters(), { items: [event()] });
		expect(items).toEqual([]);
		expect(error?.message).toMatch(/is none of the documents of set/);
		expect(downloads()).toBe(before);
	});

	it('gives a document that its set holds, whatever the capitals', async () => {
		const documentId = document(() => ids().documentId.toUpperCase());
		const { items, hints, error } = await getPdf({ setId, documentId }, { items: [event()] });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(hints).toEqual([]);
	});

	it('says that it cannot be seen where the search shows no documents', async () => {
		const { documentId } = ids();
		const hide: Doorkeeper = ({ path }) =>
			path.includes('search') ? { body: { data: { total: 0, results: [] } } } : undefined;
		await behind(hide, async (baseUrl) => {
			const { items, hints } = await getPdf(
				{ setId, documentId: document(() => documentId) },
				{ items: [event()] },
				baseUrl,
			);
			expect(items).toHaveLength(1);
			expect(hints.map(({ message }) => message)).toEqual([
				expect.stringMatching(/belongs to set .* cannot be seen: the search does not show that set/),
			]);
		});
	});

	it('looks at no set for an item that is no event', async () => {
		const before = service.counters.byRoute.search ?? 0;
		await getPdf({ setId, documentId: '={{ $json.documentId }}' }, { items: [{ json: ids() }] });
		expect(service.counters.byRoute.search ?? 0).toBe(before);
	});
});
