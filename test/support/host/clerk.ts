import type { Locator, Page } from 'playwright-core';
import { waitUntil } from '../../../sandbox/process/waitUntil';
import type { Editor } from './editor';

/** What a person did with a mouse and a keyboard. */
interface Counts {
	clicks: number;
	/** Fields that something was typed into. */
	fields: number;
	/** The fields that were dragged, by name. */
	dragged: string[];
	/** All that was typed, field by field. */
	typed: string[];
}

/**
 * A person at the editor who writes no code: clicks what can be read on the screen, types plain words, and drags fields from
 * the left into the panel. Every move is counted; an expression cannot be typed.
 */
export interface Clerk {
	readonly counts: Counts;
	/** A new, empty workflow. */
	begin(): Promise<void>;
	/** Adds a step behind the last one, and opens its panel. @param path what is clicked after the search, one by one */
	add(search: string, ...path: string[]): Promise<void>;
	/** Closes the panel. */
	done(): Promise<void>;
	/** Chooses an account. @param place of its selector, from 0, where a step has several */
	account(name: string, place?: number): Promise<void>;
	/** Types into a field. */
	type(parameter: string, text: string): Promise<void>;
	/** Types plain words behind what was dragged into a field. */
	typeBehind(parameter: string, text: string): Promise<void>;
	/** Opens a field's list and takes one or more of it. */
	choose(parameter: string, ...options: string[]): Promise<void>;
	/** Opens a picker's list and takes an entry. */
	pick(parameter: string, text: string): Promise<void>;
	/** Presses a button or a line of the panel. */
	press(text: string): Promise<void>;
	/** Takes a field of "Add option", "Add filter" and the like. */
	addField(placeholder: string, label: string): Promise<void>;
	toggle(parameter: string): Promise<void>;
	/** Whether the panel has this field. */
	shows(parameter: string): Promise<boolean>;
	/** "Schema" above the input, where its files are shown. */
	showFields(): Promise<void>;
	/** "Publish", and once more in the window that opens. */
	publish(): Promise<void>;
	/** Drags a field of the input into a field of the panel. @param behind lets go behind all that stands there */
	drag(field: string, parameter: string, behind?: 'behind'): Promise<void>;
	/** Has the form in front shown, and fills its only field in: then it can be dragged. */
	answerForm(text: string): Promise<void>;
	/** "Execute step", until its output shows this text. */
	execute(until: string): Promise<void>;
	/** Gives the workflow a name that can be found again, and saves it. */
	save(name: string): Promise<void>;
}

