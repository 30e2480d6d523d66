import type * as z from 'zod';
import { ServiceError } from '../errors';
import { withoutSecrets } from './masking';
import { sentenceIn, whatWasSaid } from './said';

const LONGEST_EXCERPT = 80;

/**
 * The value as it came, once it is known to be what the interface promises: fields we do not know, and the order of
 * all of them, reach the user untouched.
 *
 * @throws ServiceError `unexpectedResponse` that names the field
 */
export function checked<S extends z.ZodType>(
	schema: S,
	value: unknown,
	secrets: readonly string[],
	/** Where in the answer the value stands. */
	place: readonly PropertyKey[] = [],
): z.infer<S> {
	const parsed = schema.safeParse(value);
	if (parsed.success) return value as z.infer<S>;
	const { path, message } = parsed.error.issues[0]!;
	const found = excerpt(at(value, path), secrets);
	const wrong = `${fieldName([...place, ...path])} is ${found} (${message})`;
	const said =
		sentenceIn(value) === undefined ? '' : ` It said: "${whatWasSaid(JSON.stringify(value), secrets)}"`;
	throw new ServiceError('unexpectedResponse', `The service answered something else: ${wrong}.${said}`, {
		remedy:
			'Check the base URL in the credential. If it is right, the service has changed: tell us the field.',
	});
}

/** `data.results[3].setId`, or `the answer` for the whole of it. */
function fieldName(path: readonly PropertyKey[]): string {
	if (path.length === 0) return 'the answer';
	return path
		.map((step, index) => (typeof step === 'number' ? `[${step}]` : (index > 0 ? '.' : '') + String(step)))
		.join('');
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
	return path.reduce<unknown>(
		(inside, step) =>
			typeof inside === 'object' && inside !== null
				? (inside as Record<PropertyKey, unknown>)[step]
				: undefined,
		value,
	);
}

function excerpt(value: unknown, secrets: readonly string[]): string {
	if (value === undefined) return 'missing';
	if (Array.isArray(value)) return `a list of ${value.length}`;
	if (typeof value === 'object' && value !== null) return 'an object';
	const text =
		typeof value === 'string' ? whatWasSaid(value, secrets) : withoutSecrets(String(value), secrets);
	return JSON.stringify(text.slice(0, LONGEST_EXCERPT));
}
