import { readQueueAddress } from '../../nodes/ParcelDocumentExchange/adapters/queueAddress';
import { brokerError, needsPerson } from '../../service/queue/refusal';

const failing = (message: string) =>
	({ getCredentials: () => Promise.reject(new Error(message)), helpers: {} }) as never;

describe('a queue credential that cannot be read while the trigger runs', () => {
	it.each([
		['was deleted', 'Credential with ID "x" does not exist for type "parcelDocumentExchangeQueueApi".', true],
		['was deleted, in other words of n8n', 'Credential with ID "x" was not found.', true],
		['has another encryption key', 'Credentials could not be decrypted. The likely reason is …', true],
		['is in a database that is away', 'connect ECONNREFUSED 127.0.0.1:5432', false],
	])('because it %s (%s): a person must act is %s', async (_, message, needed) => {
		const error: unknown = await readQueueAddress(failing(message)).catch((reason) => reason);
		const told = brokerError(error);
		expect(needsPerson(told)).toBe(needed);
		if (needed) expect(told.message).toBe(`The queue credential cannot be used (${message})`);
	});
});

it('a credential that n8n does not hand out does not hold the trigger up for ever', async () => {
	jest.useFakeTimers();
	try {
		const silent = { getCredentials: () => new Promise(() => {}), helpers: {} } as never;
		let told: unknown;
		void readQueueAddress(silent).catch((error: unknown) => (told = error));
		await jest.advanceTimersByTimeAsync(30_000);
		expect(told).toMatchObject({
			code: 'timeout',
			message: 'n8n did not hand out the queue credential in time',
		});
	} finally {
		jest.useRealTimers();
	}
});
