import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowJson } from '../../sandbox/n8n/workflows';

const FOLDER = join(__dirname, '..', '..', 'workflows');
const HOST = join(__dirname, '..', 'host');
const ACTION = 'n8n-nodes-parcel-document-exchange.parcelDocumentExchange';

/** What a person must fill in, and n8n marks red while it is empty. */
const RED: Record<string, string[]> = {
	[`${ACTION}Trigger`]: ['queue'],
	'n8n-nodes-base.emailSend': ['fromEmail', 'toEmail'],
	'n8n-nodes-base.s3': ['bucketName'],
};
/** With these left out, n8n's server takes a node with an empty field for a whole one. */
const SPELLED_OUT = [ACTION, 'n8n-nodes-base.emailSend', 'n8n-nodes-base.s3'];

const templates = readdirSync(FOLDER).map(
	(file) => [file, JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as WorkflowJson] as const,
);

/** What the tests in a real n8n say; the sandbox's example is one of the templates. */
const RUN_BY = [
	...readdirSync(HOST).map((file) => join(HOST, file)),
	join(__dirname, '..', '..', 'sandbox', 'exampleWorkflow.ts'),
]
	// Publishes all of them, and runs none.
	.filter((file) => !file.endsWith('publishing.test.ts'))
	.map((file) => readFileSync(file, 'utf8'))
	.join();

it.each(templates)('%s is run by a test in a real n8n', (file) => {
	expect(RUN_BY).toMatch(new RegExp(`'${file.replace('.workflow.json', '(\\.workflow\\.json)?')}'`));
});

describe.each(templates)('%s', (_file, { nodes, connections }) => {
	it('arrives with everything empty that a person must fill in', () => {
		for (const { name, type, parameters } of nodes) {
			for (const field of RED[type] ?? [])
				expect({ name, [field]: parameters[field] }).toEqual({ name, [field]: '' });
			if (SPELLED_OUT.includes(type)) {
				expect(parameters).toMatchObject({ resource: expect.any(String), operation: expect.any(String) });
			}
		}
	});

	it('holds no address, name or path that somebody might forget to change', () => {
		expect(JSON.stringify(nodes)).not.toMatch(/@[\w-]+\.|example\.|your-|\/your|credentials/);
	});

	it('refuses in words, in its first step, what n8n cannot mark', () => {
		for (const { name, parameters } of nodes) {
			const { assignments = [] } = (parameters['assignments'] ?? {}) as { assignments?: { value: string }[] };
			if (!assignments.some(({ value }) => value === '')) continue;
			const starts = Object.entries(connections).filter(([, { main = [] }]) => main[0]?.[0]?.node === name);
			const first = nodes.find((node) => node.name === starts[0]?.[0]);
			expect(first?.type).toMatch(/Trigger$/);
			const check = connections[name]?.['main']?.[0]?.[0]?.node ?? '';
			const [, otherwise] = connections[check]?.['main'] ?? [];
			const refusal = nodes.find((node) => node.name === otherwise?.[0]?.node);
			expect(refusal?.type).toBe('n8n-nodes-base.stopAndError');
			expect(String(refusal?.parameters['errorMessage'])).toContain(name);
		}
	});
});

it('a night on which the nightly look fails leaves no hour out', () => {
	const [, { nodes }] = templates.find(([file]) => file.startsWith('nightly-')) ?? templates[0]!;
	const { filters } = nodes.find(({ parameters }) => parameters['operation'] === 'search')?.parameters ?? {};
	const { modifiedAfter, modifiedBefore } = filters as Record<string, string>;
	const hoursAgo = (expression = '') => {
		const [, days = 0] = /days: (\d+)/.exec(expression) ?? [];
		const [, hours = 0] = /hours: (\d+)/.exec(expression) ?? [];
		return 24 * Number(days) + Number(hours);
	};
	expect(hoursAgo(modifiedBefore)).toBeGreaterThan(0);
	// The one before it looked two nights ago, and a day on which clocks change has an hour more.
	expect(hoursAgo(modifiedAfter)).toBeGreaterThanOrEqual(49 + hoursAgo(modifiedBefore));
});
