import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
	IDataObject,
	INodeProperties,
	INodePropertyOptions,
	INodeType,
	IPollFunctions,
} from 'n8n-workflow';
import { ParcelDocumentExchangePollTrigger } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchangePollTrigger.node';
import { ParcelDocumentExchangeTrigger } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchangeTrigger.node';
import { readPollSettings } from '../../nodes/ParcelDocumentExchange/poll/settings';
import { readSettings } from '../../nodes/ParcelDocumentExchange/trigger/settings';
import { triggerContext } from '../support/triggerContext';
import { unsaid } from '../support/unsaid';

/** Each option of a trigger is read as its panel shows it, and told of. */

const PROJECT = join(__dirname, '..', '..');
const EDITOR = 'test/host/editor.test.ts';
/** Without the breaks of its lines. */
const read = (file: string) => readFileSync(join(PROJECT, file), 'utf8').replace(/\s+/g, ' ');

const pollContext = (options: IDataObject) =>
	({ ...triggerContext({ options }).context, getTimezone: () => 'UTC' }) as unknown as IPollFunctions;

/** What both triggers share with the action node is told of where its errors are. */
const ELSEWHERE = 'docs/troubleshooting.md';
const TRIGGERS: [page: string, node: INodeType, settingsOf: (options: IDataObject) => object][] = [
	[
		'docs/trigger.md',
		new ParcelDocumentExchangeTrigger(),
		(options) => readSettings(triggerContext({ queue: 'events', options }).context),
	],
	[
		'docs/poll-trigger.md',
		new ParcelDocumentExchangePollTrigger(),
		(options) => readPollSettings(pollContext(options)),
	],
];

/** Something else than the default, of a field that does not say by itself what it can be. */
const OTHERS: Record<string, unknown> = {
	customerIds: [{ customerId: 'abc' }],
	instances: ['hub'],
	changedSince: '2026-01-01T00:00:00.000Z',
	timeZone: 'Europe/Amsterdam',
};
function otherThanDefault({ name, type, default: byDefault, options = [] }: INodeProperties): unknown {
	if (name in OTHERS) return OTHERS[name];
	if (type === 'boolean') return !byDefault;
	if (type === 'number') return Number(byDefault) + 1;
	const other = (options as INodePropertyOptions[]).find(({ value }) => value !== byDefault);
	if (!other) throw new Error(`OTHERS of this file needs an entry for ${name}`);
	return other.value;
}

const REFUSED_WHEN_EMPTY = ['customerIds', 'changedSince'];

const OPTIONS = TRIGGERS.flatMap(([page, { description }, settingsOf]) =>
	(description.properties.find(({ name }) => name === 'options')!.options as INodeProperties[]).map(
		(option) => ({ of: description.displayName, page, option, settingsOf, label: option.displayName }),
	),
);

it.each(OPTIONS)('$of: $label comes to what its panel shows, and to more than that', (row) => {
	const { option, settingsOf } = row;
	const missing = settingsOf({});
	if (!REFUSED_WHEN_EMPTY.includes(option.name))
		expect(settingsOf({ [option.name]: option.default } as IDataObject)).toEqual(missing);
	expect(settingsOf({ [option.name]: otherThanDefault(option) } as IDataObject)).not.toEqual(missing);
});

it.each(OPTIONS)('$of: $label is told of in $page, and opened in the editor', ({ page, option, label }) => {
	const words = `**${label.replace(/ \(Seconds\)$/, '')}`;
	const isTold = [page, ELSEWHERE].some((file) => unsaid(file, read(file), words).length === 0);
	const missing = [
		...(isTold ? [] : [`${page} does not say: ${words}**`]),
		...unsaid(EDITOR, read(EDITOR), `${option.name}:`),
	];
	expect(missing).toEqual([]);
});
