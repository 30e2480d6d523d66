import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { startTied } from '../process/tiedProcess';

/** Erlang expressions evaluated inside the broker, a few milliseconds each. */
export interface BrokerControl {
	/** @returns the value: a binary as its text, anything else as Erlang prints it. @throws Error on `{error, …}` and on an exception */
	evaluate(expression: string): Promise<string>;
	close(): Promise<void>;
}

const DEADLINE_MS = 20_000;

/** Starts the Erlang process that asks `nodeName`. The node itself may be down: then only `evaluate` fails. */
export function startControl(nodeName: string, env: NodeJS.ProcessEnv): BrokerControl {
	// Several may watch one broker.
	const self = `control-${randomUUID()}@localhost`;
	const child = startTied('escript', [join(__dirname, 'control.escript'), self, nodeName], { env });
	const waiting: ((line: string | undefined) => void)[] = [];
	if (child.stdout === null) throw new Error('The control process has no output');
	createInterface({ input: child.stdout }).on('line', (line) => waiting.shift()?.(line));
	void child.exited.then(() => waiting.splice(0).forEach((settle) => settle(undefined)));

	return {
		async evaluate(expression) {
			if (child.ended) throw new Error('The broker control process has ended');
			const answer = new Promise<string | undefined>((resolve, reject) => {
				const late = () => reject(new Error(`The broker did not answer within ${DEADLINE_MS / 1000} s`));
				const timer = setTimeout(late, DEADLINE_MS);
				waiting.push((line) => (clearTimeout(timer), resolve(line)));
			});
			child.stdin.write(`${expression.replace(/\s+/g, ' ')}.\n`);
			const [tag, value = ''] = (await answer)?.split(' ') ?? ['error'];
			const text = Buffer.from(value, 'base64').toString('utf8');
			// Only the function's name: its arguments may hold a password.
			const call = expression.split('(', 1)[0];
			if (tag !== 'ok')
				throw new Error(`The broker refused ${call}: ${text || 'its control process has ended'}`);
			return text;
		},
		close: () => child.kill(),
	};
}

/** `text` as an Erlang binary of its UTF-8 bytes, safe inside an expression whatever it contains. */
export const erlangBinary = (text: string): string => `<<${[...Buffer.from(text, 'utf8')].join(',')}>>`;
