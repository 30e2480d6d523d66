import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { isoInstant } from '../../../service/model/modifiedDate';
import { parsedJson } from '../../../service/model/parsedJson';
import { isEmpty, isLeftOut } from './emptiness';
import {
	filterTexts,
	isDeep,
	isObject,
	plainValue,
	shortText,
	shownValue,
	unusable,
	wholeNumber,
} from './values';
import { counterpartyProperties, customerProperties } from '../descriptions/party';
import { pollTriggerProperties } from '../descriptions/pollTrigger';
import { setProperties } from '../descriptions/set';

/** What becomes of a chosen filter with nothing in it. */
export interface EmptyRule {
	/** Lets it through, as if it had not been chosen: the option Ignore Empty Filters. */
	ignored: boolean;
	/** A model has to give something for every field, and gives an empty text for those it does not want. */
	forModel: boolean;
	/** A trigger has neither an input item nor that option: no words of them. */
	ofTrigger?: boolean;
	/** What would come of it, where that is not more than was asked for. */
	otherwise?: string;
}

/**
 * What a person chose to narrow an answer by, or undefined when that counts as not chosen.
 *
 * @throws ServiceError `invalidInput` when nothing came out of it: sent without it, a search gives everybody's papers
 */
export function chosen(value: unknown, label: string, rule: EmptyRule): unknown {
	if (!isEmpty(value)) return withoutGaps(value, label, rule);
	if (rule.ignored || (rule.forModel && isLeftOut(value))) return undefined;
	const otherwise = rule.otherwise ?? 'More would come than was asked for.';
	const remedy = rule.ofTrigger
		? `${otherwise} Give it a value, or take it away.`
		: `${otherwise} Give it a value (a field such as {{ $json.shipmentRef }} must be there in the input item), take it away, or switch on Ignore Empty Filters in the options.`;
	throw unusable(label, 'was chosen and is empty', isDateLabel(label) ? `${remedy} ${DATES_TYPED}` : remedy);
}

/** The editor's field for dates shows what was typed otherwise, and stores nothing. */
const DATES_TYPED =
	'A date is picked, or typed as 2026-11-20 09:30:00: what is typed otherwise, such as 20.11.2026, n8n does not keep.';

/** The list without its empty entries, where they may be left out: sent without them, a search gives less than was meant. */
function withoutGaps(value: unknown, label: string, rule: EmptyRule): unknown {
	const plain = plainValue(value);
	if (!Array.isArray(plain)) return value;
	const gaps = plain.filter((entry) => isEmpty(entry));
	if (gaps.length === 0 || rule.ignored || (rule.forModel && gaps.every(isLeftOut))) {
		return plain.filter((entry) => !isEmpty(entry));
	}
	throw unusable(
		label,
		'holds an entry that is empty',
		rule.ofTrigger
			? 'Less would come than was meant. Give it a value, or take it away.'
			: 'Less would come than was meant. Give it a value, take it away, or switch on Ignore Empty Filters in the options.',
	);
}

/** The filters that were added to an operation. Each is there with a value, or not at all. */
export class Filters {
	private readonly fields = new Map<string, unknown>();

	/**
	 * @param zone for dates that name none
	 * @throws ServiceError `invalidInput` when one was added and is empty
	 */
	constructor(
		added: IDataObject,
		private readonly rule: EmptyRule,
		private readonly zone: string,
	) {
		for (const [name, value] of Object.entries(added)) {
			const kept = chosen(value, this.label(name), rule);
			if (kept !== undefined) this.fields.set(name, kept);
		}
	}

	private label(name: string): string {
		return filterLabel(name, this.rule.ofTrigger);
	}

	text(name: string): string | undefined {
		return shortText(this.fields.get(name), this.label(name)) || undefined;
	}

	/** Texts, from a list or between commas. */
	texts(name: string): string[] {
		return filterTexts(this.fields.get(name), this.label(name));
	}

