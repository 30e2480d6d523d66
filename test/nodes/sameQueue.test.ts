import { warnOfSameQueue } from '../../nodes/ParcelDocumentExchange/trigger/sameQueue';
import { triggerContext } from '../support/triggerContext';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const close of closers.splice(0)) await close();
});

interface Trigger {
	node: string;
	workflow?: string;
	queue?: string;
	statuses?: string[];
	options?: object;
	mode?: string;
}

/** Publishes it. @returns what was stored for a person, and the lines of the log */
function publish({ node, workflow = 'w', queue = 'events', mode = 'activate', ...parameters }: Trigger) {
	const { context, stored, logger } = triggerContext({ queue, ...parameters });
	Object.assign(context, {
		getNode: () => ({ id: node, name: node, type: 'x', typeVersion: 1, position: [0, 0], parameters: {} }),
		getWorkflow: () => ({ id: workflow, name: workflow, active: true }),
		getActivationMode: () => mode,
		getMode: () => 'trigger',
	});
	let isClosed = false;
	const { closeFunction } = warnOfSameQueue(context, { closeFunction: async () => void (isClosed = true) });
	const close = async () => {
		await closeFunction?.();
		return isClosed;
	};
	closers.push(close);
	return { stored, warnings: logger.lines.filter((line) => line.startsWith('warn')), close };
}

it('two triggers of one workflow on one queue: who publishes is told, once, with both names', () => {
	expect(publish({ node: 'First' }).stored).toEqual([]);
	const { stored } = publish({ node: 'Second' });
	expect(stored.map(({ message, description }) => [message, description])).toEqual([
		[
			'Two triggers of this workflow read the queue events: "First" and "Second"',
			expect.stringMatching(/starts the workflow twice\. Choose other statuses/),
		],
	]);
});

it.each<[string, Partial<Trigger>, Partial<Trigger>]>([
	['another workflow', { workflow: 'a' }, { workflow: 'b' }],
	['another queue', { queue: 'a' }, { queue: 'b' }],
	['other statuses', { statuses: ['SIGNED'] }, { statuses: ['ISSUED', 'DRAFTED'] }],
	['other customers', { options: { customerIds: ['a'] } }, { options: { customerIds: ['b'] } }],
	['other instances', { options: { instances: ['hub'] } }, { options: { instances: ['exchange'] } }],
])('nobody is warned of %s', (_, one, other) => {
	publish({ node: 'First', ...one });
	expect(publish({ node: 'Second', ...other })).toMatchObject({ stored: [], warnings: [] });
});

it.each<[string, Partial<Trigger>, Partial<Trigger>]>([
	['all statuses beside one', {}, { statuses: ['SIGNED'] }],
	['a status that both have', { statuses: ['SIGNED', 'ISSUED'] }, { statuses: ['ISSUED'] }],
	['all customers beside one', { options: { customerIds: ['a'] } }, {}],
])('a part that both ask for is enough: %s', (_, one, other) => {
	publish({ node: 'First', ...one });
	expect(publish({ node: 'Second', ...other, mode: 'update' }).stored).toHaveLength(1);
});

it('when n8n starts by itself, it is a line in the log alone', () => {
	publish({ node: 'First', mode: 'init' });
	const { stored, warnings } = publish({ node: 'Second', mode: 'init' });
	expect(stored).toEqual([]);
	expect(warnings).toHaveLength(1);
});

it('who has left is no twin any more, and is closed as it would be', async () => {
	expect(await publish({ node: 'First' }).close()).toBe(true);
	expect(publish({ node: 'Second' }).warnings).toEqual([]);
	expect(publish({ node: 'First' }).warnings).toHaveLength(1);
});
