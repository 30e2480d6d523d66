/** An ID of the service's form: of a kind, which is one hexadecimal digit, and by its number there. */
export const id = (kind: string, number: number) =>
	`${kind.repeat(8)}-0000-4000-8000-${String(number).padStart(12, '0')}`;
