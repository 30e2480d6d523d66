import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INodeType } from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { runNode } from '../support/engine';

/** A vessel and a reference are the service's words: whatever they are, files stay in the folder that was chosen. */

interface Template {
	nodes: Array<{
		name: string;
		parameters: { assignments?: { assignments: Array<{ name: string; value: string }> } };
	}>;
}

/** The step "Name the folders" of a template, as expressions. */
function foldersOf(template: string): Record<string, string> {
	const path = join(__dirname, '../../workflows', `${template}.workflow.json`);
	const { nodes } = JSON.parse(readFileSync(path, 'utf8')) as Template;
	const named = nodes.find(({ name }) => name === 'Name the folders')?.parameters.assignments?.assignments;
	const wanted = ['year', 'vessel', 'reference'];
	return Object.fromEntries(
		(named ?? []).filter(({ name }) => wanted.includes(name)).map(({ name, value }) => [name, value]),
	);
}

const handingOn: INodeType = {
	description: {
		...{ displayName: 'Set', name: 'set', group: ['transform'], version: 1, description: 'Set' },
		...{ defaults: {}, properties: [] },
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
	},
	async execute() {
		return [this.getInputData()];
	},
};

async function folders(template: string, set: IDataObject): Promise<IDataObject> {
	const json = { setId: '22222222-2222-4222-8222-222222222222', ...set };
	const { after, error } = await runNode({
		...{ type: handingOn, parameters: {}, items: [{ json }], after: foldersOf(template) },
	});
	expect(error).toBeUndefined();
	return after[0]!;
}

const TEMPLATES = ['issued-to-s3-folders', 'issued-to-sharepoint-folders', 'issued-to-google-drive-folders'];
const ODD = [
	...[
		'..',
		'.',
		'...',
		'. .',
		' .. ',
		'../..',
		'..\\..',
		'/etc',
		'\u200B..',
		'..\u200B',
		'.\u0000.',
		'\uFEFF..\uFEFF',
	],
	...[
		'',
		' ',
		'/',
		'\uD83D',
		`${'x'.repeat(99)}😀`,
		`a${' '.repeat(100_000)}b`,
		'a/../b',
		'%2e%2e',
		'AURORA.',
	],
	...[7, null, true, ['..'], { name: '..' }, undefined],
];

describe.each(TEMPLATES)('%s', (template) => {
	it.each(
		ODD.map(
			(odd) => [typeof odd === 'string' ? JSON.stringify(odd.slice(0, 20)) : String(odd), odd] as const,
		),
	)('a vessel, a reference and a date of %s are one folder each', async (_, odd) => {
		const named = await folders(template, {
			vesselName: odd,
			parcelRef: odd,
			billOfLadingDate: odd,
		} as IDataObject);
		for (const folder of Object.values(named)) {
			expect(folder).toMatch(/^[^\\/\p{C}]{1,100}$/u);
			expect(folder).not.toMatch(/^[\s.]|[\s.]$/);
			expect(() => encodeURIComponent(String(folder))).not.toThrow();
		}
		expect(named.year).toMatch(/^\d{4}$/);
	});

	it('what is well named keeps its name', async () => {
		const set = { vesselName: "L'AURORE: II", parcelRef: 'SEGOT-1/1', billOfLadingDate: '2025-11-20' };
		expect(await folders(template, set)).toEqual({
			...{ year: '2025', vessel: "L'AURORE- II", reference: 'SEGOT-1-1' },
		});
	});
});
