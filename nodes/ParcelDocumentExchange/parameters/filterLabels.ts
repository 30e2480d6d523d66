import type { INodeProperties } from 'n8n-workflow';
import { counterpartyProperties } from '../descriptions/counterparty';
import { customerProperties } from '../descriptions/customer';
import { pollTriggerProperties } from '../descriptions/pollTrigger';
import { setProperties } from '../descriptions/set';

const FILTERS = [...pollTriggerProperties, ...counterpartyProperties, ...customerProperties, ...setProperties]
	.filter(({ name }) => ['filters', 'options'].includes(name))
	.flatMap(({ options = [] }) => options as INodeProperties[]);

const LABELS = new Map(FILTERS.map(({ name, displayName }) => [name, displayName]));

const DATES = new Set(
	FILTERS.filter(({ type }) => type === 'dateTime').map(({ displayName }) => displayName),
);

/** Whether a filter of that name on the panel is a date. */
export const isDateLabel = (label: string): boolean => DATES.has(label);

/** What a filter is called on the panel. */
export function filterLabel(name: string): string {
	return LABELS.get(name) ?? name;
}
