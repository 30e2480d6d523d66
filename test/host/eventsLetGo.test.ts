import { chain, type NodeSketch, type WorkflowJson } from '../../sandbox/n8n/workflows';
import { move } from '../../sandbox/service';
import { ACTION, useWorld, using } from '../support/host/world';

/** Of several events in one run of n8n, those that a step in front lets go, on purpose and by oversight. */

const world = useWorld();

const base = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: object,
	more = {},
): NodeSketch => ({
	...{
		name,
		type: `n8n-nodes-base.${type}`,
		typeVersion,
		parameters: parameters as NodeSketch['parameters'],
	},
	...more,
});
const ONCE = { executeOnce: true };
const conditions = (leftValue: string, rightValue: string) => ({
	conditions: {
		...{
			options: { caseSensitive: true, leftValue: '', typeValidation: 'loose', version: 2 },
			combinator: 'and',
		},
		conditions: [{ id: 'a', leftValue, rightValue, operator: { type: 'string', operation: 'equals' } }],
	},
});
const signed = conditions('={{ $json.status }}', 'SIGNED');
const edit = (value: string, more = {}, includeOtherFields = true) =>
	base(
		'Edit',
		'set',
		3.4,
		{ assignments: { assignments: [{ id: '1', name: 'own', value, type: 'string' }] }, includeOtherFields },
		more,
	);
const ours = (name: string, operation: string, setId: string, more = {}): NodeSketch => ({
	...{ name, type: ACTION, credentials: using(world().serviceCredential) },
	parameters: {
		...{ resource: operation === 'get' ? 'set' : 'document', operation },
		setId: { __rl: true, mode: 'id', value: setId },
		...(operation !== 'get' && { onePerSet: true }),
	},
	...more,
});
const papers = (setId = '={{ $json.setId }}', more = {}) => ours('PDFs', 'getAllPdfs', setId, more);
const together = base('All', 'aggregate', 1, { aggregate: 'aggregateAllItemData', options: {} });

/** Those with the first IDs: what happens to a set changes its place in the list. */
const twoSets = () =>
	[...world().service.data.sets].sort((a, b) => a.setId.localeCompare(b.setId)).slice(0, 2);

/** How many sets got their papers, or what n8n says; and what is wired beside the chain. */
async function ran(
	steps: NodeSketch[],
	beside: Array<[string, string, number]> = [],
	change: (workflow: WorkflowJson) => void = () => undefined,
) {
	const { n8n, service } = world();
	const events = twoSets().map(({ setId }) => move(service.data, setId, 'sign', Date.now()));
	const parse: NodeSketch = {
		...{ name: 'Event', type: ACTION },
		parameters: { resource: 'event', operation: 'parse', event: JSON.stringify(events) },
	};
	const start = base('Start', 'manualTrigger', 1, {});
	const workflow = chain('Left out', [start, parse, ...steps]);
	for (const [from, to, index] of beside)
		workflow.connections[from]?.main?.[0]?.push({ node: to, type: 'main', index } as never);
	change(workflow);
	const { id } = await n8n.workflows.create(workflow);
	const run = await n8n.executions.finished(await n8n.workflows.run(id, 'Start'));
	return run.error?.message ?? run.items('PDFs').length;
}

/** The second output of a loop is that of its rounds. */
const inLoop = (batchSize: number, isClosed: boolean) => {
	const loop = base('Loop', 'splitInBatches', 3, { batchSize, options: {} });
	return ran([loop, papers()], [], ({ connections }) => {
		connections.Loop?.main?.unshift([]);
		if (isClosed) connections.PDFs = { main: [[{ node: 'Loop', type: 'main', index: 0 }]] };
	});
};

it('one that is let go by oversight is refused', async () => {
	const onlyFirst = /^Several sets came to "Edit", and it took the first alone/;
	const held = /^The input item holds the events of 2 sets, and Set gives one/;
	const own = '={{ $json.own }}';
	const first = '={{ $json.data[0].setId }}';
	const min = { fieldsToSummarize: { values: [{ aggregation: 'min', field: 'setId' }] }, options: {} };
	for (const [said, ...steps] of [
		[onlyFirst, base('If', 'if', 2.2, signed), edit('a', ONCE), papers()],
		[onlyFirst, base('Filter', 'filter', 2.2, signed), edit('a', ONCE), papers()],
		[
			/^Execute Once is on, and events of 2 sets/,
			ours('Get', 'get', '={{ $json.setId }}'),
			papers(undefined, ONCE),
		],
		[held, together, edit(first, {}, false), papers(own)],
		[held, base('Min', 'summarize', 1.1, min), papers('={{ $json.min_setId }}')],
	] as const)
		expect(await ran([...steps])).toMatch(said);
	expect(await inLoop(1, false)).toMatch(/^Several sets came to "Loop", and it took the first alone/);
});

it('one that is left out on purpose, or that comes another way, is not', async () => {
	const ofFirst = conditions('={{ $json.setId }}', twoSets()[0]!.setId);
	const split = base('Split', 'splitOut', 1, { fieldToSplitOut: 'data', options: {} });
	for (const [count, ...steps] of [
		[2, edit('a'), papers()],
		[2, together, split, papers()],
		[1, base('If', 'if', 2.2, ofFirst), edit('a', ONCE), papers()],
		[1, base('Limit', 'limit', 1, { maxItems: 1 }), edit('a', ONCE), papers()],
	] as const)
		expect({ steps, count: await ran([...steps]) }).toEqual({ steps, count });
	const merge = base('Merge', 'merge', 3.2, {
		...{ mode: 'combine', combineBy: 'combineByFields', advanced: true, options: {} },
		mergeByFields: { values: [{ field1: 'own', field2: 'setId' }] },
	});
	const row = edit('={{ $json.setId }}', ONCE, false);
	// The chain leads to the first input; the events are the second.
	expect(await ran([row, merge, papers()], [['Event', 'Merge', 1]])).toBe(1);
	expect(await inLoop(1, true)).toBe(2);
	expect(await inLoop(2, false)).toBe(2);
});
