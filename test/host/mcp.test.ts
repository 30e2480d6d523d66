import { createHash } from 'node:crypto';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { tellsItsStack } from '../support/hostVersion';
import { connectMcp, type McpClient } from '../support/host/mcpClient';
import { mcpWorkflow, nameOf, TOOLS } from '../support/host/tools';
import { PACKAGE, useWorld, using } from '../support/host/world';

const world = useWorld();
const PATH = 'papers';
let client: McpClient;
let workflowId: string;

beforeAll(async () => {
	const { n8n, n8nUrl, serviceCredential, queueCredential } = world();
	const workflow = mcpWorkflow(PATH, Object.keys(TOOLS), using(serviceCredential, queueCredential));
	workflowId = (await n8n.workflows.create(workflow)).id;
	await n8n.workflows.publish(workflowId);
	// Published in the background: the address answers "not found" for a moment.
	const url = `${n8nUrl}/mcp/${PATH}`;
	client = await waitUntil('the MCP server answers', () => connectMcp(url).catch(() => undefined));
}, 60_000);
afterAll(async () => {
	await client?.close();
	await world().n8n.workflows.unpublish(workflowId);
});

/** What the tool of an operation answers, which is JSON. */
async function answer(operation: string, args: Record<string, unknown>) {
	const { text, isError } = await client.call(nameOf(operation), args);
	expect({ text, isError }).toMatchObject({ isError: false });
	const items = JSON.parse(text) as unknown;
	return [items].flat() as Record<string, unknown>[];
}

/** A frame that leads through n8n's own packages, those that came with it, or Node.js; ours is installed in a folder of its own. */
const FRAME_OF_N8N =
	/^\s+at (?!.*ParcelDocumentExchange).*(\/node_modules\/(@?n8n|@langchain|@modelcontextprotocol)\b|\(node:internal\/)/;

const withoutFramesOfN8n = (text: string) =>
	text
		.split('\n')
		.filter((line) => !FRAME_OF_N8N.test(line))
		.join('\n');

describe('a client of an MCP server of n8n', () => {
	it('is offered every operation of the node, each with what it is for and what it needs', async () => {
		const { n8n } = world();
		const types = (await n8n.communityPackages.nodeTypes()) as unknown as {
			name: string;
			properties: {
				name: string;
				options?: { value: string; action?: string }[];
				displayOptions?: { show?: { resource?: string[] } };
			}[];
		}[];
		const { properties = [] } = types.find(({ name }) => name === `${PACKAGE}.parcelDocumentExchange`) ?? {};
		const operations = properties
			.filter(({ name }) => name === 'operation')
			.flatMap(({ options = [], displayOptions }) =>
				(displayOptions?.show?.resource ?? []).flatMap((resource) =>
					options
						// n8n's own, which leads to HTTP Request.
						.filter(({ value }) => value !== '__CUSTOM_API_CALL__')
						.map(({ value, action }) => ({ operation: `${resource}.${value}`, action })),
				),
			);
		const tools = await client.tools();
		expect(tools.map(({ name }) => name).sort()).toEqual(
			operations.map(({ operation }) => nameOf(operation)).sort(),
		);
		for (const { operation, action } of operations) {
			const tool = tools.find(({ name }) => name === nameOf(operation));
			expect(tool?.description).toBe(`${action} in Parcel Document Exchange`);
			for (const { description } of Object.values(tool?.inputSchema.properties ?? {})) {
				expect(description).toMatch(/\w{3}/);
			}
		}
	});

	it('finds a parcel by its reference, lists its papers, and gets name, size and checksum of one', async () => {
		const wanted = world().service.data.sets[40]!;
		const found = await answer('set.search', { shipment_reference: wanted.shipmentRef, status: '' });
		const set = found.find(({ parcelRef }) => parcelRef === wanted.parcelRef);
		expect(set).toMatchObject({ setId: wanted.setId });
		const [listed] = await answer('set.get', { set_id: set?.['setId'] });
		const documents = listed?.['documents'] as { documentId: string; name: string }[];
		expect(documents.map(({ name }) => name)).toEqual(wanted.documents.map(({ name }) => name));
		const [pdf] = await answer('document.getPdf', {
			set_id: wanted.setId,
			document_id: documents[0]?.documentId,
		});
		const bytes = await world().service.pdf(wanted, wanted.documents[0]!);
		expect(pdf).toMatchObject({
			fileName: expect.stringMatching(/\.pdf$/),
			bytes: bytes.length,
			sha256: createHash('sha256').update(bytes).digest('hex'),
			complete: true,
		});
	});

	it('gets every paper of a set in one call, one line of facts for each and no file', async () => {
		const wanted = world().service.data.sets.find(({ documents }) => documents.length > 1)!;
		const pdfs = await answer('document.getAllPdfs', { set_id: wanted.setId });
		expect(pdfs.map(({ documentId }) => documentId)).toEqual(
			wanted.documents.map(({ documentId }) => documentId),
		);
		for (const pdf of pdfs)
			expect(pdf).toMatchObject({ bytes: expect.any(Number), sha256: expect.any(String) });
	});

	it.each(['counterparty.getAll', 'customer.getAll'])(
		'gets %s, where an empty name is none',
		async (operation) => {
			const all = await answer(operation, { name: '' });
			expect(all.length).toBeGreaterThan(2);
			const [{ customerName } = {}] = all;
			const some = await answer(operation, { name: customerName });
			expect(some.map((party) => party['customerName'])).toContain(customerName);
			expect(some.length).toBeLessThan(all.length);
		},
	);

	it('has an event explained that it was sent from elsewhere', async () => {
		const [event] = await answer('event.parse', {
			event: '{"newStatus":"Title held","parcelReference":"PCL-1"}',
		});
		expect(event).toMatchObject({ status: 'TITLE_HELD', parcelReference: 'PCL-1' });
	});

	it('is told what waits on the queue, and that nobody reads it', async () => {
		const [status] = await answer('queue.getStatus', { queue: world().queue });
		expect(status).toMatchObject({ waiting: 0, readers: 0 });
	});

	it.each([
		['an ID that is none', 'set.get', { set_id: 'SEGOT-1' }, /is not an ID: .* An ID looks like/],
		[
			'a set that is not there',
			'set.get',
			{ set_id: '00000000-0000-4000-8000-000000000000' },
			/\bset\b.*\./i,
		],
		[
			'a queue that is not there',
			'queue.getStatus',
			{ queue: 'nowhere' },
			/The queue “nowhere” was not found\. Check the queue name/,
		],
		['an event that is none', 'event.parse', { event: 'Hello' }, /event/i],
	])('is told in words what to do about %s', async (_, operation, args, words) => {
		const { text } = await client.call(nameOf(operation), args);
		expect(text).toMatch(words);
		const told = tellsItsStack(world().n8nVersion) ? withoutFramesOfN8n(text) : text;
		expect(told).not.toMatch(/^\s*at |\bat \w+ \(|node_modules|undefined/m);
	});

	it('is told that more sets match than it was given', async () => {
		const found = await answer('set.search', { shipment_reference: '', status: '' });
		expect(found.slice(0, -1).map(({ setId }) => setId)).toEqual(
			Array.from({ length: 5 }, () => expect.any(String)),
		);
		expect(found.at(-1)).toEqual({ hint: expect.stringContaining('The limit of 5 is reached') });
	});

	it('is told in words that nothing was found', async () => {
		const [said] = await answer('set.search', { shipment_reference: 'NO SUCH REFERENCE', status: '' });
		expect(said).toEqual({ result: 'Nothing was found.' });
	});
});
