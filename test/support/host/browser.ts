import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium, type Browser, type Page } from 'playwright-core';

const FLAGS = [
	...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
	// A container gives little shared memory.
	...['--disable-background-networking', '--disable-component-update', '--disable-dev-shm-usage'],
];
const ARTIFACTS = join(__dirname, '..', '..', '..', 'artifacts');

/** Debian's own browser, kept from calling out. @param flags further ones of Chromium's */
export function launchBrowser(...flags: string[]): Promise<Browser> {
	return chromium.launch({ executablePath: '/usr/bin/chromium', args: [...FLAGS, ...flags] });
}

/** Into artifacts/, which git ignores. @returns the file */
export async function screenshotOf(page: Page, name: string): Promise<string> {
	mkdirSync(ARTIFACTS, { recursive: true });
	const file = join(ARTIFACTS, `${name}.png`);
	// Shown as it is when everything has moved to its place.
	await page.screenshot({ path: file, animations: 'disabled' });
	return file;
}