	/** Milliseconds since 1970. A date is text (as the editor stores it, or ISO 8601), or n8n's own date object. */
	instant(name: string): number | undefined {
		const plain = plainValue(this.fields.get(name));
		if (plain === undefined) return undefined;
		const instant = typeof plain === 'string' ? isoInstant(plain, this.zone) : millisecondsOf(plain);
		if (instant !== null) return instant;
		throw unusable(
			this.label(name),
			`is not a date: ${shownValue(plain)}`,
			'Use a date such as 2026-11-20 or 2026-11-20T09:30, or an expression such as {{ $now.minus({ days: 1 }) }}.',
		);
	}

	/** A whole number within bounds. */
	wholeNumber(name: string, { least, most }: { least: number; most: number }): number | undefined {
		const given = this.fields.get(name);
		if (given === undefined) return undefined;
		return wholeNumber(given, { label: this.label(name), least, most, missing: least });
	}

	/** An object of fields, or the JSON of one. No field of it is empty either. */
	object(name: string): Record<string, unknown> | undefined {
		const given = plainValue(this.fields.get(name));
		if (given === undefined) return undefined;
		const label = this.label(name);
		const parsed = typeof given === 'string' ? parsedJson(given) : given;
		if (!isObject(parsed)) {
			throw unusable(
				label,
				'is not a JSON object',
				'Write field names and values between braces, for example { "vesselName": "Aurora" }.',
			);
		}
		if (isDeep(parsed, DEEPEST)) {
			throw unusable(label, `has more than ${DEEPEST} levels`, 'Give the fields of the search alone.');
		}
		return filled(parsed, label, this.rule) as Record<string, unknown> | undefined;
	}
}

/** Levels of objects and lists in each other: no search has more, and JavaScript cannot write down any number of them. */
const DEEPEST = 50;

/** The value without the fields that count as not chosen; undefined when nothing is left. */
function filled(value: unknown, label: string, rule: EmptyRule): unknown {
	if (Array.isArray(value) && !isEmpty(value)) {
		return value.map((entry: unknown) => (isObject(entry) ? filled(entry, label, rule) : entry));
	}
	if (!isObject(value) || isEmpty(value)) return chosen(value, label, rule);
	const fields = Object.entries(value).map(
		([name, field]) => [name, filled(field, `${label}: ${name}`, rule)] as const,
	);
	const kept = fields.filter(([, field]) => field !== undefined);
	return kept.length > 0 ? Object.fromEntries(kept) : undefined;
}

/** Milliseconds before 1973 are seconds, or what JavaScript makes of `true` and of a list. */
const FEWEST_MILLISECONDS = 100_000_000_000;

function millisecondsOf(value: unknown): number | null {
	// A list is written down to be made a number, which takes a stack as deep as the list; an object may not let itself.
	const milliseconds = Array.isArray(value) || isObject(value) ? NaN : Number(value);
	return milliseconds >= FEWEST_MILLISECONDS ? milliseconds : null;
}

const filtersOf = (properties: readonly INodeProperties[]) =>
	properties
		.filter(({ name }) => ['filters', 'options'].includes(name))
		.flatMap(({ options = [] }) => options as INodeProperties[]);

const OF_TRIGGER = filtersOf(pollTriggerProperties);

const FILTERS = [
	...OF_TRIGGER,
	...filtersOf([...counterpartyProperties, ...customerProperties, ...setProperties]),
];

const labelsOf = (filters: readonly INodeProperties[]) =>
	new Map(filters.map(({ name, displayName }) => [name, displayName]));

const LABELS = labelsOf(FILTERS);

const LABELS_OF_TRIGGER = labelsOf(OF_TRIGGER);

const DATES = new Set(
	FILTERS.filter(({ type }) => type === 'dateTime').map(({ displayName }) => displayName),
);

/** Whether a filter of that name on the panel is a date. */
const isDateLabel = (label: string): boolean => DATES.has(label);

/** What a filter is called on the panel. */
export function filterLabel(name: string, ofTrigger = false): string {
	return (ofTrigger ? LABELS_OF_TRIGGER.get(name) : undefined) ?? LABELS.get(name) ?? name;
}
