import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { startControl, type Control } from '../../sandbox/control';
import type { QueueLook } from '../../sandbox/control/fate';
import { startMail, type Mail } from '../../sandbox/mail';
import { startService, type Service, type StatusEvent } from '../../sandbox/service';
import { talk } from '../sandbox/talk';
import { launchBrowser, screenshotOf } from '../support/host/browser';

const CONTRAST = readFileSync(join(__dirname, '..', 'support', 'host', 'contrast.js'), 'utf8');
const WIDE = { width: 1440, height: 900 };
const NARROW = { width: 360, height: 740 };

let [service, mail, control, browser] = [] as unknown as [Service, Mail, Control, Browser];
let folder: string;
let page: Page;
const published: StatusEvent[] = [];
let queue: QueueLook = { ready: 0, unacknowledged: 0, consumers: 1, asked: ['SIGNED'] };

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'parcel-page-'));
	await writeFile(join(folder, 'one.pdf'), '%PDF-');
	[service, mail, browser] = await Promise.all([startService(), startMail(), launchBrowser()]);
	const publish = async (event: StatusEvent) => void published.push(event);
	const links = {
		n8n: 'http://localhost:5678/',
		signIn: { email: 'owner@example.com', password: 'sandbox' },
	};
	control = await startControl({
		...{ service, mail, outputFolder: folder, publish, links, everyMs: 20 },
		lookAtQueue: async () => queue,
		exampleSender: 'example@example.com',
	});
	const message = 'Subject: Signed\r\n\r\nThe parcel is signed.\r\n.';
	await talk(mail.port, ['EHLO a', 'MAIL FROM:<a@example.com>', 'RCPT TO:<b@example.com>', 'DATA', message]);
	await fetch(`${service.baseUrl}/v3/common/oauth2/token`);
});
afterAll(async () => {
	await Promise.all([browser.close(), control.close(), mail.close(), service.close()]);
	await rm(folder, { recursive: true, force: true });
});
afterEach(() => page.close());

/** The page with a set chosen, an event, a call, a file and an e-mail on it. */
async function open(viewport: typeof WIDE, colorScheme: 'light' | 'dark' = 'light'): Promise<void> {
	page = await browser.newPage({ viewport, colorScheme });
	await page.goto(control.ownUrl);
	await page.locator('#mails li').first().waitFor();
	await page.locator('#list li').first().waitFor();
}

const focused = () => page.locator(':focus');
const tooFaint = () => page.evaluate<string[]>(CONTRAST);
const status = () => page.locator('.told');
const widthOfAll = () => page.evaluate<number>('document.documentElement.scrollWidth');

describe.each(['light', 'dark'] as const)('in the %s look', (look) => {
	it('every text and every control stands out from what is behind it', async () => {
		await open(WIDE, look);
		await page.getByRole('button', { name: /^Sign/ }).first().click();
		await page.locator('#events li').first().waitFor();
		expect(await tooFaint()).toEqual([]);
		for (const pointed of ['#draft', '.primary', '.others button', '#list button', '#mails button']) {
			await page.locator(pointed).first().hover();
			expect(await tooFaint()).toEqual([]);
		}
		await page.locator('#mails button').first().click();
		expect(await tooFaint()).toEqual([]);
		await screenshotOf(page, `control page ${look}`);
	});

	it('so they do when the sandbox has gone, and when nothing is found', async () => {
		await open(WIDE, look);
		await page.evaluate(`document.querySelector('#lost').hidden = false`);
		await page.locator('#search').fill('no such set');
		await page.getByText('No set found').waitFor();
		expect(await tooFaint()).toEqual([]);
	});
});

