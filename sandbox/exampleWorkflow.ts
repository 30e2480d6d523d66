import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CredentialValues } from './n8n/credentials';
import type { N8nClient } from './n8n/n8n';
import type { WorkflowJson, WorkflowNode } from './n8n/workflows';

const TEMPLATE = join(__dirname, '..', 'workflows', 'papers-to-folder-and-mail.workflow.json');

const TRIGGER = 'n8n-nodes-parcel-document-exchange.parcelDocumentExchangeTrigger';
const ACTION = 'n8n-nodes-parcel-document-exchange.parcelDocumentExchange';

/** What a person fills in after importing the template. */
interface ExampleSettings {
	queue: string;
	outputFolder: string;
	service: { baseUrl: string; username: string; password: string };
	queueAccount: { host: string; port: number; vhost: string; username: string; password: string };
	mailPort: number;
}

/** Who sends the example's mails, and nobody else does: the control page tells them apart by it. */
export const EXAMPLE_SENDER = 'the-example@example.com';

/** Nobody's: the mail catcher keeps what is sent. */
const MAIL_ADDRESSES = { fromEmail: EXAMPLE_SENDER, toEmail: 'desk@example.com' };

/** A step Edit Fields with this text in one of its fields. */
export function withValue(node: WorkflowNode, field: string, value: string): WorkflowNode {
	const { assignments } = node.parameters['assignments'] as { assignments: { name: string }[] };
	const filled = assignments.map((one) => (one.name === field ? { ...one, value } : one));
	return { ...node, parameters: { ...node.parameters, assignments: { assignments: filled } } };
}

/** Where the example is put. */
export interface ExampleHost {
	credential(type: string, name: string, values: CredentialValues): Promise<{ id: string; name: string }>;
	/** Stores a workflow and publishes it. */
	publish(workflow: WorkflowJson): Promise<{ id: string }>;
}

/** Our own n8n: what an earlier start left under the same names is used again. */
export function ownN8n(n8n: N8nClient): ExampleHost {
	return {
		credential: async (type, name, values) => {
			const stored = await n8n.credentials.list();
			const present = stored.find((other) => other.type === type && other.name === name);
			return present
				? await n8n.credentials.update(present, values)
				: await n8n.credentials.create(name, type, values);
		},
		publish: async (workflow) => {
			const present = (await n8n.workflows.list()).find(({ name }) => name === workflow.name);
			const { id } = present
				? await n8n.workflows.update(present.id, workflow)
				: await n8n.workflows.create(workflow);
			return n8n.workflows.publish(id);
		},
	};
}

/** Imports the template, fills it in, and publishes it. @returns its id */
export async function publishExample(host: ExampleHost, settings: ExampleSettings): Promise<{ id: string }> {
	const credential = async (type: string, name: string, values: CredentialValues) => {
		const stored = await host.credential(type, name, values);
		return { [type]: { id: stored.id, name } };
	};
	// All fields, as n8n 1 wants them of who comes by its public API.
	const service = await credential('parcelDocumentExchangeApi', 'Stand-in service', {
		...settings.service,
		...{ loginStyle: 'basic', ignoreSslIssues: false, caCertificate: '' },
	});
	const queue = await credential('parcelDocumentExchangeQueueApi', 'Stand-in queue', {
		...settings.queueAccount,
		tls: false,
	});
	const mail = await credential('smtp', 'Stand-in mail server', {
		host: '127.0.0.1',
		port: settings.mailPort,
		secure: false,
		disableStartTls: true,
	});

	const filledIn = (node: WorkflowNode): WorkflowNode => {
		const { parameters } = node;
		switch (node.type) {
			case TRIGGER:
				return { ...node, credentials: queue, parameters: { ...parameters, queue: settings.queue } };
			case ACTION:
				return { ...node, credentials: service };
			case 'n8n-nodes-base.set':
				return withValue(node, 'folder', settings.outputFolder);
			case 'n8n-nodes-base.emailSend':
				return { ...node, credentials: mail, parameters: { ...parameters, ...MAIL_ADDRESSES } };
			default:
				return node;
		}
	};
	const template = JSON.parse(readFileSync(TEMPLATE, 'utf8')) as WorkflowJson;
	return host.publish({ ...template, nodes: template.nodes.map(filledIn) });
}
