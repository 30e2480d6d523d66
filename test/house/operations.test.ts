import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodePropertyOptions } from 'n8n-workflow';
import { ParcelDocumentExchange } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchange.node';
import { operationOf } from '../../nodes/ParcelDocumentExchange/actions/table';
import { BINARY_FIELD, PARALLEL_DOWNLOADS } from '../../nodes/ParcelDocumentExchange/descriptions/defaults';
import { TOOLS } from '../support/host/tools';
import { offered, optionsOf, operationsWith, resources } from '../support/panel';
import { unsaid } from '../support/unsaid';

const PROJECT = join(__dirname, '..', '..');
const NODE = 'nodes/ParcelDocumentExchange';
const read = (file: string) => readFileSync(join(PROJECT, file), 'utf8');
const { subtitle = '' } = new ParcelDocumentExchange().description;

/** The test of what stands on the canvas. */
const [CANVAS = ''] =
	/it\('is named on the canvas[^]*?\n\t\}\);/.exec(read('test/host/editor.test.ts')) ?? [];

/** The tests of what operations do; actionDescription has all of them in its tables. */
const TESTS = ['nodes', 'broker'].flatMap((folder) =>
	readdirSync(join(PROJECT, 'test', folder))
		.filter((file) => file.endsWith('.test.ts') && file !== 'actionDescription.test.ts')
		.map((file) => read(`test/${folder}/${file}`)),
);

/** Whether a test names both beside each other: the resource, or one of several that it goes through. */
function runs(text: string, resource: string, operation: string): boolean {
	const beside = (of: string) => new RegExp(`\\b${of},\\s*(operation: )?${operation}`).test(text);
	const others = text.replaceAll(/\bresource: '\w+'/g, '');
	return beside(`resource: ${resource}`) || (beside('resource') && others.includes(resource));
}

/** What Wait Up To is in the panel of an operation; undefined where it has none. */
function waits(resource: INodePropertyOptions, operation: string): unknown {
	const options = optionsOf(String(resource.value), operation);
	return options.find(({ name }) => name === 'waitSeconds')?.default;
}

/** Where each operation is to be told of: what is missing there, in words. */
const places: Record<string, (resource: INodePropertyOptions, name: string, operation: string) => boolean> = {
	'a row in the table of README.md': (resource, name) =>
		new RegExp(`^\\| ${resource.name} +\\| ${name} +\\| \\S`, 'm').test(read('README.md')),
	'an entry in actions/table.ts': (resource, _, operation) =>
		operationOf(String(resource.value), operation) !== undefined,
	'inOneTurn beside its read and answer, since it looks for a set: its items share one look at the list': (
		resource,
		_,
		operation,
	) =>
		operationOf(String(resource.value), operation)?.inOneTurn === true ||
		!operationsWith('lookup').some(([of, name]) => of === resource.value && name === operation),
	'words for the canvas in subtitle of ParcelDocumentExchange.node.ts': (resource, _, operation) =>
		subtitle.includes(`"${String(resource.value)} ${operation}": "`),
	'its words for the canvas where test/host/editor.test.ts looks for those ("is named on the canvas in plain words")':
		(resource, _, operation) => {
			const [, words] =
				new RegExp(`"${String(resource.value)} ${operation}": "([^"]+)"`).exec(subtitle) ?? [];
			return words === undefined || CANVAS.includes(`'${words}'`);
		},
	'a preview of what it gives in __schema__/v1.0.0': (resource, _, operation) =>
		existsSync(join(PROJECT, NODE, '__schema__', 'v1.0.0', String(resource.value), `${operation}.json`)),
	'its name in CHANGELOG.md, in a line such as "Set: Search …"': (resource, name) =>
		new RegExp(`\\b${resource.name}\\b[^.]*: .*\\b${name}\\b(?! [A-Z])`).test(read('CHANGELOG.md')),
	'a panel in PANELS of test/host/editor.test.ts': (resource, _, operation) =>
		read('test/host/editor.test.ts').includes(`'${String(resource.value)} ${operation}'`),
	'a case in test/host/publishing.test.ts': (resource, _, operation) =>
		read('test/host/publishing.test.ts').includes(
			`resource: '${String(resource.value)}', operation: '${operation}'`,
		),
	'its preview among the OPERATIONS of test/host/tarball.test.ts': (resource, _, operation) =>
		read('test/host/tarball.test.ts').includes(`'${String(resource.value)}/${operation}'`),
	'a line in TOOLS of test/support/host/tools.ts': (resource, _, operation) =>
		Object.hasOwn(TOOLS, `${String(resource.value)}.${operation}`),
	'what a model asks of it, in test/host/agent.test.ts': (resource, _, operation) =>
		read('test/host/agent.test.ts').includes(`'${String(resource.value)}.${operation}': {`),
	'its parameters and its defaults, in both tables of test/nodes/actionDescription.test.ts': (
		resource,
		_,
		operation,
	) =>
		[
			...read('test/nodes/actionDescription.test.ts').matchAll(
				new RegExp(`\\[\\s*'${String(resource.value)}',\\s*'${operation}',`, 'g'),
			),
		].length === 2,
	'a test that runs it, in test/nodes or test/broker': (resource, _, operation) =>
		TESTS.some((text) => runs(text, `'${String(resource.value)}'`, `'${operation}'`)),
	'a row with its default in the table of Wait Up To in docs/pdfs.md': (resource, name, operation) => {
		const seconds = waits(resource, operation);
		const row = `^\\| (${resource.name} → )?${name} +\\| ${String(seconds)} +\\|`;
		return seconds === undefined || new RegExp(row, 'm').test(read('docs/pdfs.md'));
	},
};

it('the panel offers what the package does', () => expect(offered.length).toBeGreaterThan(10));

it.each(offered)('$resource.name, $name is told of wherever operations are', ({ resource, name, value }) => {
	// Each line that stands here as missing says where to write what.
	const missing = Object.entries(places).filter(([, has]) => !has(resource, name, value));
	expect(missing.map(([place]) => `${resource.name}, ${name} needs ${place}`)).toEqual([]);
});

it.each(resources)('the operations of $name stand in the order of their names', (resource) => {
	const names = offered.filter((one) => one.resource === resource).map(({ name }) => name);
	expect(names).toEqual(names.toSorted());
});

it.each([
	['Put Output File in Field', `\`${BINARY_FIELD}\` unless you change it`],
	['Parallel Downloads', `**Parallel Downloads**, ${PARALLEL_DOWNLOADS.missing} unless you change it`],
])('docs/pdfs.md says what %s is where nothing is filled in', (_, words) => {
	expect(unsaid('docs/pdfs.md', read('docs/pdfs.md'), words)).toEqual([]);
});
