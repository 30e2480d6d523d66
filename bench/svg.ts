/** Colours by place: the first way of doing the work is ours. Chosen to be told apart without seeing colours, too. */
const STYLE = `
	.ground { fill: #ffffff; } text { font: 13px system-ui, sans-serif; fill: #24323d; }
	.title { font-size: 22px; font-weight: 600; } .work { font-size: 14px; font-weight: 600; }
	.faint { fill: #5b6b78; font-size: 12px; } .rule { stroke: #d4dce2; stroke-width: 1; }
	.held { fill: #1a7f4b; } .missed { fill: #b3261e; }
	.fill-0 { fill: #0f6f84; } .fill-1 { fill: #d98a2b; } .fill-2 { fill: #8795a1; } .fill-3 { fill: #7a5ea8; }
	.line { fill: none; stroke-width: 2.5; } .line-0 { stroke: #0f6f84; } .line-1 { stroke: #d98a2b; }
	.line-2 { stroke: #8795a1; } .line-3 { stroke: #7a5ea8; } .line-1, .line-3 { stroke-dasharray: 7 4; }
	@media (prefers-color-scheme: dark) {
		.ground { fill: #131a20; } text { fill: #e3eaef; } .faint { fill: #9fb0bd; } .rule { stroke: #33414c; }
		.held { fill: #57c98a; } .missed { fill: #ff8a80; }
		.fill-0 { fill: #3fb3cb; } .fill-1 { fill: #eba851; } .fill-2 { fill: #74838f; } .fill-3 { fill: #b49be0; }
		.line-0 { stroke: #3fb3cb; } .line-1 { stroke: #eba851; } .line-2 { stroke: #74838f; } .line-3 { stroke: #b49be0; }
	}`;

/** A whole picture of so many units in width and height; it follows the reader's light or dark screen. */
export function document(title: string, width: number, height: number, parts: readonly string[]): string {
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">`,
		`<style>${STYLE}\n</style>`,
		`<rect class="ground" width="${width}" height="${height}" rx="10"/>`,
		...parts,
		'</svg>\n',
	].join('\n');
}

/** Words at a place; `kind` is a class of the style. */
export function text(x: number, y: number, words: string, kind = '', anchor = 'start'): string {
	return `<text class="${kind}" x="${fixed(x)}" y="${fixed(y)}" text-anchor="${anchor}">${escaped(words)}</text>`;
}

/** A thin straight line. */
export function line(x1: number, y1: number, x2: number, y2: number): string {
	return `<line class="rule" x1="${fixed(x1)}" y1="${fixed(y1)}" x2="${fixed(x2)}" y2="${fixed(y2)}"/>`;
}

/** A coordinate. */
export const fixed = (value: number) => value.toFixed(1);

const escaped = (words: string) =>
	words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
