/** What one way of doing a piece of work took. */
export interface Figure {
	/** `this package`, `HTTP Request`, … */
	by: string;
	/** The median of the rounds; undefined when it could not be done this way. */
	value: number | undefined;
	/** The rounds themselves, smallest first, where there was more than one. */
	range?: [least: number, most: number];
}

/** What was promised, and what came out. */
export interface Target {
	/** `at least 3 times as fast as HTTP Request` */
	promise: string;
	/** `4.1 times` */
	measured: string;
	held: boolean;
}

/** One piece of work done in several ways, in the same run. */
export interface Row {
	work: string;
	unit: 'ms' | 'MB' | 'searches' | 'runs' | 'events' | 'events/s';
	figures: Figure[];
	targets: Target[];
	/** Why it is so, when the figures alone do not say. */
	note?: string;
}

/** How a cost grows with the size of the work. */
export interface Growth {
	title: string;
	/** What stands along the bottom: `sets`. */
	along: string;
	unit: 'ms' | 'MB' | 'searches';
	/** `label` stands below the point: `1,000`, `300 MB`. */
	points: { label: string; size: number }[];
	lines: { by: string; values: (number | undefined)[] }[];
	note?: string;
}

/** Everything a bench found out. */
export interface Report {
	title: string;
	/** What was measured against what, and how: paragraphs. */
	method: string[];
	rows: Row[];
	growths: Growth[];
	/** Pieces of work that were not measured yet: until then there is no page. */
	missing?: string[];
}

/** A figure as people read it: three digits that count, thousands with commas. */
export function shown(value: number | undefined): string {
	if (value === undefined) return '–';
	if (value === 0 || Math.abs(value) >= 100) return Math.round(value).toLocaleString('en');
	return String(Number(value.toPrecision(Math.abs(value) < 1 ? 2 : 3)));
}

/** The middle one; the mean of the two in the middle when their number is even. */
export function median(values: readonly number[]): number {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = (sorted.length - 1) / 2;
	return ((sorted[Math.floor(middle)] ?? NaN) + (sorted[Math.ceil(middle)] ?? NaN)) / 2;
}

/** The median of the rounds, with the least and the most of them. */
export function figureOf(by: string, rounds: readonly number[]): Figure {
	if (rounds.length === 0) return { by, value: undefined };
	const figure: Figure = { by, value: median(rounds) };
	return rounds.length === 1 ? figure : { ...figure, range: [Math.min(...rounds), Math.max(...rounds)] };
}
