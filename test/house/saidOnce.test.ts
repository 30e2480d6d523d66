import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { ParcelDocumentExchange } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchange.node';
import { ParcelDocumentExchangePollTrigger } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchangePollTrigger.node';
import { ParcelDocumentExchangeTrigger } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchangeTrigger.node';
import * as defaults from '../../nodes/ParcelDocumentExchange/descriptions/defaults';

/** What a field is where nothing is filled in stands in descriptions/defaults.ts, and nowhere a second time. */

const PROJECT = join(__dirname, '..', '..');
const IN_FRONT = 'nodes/ParcelDocumentExchange/descriptions/';
const lines = execFileSync('git', ['ls-files', 'nodes'], { cwd: PROJECT, encoding: 'utf8' })
	.split('\n')
	.filter((file) => file.endsWith('.ts') && !file.startsWith(IN_FRONT))
	.flatMap((file) =>
		readFileSync(join(PROJECT, file), 'utf8')
			.split('\n')
			.map((line) => ({ file, line })),
	);

/** What n8n's own nodes call so, too. */
const OF_OTHER_NODES = /^(resource|operation|name)$/;

const every = (properties: INodeProperties[]): string[] =>
	properties.flatMap(({ name, type, options = [] }) => [
		name,
		...(type === 'collection' ? every(options as INodeProperties[]) : []),
	]);
const NODES = [ParcelDocumentExchange, ParcelDocumentExchangePollTrigger, ParcelDocumentExchangeTrigger];
const fields = NODES.flatMap((Node) => every(new Node().description.properties)).filter(
	(name) => !OF_OTHER_NODES.test(name),
);

it('no code says by itself what a field of the panel is where nothing is filled in', () => {
	const field = new RegExp(`\\b(${fields.join('|')}) (\\?\\?|=) ('[^']+'|\\d[\\d_]*)(?=[\\s,)])`);
	const again = lines.filter(({ line }) => field.test(line));
	// Import it from descriptions/defaults.ts; where it is not there yet, write it there.
	expect(again.map(({ file, line }) => `${file}: ${line.trim()}`)).toEqual([]);
});

it('no file has a number of its own under the name of a default', () => {
	const named = new RegExp(`\\bconst (${Object.keys(defaults).join('|')})\\b`);
	const again = lines.filter(({ line }) => named.test(line));
	// Import it from descriptions/defaults.ts, or give it another name there.
	expect(again.map(({ file, line }) => `${file}: ${line.trim()}`)).toEqual([]);
});
