import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { ParcelDocumentExchangePollTrigger } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchangePollTrigger.node';
import { Filters } from '../../nodes/ParcelDocumentExchange/parameters/filters';
import { readComparedHere } from '../../nodes/ParcelDocumentExchange/search/comparedHere';
import { readSetFilters } from '../../nodes/ParcelDocumentExchange/search/setFilters';
import { shown } from '../support/panel';
import { unsaid } from '../support/unsaid';

/** Each filter of a search for sets narrows it, and is told of, opened in the editor and tried by a test. */

const PROJECT = join(__dirname, '..', '..');
const EDITOR = 'test/host/editor.test.ts';
const PAGE = 'docs/poll-trigger.md';
/** Without the breaks of its lines. */
const read = (file: string) => readFileSync(join(PROJECT, file), 'utf8').replace(/\s+/g, ' ');
const tests = readdirSync(join(PROJECT, 'test', 'nodes'))
	.map((file) => read(`test/nodes/${file}`))
	.join('');

/** What can stand in a filter of each kind. */
const VALUES: Record<string, unknown> = {
	dateTime: '2026-11-20T09:30:00.000Z',
	json: '{ "cargoName": "Coffee" }',
	multiOptions: ['11111111-1111-4111-8111-111111111111'],
	resourceLocator: { __rl: true, mode: 'value', value: 'EXCHANGE' },
};

const filtersOf = (properties: INodeProperties[]) =>
	(properties.find(({ name }) => name === 'filters')?.options ?? []) as INodeProperties[];
const ofSearch = filtersOf(shown('set', 'search'));
const ofTrigger = filtersOf(new ParcelDocumentExchangePollTrigger().description.properties);

function asked(added: Record<string, unknown>): unknown {
	const filters = new Filters(added as never, { ignored: false, forModel: false }, 'UTC');
	return { ...readSetFilters(filters), ...readComparedHere(filters, 0) };
}

it('both panels have filters', () => expect(Math.min(ofSearch.length, ofTrigger.length)).toBeGreaterThan(5));

it.each([...ofSearch, ...ofTrigger])(
	'$displayName narrows a search',
	({ name, type, default: byDefault }) => {
		// It is read nowhere: by setFilters.ts, which asks the service, or by comparedHere.ts.
		expect(asked({ [name]: VALUES[type] ?? (byDefault || 'aurora') })).not.toEqual(asked({}));
	},
);

it.each(ofSearch)('$displayName is opened in the editor, and tried by a test', ({ name }) => {
	const [, panel = ''] = /'set search',(.*?)'set get',/.exec(read(EDITOR)) ?? [];
	expect([...unsaid(EDITOR, panel, `${name}:`), ...unsaid('test/nodes', tests, `${name}:`)]).toEqual([]);
});

it.each(ofSearch)(
	'CHANGELOG.md tells of $displayName, in a line such as "Set: Search by …"',
	({ displayName }) => {
		const [label = ''] = displayName.split(' (');
		expect(read('CHANGELOG.md')).toMatch(new RegExp(`\\bSearch\\b[^.]* by [^.]*\\b${label}\\b`));
	},
);

it.each(ofTrigger)('$displayName of the poll trigger is opened in the editor, and told of', (filter) => {
	const { name, displayName } = filter;
	const [, panel = ''] = read(EDITOR).split("'poll trigger, all options'");
	// In the words of the page: Customers for Customer or Counterparty Names or IDs, and without what stands between brackets.
	const label = displayName.replace(/^Customer .*/, 'Customers').replace(/ \(.*/, '');
	expect([...unsaid(EDITOR, panel, `${name}:`), ...unsaid(PAGE, read(PAGE), `**${label}`)]).toEqual([]);
});
