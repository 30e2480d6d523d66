import { shown, type Figure, type Growth, type Report, type Row } from './report';
import { document, fixed, line, text } from './svg';

const WIDTH = 960;
const MARGIN = 32;
const LABELS = 170;
const BAR = 16;
const CHART = { width: 432, height: 300 };

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
	return document(title, WIDTH, top, parts);
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
