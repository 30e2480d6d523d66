import { randomInt } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';

/** Letters and digits that nobody takes for another when typing them. */
const SIGNS = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Nobody guesses it (79 bits), and n8n takes it: it asks for a capital letter and a digit. */
export function newPassword(): string {
	const group = () => Array.from({ length: 4 }, () => SIGNS[randomInt(SIGNS.length)]).join('');
	return `Quay7-${[group(), group(), group(), group()].join('-')}`;
}

/** The password that is kept in a file; a new one, kept there for this user alone, where there is none. */
export async function passwordIn(file: string): Promise<string> {
	const kept = await readFile(file, 'utf8').catch(() => '');
	if (kept !== '') return kept;
	const password = newPassword();
	await writeFile(file, password, { mode: 0o600 });
	return password;
}
