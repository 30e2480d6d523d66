import { ServiceError } from '../../../service/errors';

/** The name of a queue, as somebody filled it in. @throws {ServiceError} `invalidInput` for what no queue is called */
export function queueName(typed: string): string {
	const queue = typed.trim();
	if (queue === '') {
		throw new ServiceError('invalidInput', 'The queue name is empty', {
			remedy: 'Fill in Queue with the name the service gave you.',
		});
	}
	if (Buffer.byteLength(queue) > 255) {
		throw new ServiceError('invalidInput', 'The queue name is too long', {
			remedy: 'A queue name has at most 255 characters.',
		});
	}
	return queue;
}
