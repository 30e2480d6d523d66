import type { Locator, Page } from 'playwright-core';
import type { Editor } from './editor';

/** What a person did with a mouse and a keyboard. */
export interface Counts {
	clicks: number;
	/** Fields that something was typed into. */
	fields: number;
	drags: number;
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
	/** Opens a field's list and takes one or more of it. */
	choose(parameter: string, ...options: string[]): Promise<void>;
	/** Opens a picker's list and takes an entry. */
	pick(parameter: string, text: string): Promise<void>;
	/** Presses a button or a line of the panel. */
	press(text: string): Promise<void>;
	/** Takes a field of "Add option", "Add filter" and the like. */
	addField(placeholder: string, label: string): Promise<void>;
	toggle(parameter: string): Promise<void>;
	/** Drags a field of the input into a field of the panel. */
	drag(field: string, parameter: string): Promise<void>;
	/** Has the form in front shown, and fills its only field in: then it can be dragged. */
	answerForm(text: string): Promise<void>;
	/** "Execute step", until its output shows this text. */
	execute(until: string): Promise<void>;
	/** Gives the workflow a name that can be found again, and saves it. */
	save(name: string): Promise<void>;
}

export function clerkAt({ page, closeNode }: Editor, n8nUrl: string): Clerk {
	const counts: Counts = { clicks: 0, fields: 0, drags: 0, typed: [] };
	let steps = 0;
	const byId = (id: string) => page.locator(`[data-test-id="${id}"]`);
	const panel = () => byId('ndv');
	const field = (parameter: string) => byId(`parameter-input-${parameter}`).locator('visible=true').last();
	const click = async (target: Locator) => {
		counts.clicks++;
		await target.click();
	};
	const write = async (target: Locator, text: string) => {
		if (/\{\{|^=|\$json/.test(text)) throw new Error(`A clerk types no expression: ${text}`);
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
			await click(select);
			await click(page.getByText(name, { exact: true }).locator('visible=true').last());
		},
		type: (parameter, text) => write(field(parameter).locator('input, textarea').first(), text),
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
		drag: async (name, parameter) => {
			counts.drags++;
			const target = field(parameter);
			// Dropped twice, it would stand in the middle of itself.
			const isThere = () =>
				target
					.getByText('{{')
					.first()
					.waitFor({ timeout: 3_000 })
					.then(() => true)
					.catch(() => false);
			// While the panel is still taking in what has just run, it lets go of what is dragged.
			let dropped = false;
			for (let tries = 0; tries < 3 && !dropped; tries++) {
				await dragTo(page, pill(panel(), name), target);
				dropped = await isThere();
			}
			if (!dropped) throw new Error(`${name} could not be dragged to ${parameter}`);
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

/** A field of the input, as its panel shows it. */
const pill = (panel: Locator, name: string): Locator =>
	panel.locator(`[data-target=mappable][data-name="${name}"]`).locator('visible=true').first();

/** n8n follows the mouse, not the browser's own dragging. */
async function dragTo(page: Page, from: Locator, to: Locator): Promise<void> {
	const start = await centre(from);
	await page.mouse.move(start.x, start.y);
	await page.mouse.down();
	// It begins with a move of its own, and sees where it is over in the next frame.
	await page.mouse.move(start.x + 12, start.y + 6, { steps: 4 });
	const end = await centre(to);
	await page.mouse.move(end.x, end.y - 8, { steps: 10 });
	await page.waitForTimeout(100);
	await page.mouse.move(end.x, end.y, { steps: 4 });
	await page.waitForTimeout(200);
	await page.mouse.up();
}

async function centre(place: Locator): Promise<{ x: number; y: number }> {
	await place.scrollIntoViewIfNeeded();
	const box = await place.boundingBox();
	if (box === null) throw new Error('It cannot be seen');
	return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
}
