import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowJson, WorkflowNode } from '../../../sandbox/n8n/workflows';
import { ACTION, POLL_TRIGGER, TRIGGER, using, type World } from './world';

export const templateFile = (file: string) =>
	join(__dirname, '..', '..', '..', 'workflows', `${file}.workflow.json`);

type Fill = (node: WorkflowNode) => WorkflowNode;

/** The template as a person has it who imported it and filled in what its note asks for. @param fills by type of node */
export function importTemplate(world: World, file: string, fills: Record<string, Fill> = {}): WorkflowJson {
	const template = JSON.parse(readFileSync(templateFile(file), 'utf8')) as WorkflowJson;
	const { queue, queueCredential, serviceCredential } = world;
	const ours: Record<string, Fill> = {
		[TRIGGER]: (node) => ({
			...node,
			parameters: { ...node.parameters, queue },
			credentials: using(queueCredential),
		}),
		[POLL_TRIGGER]: (node) => ({ ...node, credentials: using(serviceCredential) }),
		[ACTION]: (node) =>
			node.parameters['resource'] === 'queue'
				? { ...node, parameters: { ...node.parameters, queue }, credentials: using(queueCredential) }
				: { ...node, credentials: using(serviceCredential) },
	};
	const fill = (node: WorkflowNode) => ({ ...ours, ...fills })[node.type]?.(node) ?? node;
	return { ...template, nodes: template.nodes.map(fill) };
}

/** A step Send Email with its account, and who sends to whom. */
export const addressed =
	(credentials: WorkflowNode['credentials']): Fill =>
	(node) => ({
		...node,
		credentials,
		parameters: { ...node.parameters, fromEmail: 'documents@example.com', toEmail: 'desk@example.com' },
	});

/**
 * In place of a node that calls somebody far away: n8n works out the same parameters and gives them as the item.
 * @param more what the real one would have answered
 */
export function standIn(node: WorkflowNode, more: Record<string, string> = {}): WorkflowNode {
	const { parameters, id, name, position } = node;
	const texts = Object.entries(parameters).map(([key, value]) => [
		key,
		typeof value === 'object' ? (value as { value?: unknown } | null)?.value : value,
	]);
	const assignments = [...texts, ...Object.entries(more)]
		.filter(([, value]) => typeof value === 'string')
		.map(([key, value]) => ({ id: key, name: key, type: 'string', value }));
	return {
		...{ id, name, position, type: 'n8n-nodes-base.set', typeVersion: 3.4 },
		parameters: { assignments: { assignments }, options: {} },
	};
}
