import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodePropertyOptions } from 'n8n-workflow';
import { ParcelDocumentExchange } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchange.node';
import { operationOf } from '../../nodes/ParcelDocumentExchange/actions/table';

const PROJECT = join(__dirname, '..', '..');
const NODE = 'nodes/ParcelDocumentExchange';
const read = (file: string) => readFileSync(join(PROJECT, file), 'utf8');
const { properties, subtitle = '' } = new ParcelDocumentExchange().description;

const resources = properties.find(({ name }) => name === 'resource')!.options as INodePropertyOptions[];
/** Every operation that the panel offers. */
const offered = resources.flatMap((resource) =>
	properties
		.filter(
			({ name, displayOptions }) =>
				name === 'operation' && displayOptions?.show?.resource?.[0] === resource.value,
		)
		.flatMap(({ options }) => options as INodePropertyOptions[])
		// n8n's own entry leads to the HTTP Request node.
		.filter(({ value }) => value !== '__CUSTOM_API_CALL__')
		.map(({ name, value }) => ({ resource, name, value: String(value) })),
);

/** Where each operation is to be told of: what is missing there, in words. */
const places: Record<string, (resource: INodePropertyOptions, name: string, operation: string) => boolean> = {
	'a row in the table of README.md': (resource, name) =>
		new RegExp(`^\\| ${resource.name} +\\| ${name} +\\| \\S`, 'm').test(read('README.md')),
	'an entry in actions/table.ts': (resource, _, operation) =>
		operationOf(String(resource.value), operation) !== undefined,
	'words for the canvas in subtitle of ParcelDocumentExchange.node.ts': (resource, _, operation) =>
		subtitle.includes(`"${String(resource.value)} ${operation}": "`),
	'a preview of what it gives in __schema__/v1.0.0': (resource, _, operation) =>
		existsSync(join(PROJECT, NODE, '__schema__', 'v1.0.0', String(resource.value), `${operation}.json`)),
	'its name in CHANGELOG.md': (resource, name) =>
		new RegExp(`\\b${resource.name}\\b[^.]*: [^]*?${name}`).test(read('CHANGELOG.md')),
	'a panel in PANELS of test/host/editor.test.ts': (resource, _, operation) =>
		read('test/host/editor.test.ts').includes(`'${String(resource.value)} ${operation}'`),
	'a case in test/host/publishing.test.ts': (resource, _, operation) =>
		read('test/host/publishing.test.ts').includes(
			`resource: '${String(resource.value)}', operation: '${operation}'`,
		),
};

it('the panel offers what the package does', () => expect(offered.length).toBeGreaterThan(10));

it.each(offered)('$resource.name, $name is told of wherever operations are', ({ resource, name, value }) => {
	// Each line that stands here as missing says where to write what.
	const missing = Object.entries(places).filter(([, has]) => !has(resource, name, value));
	expect(missing.map(([place]) => `${resource.name}, ${name} needs ${place}`)).toEqual([]);
});
