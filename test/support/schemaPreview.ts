import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = join(__dirname, '../../nodes/ParcelDocumentExchange/__schema__/v1.0.0');

/** Where an item is not what the preview of its operation shows, with the file to mend. */
export function previewMismatch(resource: string, operation: string, item: unknown): string[] {
	const text = readFileSync(join(FOLDER, resource, `${operation}.json`), 'utf8');
	const file = `__schema__/v1.0.0/${resource}/${operation}.json`;
	return mismatch(item, JSON.parse(text) as Schema, '').map((what) => `${file}: ${what}`);
}

interface Schema {
	type: string | string[];
	properties?: Record<string, Schema>;
	items?: Schema;
}

/** Where a value is not what the schema shows. */
function mismatch(value: unknown, schema: Schema, path: string): string[] {
	const type = Array.isArray(value)
		? 'array'
		: value === null
			? 'null'
			: Number.isInteger(value)
				? 'integer'
				: typeof value;
	if (![schema.type].flat().includes(type))
		return [`${path} is ${type}, not ${[schema.type].flat().join(' or ')}`];
	if (type === 'array')
		return (value as unknown[]).flatMap((entry) =>
			schema.items ? mismatch(entry, schema.items, `${path}[]`) : [],
		);
	if (type !== 'object' || !schema.properties) return [];
	const fields = Object.entries(value as object);
	const missing = Object.keys(schema.properties).filter(
		(name) => !(name in (value as object)) && !path.startsWith('.raw'),
	);
	// The editor shows the preview in the order of its lines.
	const shownAs = Object.keys(schema.properties).filter((name) => name in (value as object));
	const comeAs = fields.map(([name]) => name).filter((name) => name in (schema.properties ?? {}));
	const isInOrder = path.startsWith('.raw') || shownAs.join() === comeAs.join();
	return [
		...(isInOrder ? [] : [`${path} comes in another order: ${comeAs.join(', ')}`]),
		...missing.map((name) => `${path}.${name} does not come`),
		...fields.flatMap(([name, field]) => {
			const known = schema.properties?.[name];
			if (known) return mismatch(field, known, `${path}.${name}`);
			return path.startsWith('.raw') ? [] : [`${path}.${name} stands in no line of it`];
		}),
	];
}
