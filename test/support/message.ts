import { Message } from '../../service/queue/message';

/** A message as it came, which nobody settles. */
export function message(body: string, { deaths = 0, returns = 0 } = {}): Message {
	const delivery = {
		body: Buffer.from(body),
		redelivered: returns > 0,
		returns,
		deaths,
		priority: 0,
		settle: () => {},
		giveBack: () => {},
	};
	return new Message(delivery, 0, returns);
}
