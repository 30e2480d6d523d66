import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newPassword } from '../passwords';
import { N8nRefusal, signIn, type N8nRest, type Person } from './rest';

const EMAIL = 'owner@example.com';

/** Those it has, or may have: a change that was cut off leaves two. */
const fileIn = (folder: string) => join(folder, 'owner.json');

async function passwordsIn(folder: string): Promise<string[]> {
	const text = await readFile(fileIn(folder), 'utf8').catch(() => '[]');
	return JSON.parse(text) as string[];
}

async function keep(folder: string, passwords: string[]): Promise<void> {
	await mkdir(folder, { recursive: true });
	const file = fileIn(folder);
	await writeFile(`${file}.new`, JSON.stringify(passwords), { mode: 0o600 });
	await rename(`${file}.new`, file);
}

/**
 * Signs in as the owner of our own n8n on `folder`, who is set up first where there is none, with a password made for it.
 * With `renew`, one that was kept there since an earlier start is changed. `headers` go with each request.
 */
export async function signInAsOwner(
	url: string,
	folder: string,
	{ renew = false, headers = {} }: { renew?: boolean; headers?: Record<string, string> } = {},
): Promise<{ rest: N8nRest; owner: Person }> {
	const kept = await passwordsIn(folder);
	const isNew = kept.length === 0;
	const password = isNew || renew ? newPassword() : (kept.at(-1) ?? '');
	if (isNew) await keep(folder, [password]);
	const { rest, with: present } = await signInWithOneOf(url, isNew ? [password] : kept, headers);
	if (present !== password) {
		await keep(folder, [present, password]);
		await rest.send('PATCH', 'me/password', { currentPassword: present, newPassword: password });
	}
	await keep(folder, [password]);
	return { rest, owner: { email: EMAIL, password } };
}

async function signInWithOneOf(
	url: string,
	passwords: string[],
	headers: Record<string, string>,
): Promise<{ rest: N8nRest; with: string }> {
	const [password = '', ...others] = passwords;
	try {
		return { rest: await signIn(url, { email: EMAIL, password }, headers), with: password };
	} catch (error) {
		const isWrong = error instanceof N8nRefusal && error.status === 401;
		if (!isWrong || others.length === 0) throw error;
		return signInWithOneOf(url, others, headers);
	}
}