describe('the page and the password of n8n', () => {
	const shown = () =>
		page.locator('#signIn').getByText('Sign in to n8n as owner@example.com, password sandbox');

	it('are shown at the address that the terminal shows, which no place on the screen keeps', async () => {
		const context = await browser.newContext();
		page = await context.newPage();
		await page.goto(control.ownUrl);
		await shown().waitFor();
		expect(page.url()).not.toContain('key');
		await page.reload();
		await shown().waitFor();
		const another = await context.newPage();
		await another.goto(control.url);
		await another.locator('#list li').first().waitFor();
		await context.close();
	});

	it('are not for whoever opens it otherwise, until the address is pasted', async () => {
		page = await browser.newPage({ viewport: WIDE });
		await page.goto(control.url);
		await page.getByText('Open this page at the address that the terminal shows').waitFor();
		expect(await tooFaint()).toEqual([]);
		expect(await page.locator('main, #signIn').filter({ visible: true }).count()).toBe(0);
		await page.evaluate(`location.hash = ${JSON.stringify(new URL(control.ownUrl).hash)}`);
		await shown().waitFor();
	});

	it('are not for a wrong key, as an earlier start or a link of another site holds: the right one is kept', async () => {
		await open(WIDE);
		await page.goto('about:blank');
		await page.goto(`${control.url}#key=of-an-earlier-start`);
		await page.getByText('Open this page at the address that the terminal shows').waitFor();
		await page.reload();
		await shown().waitFor();
	});

	it('its files, documents and messages open by their addresses, which do not hold the key', async () => {
		const html = 'Subject: Dressed\r\nContent-Type: text/html\r\n\r\n<p>In its frame</p>\r\n.';
		await talk(mail.port, ['EHLO a', 'MAIL FROM:<a@example.com>', 'RCPT TO:<b@example.com>', 'DATA', html]);
		await open(WIDE);
		for (const link of ['#files a', '#detail a']) {
			const address = (await page.locator(link).first().getAttribute('href')) ?? '';
			expect(await page.evaluate(`fetch(${JSON.stringify(address)}).then(({ status }) => status)`)).toBe(200);
			expect(address).not.toContain(new URL(control.ownUrl).hash.replace('#key=', ''));
		}
		await page.getByRole('button', { name: 'Dressed' }).click();
		await page.frameLocator('#mail iframe').getByText('In its frame').waitFor();
	});
});

describe('what happened', () => {
	beforeEach(() => open(WIDE));
	afterEach(() => (queue = { ready: 0, unacknowledged: 0, consumers: 1, asked: ['SIGNED'] }));
	const latest = () => page.locator('#events li').first();

	it('says of each event whether it is on the queue, was taken, or was asked for by nobody', async () => {
		queue = { ...queue, ready: 1, consumers: 0 };
		await page.getByRole('button', { name: /^Sign/ }).first().click();
		await latest().getByText('On the queue', { exact: true }).waitFor();
		await page.getByText('On the queue now: 1. Nobody listens').waitFor();
		queue = { ...queue, ready: 0, unacknowledged: 1, consumers: 1 };
		await latest().getByText('n8n is at work on it').waitFor();
		await page.getByText('On the queue now: 1 (n8n is at work on 1). n8n listens.').waitFor();
		queue = { ...queue, unacknowledged: 0 };
		await latest().getByText('n8n took it').waitFor();
		await page.getByRole('button', { name: 'Hold title' }).click();
		await latest().getByText('Nobody asked for it').waitFor();
		await page.getByText('On the queue now: 0. n8n listens.').waitFor();
		await screenshotOf(page, 'control page fates');
	});

	it("tells the example's mails from those of one's own", async () => {
		const send = (from: string) =>
			talk(mail.port, [
				'EHLO a',
				`MAIL FROM:<${from}>`,
				'RCPT TO:<b@example.com>',
				'DATA',
				'Subject: Two\r\n\r\n.',
			]);
		await send('example@example.com');
		await page.locator('#mails li').first().getByText('From the example, to b@example.com').waitFor();
		await send('me@example.com');
		await page
			.locator('#mails li')
			.first()
			.getByText('From a workflow of your own, to b@example.com')
			.waitFor();
	});
});

describe('a set that needs several signatures', () => {
	it('is said to be as far by its badge, in the list, on its way and on its button', async () => {
		const set = service.data.sets.find(({ signatures, status }) => signatures === 2 && status === 'drafted');
		await open(WIDE);
		await page.locator('#search').fill(set?.parcelRef ?? '');
		await page.locator('#list li').first().waitFor();
		await page.locator('#found', { hasText: '1 found' }).waitFor();
		await page.locator('#list button').first().click();
		const primary = page.locator('.primary');
		await primary.getByText('Sign (1 of 2)').waitFor();
		await primary.click();
		await primary.getByText('Sign (2 of 2)').waitFor();
		const badge = page.locator('#detail .status');
		const step = page.locator('.life .next');
		const listed = page.locator('#list .status');
		await listed.getByText('Signed 1 of 2').waitFor();
		expect([await badge.innerText(), await step.innerText()]).toEqual(['Signed 1 of 2', 'Sign 1 of 2']);
		await primary.click();
		await primary.getByText('Issue').waitFor();
		await listed.getByText('Signed', { exact: true }).waitFor();
		expect([await badge.innerText(), await step.innerText()]).toEqual(['Signed', 'Issue']);
	});
});