export function clerkAt({ page, closeNode, publish }: Editor, n8nUrl: string): Clerk {
	const counts: Counts = { clicks: 0, fields: 0, dragged: [], typed: [] };
	let steps = 0;
	const byId = (id: string) => page.locator(`[data-test-id="${id}"]`);
	const panel = () => byId('ndv');
	const field = (parameter: string) => byId(`parameter-input-${parameter}`).locator('visible=true').last();
	const click = async (target: Locator) => {
		counts.clicks++;
		await target.click();
	};
	const write = async (target: Locator, text: string) => {
		noExpression(text);
		counts.fields++;
		counts.typed.push(text);
		await target.fill(text);
	};
	/** A line of whatever list stands open. */
	const line = (text: string) =>
		page
			.locator('.el-select-dropdown__item, [role=option], [role=menuitem]')
			.filter({ hasText: text })
			.locator('visible=true')
			.first();
	return {
		counts,
		begin: async () => {
			steps = 0;
			await page.goto(`${n8nUrl}/workflow/new`);
			await byId('canvas-plus-button').first().waitFor();
		},
		add: async (search, ...path) => {
			await click(steps++ === 0 ? byId('canvas-plus-button').first() : byId('canvas-handle-plus').last());
			await write(byId('node-creator-search-bar'), search);
			for (const text of path) {
				const entry = byId('node-creator-item-name').filter({ hasText: new RegExp(`^\\s*${text}\\s*$`) });
				await click(entry.locator('visible=true').first());
			}
			await page
				.locator('[data-test-id="canvas-node"]')
				.nth(steps - 1)
				.waitFor();
			// A step with nothing to fill in opens no panel.
			await panel()
				.first()
				.waitFor({ timeout: 3_000 })
				.catch(() => undefined);
		},
		done: async () => {
			counts.clicks++;
			await closeNode();
		},
		account: async (name, place = 0) => {
			const select = byId('node-credentials-select').nth(place);
			await select.waitFor();
			// n8n takes the only account there is by itself.
			if ((await select.inputValue().catch(() => select.locator('input').first().inputValue())) === name)
				return;
			const entry = page.getByText(name, { exact: true }).locator('visible=true').last();
			await click(select);
			// A panel that has just got this selector is drawn once more, which shuts its list.
			const isOpen = entry.waitFor({ timeout: 5_000 }).then(() => true);
			if (!(await isOpen.catch(() => false))) await click(select);
			await click(entry);
		},
		type: (parameter, text) => write(field(parameter).locator('input, textarea').first(), text),
		typeBehind: async (parameter, text) => {
			noExpression(text);
			await click(field(parameter).locator('.cm-content').first());
			await page.keyboard.press('End');
			await page.keyboard.type(text);
			counts.fields++;
			counts.typed.push(text);
		},
		choose: async (parameter, ...options) => {
			await click(field(parameter));
			for (const option of options) await click(line(option));
			if (options.length > 1) await page.keyboard.press('Escape');
		},
		pick: async (parameter, text) => {
			await click(byId(`resource-locator-${parameter}`).last().locator('[data-test-id="rlc-input"]').first());
			await click(byId('rlc-item').filter({ hasText: text }).first());
		},
		press: (text) => click(panel().getByText(text, { exact: true }).locator('visible=true').last()),
		addField: async (placeholder, label) => {
			await click(panel().getByPlaceholder(placeholder).last());
			await click(line(label));
		},
		toggle: (parameter) => click(field(parameter).locator('.el-switch, [role=switch]').first()),
		shows: async (parameter) => (await byId(`parameter-input-${parameter}`).count()) > 0,
		// The input stands in front of the output.
		showFields: () => click(panel().getByText('Schema', { exact: true }).locator('visible=true').first()),
		publish: async () => {
			counts.clicks += 2;
			await publish();
		},
		drag: async (name, parameter, behind) => {
			counts.dragged.push(name);
			const target = field(parameter);
			await carry(page, pill(panel(), name), target, behind);
			await target.getByText('{{').first().waitFor();
		},
		answerForm: async (text) => {
			const opens = page.context().waitForEvent('page');
			await click(panel().getByText('Execute previous nodes').locator('visible=true').first());
			const form = await opens;
			await write(form.locator('input').first(), text);
			await click(form.locator('button').first());
			await form.close();
		},
		execute: async (until) => {
			await click(byId('node-execute-button').last());
			await byId('output-panel').getByText(until).first().waitFor();
		},
		save: async (name) => {
			await click(byId('workflow-name-input').first());
			await page.keyboard.press('Control+a');
			await page.keyboard.type(name);
			await page.keyboard.press('Enter');
			await page.keyboard.press('Control+s');
			await page.waitForURL((url) => !url.pathname.endsWith('/new'));
		},
	};
}

function noExpression(text: string): void {
	if (/\{\{|^=|\$json/.test(text)) throw new Error(`A clerk types no expression: ${text}`);
}

/** A field of the input, as its panel shows it. */
const pill = (panel: Locator, name: string): Locator =>
	panel.locator(`[data-target=mappable][data-name="${name}"]`).locator('visible=true').first();

/**
 * Drags with the mouse, as n8n does it itself instead of the browser. While the panel takes in what has just run, it draws
 * its fields anew and lets go of what is dragged: let go of too early, nothing is dropped; so it is taken up again. What is
 * dropped where n8n shows that it would take it has arrived, and is never dropped a second time.
 */
async function carry(page: Page, from: Locator, to: Locator, behind?: 'behind'): Promise<void> {
	await waitUntil(
		'n8n takes what is dragged',
		async () => {
			const start = await centre(from);
			await page.mouse.move(start.x, start.y);
			await page.mouse.down();
			const taken = await hovers(page, to, behind);
			await page.mouse.up();
			return taken;
		},
		{ deadlineMs: 30_000, everyMs: 300 },
	);
}

/** Moves what is held over a field, and to and fro there, until n8n marks the field. @returns whether it did so in time */
async function hovers(page: Page, to: Locator, behind?: 'behind'): Promise<boolean> {
	const marked = to.locator('xpath=descendant-or-self::*[contains(@class, "activeDrop")]').first();
	for (let moves = 0; moves < 20; moves++) {
		const { x, y } = await (behind ? end(to) : centre(to));
		await page.mouse.move(x, y + (moves % 2 === 0 ? 0 : 4), { steps: 10 });
		const seen = await marked.waitFor({ state: 'attached', timeout: 250 }).then(
			() => true,
			() => false,
		);
		if (seen) return true;
	}
	return false;
}

async function centre(place: Locator): Promise<{ x: number; y: number }> {
	await place.scrollIntoViewIfNeeded();
	const box = await place.boundingBox();
	if (box === null) throw new Error('It cannot be seen');
	return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}

/** Its right end: n8n puts what is dropped where it is let go. */
async function end(place: Locator): Promise<{ x: number; y: number }> {
	const { y } = await centre(place);
	const box = await place.boundingBox();
	return { x: (box?.x ?? 0) + (box?.width ?? 0) - 30, y };
}
