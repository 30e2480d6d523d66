import type { Page } from 'playwright-core';
import type { Person } from '../../../sandbox/n8n/rest';
import { launchBrowser, screenshotOf } from './browser';

/** n8n's editor in a browser, signed in as the owner. */
export interface Editor {
	readonly page: Page;
	/** What went wrong inside the page so far: uncaught errors, and console errors that are not n8n's own. */
	readonly problems: string[];
	openWorkflow(id: string): Promise<void>;
	/** Opens a node's panel with a double click. */
	openNode(name: string): Promise<void>;
	closeNode(): Promise<void>;
	/** "Execute step" of the open panel. */
	executeStep(): Promise<void>;
	/** Opens the list of a picker of the open panel. */
	openList(parameter: string): Promise<void>;
	/** Types into the search field of the list that is open. */
	searchList(text: string): Promise<void>;
	/** What stands in place of the list that is open. */
	textInsteadOfList(): Promise<string>;
	/** Opens a credential, which n8n tests at once. @returns what it says of a failed test */
	failedTestOf(credentialId: string): Promise<string>;
	/** "Publish" of the open workflow, and once more in the window that opens; n8n 1 has a switch. */
	publish(): Promise<void>;
	/** "Publish" of the open workflow. @returns what n8n says when it cannot */
	failedPublishing(): Promise<string>;
	/** Opens an execution. */
	openExecution(workflowId: string, executionId: string): Promise<void>;
	/** What the open panel says of the failed run. */
	failure(): Promise<{ message: string; description: string }>;
	/** Takes a field out of a collection of the open panel. */
	removeField(parameter: string): Promise<void>;
	/** Into artifacts/, which git ignores. @returns the file */
	screenshot(name: string): Promise<string>;
	close(): Promise<void>;
}

const DEADLINE_MS = 30_000;

/** A run may wait for something that never comes, and try again. */
const LONG_DEADLINE = { timeout: 100_000 };

/** How a person's browser writes dates and numbers, and where they sit. */
export interface BrowserSettings {
	locale: string;
	timezoneId: string;
}

/** As at a desk in Hamburg: 18.06.2026, 2,5, and one or two hours ahead of UTC. */
export const GERMAN: BrowserSettings = { locale: 'de-DE', timezoneId: 'Europe/Berlin' };

/** @param settings those of the machine unless told */
export async function openEditor(
	n8nUrl: string,
	person: Person,
	settings?: BrowserSettings,
): Promise<Editor> {
	const browser = await launchBrowser();
	try {
		const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, ...settings });
		page.setDefaultTimeout(DEADLINE_MS);
		const problems: string[] = [];
		page.on('pageerror', (error) => problems.push(error.message));
		await signIn(page, n8nUrl, person);
		const byId = (id: string) => page.locator(`[data-test-id="${id}"]`);
		const publish = async () => {
			const button = byId('workflow-open-publish-modal-button');
			const ofN8n1 = byId('workflow-activate-switch');
			await button.or(ofN8n1).first().waitFor();
			if ((await button.count()) === 0) return await ofN8n1.first().click();
			await button.click();
			await byId('workflow-publish-button').last().click();
		};
		const node = (name: string) => page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
		return {
			page,
			problems,
			openWorkflow: async (id) => {
				await page.goto(`${n8nUrl}/workflow/${id}`);
				await page.locator('[data-test-id="canvas-node"]').first().waitFor();
			},
			openNode: async (name) => {
				await node(name).dblclick();
				await page.locator('[data-test-id="ndv"]').first().waitFor();
			},
			closeNode: async () => {
				const panel = page.locator('[data-test-id="ndv"]').first();
				await page.keyboard.press('Escape');
				const closed = panel.waitFor({ state: 'hidden', timeout: 2_000 }).then(() => true);
				// n8n 2.8 keeps the panel of a trigger that listens; 1.123 the one whose field is being written.
				const leave = page.locator('[data-test-id="ndv-close-button"], [data-test-id="back-to-canvas"]');
				if (!(await closed.catch(() => false))) await leave.first().click();
				await panel.waitFor({ state: 'hidden' });
			},
			executeStep: () => byId('node-execute-button').last().click(),
			openList: (parameter) =>
				byId(`resource-locator-${parameter}`).locator('[data-test-id="rlc-input"]').first().click(),
			searchList: (text) => byId('rlc-search').first().fill(text),
			textInsteadOfList: () => byId('rlc-error-container').locator('visible=true').innerText(LONG_DEADLINE),
			failedTestOf: async (credentialId) => {
				await page.goto(`${n8nUrl}/home/credentials/${credentialId}`);
				const banner = page.locator('.el-tag--danger').filter({ hasText: 'Couldn’t connect' });
				await banner.getByText('More details').click(LONG_DEADLINE);
				return await banner.innerText();
			},
			publish,
			failedPublishing: async () => {
				await publish();
				return await page.locator('.el-notification').first().innerText(LONG_DEADLINE);
			},
			openExecution: async (workflowId, executionId) => {
				await page.goto(`${n8nUrl}/workflow/${workflowId}/executions/${executionId}`);
				await page.locator('[data-test-id="canvas-node"]').first().waitFor();
			},
			failure: async () => {
				const part = (name: string) => byId(`node-error-${name}`).first();
				return {
					message: (await part('message').textContent(LONG_DEADLINE)) ?? '',
					// One that is empty is not shown at all.
					description: (await part('description').count())
						? ((await part('description').textContent()) ?? '')
						: '',
				};
			},
			removeField: async (parameter) => {
				await byId(`parameter-input-${parameter}`).first().hover();
				// Of all that can be taken out, the buttons of the field under the mouse alone can be seen.
				await byId('ndv').locator('svg[data-icon=trash-2]').locator('visible=true').first().click();
			},
			screenshot: (name) => screenshotOf(page, name),
			close: () => browser.close(),
		};
	} catch (error) {
		await browser.close();
		throw error;
	}
}

async function signIn(page: Page, n8nUrl: string, { email, password }: Person): Promise<void> {
	await page.goto(`${n8nUrl}/signin`);
	await page.locator('input[name=emailOrLdapLoginId]').fill(email);
	await page.locator('input[name=password]').fill(password);
	await page.locator('[data-test-id="form-submit-button"], button[type=submit]').first().click();
	await page.waitForURL((url) => !url.pathname.includes('signin'));
}
