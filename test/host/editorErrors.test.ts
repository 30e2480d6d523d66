import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chain, type NodeSketch, type WorkflowJson } from '../../sandbox/n8n/workflows';
import { defaultUser } from '../../sandbox/service';
import { makeCertificates, type Certificate } from '../../sandbox/tls/certificates';
import { reply, startFakeService, type FakeServiceOptions } from '../support/fakeService';
import { openEditor, type Editor } from './support/editor';
import { ACTION, READER, TRIGGER, useWorld, using, type World } from './support/world';

const world = useWorld();
let editor: Editor;
let folder: string;
let certificate: Certificate;
const closers: (() => Promise<unknown>)[] = [];

const START = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} };
const UNKNOWN = '00000000-0000-4000-8000-00000000abcd';
const CUSTOMERS = { resource: 'customer', operation: 'getAll', options: { timeout: 1 } };
const PDF = { resource: 'document', operation: 'getPdf' };

/** Something goes wrong, and what the panel then says: what happened, and what to do. */
interface Mishap {
	/** Of the account; the rest is right. */
	account?: Record<string, unknown>;
	/** In place of the service. */
	instead?: (certificate: Certificate) => FakeServiceOptions;
	parameters?: (world: World) => Record<string, unknown>;
	says: string;
	remedy: string;
}

/** One of each kind of error the package knows (service/errors), and of each way to it that a person can take. */
const MISHAPS: Record<string, Mishap> = {
	'a wrong password': {
		account: { password: 'wrong' },
		says: 'The service refused the user name or the password',
		remedy: 'Check both in the credential.',
	},
	'a user name with a colon': {
		account: { username: 'a:b' },
		says: 'A user name with a colon cannot be sent in the Basic style.',
		remedy: 'Choose the login style "Headers" in the credential.',
	},
	'a base URL without https': {
		account: { baseUrl: 'service.example.com' },
		says: 'The base URL in the credential does not begin with https:// or http://',
		remedy: 'Put https:// in front of the address.',
	},
	'a base URL of nobody': {
		account: { baseUrl: 'https://service.invalid' },
		says: 'There is no host called service.invalid',
		remedy: 'Check the base URL in the credential for typing mistakes.',
	},
	'a base URL where nothing listens': {
		account: { baseUrl: 'http://127.0.0.1:1' },
		says: 'Nothing listens at 127.0.0.1:1',
		remedy: 'Check the host and the port of the base URL in the credential.',
	},
	'another service at the base URL': {
		instead: () => ({ logins: () => reply(200, '<html><title>Welcome</title></html>') }),
		says: 'The answer holds no field "token" that can be used. It said: "Welcome"',
		remedy: 'Check the base URL in the credential: another service seems to answer there.',
	},
	'a certificate of an unknown authority': {
		instead: ({ key, certificate }) => ({ tls: { key, cert: certificate } }),
		says: 'comes from an authority this machine does not know',
		remedy: 'Ask the service for its CA certificate and paste it in the credential.',
	},
	'no right to do this': {
		instead: () => ({ calls: () => 'forbidden' }),
		says: 'The service does not let this account do this',
		remedy: 'Ask the service for the right, or use another account.',
	},
	'too many calls': {
		instead: () => ({ calls: () => 'rateLimited' }),
		says: 'The service asks for fewer calls',
		remedy: 'let the workflow run less often',
	},
	'a service that is out of order': {
		instead: () => ({ calls: () => 'unavailable' }),
		says: 'The service has a problem of its own',
		remedy: 'Try again later.',
	},
	'a service that says nothing': {
		instead: () => ({ calls: () => 'silence' }),
		says: 'was silent for too long',
		remedy: 'Timeout in its options allows more time',
	},
	'an answer of another shape': {
		instead: () => ({ ok: { customers: [] } }),
		says: 'The service answered something else',
		remedy: 'Check the base URL in the credential.',
	},
	'a set that is not there': {
		parameters: () => ({ resource: 'set', operation: 'get', setId: UNKNOWN }),
		says: `does not show set ${UNKNOWN}`,
		remedy: 'Check the set ID',
	},
	'a document that is not there': {
		parameters: ({ service }) => ({ ...PDF, setId: service.data.sets[0]?.setId, documentId: UNKNOWN }),
		says: `No PDF of document ${UNKNOWN}`,
		remedy: 'raise Wait Up To in the options',
	},
	'an input item without a set': {
		parameters: () => ({ resource: 'document', operation: 'getAllPdfs' }),
		says: '"Set" is empty',
		remedy: 'put this node behind the trigger, or behind a node that gives sets',
	},
	'a file name that cannot be filled': {
		parameters: () => ({ ...PDF, setId: UNKNOWN, documentId: UNKNOWN, options: { fileName: '{parcelRef}' } }),
		says: 'The file name uses {parcelRef}, which is not known from the IDs alone',
		remedy: 'Use these: {setId} {documentId}',
	},
	'a time zone that is none': {
		parameters: () => ({ resource: 'set', operation: 'search', options: { timeZone: 'Gothenburg' } }),
		says: '"Time Zone" is not known: "Gothenburg"',
		remedy: 'Use a name such as UTC or Europe/Amsterdam.',
	},
	'an item that is no event': {
		parameters: () => ({ resource: 'event', operation: 'parse' }),
		says: 'There is no status event in "Event"',
		remedy: 'A status event is an object with a text newStatus.',
	},
};

