import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chain, type NodeSketch } from '../../sandbox/n8n/workflows';
import { move } from '../../sandbox/service';
import { ACTION, useWorld, using } from '../support/host/world';

/** Where a mail behind the papers would go is worked out by n8n itself. */

const world = useWorld();

let table: Server;
const rows = () => sets().map(({ customerId }, n) => ({ customerId, email: `desk${n}@example.com` }));
beforeAll((done) => {
	table = createServer((_asked, answer) => {
		answer.setHeader('content-type', 'application/json');
		answer.end(JSON.stringify({ data: rows() }));
	}).listen(0, '127.0.0.1', done);
});
afterAll((done) => void table.close(done));

/** Sets of different customers, in an order that does not change with what happens to them. */
const sets = () =>
	[...new Map(world().service.data.sets.map((set) => [set.customerId, set])).values()]
		.sort((a, b) => a.customerId.localeCompare(b.customerId))
		.slice(0, 2);

/** What n8n says of a run in which the papers of the second customer go by one of these expressions, and how many sets got them. */
async function sentTo(to: string) {
	const { n8n, service, serviceCredential } = world();
	const [, last] = sets();
	const event = move(service.data, last!.setId, 'sign', Date.now());
	const smtp = await n8n.credentials.create('Mail', 'smtp', { host: '127.0.0.1', port: 1 });
	const steps: NodeSketch[] = [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
		{
			...{ name: 'Event', type: ACTION },
			parameters: { resource: 'event', operation: 'parse', event: JSON.stringify(event) },
		},
		{
			...{ name: 'Table', type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 },
			parameters: { url: `http://127.0.0.1:${(table.address() as AddressInfo).port}/`, options: {} },
		},
		{
			...{ name: 'PDFs', type: ACTION, credentials: using(serviceCredential) },
			parameters: {
				...{ resource: 'document', operation: 'getAllPdfs', onePerSet: true },
				setId: { __rl: true, mode: 'id', value: '={{ $("Event").item.json.setId }}' },
			},
		},
		{
			...{ name: 'Mail', type: 'n8n-nodes-base.emailSend', typeVersion: 2.1, credentials: using(smtp) },
			onError: 'continueRegularOutput',
			parameters: {
				...{ fromEmail: 'desk@example.com', toEmail: `={{ ${to} }}`, subject: 'Papers', text: 'Papers' },
				options: { attachments: '={{ $json.attachments }}' },
			},
		},
	];
	const { id } = await n8n.workflows.create(chain('Address', steps));
	const run = await n8n.executions.finished(await n8n.workflows.run(id, 'Start'));
	return run.error?.message ?? run.items('PDFs').length;
}

it.each([
	'$("Table").item.json.data[0].email',
	'$("Table").first().json.data[0].email + ", archive@example.com"',
	'$("Table").all()[0].json.data.find((row) => row.email.startsWith("desk0")).email',
])('%s is that of another customer: nothing is handed on', async (to) => {
	expect(await sentTo(to)).toMatch(/^What is sent goes by the row of somebody else/);
});

it.each([
	'$("Table").item.json.data[1].email',
	'$("Table").first().json.data.find((row) => row.customerId === $("Event").item.json.customerId).email',
])('%s is its own: the papers come', async (to) => {
	expect(await sentTo(to)).toBe(1);
});
