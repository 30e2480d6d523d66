import { execFileSync } from 'node:child_process';
import { join, relative } from 'node:path';
import { ParcelDocumentExchange } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchange.node';
import { OPERATIONS } from '../../nodes/ParcelDocumentExchange/actions/table';
import { draftSet, startService, type Service } from '../../sandbox/service';
import { runAction } from '../support/actionNode';
import { optionsOf, shown } from '../support/panel';
import { previewMismatch } from '../support/schemaPreview';

const { description } = new ParcelDocumentExchange();
const operations = Object.entries(OPERATIONS).flatMap(([resource, named]) =>
	Object.keys(named).map((operation) => [resource, operation] as const),
);

it('offers every operation there is, and no other', () => {
	const offered = description.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options = [] }) =>
			options.map((option) =>
				[displayOptions!.show!.resource![0], (option as { value: string }).value].join('.'),
			),
		);
	expect(offered.sort()).toEqual(operations.map((names) => names.join('.')).sort());
});

it.each<[string, string, string[]]>([
	['counterparty', 'get', ['name', 'options']],
	['customer', 'get', ['name', 'options']],
	['document', 'getAll', ['setId', 'lookup', 'options']],
	['counterparty', 'getAll', ['returnAll', 'limit', 'filters', 'options']],
	['customer', 'getAll', ['returnAll', 'limit', 'filters', 'options']],
	['set', 'search', ['returnAll', 'limit', 'filters', 'simplify', 'options']],
	['set', 'get', ['setId', 'lookup', 'simplify', 'options']],
	['document', 'getPdf', ['setId', 'documentId', 'binaryPropertyName', 'options']],
	[
		'document',
		'getAllPdfs',
		['setId', 'lookup', 'documentTypes', 'onePerSet', 'binaryPropertyName', 'options'],
	],
	['event', 'parse', ['event']],
	['queue', 'getStatus', ['queue']],
])('%s %s shows its parameters in the order they are filled in', (resource, operation, names) => {
	expect(shown(resource, operation).map(({ name }) => name)).toEqual(['resource', 'operation', ...names]);
});

const optionDefaults = (resource: string, operation: string) =>
	Object.fromEntries(optionsOf(resource, operation).map((option) => [option.name, option.default]));
const calls = { timeout: 60 };
const filters = { ignoreEmptyFilters: false };
const pages = { paging: 'auto', pageSize: 100 };

it.each<[string, string, object]>([
	['counterparty', 'get', calls],
	['customer', 'get', calls],
	['document', 'getAll', { ...calls, ...pages, waitSeconds: 0 }],
	['counterparty', 'getAll', { ...calls, ...filters }],
	['customer', 'getAll', { ...calls, ...filters }],
	['set', 'search', { ...calls, ...pages, ...filters, timeZone: 'UTC' }],
	['set', 'get', { ...calls, ...pages, timeZone: 'UTC', waitSeconds: 0 }],
	['document', 'getPdf', { ...calls, parallelDownloads: 8, waitSeconds: 0, fileName: '{documentId}.pdf' }],
	[
		'document',
		'getAllPdfs',
		{
			...calls,
			...pages,
			...filters,
			parallelDownloads: 8,
			waitSeconds: 60,
			fileName: '{billOfLadingDate} {parcelRef} {name}.pdf',
		},
	],
	['event', 'parse', {}],
	['queue', 'getStatus', {}],
])('%s %s has these options, with these defaults', (resource, operation, defaults) => {
	expect(optionDefaults(resource, operation)).toEqual(defaults);
});

it('has the defaults of n8n for the others', () => {
	const defaults = (name: string) =>
		description.properties.find((property) => property.name === name)?.default;
	expect(['returnAll', 'limit', 'simplify', 'binaryPropertyName', 'event'].map(defaults)).toEqual([
		false,
		50,
		true,
		'data',
		'={{ $json }}',
	]);
});

it('needs the account of the service for all but parsing and the queue, which has one of its own', () => {
	expect(description.credentials?.map(({ name, displayOptions }) => [name, displayOptions])).toEqual([
		['parcelDocumentExchangeApi', { hide: { resource: ['event', 'queue'] } }],
		['parcelDocumentExchangeQueueApi', { show: { resource: ['queue'] } }],
	]);
});

it('costs little to load: what does the work is loaded at first use', () => {
	const code = `
		const { ParcelDocumentExchange } = require('./nodes/ParcelDocumentExchange/ParcelDocumentExchange.node.ts');
		new ParcelDocumentExchange();
		console.log(JSON.stringify(Object.keys(require.cache)));`;
	const root = join(__dirname, '../..');
	const output = execFileSync(process.execPath, ['--require', 'tsx/cjs', '--eval', code], {
		cwd: root,
		encoding: 'utf8',
	});
	const loaded = (JSON.parse(output) as string[]).map((file) => relative(root, file));
	expect(loaded.filter((file) => file.startsWith('service/'))).toEqual(['service/model/uuid.ts']);
	expect(loaded.filter((file) => /actions|adapters|undici|amqplib/.test(file))).toEqual([]);
});

describe('schema previews', () => {
	let service: Service;
	beforeAll(async () => void (service = await startService()));
	afterAll(() => service.close());

	// That of the queue: test/broker/queueStatus.test.ts
	it.each(operations.filter(([resource]) => resource !== 'queue'))(
		'%s %s gives what its preview shows',
		async (resource, operation) => {
			const { set, event } = draftSet(service.data, Date.now());
			const { items } = await runAction(
				service.baseUrl,
				{
					...{ resource, operation, documentId: set.documents[0]!.documentId },
					...(asksForName(resource, operation) && { name: nameOf(service, resource) }),
				},
				{ items: [{ json: { ...event } }] },
			);
			expect(items.length).toBeGreaterThan(0);
			expect(previewMismatch(resource, operation, items[0]!.json)).toEqual([]);
		},
	);
});

/** Whether a panel has a field for the whole name of a company. */
const asksForName = (resource: string, operation: string) =>
	shown(resource, operation).some(({ name }) => name === 'name');

const nameOf = ({ data }: Service, resource: string) =>
	data[resource === 'customer' ? 'customers' : 'counterparties'][0]?.customerName;
