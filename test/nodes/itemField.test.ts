import { Expression } from 'n8n-workflow';
import { itemField } from '../../nodes/ParcelDocumentExchange/parameters/parameters';
import { runAction } from '../support/actionNode';
import { startService } from '../../sandbox/service';

const JSON_OF_ITEM = { setId: 'S-1', empty: '', count: 5, nested: { setId: 'S-2' } };

function read(written: unknown): string | undefined {
	return itemField(
		{
			getNodeParameter: () => written as never,
			getInputData: () => [{ json: {} }, { json: JSON_OF_ITEM }],
		},
		'setId',
		1,
	);
}

describe("a parameter that is one field of the input item is read without n8n's sandbox", () => {
	it.each([
		['as the editor writes it', '={{ $json.setId }}', 'S-1'],
		['without blanks', '={{$json.setId}}', 'S-1'],
		['in a picker', { __rl: true, mode: 'id', value: '={{ $json.setId }}' }, 'S-1'],
		['a text that is empty', '={{ $json.empty }}', ''],
	])('%s', (_label, written, expected) => {
		expect(read(written)).toBe(expected);
	});
});

describe('anything else is left to n8n', () => {
	it.each([
		['a plain text', 'S-1'],
		['a picker with a plain text', { __rl: true, mode: 'list', value: 'S-1' }],
		['text beside it', '=id {{ $json.setId }}'],
		['two of them', '={{ $json.setId }}{{ $json.setId }}'],
		['a field within a field', '={{ $json.nested.setId }}'],
		['a call', '={{ $json.setId.trim() }}'],
		['another node', '={{ $("Set").item.json.setId }}'],
		['a field that is no text', '={{ $json.count }}'],
		['a field that is not there', '={{ $json.documentId }}'],
		['what every object has', '={{ $json.constructor }}'],
		['not an expression', '{{ $json.setId }}'],
		['nothing', null],
	])('%s', (_label, written) => {
		expect(read(written)).toBeUndefined();
	});
});

it('gives the same as n8n does, item by item', async () => {
	const service = await startService();
	try {
		const documents = service.data.sets
			.slice(0, 5)
			.map(({ setId, documents: [first] }) => ({ setId, documentId: first?.documentId }));
		const items = documents.map((json) => ({ json }));
		const ask = (setId: string, documentId: string) =>
			runAction(service.baseUrl, { resource: 'document', operation: 'getPdf', setId, documentId }, { items });
		const read = await ask('={{ $json.setId }}', '={{ $json.documentId }}');
		const resolved = await ask('={{ $json.setId.trim() }}', '={{ $json["documentId"] }}');
		expect(read.items.map(({ json }) => json)).toEqual(resolved.items.map(({ json }) => json));
		expect(read.items.map(({ json }) => json)).toMatchObject(documents);
	} finally {
		await service.close();
	}
});

it.each([
	['typed', (setId: string) => setId],
	['in a picker', (setId: string) => ({ __rl: true, mode: 'id', value: setId })],
])("gets a PDF for each item without n8n's sandbox, its set %s", async (_label, set) => {
	const service = await startService();
	const resolve = jest.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
	try {
		const items = service.data.sets
			.slice(0, 5)
			.map(({ setId, documents: [first] }) => ({ json: { setId, documentId: first?.documentId } }));
		const parameters = {
			...{ resource: 'document', operation: 'getPdf' },
			...{ setId: set('={{ $json.setId }}'), documentId: set('={{ $json.documentId }}') },
		};
		const { items: given } = await runAction(service.baseUrl, parameters, { items });
		expect(given).toHaveLength(5);
		const resolved = resolve.mock.calls.map(([value]) => value);
		expect(resolved.filter((value) => typeof value === 'string' && value.startsWith('='))).toEqual([]);
	} finally {
		resolve.mockRestore();
		await service.close();
	}
});
