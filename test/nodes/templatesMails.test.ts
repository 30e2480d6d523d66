import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INode, INodeExecutionData, NodeTypeAndVersion } from 'n8n-workflow';
import { filesLost } from '../../nodes/ParcelDocumentExchange/actions/filesLost';
import { mailsBehind } from '../../nodes/ParcelDocumentExchange/actions/mailsBehind';
import { noPapers } from '../../nodes/ParcelDocumentExchange/parameters/noPapers';
import { switchedOff } from '../../nodes/ParcelDocumentExchange/parameters/switchedOff';

/** The workflows to import are built as the lines beside the output say: none is told of. */

interface Template {
	nodes: INode[];
	connections: Record<string, { main: Array<Array<{ node: string; index: number }> | null> }>;
}

const FOLDER = join(__dirname, '../../workflows');
const ours = readdirSync(FOLDER).flatMap((file) => {
	const template = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Template;
	return template.nodes
		.filter(({ type }) => /\.parcelDocumentExchange(PollTrigger|Trigger)?$/.test(type))
		.map((node) => [file, node.name, template, node] as const);
});
const giving = ours.filter(([, , , { parameters }]) => parameters.operation === 'getAllPdfs');

const PDF = { mimeType: 'application/pdf', data: '' };
/** Of two sets, as the step gives them. */
const items = ({ parameters }: INode): INodeExecutionData[] =>
	['a', 'b'].map((setId): INodeExecutionData =>
		parameters.onePerSet === true
			? { json: { setId, attachments: 'data_0' }, binary: { data_0: PDF } }
			: { json: { setId }, binary: { data: PDF } },
	);

function reached(start: string, next: (name: string) => string[], depth = Infinity): Set<string> {
	const found = new Set<string>();
	let level = [start];
	for (let far = 0; far < depth && level.length > 0; far++) {
		level = level.flatMap(next).filter((name) => !found.has(name));
		level.forEach((name) => found.add(name));
	}
	return found;
}

it('there are some', () => expect(giving.length).toBeGreaterThan(4));

function around({ nodes, connections }: Template, node: INode) {
	const wires = Object.entries(connections).flatMap(([from, { main }]) =>
		main.flatMap((output, index) => (output ?? []).map((to) => ({ from, to: to.node, index }))),
	);
	const stepsOf = (names: Set<string>) =>
		nodes.filter(({ name }) => names.has(name)) as unknown as NodeTypeAndVersion[];
	const behind = (name: string) => wires.filter(({ from }) => from === name).map(({ to }) => to);
	const inFront = (name: string) => wires.filter(({ to }) => to === name).map(({ from }) => from);
	return {
		getNode: () => node,
		getChildNodes: (name: string) => stepsOf(reached(name, behind)),
		getParentNodes: (name: string, options?: { depth?: number }) =>
			stepsOf(reached(name, inFront, options?.depth)),
		getConnections: ({ name }: { name: string }) => [
			wires.filter(({ to }) => to === name).map(({ from, index }) => ({ node: from, index })),
		],
	};
}

it.each(giving)('%s: %s', (_file, _name, template, node) => {
	const context = around(template, node);
	expect([...filesLost(context), ...mailsBehind(context, items(node))]).toEqual([]);
});

it.each(ours)('%s has papers for each mail around %s', (_file, _name, template, node) => {
	const context = around(template, node);
	expect([...noPapers(context), ...switchedOff(context)]).toEqual([]);
});
