import { fork } from 'node:child_process';
import { join } from 'node:path';
import type { DocumentAddress } from './standIn';

interface RawWork {
	baseUrl: string;
	ca?: string;
	token: string;
	documents: DocumentAddress[];
	connections: number;
	/** Made for the files, outside the time that is taken. */
	folder: string;
	/** Whether it is removed again, outside the time too. */
	remove: boolean;
}

export interface Raw {
	/** Downloads to disk with sha256. */
	download(work: RawWork): Promise<{ ms: number; bytes: number }>;
	close(): void;
}

/** Raw undici in a process of its own, under the given Node.js. @param objects how many it holds beside the work */
export function startRaw(node: string, objects = 0): Raw {
	const child = fork(join(__dirname, 'rawProcess.mjs'), [String(objects)], { execPath: node, execArgv: [] });
	let ids = 0;
	return {
		download: (work) =>
			new Promise((resolve, reject) => {
				const id = (ids += 1);
				const onAnswer = (answer: { id: number; value: { ms: number; bytes: number }; error?: string }) => {
					if (answer.id !== id) return;
					child.off('message', onAnswer);
					if (answer.error === undefined) resolve(answer.value);
					else reject(new Error(answer.error));
				};
				child.on('message', onAnswer);
				child.send({ id, work });
			}),
		close: () => void child.kill(),
	};
}