/** The same for the trigger: what is wrong with the account or the queue. */
const TRIGGER_MISHAPS: Record<string, Mishap> = {
	'a queue that is not there': {
		parameters: () => ({ queue: 'nowhere' }),
		says: 'The queue “nowhere” was not found',
		remedy: 'Check the queue name and the virtual host.',
	},
	'no queue': {
		parameters: () => ({ queue: ' ' }),
		says: 'The queue name is empty',
		remedy: 'Fill in Queue',
	},
	'a wrong password of the queue': {
		account: { password: 'wrong' },
		says: 'The message queue refused the user name or password',
		remedy: 'Check User and Password in the queue credential.',
	},
	'a virtual host that is not there': {
		account: { vhost: 'nowhere' },
		says: 'The login was accepted, but the virtual host was not found',
		remedy: 'Check Virtual Host in the queue credential, or ask the service for access to it.',
	},
	'TLS where there is none': {
		account: { tls: true },
		says: 'The message queue does not speak TLS on this port',
		remedy: 'Turn TLS off, or use the TLS port, usually 5671.',
	},
	'no broker at all': {
		account: { port: 1 },
		says: 'Nothing answers at this host and port',
		remedy: 'Check Host and Port in the queue credential',
	},
};

/** An account of the service that is right but for what is told. */
async function serviceAccount({ account, instead }: Mishap): Promise<NodeSketch['credentials']> {
	const { n8n, service } = world();
	const fake = instead && (await startFakeService(instead(certificate)));
	if (fake) closers.push(() => fake.close());
	const data = { baseUrl: (fake ?? service).baseUrl, ...defaultUser, ...account };
	return using(await n8n.credentials.create('Account', 'parcelDocumentExchangeApi', data));
}

async function queueAccount({ account }: Mishap): Promise<NodeSketch['credentials']> {
	const { n8n, broker, vhost } = world();
	const data = { host: '127.0.0.1', port: broker.port, vhost, ...READER, ...account };
	return using(await n8n.credentials.create('Queue', 'parcelDocumentExchangeQueueApi', data));
}

/** "Execute step" in the panel of a node. @returns what it says then */
async function failureOf(node: string): Promise<{ says: string; remedy: string }> {
	await editor.openNode(node);
	try {
		await editor.executeStep();
		const part = (name: string) => editor.page.locator(`[data-test-id="node-error-${name}"]`).first();
		const [says, remedy] = [await part('message').textContent(), await part('description').textContent()];
		return { says: says ?? '', remedy: remedy ?? '' };
	} finally {
		await editor.screenshot(`error ${node}`);
		await editor.closeNode();
	}
}

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'parcel-errors-'));
	certificate = (await makeCertificates(folder)).server;
	editor = await openEditor(world().n8nUrl);
}, 60_000);
afterAll(async () => {
	await editor?.close();
	for (const close of closers) await close();
	await rm(folder, { recursive: true, force: true });
});

describe.each([
	['the node', ACTION, MISHAPS, serviceAccount, () => CUSTOMERS],
	['the trigger', TRIGGER, TRIGGER_MISHAPS, queueAccount, ({ queue }: World) => ({ queue })],
])('in the panel of %s', (_, type, mishaps, accountOf, usual) => {
	beforeAll(async () => {
		const nodes = Object.entries(mishaps).map(async ([name, mishap]) => ({
			...{ name, type, parameters: (mishap.parameters ?? usual)(world()) },
			credentials: await accountOf(mishap),
		}));
		const { id } = await world().n8n.workflows.create(grid(await Promise.all(nodes)));
		await editor.openWorkflow(id);
	}, 60_000);

	it.each(Object.entries(mishaps))('%s says what happened and what to do', async (name, { says, remedy }) => {
		expect(await failureOf(name)).toEqual({
			says: expect.stringContaining(says),
			remedy: expect.stringContaining(remedy),
		});
	});
});

/** The nodes in rows, each behind the start. */
function grid(sketches: NodeSketch[]): WorkflowJson {
	const { nodes } = chain('Mishaps', [START, ...sketches]);
	const placed = nodes.map((node, index) => ({
		...node,
		position: [220 * (index % 6), 180 * Math.floor(index / 6)] as [number, number],
	}));
	const links = sketches.map(({ name }) => ({ node: name, type: 'main', index: 0 }));
	return { name: 'Mishaps', nodes: placed, connections: { [START.name]: { main: [links] } } };
}
