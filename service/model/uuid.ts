/** The shape of every id of the service. Any version digit: the interface promises none. */
export const UUID_PATTERN = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';

const UUID = new RegExp(`^${UUID_PATTERN}$`);

/** Ids are checked with this before they enter a URL. */
export function isUuid(text: string): boolean {
	return UUID.test(text);
}
