import type { INodeProperties } from 'n8n-workflow';

/**
 * A list with a picker for each entry. n8n has no list of resource locators, so each entry is a collection with one in it:
 * `[{ [picker.name]: { mode, value } }]`. Of a fixed collection, n8n would drop a plain list of texts without a word, and
 * with it the filter; of this kind it keeps every value as it stands, expressions for the whole list too.
 */
export function pickerList(
	field: Pick<INodeProperties, 'displayName' | 'name' | 'description'>,
	multipleValueButtonText: string,
	picker: INodeProperties,
): INodeProperties {
	return {
		...field,
		type: 'collection',
		typeOptions: { multipleValues: true, multipleValueButtonText },
		// Stands where an entry has no picker: only one that an earlier version, or an expression, wrote as text.
		placeholder: 'An older text, still in use: replace it',
		// Of an entry, that is: n8n begins with no entries.
		default: { [picker.name]: { __rl: true, ...(picker.default as object) } },
		options: [picker],
	};
}
