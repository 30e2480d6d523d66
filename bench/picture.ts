import { shown, type Figure, type Growth, type Report, type Row } from './report';

const WIDTH = 960;
const MARGIN = 32;
const LABELS = 170;
const BAR = 16;
const CHART = { width: 432, height: 300 };

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

/** The report as an SVG that follows the reader's light or dark screen. */
export function asPicture({ title, rows, growths }: Report): string {
	const parts = [text(MARGIN, 46, title, 'title')];
	let top = 76;
	for (const row of rows) {
		const drawn = rowOf(row, top);
		parts.push(drawn.svg);
		top = drawn.bottom + 22;
	}
	growths.forEach((growth, index) => {
		const column = index % 2;
		if (column === 0 && index > 0) top += CHART.height + 40;
		parts.push(chartOf(growth, MARGIN + column * (CHART.width + MARGIN), top));
	});
	if (growths.length > 0) top += CHART.height + 40;
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top}" role="img" aria-label="${escaped(title)}">`,
		`<style>${STYLE}\n</style>`,
		`<rect class="ground" width="${WIDTH}" height="${top}" rx="10"/>`,
		...parts,
		'</svg>\n',
	].join('\n');
}

/** A bar for each way; the longest fills the width, so bars compare within a piece of work only. */
function rowOf({ work, unit, figures, targets }: Row, top: number): { svg: string; bottom: number } {
	const parts = [line(MARGIN, top, WIDTH - MARGIN, top), text(MARGIN, top + 24, work, 'work')];
	const most = Math.max(...figures.map(({ value, range }) => range?.[1] ?? value ?? 0), 1e-9);
	const room = WIDTH - 2 * MARGIN - LABELS - 190;
	let y = top + 36;
	figures.forEach((figure, index) => {
		const left = MARGIN + LABELS;
		const length = (x: number) => (x / most) * room;
		parts.push(text(MARGIN, y + 13, figure.by, 'faint'));
		const end = left + Math.max(length(figure.value ?? 0), 1);
		parts.push(
			`<rect class="fill-${index % 4}" x="${left}" y="${y}" width="${fixed(end - left)}" height="${BAR}" rx="3"/>`,
		);
		if (figure.range)
			parts.push(
				line(left + length(figure.range[0]), y + BAR / 2, left + length(figure.range[1]), y + BAR / 2),
			);
		const after = Math.max(end, left + length(figure.range?.[1] ?? 0));
		parts.push(text(after + 8, y + 13, figureText(figure, unit)));
		y += BAR + 6;
	});
	for (const { promise, measured, held } of targets) {
		parts.push(text(MARGIN, y + 14, `${held ? '✓' : '✗'} ${promise}: ${measured}`, held ? 'held' : 'missed'));
		y += 20;
	}
	return { svg: parts.join('\n'), bottom: y };
}

function figureText({ value, range }: Figure, unit: string): string {
	const rounds = range && range[0] !== range[1] ? ` (${shown(range[0])}–${shown(range[1])})` : '';
	return `${shown(value)} ${unit}${rounds}`;
}

/** Both scales are logarithmic: twice the work at twice the cost is a straight line of 45 degrees where they are equal. */
function chartOf({ title, along, unit, points, lines }: Growth, left: number, top: number): string {
	const inside = {
		left: left + 58,
		right: left + CHART.width - 16,
		top: top + 64,
		bottom: top + CHART.height - 44,
	};
	const values = lines
		.flatMap((one) => one.values)
		.filter((value) => value !== undefined && value > 0) as number[];
	const x = scale(
		points.map(({ size }) => size),
		inside.left,
		inside.right,
	);
	const decades = decadesOf(values);
	const y = scale(decades, inside.bottom, inside.top);
	const parts = [
		text(left, top + 20, title, 'work'),
		text(left, top + 38, `${unit}, both scales logarithmic`, 'faint'),
	];
	for (const decade of decades) {
		parts.push(line(inside.left, y(decade), inside.right, y(decade)));
		parts.push(text(inside.left - 8, y(decade) + 4, shown(decade), 'faint', 'end'));
	}
	for (const { label, size } of points)
		parts.push(text(x(size), inside.bottom + 18, label, 'faint', 'middle'));
	parts.push(text(inside.right, inside.bottom + 36, along, 'faint', 'end'));
	lines.forEach(({ by, values: heights }, index) => {
		const places = heights.flatMap((value, at) =>
			value === undefined || value <= 0 ? [] : [[x(points[at]?.size ?? 1), y(value)] as const],
		);
		const path = places.map(([px, py]) => `${fixed(px)},${fixed(py)}`).join(' ');
		parts.push(`<polyline class="line line-${index % 4}" points="${path}"/>`);
		for (const [px, py] of places)
			parts.push(`<circle class="fill-${index % 4}" cx="${fixed(px)}" cy="${fixed(py)}" r="4"/>`);
		const legend = left + 4 + index * 140;
		parts.push(
			`<rect class="fill-${index % 4}" x="${legend}" y="${top + 46}" width="12" height="12" rx="3"/>`,
		);
		parts.push(text(legend + 18, top + 57, by, 'faint'));
	});
	return parts.join('\n');
}

function decadesOf(values: readonly number[]): number[] {
	const least = Math.floor(Math.log10(Math.min(...values, 1e9)));
	const most = Math.max(Math.ceil(Math.log10(Math.max(...values, 1e-9))), least + 1);
	return Array.from({ length: Math.min(most - least, 12) + 1 }, (_, step) => 10 ** (least + step));
}

function scale(values: readonly number[], from: number, to: number): (value: number) => number {
	const [least, most] = [Math.log10(Math.min(...values)), Math.log10(Math.max(...values))];
	return (value) => from + ((Math.log10(value) - least) / (most - least || 1)) * (to - from);
}

function text(x: number, y: number, words: string, kind = '', anchor = 'start'): string {
	return `<text class="${kind}" x="${fixed(x)}" y="${fixed(y)}" text-anchor="${anchor}">${escaped(words)}</text>`;
}

function line(x1: number, y1: number, x2: number, y2: number): string {
	return `<line class="rule" x1="${fixed(x1)}" y1="${fixed(y1)}" x2="${fixed(x2)}" y2="${fixed(y2)}"/>`;
}

const fixed = (value: number) => value.toFixed(1);

const escaped = (words: string) =>
	words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
