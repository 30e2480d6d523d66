import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A run can bring several events: with Batch Size, and from the poll trigger. None gets the papers of another. */

interface Template {
	nodes: Array<{ name: string; type: string; parameters: object }>;
}

const FOLDER = join(__dirname, '../../workflows');
const templates = readdirSync(FOLDER).map((file) => {
	const { nodes } = JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Template;
	return { file, nodes };
});
const behindTrigger = templates.filter(({ nodes }) =>
	nodes.some(({ type }) => type.endsWith('ExchangeTrigger')),
);

/** Gives the same text for every item. */
const SAME_FOR_ALL = ['Fill in the folder'];

/** Steps whose first item stands for all others. */
const firstsIn = (parameters: object) =>
	[...JSON.stringify(parameters).matchAll(/\$\('([^']+)'\)\.(?:first|last)\(\)/g)].map(([, step]) => step);

it('there are templates behind the trigger', () => expect(behindTrigger.length).toBeGreaterThan(4));

it.each(behindTrigger.map(({ file, nodes }) => [file, nodes] as const))(
	'%s takes what belongs to the item, or refuses several',
	(_, nodes) => {
		const firsts = nodes
			.flatMap(({ parameters }) => firstsIn(parameters))
			.filter((step) => step !== undefined && !SAME_FOR_ALL.includes(step));
		const isGuarded = nodes.some(
			({ type, parameters }) =>
				type === 'n8n-nodes-base.if' &&
				/\.all\(\)\.length \}\}","rightValue":1,"operator":\{"type":"number","operation":"equals"/.test(
					JSON.stringify(parameters),
				),
		);
		if (!isGuarded) expect(firsts).toEqual([]);
	},
);

it.each(behindTrigger.map(({ file, nodes }) => [file, nodes] as const))(
	'%s puts no files of several parcels into one item',
	(_, nodes) => {
		const gathered = nodes.filter(({ parameters }) =>
			/"includeBinaries":true/.test(JSON.stringify(parameters)),
		);
		expect(gathered).toEqual([]);
	},
);
