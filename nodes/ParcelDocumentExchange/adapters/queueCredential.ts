import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { tryLogin } from '../../../service/queue/peek';
import { brokerError } from '../../../service/queue/refusal';
import { systemClock } from '../../../service/surroundings';
import { egressFilterOfTest } from './egress';
import { guardedAddress, queueAddressOf } from './queueAddress';

/**
 * A real connection with a real login, nothing more: the right to read a queue shows when a workflow is published. Behind
 * n8n's protection of its network, as every connection of the trigger.
 */
export async function testQueueCredential(
	context: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	try {
		const address = await guardedAddress(queueAddressOf(data), egressFilterOfTest(context));
		await tryLogin(address, systemClock, context.logger);
		return { status: 'OK', message: 'The message queue accepted the login' };
	} catch (error) {
		const { message, remedy } = brokerError(error);
		return { status: 'Error', message: remedy ? `${message}. ${remedy}` : message };
	}
}
