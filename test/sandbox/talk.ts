import { connect } from 'node:net';

/** Says each line once the server has answered the one before, as a plain mail client does. Gives the answers. */
export function talk(port: number, lines: string[]): Promise<string[]> {
	return new Promise((resolve, reject) => {
		const answers: string[] = [];
		const waiting = [...lines, 'QUIT'];
		const socket = connect(port, '127.0.0.1');
		socket.setEncoding('utf8').setTimeout(5000, () => socket.destroy(new Error('no answer')));
		let text = '';
		socket.on('data', (chunk: string) => {
			text += chunk;
			// The last line of an answer has a space after its number.
			if (!/^\d{3} .*\r\n$/m.test(text)) return;
			answers.push(text.trim());
			text = '';
			const next = waiting.shift();
			if (next) socket.write(`${next}\r\n`);
		});
		socket.on('close', () => resolve(answers));
		socket.on('error', reject);
	});
}
