import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties, INodeType } from 'n8n-workflow';
import { ParcelDocumentExchange } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchange.node';
import { ParcelDocumentExchangePollTrigger } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchangePollTrigger.node';
import { ParcelDocumentExchangeTrigger } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchangeTrigger.node';

/** What holds for the panel of each node. */

const FOLDER = join(__dirname, '../../nodes/ParcelDocumentExchange');

/** What a desk never needs, and a technician may: behind everything else, wherever it can be added. */
const FOR_TECHNICIANS = [
	...['instance', 'instances', 'otherFilters', 'parallelDownloads', 'parallelRuns', 'keepOrder'],
	...['timeout', 'pageSize', 'paging'],
];

/** Named by n8n, or explained by what stands in them. */
const SPEAK_FOR_THEMSELVES = ['resource', 'operation', 'filters', 'options', 'notice'];

const nodes: INodeType[] = [
	new ParcelDocumentExchange(),
	new ParcelDocumentExchangePollTrigger(),
	new ParcelDocumentExchangeTrigger(),
];

const inside = ({ type, options = [] }: INodeProperties) =>
	type === 'collection' ? (options as INodeProperties[]) : [];
const every = (properties: INodeProperties[]): INodeProperties[] =>
	properties.flatMap((property) => [property, ...every(inside(property))]);

describe.each(nodes.map((node) => [node.description.displayName, node] as const))('%s', (_, node) => {
	const { description, methods = {} } = node;
	const properties = every(description.properties);

	it('offers what technicians set behind everything else', () => {
		const collections = properties.map(inside).filter(({ length }) => length > 1);
		expect(collections.length).toBeGreaterThan(0);
		for (const options of collections) {
			const names = options.map(({ name }) => name);
			const isForAll = (name: string) => !FOR_TECHNICIANS.includes(name);
			const inOrder = [...names.filter(isForAll), ...names.filter((name) => !isForAll(name))];
			expect(names).toEqual(inOrder);
		}
	});

	it('says something about everything a person can fill in', () => {
		for (const { name, type, description: text, hint, placeholder } of properties) {
			if (SPEAK_FOR_THEMSELVES.includes(name)) continue;
			expect({ name, says: text ?? hint }).toEqual({ name, says: expect.stringMatching(/^[A-Z]/) });
			if (type === 'string' && placeholder) expect(placeholder).toMatch(/^e\.g\. /);
		}
	});

	it('names only methods it has', () => {
		const named = JSON.stringify(properties).matchAll(/"(searchListMethod|loadOptionsMethod)":"(\w+)"/g);
		for (const [, kind, method = ''] of named) {
			const known = kind === 'searchListMethod' ? methods.listSearch : methods.loadOptions;
			expect(Object.keys(known ?? {})).toContain(method);
		}
		const tested = description.credentials?.map(({ testedBy }) => testedBy) ?? [];
		expect(Object.keys(methods.credentialTest ?? {}).sort()).toEqual([...new Set(tested)].sort());
	});

	it('has its icons and a codex that n8n can read', () => {
		const { light, dark } = description.icon as { light: string; dark: string };
		for (const icon of [light, dark]) {
			const drawing = readFileSync(join(FOLDER, icon.replace('file:', '')), 'utf8');
			expect(drawing).toMatch(/width="60" height="60" viewBox="0 0 60 60"/);
		}
		const file = `${description.name.replace(/^p/, 'P')}.node.json`;
		expect(JSON.parse(readFileSync(join(FOLDER, file), 'utf8'))).toMatchObject({
			node: `n8n-nodes-parcel-document-exchange.${description.name}`,
			categories: expect.arrayContaining([expect.any(String)]),
			alias: expect.arrayContaining(['parcel', 'bill of lading']),
			resources: { primaryDocumentation: [{ url: expect.stringMatching(/^https:/) }] },
		});
	});
});

it('the panel of the poll trigger says what a look does not see, and what begins anew', () => {
	const { properties } = new ParcelDocumentExchangePollTrigger().description;
	const says = (name: string) => {
		const { displayName, hint = '' } = properties.find((property) => property.name === name)!;
		return `${displayName} ${hint}`;
	};
	expect(says('statuses')).toContain('A set that moves on twice between two looks starts the workflow once');
	expect(says('notice')).toContain('The first look only remembers what is there.');
	expect(says('notice')).toContain('Renaming this node makes it begin anew.');
});
