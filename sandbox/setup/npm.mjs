import { basename } from 'node:path';
import { runCommand } from './command.mjs';
import { SetupProblem } from './steps.mjs';

/** Settings of the person's own npm that an install needs; the checkout's own (.npmrc) are not for other folders. */
const KEPT_SETTING =
	/^npm_config_(.*registry|.*proxy|noproxy|cafile|cache|userconfig|globalconfig|.*_authtoken)$/i;

/** This process's environment without what `npm run` added to it. */
export function withoutNpm(env = process.env) {
	return Object.fromEntries(
		Object.entries(env).filter(([name]) => !/^npm_/i.test(name) || KEPT_SETTING.test(name)),
	);
}

/**
 * Runs npm, the one that started us where npm did.
 * @param onFetched told the number of packages fetched so far
 * @throws SetupProblem with the cause in one sentence
 */
export async function npm(args, { cwd, env = withoutNpm(), onFetched = () => {} }) {
	let fetched = 0;
	const onLine = (line) => {
		if (/^npm http (fetch GET 200|cache) .*\.tgz|^npm http cache \S+@/.test(line)) onFetched(++fetched);
	};
	const started = process.env.npm_execpath ?? '';
	const [command, first] = basename(started) === 'npm-cli.js' ? [process.execPath, [started]] : ['npm', []];
	const { code, output } = await runCommand(command, [...first, ...args, '--loglevel=http'], {
		cwd,
		env,
		onLine,
	});
	if (code !== 0) throw new SetupProblem(sentence(args, output));
}

function sentence(args, output) {
	const refused =
		/\b(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ERR_SOCKET_TIMEOUT|ENETUNREACH)\b/.exec(output);
	if (refused) {
		return `The npm registry cannot be reached (${refused[1]}): check the internet connection and run the command again.`;
	}
	if (/\bENOSPC\b/.test(output))
		return 'The disk is full: make room (n8n needs about 3 GB) and run the command again.';
	const errors = output.split('\n').filter((line) => line.startsWith('npm error'));
	if (/\bEACCES\b/.test(output)) {
		return (
			'npm may not write into its folder: give the folder back to this user (see "EACCES" below) and run the command again.\n' +
			errors.slice(0, 10).join('\n')
		);
	}
	return `"npm ${args[0]}" failed; npm says:\n${(errors.length ? errors : output.split('\n')).slice(0, 20).join('\n')}`;
}
