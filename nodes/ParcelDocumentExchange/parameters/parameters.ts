import type { IDataObject, IExecuteFunctions, NodeParameterValueType } from 'n8n-workflow';
import { checkTemplate, type Placeholder } from '../../../service/model/fileNameTemplate';
import { BINARY_FIELD } from '../descriptions/defaults';
import { askedByLink } from './taken';
import { isTool } from './asTool';
import { isBlank } from './emptiness';
import { chosen, Filters, type EmptyRule } from './filters';
import { Linked, stepsInFront, type StepOfRun } from './stepsInFront';
import { cameTo, type Came } from './came';
import { isOnce, type Whole } from './ways';
import {
	asFlag,
	filterText,
	filterTexts,
	isExpression,
	oneId,
	pickedEntries,
	plainText,
	plainValue,
	shortText,
	shownValue,
	unusable,
} from './values';

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

	/** Whether the value was typed or picked: no expression, which each item would give another value. */
	isFixed(name: string): boolean {
		const written = this.written(name);
		return written !== undefined && !isExpression(written);
	}

	/** What stands in the field, before n8n resolves it; undefined when the node has none. */
	written(name: string): string | undefined {
		const written = plainValue(asTyped(this.context, name, this.itemIndex));
		return written === null || written === undefined ? undefined : String(written);
	}

	get item(): IDataObject {
		return this.context.getInputData()[this.itemIndex]?.json ?? {};
	}

	get stepsInFront(): readonly StepOfRun[] {
		return stepsInFront(this.context, this.itemIndex);
	}

	get linked(): Linked {
		return new Linked(this.context, this.itemIndex);
	}

	/** The steps of which those behind take the item that theirs came from, each with the name of one that does. */
	get askedByLink(): ReadonlyMap<string, string> {
		return askedByLink(this.context);
	}

	/** Whether a person runs the workflow in the editor, where data may be pinned. */
	get isTried(): boolean {
		return this.context.getMode() === 'manual';
	}

	get asTool(): boolean {
		return isTool(this.context.getNode());
	}

	/** Whether the node runs for the first item alone, however many come. */
	get runsOnce(): boolean {
		return this.context.getNode().executeOnce === true;
	}

	get cameSeveral(): boolean {
		return this.context.getInputData().length > 1;
	}

	get ownName(): string {
		return this.context.getNode().name;
	}

	cameTo(step: string): readonly Came[] {
		return cameTo(this.context, step);
	}

	/** Whether a step in front runs for the first item alone, however many come. */
	isOnce(step: string): boolean {
		return isOnce(this.context as Whole, step);
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

	/** The template for names of files. @param known what its placeholders can stand for */
	fileName(missing: string, known: readonly Placeholder[]): string {
		const template = filterText(this.fields('options').fileName, 'File Name') || missing;
		checkTemplate(template, known);
		return template;
	}

	optionFlag(name: string, missing: boolean): boolean {
		return asFlag(this.fields('options')[name], missing);
	}

	id(name: string, label: string): string {
		const id = oneId(itemField(this.context, name, this.itemIndex) ?? this.raw(name), label);
		if (id === '') {
			throw unusable(
				label,
				'is empty',
				`Choose one from the list or type its ID. Filled in by an expression such as {{ $json.${name} }}, it needs an input item with the field ${name}: put this node behind the trigger, or behind a node that gives sets.`,
			);
		}
		return id;
	}

	/** The reference that a picker holds in place of an id; undefined for any other way. */
	reference(name: string, label: string): string | undefined {
		// Resolving the expression of an ID would cost more than all else that is read of an item.
		const typed = asTyped(this.context, name, this.itemIndex);
		if (isOfOtherMode(typed, 'reference')) return undefined;
		if (typeof typed === 'string' && itemField(this.context, name, this.itemIndex) !== undefined)
			return undefined;
		const value = this.raw(name);
		if (value === null || typeof value !== 'object' || !('mode' in value) || value.mode !== 'reference') {
			return undefined;
		}
		const reference = shortText(value, label);
		// Signs that nobody sees compare as nothing: every set without a reference would be called so.
		if (!isBlank(reference)) return reference;
		throw unusable(label, 'is empty', 'Type the whole shipment or parcel reference.');
	}

	filters(): Filters {
		return new Filters(this.fields('filters'), this.emptyRule(), this.workflowZone);
	}

	/**
	 * The texts of a list that narrows the answer; none when the list stands as it was, with nothing in it.
	 *
	 * @param picker what the picker of each entry is called
	 */
	chosenTexts(name: string, label: string, picker: string): string[] {
		const typed = asTyped(this.context, name, this.itemIndex);
		if (typed === null || (Array.isArray(typed) && typed.length === 0)) return [];
		return filterTexts(chosen(pickedEntries(this.raw(name), picker), label, this.emptyRule()), label);
	}

	private emptyRule(): EmptyRule {
		return {
			ignored: this.optionFlag('ignoreEmptyFilters', false),
			forModel: this.asTool,
		};
	}

	binaryField(): string {
		const field = this.text('binaryPropertyName', BINARY_FIELD);
		if (/[.[\],\s]/.test(field) || field in {}) {
			throw unusable(
				'Put Output File in Field',
				`cannot be ${shownValue(field)}`,
				'Use one word without dots, brackets, commas and spaces, for example data.',
			);
		}
		return field;
	}
}

/** What a person typed or picked, before n8n resolves it; null when the node has no such parameter. */
function asTyped(
	context: Pick<IExecuteFunctions, 'getNodeParameter'>,
	name: string,
	itemIndex: number,
): unknown {
	const missing = null as unknown as NodeParameterValueType;
	return context.getNodeParameter(name, itemIndex, missing, { rawExpressions: true });
}

/** A picker that is surely set to another way; one that is an expression as a whole may come to any. */
function isOfOtherMode(typed: unknown, mode: string): boolean {
	if (typed === null || typeof typed !== 'object' || !('mode' in typed)) return false;
	return typeof typed.mode === 'string' && !isExpression(typed.mode) && typed.mode !== mode;
}

/** As the editor writes it when a person drags a field into a parameter. */
const ONE_FIELD = /^=\{\{\s*\$json\.([A-Za-z_]\w*)\s*\}\}$/;

/**
 * The text of an input item's field, where a parameter is nothing but that field: `={{ $json.setId }}`. Undefined for
 * anything else: n8n has to resolve it.
 *
 * n8n 2.35 and later resolve every expression in a sandbox of its own, 0.2 to 0.3 ms each: two for each of 500 documents
 * took a third of the run that gets their PDFs.
 */
export function itemField(
	context: Pick<IExecuteFunctions, 'getNodeParameter' | 'getInputData'>,
	parameter: string,
	itemIndex: number,
): string | undefined {
	const raw = asTyped(context, parameter, itemIndex);
	const written = raw !== null && typeof raw === 'object' && 'value' in raw ? raw.value : raw;
	const field = typeof written === 'string' ? ONE_FIELD.exec(written)?.[1] : undefined;
	const json = context.getInputData()[itemIndex]?.json;
	if (field === undefined || !json || !Object.hasOwn(json, field)) return undefined;
	const value = json[field];
	return typeof value === 'string' ? value : undefined;
}
