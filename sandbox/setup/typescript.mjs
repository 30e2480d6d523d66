/**
 * From here on this process reads TypeScript. The project's packages have to be there.
 *
 * Without tsx's memory: it keeps what it made of each file below the system's temporary folder, under a name that everybody
 * knows, and runs what it finds there, whoever put it.
 */
export async function readTypeScript() {
	process.env.TSX_DISABLE_CACHE = '1';
	const { register } = await import('tsx/cjs/api');
	register();
}
