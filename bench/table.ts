import { shown, type Figure, type Growth, type Report, type Row } from './report';

/** The report as text for a terminal: a block for each piece of work, its targets ticked or crossed. */
export function asText(report: Report): string {
	return [
		`\n${report.title}\n`,
		...report.rows.map(rowAsText),
		...report.growths.map((growth) => `${growth.title} (${growth.unit})\n${columns(tableOf(growth))}\n`),
	].join('\n');
}

/** The report as a page of docs/. @param picture the file of its picture, beside it */
export function asMarkdown(report: Report, picture: string): string {
	const rows = report.rows.flatMap((row) => {
		const targets = row.targets.length > 0 ? row.targets : [undefined];
		return targets.map((target, index) => [
			index === 0 ? row.work : '',
			index === 0 ? row.figures.map((figure) => figureText(figure, row.unit)).join('<br>') : '',
			target ? target.promise : '',
			target ? `${target.measured} ${target.held ? '✓' : '✗'}` : '',
		]);
	});
	const notes = report.rows.filter(({ note }) => note !== undefined);
	return [
		`# ${report.title}`,
		`![${report.title}](${picture})`,
		...report.method,
		markdownTable([['Work', 'Median of the rounds (least to most)', 'Wanted', 'Measured'], ...rows]),
		...notes.map(({ work, note }) => `- ${work}: ${note}`),
		...report.growths.flatMap((growth) => [
			`## ${growth.title} (${growth.unit})`,
			markdownTable(tableOf(growth)),
			...(growth.note ? [growth.note] : []),
		]),
		'',
	].join('\n\n');
}

function rowAsText({ work, unit, figures, targets, note }: Row): string {
	const lines = figures.map((figure) => [figure.by, `${shown(figure.value)} ${unit}`, rangeText(figure)]);
	return [
		work,
		columns(lines),
		...targets.map(({ promise, measured, held }) => `  ${held ? '✓' : '✗'} ${promise}: ${measured}`),
		...(note ? [`  ${note}`] : []),
		'',
	].join('\n');
}

function figureText(figure: Figure, unit: string): string {
	return `${figure.by}: ${shown(figure.value)} ${unit} ${rangeText(figure)}`.trimEnd();
}

function rangeText({ range }: Figure): string {
	return range ? `(${shown(range[0])} to ${shown(range[1])})` : '';
}

function tableOf({ along, points, lines }: Growth): string[][] {
	return [
		[along, ...lines.map(({ by }) => by)],
		...points.map(({ label }, index) => [label, ...lines.map(({ values }) => shown(values[index]))]),
	];
}

function columns(lines: string[][]): string {
	const widths = (lines[0] ?? []).map((_, column) =>
		Math.max(...lines.map((line) => line[column]?.length ?? 0)),
	);
	return lines
		.map((line) => `  ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
		.join('\n');
}

function markdownTable([head = [], ...lines]: string[][]): string {
	const row = (cells: string[]) => `| ${cells.join(' | ')} |`;
	return [row(head), row(head.map(() => '---')), ...lines.map(row)].join('\n');
}