describe('with the keyboard alone', () => {
	beforeEach(() => open(WIDE));

	it('one gets to the chosen set at once, presses its button, and hears what became of it', async () => {
		const before = published.length;
		await page.keyboard.press('Tab');
		expect(await focused().textContent()).toBe('Skip to the chosen set');
		expect(await focused().boundingBox()).toMatchObject({ x: expect.any(Number), y: expect.any(Number) });
		await page.keyboard.press('Enter');
		await page.keyboard.press('Tab');
		expect(await focused().getAttribute('class')).toBe('primary');
		await page.keyboard.press('Enter');
		await status().getByText('is on the queue').waitFor();
		expect(await status().getAttribute('role')).toBe('status');
		expect(published).toHaveLength(before + 1);
		expect(await page.locator('#detail :focus').count()).toBe(1);
	});

	it('one finds a set and chooses it', async () => {
		const { parcelRef } = service.data.sets[20] ?? { parcelRef: '' };
		await page.locator('#search').focus();
		await page.keyboard.type(parcelRef);
		await page.locator('#found', { hasText: '1 found' }).waitFor();
		await page.keyboard.press('Tab');
		await page.keyboard.press('Enter');
		await page.locator('#detail h2', { hasText: parcelRef }).waitFor();
		expect(await focused().getAttribute('aria-current')).toBe('true');
	});

	it('one goes through the list with the arrows', async () => {
		const lines = page.locator('#list button');
		await lines.first().focus();
		await page.keyboard.press('ArrowDown');
		expect(await focused().textContent()).toBe(await lines.nth(1).textContent());
		await page.keyboard.press('ArrowUp');
		expect(await focused().textContent()).toBe(await lines.first().textContent());
	});

	it('one reads an e-mail, and is back where one was', async () => {
		const subject = page.locator('#mails').getByRole('button', { name: 'Signed', exact: true });
		await subject.focus();
		await page.keyboard.press('Enter');
		await page.getByRole('dialog', { name: 'Signed' }).waitFor();
		await page.keyboard.press('Escape');
		await page.locator('dialog').waitFor({ state: 'hidden' });
		expect(await focused().textContent()).toBe('Signed');
	});

	it('one always sees where one is', async () => {
		const unseen: string[] = [];
		for (let steps = 0; steps < 90; steps++) {
			await page.keyboard.press('Tab');
			const where = await page.evaluate<[string, string, string]>(
				`(({ outlineStyle, outlineWidth }, { outerHTML }) => [outlineStyle, outlineWidth, outerHTML])(
					getComputedStyle(document.activeElement), document.activeElement)`,
			);
			if (where[2].startsWith('<body')) break;
			if (where[0] === 'none' || parseFloat(where[1]) < 2) unseen.push(where[2].slice(0, 80));
		}
		expect(unseen).toEqual([]);
	});
});

describe('on a narrow screen', () => {
	beforeEach(() => open(NARROW));

	it('a chosen set takes the place of the list, and gives it back', async () => {
		expect(await widthOfAll()).toBe(NARROW.width);
		const line = page.locator('#list button').nth(2);
		const text = await line.textContent();
		await line.click();
		await page.locator('#detail h2').waitFor();
		expect(await page.locator('#list').isVisible()).toBe(false);
		expect(await focused().getAttribute('id')).toBe('chosen');
		expect(await widthOfAll()).toBe(NARROW.width);
		await screenshotOf(page, 'control page narrow');
		await page.getByRole('button', { name: 'All sets' }).click();
		expect(await focused().textContent()).toBe(text);
	});

	it('every button is large enough for a finger', async () => {
		await page.locator('#list button').first().click();
		await page.locator('#detail h2').waitFor();
		const small: (string | null)[] = [];
		for (const button of await page.locator('button:visible').all()) {
			const { width = 0, height = 0 } = (await button.boundingBox()) ?? {};
			// WCAG 2.2, 2.5.8.
			if (Math.min(width, height) < 24) small.push(await button.textContent());
		}
		expect(small).toEqual([]);
	});
});
