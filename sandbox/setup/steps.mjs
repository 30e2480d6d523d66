/** What a person must know when setting up fails: one plain sentence that says what is wrong and what to do. */
export class SetupProblem extends Error {}

const FRAMES = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
const LOG_EVERY_MS = 20_000;

/** Seconds as people read them: `0.4 s`, `12 s`, `3 min 20 s`. */
export function duration(ms) {
	const seconds = ms / 1000;
	if (seconds < 10) return `${seconds.toFixed(1)} s`;
	if (seconds < 60) return `${Math.round(seconds)} s`;
	return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
}

/**
 * Runs `work` and shows it as one step, with the time it takes: a line that moves in a terminal, a line every 20 s in a log.
 * `work` gets a function that shows how far it is, and may return one short text shown at the end, such as "already there".
 * @returns what `work` returned
 */
export async function step(title, work, out = process.stderr) {
	const started = Date.now();
	let progress = '';
	const line = () => `${title}${progress && `: ${progress}`}  ${duration(Date.now() - started)}`;
	const stop = out.isTTY ? animate(line, out) : repeat(line, out);
	try {
		const result = await work((text) => (progress = text));
		stop();
		const note = typeof result === 'string' ? `: ${result}` : '';
		out.write(`✓ ${title}${note}  ${duration(Date.now() - started)}\n`);
		return result;
	} catch (error) {
		stop();
		out.write(`✗ ${title}  ${duration(Date.now() - started)}\n`);
		throw error;
	}
}

function animate(line, out) {
	let turn = 0;
	const draw = () => {
		const text = `${FRAMES[turn++ % FRAMES.length]} ${line()}`;
		out.write(`\r\x1b[2K${text.slice(0, (out.columns || 80) - 1)}`);
	};
	draw();
	const timer = setInterval(draw, 120);
	return () => {
		clearInterval(timer);
		out.write('\r\x1b[2K');
	};
}

function repeat(line, out) {
	const timer = setInterval(() => out.write(`  ${line()}\n`), LOG_EVERY_MS);
	return () => clearInterval(timer);
}

/** What to show of an error: a {@link SetupProblem} is its sentence, anything else comes with its stack. */
export function describe(error) {
	return error instanceof SetupProblem ? error.message : (error?.stack ?? String(error));
}
