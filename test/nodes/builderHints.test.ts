import type { INodeProperties } from 'n8n-workflow';
import { ParcelDocumentExchange } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchange.node';
import { ParcelDocumentExchangePollTrigger } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchangePollTrigger.node';
import { ParcelDocumentExchangeTrigger } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchangeTrigger.node';

const PACKAGE = 'n8n-nodes-parcel-document-exchange';
const types = [
	new ParcelDocumentExchange(),
	new ParcelDocumentExchangePollTrigger(),
	new ParcelDocumentExchangeTrigger(),
];
const ours = types.map(({ description }) => `${PACKAGE}.${description.name}`);
/** What people read on the panels: labels of fields and their choices. */
const labels = (properties: INodeProperties[]): string[] =>
	properties.flatMap((property) => [
		property.displayName,
		...(property.options ?? []).flatMap((option) => ('type' in option ? labels([option]) : [option.name])),
	]);
const known = types.flatMap(({ description }) => [
	...labels(description.properties),
	...(description.codex?.alias ?? []),
]);

describe.each(types)('the hint for models that build workflows', ({ description }) => {
	it(`${description.displayName} names what there is, by the words of the panel`, () => {
		const { searchHint = '', relatedNodes = [] } = description.builderHint ?? {};
		const quoted = [...searchHint.matchAll(/"([A-Z][^"]+)"/g)].map(([, name]) => name!);
		expect(quoted.length).toBeGreaterThan(0);
		for (const name of quoted) expect(known).toContain(name);
		for (const { nodeType } of relatedNodes) {
			if (nodeType.startsWith(PACKAGE)) expect(ours).toContain(nodeType);
		}
		expect(relatedNodes.length).toBeGreaterThan(0);
	});

	it(`${description.displayName} holds no expression, and none stands where n8n refuses to load it`, () => {
		expect(JSON.stringify(description.builderHint)).not.toMatch(/=?\{\{/);
		for (const { name, builderHint } of description.properties) {
			if (['resource', 'operation', 'mode'].includes(name)) expect(builderHint).toBeUndefined();
		}
	});
});
