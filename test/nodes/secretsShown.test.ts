import type { IDataObject } from 'n8n-workflow';
import { pdfBytes } from '../support/apiAccount';
import { apiCredential, runAction } from '../support/actionNode';
import { opening } from '../support/closing';
import { reply, startFakeService, tokenReply, type SeenRequest } from '../support/fakeService';
import { id } from '../support/ids';

/** A service that writes what it was sent into its data: no secret reaches an item, a file name, an error or a hint. */

const TOKEN = 'TOKEN-abcdef-123456';
const PASSWORD = 'Sup3r:Secret&öre';
const USER = 'clerk';
const basic = Buffer.from(`${USER}:${PASSWORD}`).toString('base64');

const SPELLINGS: [string, string][] = [
	['the token', TOKEN],
	['the header of a call', `Bearer ${TOKEN}`],
	['the password', PASSWORD],
	['the password in capitals', PASSWORD.toUpperCase()],
	['the password with percent signs', encodeURIComponent(PASSWORD)],
	['the password in HTML', PASSWORD.replace('&', '&amp;')],
	['the password with signs nobody sees', [...PASSWORD].join('\u200b')],
	['the header of the login', `Basic ${basic}`],
	['the password in base64', Buffer.from(PASSWORD).toString('base64')],
	['the token in a link', `https://x.example/?access_token=${TOKEN}&page=2`],
];
const document = (text: string, more: IDataObject = {}) => ({
	documentId: id('d', 1),
	name: text,
	docType: text,
	...more,
});
const set = (text: string, more: IDataObject = {}): IDataObject => ({
	...{ setId: id('a', 1), parcelRef: text, shipmentRef: text, cargoName: text, vesselName: text },
	...{ links: [{ href: text }], documents: [document(text)], modifiedDate: text, signature: text, ...more },
});
const search = (...results: IDataObject[]) => ({ data: { total: results.length, results } });
const BY_ID = { setId: id('a', 1), lookup: {}, options: { waitSeconds: 0 } };
const byReference = (value: string) => ({ setId: { __rl: true, mode: 'reference', value }, lookup: {} });

const accountOf = (baseUrl: string, password: string) => ({
	parcelDocumentExchangeApi: {
		...apiCredential(baseUrl).parcelDocumentExchangeApi,
		username: USER,
		password,
	},
});

const RUNS: [string, (text: string) => unknown, IDataObject][] = [
	['items', (text) => search(set(text)), { resource: 'set', operation: 'search', simplify: false }],
	[
		'names of fields',
		(text) => search(set('x', { [text]: 'x', more: { [text]: [{ [text]: 1 }] } })),
		{ resource: 'set', operation: 'search', simplify: false },
	],
	['simplified items', (text) => search(set(text)), { resource: 'set', operation: 'get', ...BY_ID }],
	['files', (text) => search(set(text)), { resource: 'document', operation: 'getAllPdfs', ...BY_ID }],
	[
		'files of one item',
		(text) => search(set(text)),
		{ resource: 'document', operation: 'getAllPdfs', onePerSet: true, ...BY_ID },
	],
	['documents', (text) => search(set(text)), { resource: 'document', operation: 'getAll', ...BY_ID }],
	[
		'parties',
		(text) => [{ customerId: id('c', 1), customerName: text }],
		{ resource: 'customer', operation: 'getAll' },
	],
	[
		'a hint',
		(text) =>
			search(set(text), set('x', { setId: id('b', 1), documents: [document('x', { docType: 'BILL' })] })),
		{ resource: 'document', operation: 'getAllPdfs', ...BY_ID, documentTypes: ['BILL'] },
	],
	[
		'an error that lists types',
		(text) => search(set(text)),
		{ resource: 'document', operation: 'getAllPdfs', ...BY_ID, documentTypes: ['BILL'] },
	],
	[
		'an error that lists sets',
		(text) => search(set(text, { shipmentRef: 'X' }), set(text, { shipmentRef: 'X', setId: id('b', 1) })),
		{ resource: 'set', operation: 'get', ...byReference('X') },
	],
	[
		'an error that names a document',
		(text) => search(set(text, { documents: [document(text, { documentId: null })] })),
		{ resource: 'document', operation: 'getAllPdfs', ...BY_ID },
	],
	[
		'an error that lists names',
		(text) => [{ customerId: id('c', 1), customerName: `Acme ${text}` }],
		{ resource: 'customer', operation: 'get', name: 'Acme' },
	],
	['an error that quotes', (text) => ({ errorMessage: text }), { resource: 'set', operation: 'search' }],
	['an error under a field', (text) => ({ data: { total: text } }), { resource: 'set', operation: 'search' }],
];

describe.each(RUNS)('%s', (_label, answer, parameters) => {
	it.each(SPELLINGS)('show nothing of %s', async (_spelling, text) => {
		const { baseUrl } = await opening(
			startFakeService({
				logins: () => tokenReply(TOKEN),
				calls: ({ path }: SeenRequest) =>
					path.includes('get-single-pdf') ? reply(200, pdfBytes(300)) : reply(200, answer(`A ${text} B`)),
			}),
		);
		const run = await runAction(baseUrl, parameters, {
			items: parameters.documentTypes ? [{ json: {} }, { json: {} }] : [{ json: {} }],
			credentials: accountOf(baseUrl, PASSWORD),
		});
		const shown = [
			...run.items.map(({ json, binary }) => JSON.stringify([json, binary])),
			...[run.error, ...run.hints].map((told) => JSON.stringify([told?.message, told])),
			String((run.error as Error | undefined)?.stack),
		].join('\n');
		expect(shown).not.toBe('');
		const secrets = SPELLINGS.map(([, spelling]) => spelling.replace(/^(Bearer|Basic) /, ''));
		for (const secret of [...secrets, JSON.stringify(text).slice(1, -1)]) {
			expect(shown.toLowerCase()).not.toContain(secret.toLowerCase());
		}
	});
});

it('ids and ordinary words stay as they are, whatever the password is', async () => {
	for (const password of ['Coffee', 'aaaa', '2026', 'signed', '00000000', 'a']) {
		const own = set('Coffee signed 2026', { status: 'signed', billOfLadingDate: '2026-11-08' });
		const { baseUrl } = await opening(startFakeService({ calls: () => reply(200, search(own)) }));
		const { items } = await runAction(
			baseUrl,
			{ resource: 'set', operation: 'search', simplify: false },
			{ credentials: accountOf(baseUrl, password) },
		);
		expect(items.map(({ json }) => json)).toEqual([own]);
	}
});
