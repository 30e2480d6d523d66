import type { IDataObject, IExecuteFunctions, NodeParameterValueType } from 'n8n-workflow';
import { ServiceError } from '../../../service/errors';
import { isUuid } from '../../../service/model/uuid';
import { itemField } from './itemField';

/** A parameter as it stands in the node: a plain value, or a picker's `{ mode, value }`. */
export function plainValue(value: unknown): unknown {
	if (value !== null && typeof value === 'object' && 'mode' in value && 'value' in value) return value.value;
	return value;
}

/** Trimmed text; empty for what is missing. */
export function plainText(value: unknown): string {
	const plain = plainValue(value);
	if (typeof plain === 'string') return plain.trim();
	return typeof plain === 'number' || typeof plain === 'boolean' ? String(plain) : '';
}

/**
 * The text of something that narrows an answer; empty for what is missing.
 *
 * @throws ServiceError for a list or an object: left out, more would come than was asked for
 */
export function filterText(value: unknown, label: string): string {
	const plain = plainValue(value);
	if (plain === null || typeof plain !== 'object') return plainText(plain);
	if (Array.isArray(plain) && plain.length === 0) return '';
	throw unusable(
		label,
		`cannot be ${JSON.stringify(plain).slice(0, 60)}`,
		'Use a text. An expression can take it out of a list or an object, for example {{ $json.refs[0] }}.',
	);
}

/** A list of such texts: from a list, or from one text with commas, as expressions often give. Empty ones are left out. */
export function filterTexts(value: unknown, label: string): string[] {
	const plain = plainValue(value);
	const entries: unknown[] = Array.isArray(plain) ? plain : filterText(plain, label).split(/[,;\n]/);
	return entries.map((entry) => filterText(entry, label)).filter((text) => text !== '');
}

function asFlag(value: unknown, missing: boolean): boolean {
	const plain = plainValue(value);
	// An expression gives text, and the text "false" is true for JavaScript.
	if (typeof plain === 'string' && plain.trim() !== '') return plain.trim().toLowerCase() === 'true';
	return typeof plain === 'boolean' ? plain : missing;
}

/** What a person typed cannot be used. `label` is the field's name on the panel. */
export function unusable(label: string, complaint: string, remedy: string): ServiceError {
	return new ServiceError('invalidInput', `"${label}" ${complaint}`, { remedy });
}

/** The parameters of one input item, read tolerantly and checked. Everything throws ServiceError `invalidInput`. */
export class Parameters {
	constructor(
		private readonly context: IExecuteFunctions,
		readonly itemIndex: number,
	) {}

	/** As resolved by n8n; undefined when the node has none. */
	raw(name: string): unknown {
		return this.context.getNodeParameter(name, this.itemIndex, null as unknown as NodeParameterValueType);
	}

	/** The zone of the workflow, for dates that name none. */
	get workflowZone(): string {
		return this.context.getTimezone();
	}

	flag(name: string, missing: boolean): boolean {
		return asFlag(this.raw(name), missing);
	}

	text(name: string, missing = ''): string {
		return plainText(this.raw(name)) || missing;
	}

	/** A collection's fields; none when the node has none. */
	fields(name: string): IDataObject {
		const value = this.raw(name);
		return value !== null && typeof value === 'object' && !Array.isArray(value) ? (value as IDataObject) : {};
	}

	/** A text of the options. */
	optionText(name: string, missing: string): string {
		return plainText(this.fields('options')[name]) || missing;
	}

	/** A switch of the options. */
	optionFlag(name: string, missing: boolean): boolean {
		return asFlag(this.fields('options')[name], missing);
	}

	/** An id that must be there. */
	id(name: string, label: string): string {
		const text = plainText(itemField(this.context, name, this.itemIndex) ?? this.raw(name));
		if (text === '') {
			throw unusable(
				label,
				'is empty',
				`Choose one from the list or type its ID. Filled in by an expression such as {{ $json.${name} }}, it needs an input item with the field ${name}: put this node behind the trigger, or behind a node that gives sets.`,
			);
		}
		return checkedId(text, label);
	}

	/** The name of the field a file goes into. */
	binaryField(): string {
		const field = this.text('binaryPropertyName', 'data');
		if (/[.[\],\s]/.test(field) || field in {}) {
			throw unusable(
				'Put Output File in Field',
				`cannot be "${field}"`,
				'Use one word without dots, brackets, commas and spaces, for example data.',
			);
		}
		return field;
	}
}

/** The id itself when it has the shape of one. */
export function checkedId(text: string, label: string): string {
	if (isUuid(text)) return text;
	throw unusable(
		label,
		`is not an ID: ${JSON.stringify(text.slice(0, 60))}`,
		'An ID looks like 123e4567-e89b-42d3-a456-426614174000. Choose from the list, or use the field of that name of a set or an event.',
	);
}

/** A whole number within bounds; the default when nothing was given. */
export function wholeNumber(
	value: unknown,
	{ label, least, most, missing }: { label: string; least: number; most: number; missing: number },
): number {
	const plain = plainValue(value);
	if (plain === undefined || plain === null || plain === '') return missing;
	const number = typeof plain === 'string' ? Number(plain.trim()) : plain;
	if (typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most)
		return number;
	throw unusable(
		label,
		`cannot be ${JSON.stringify(plain)}`,
		most === Number.MAX_SAFE_INTEGER
			? `Use a whole number from ${least} up.`
			: `Use a whole number from ${least} to ${most}.`,
	);
}
