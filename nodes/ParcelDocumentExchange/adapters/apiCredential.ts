import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { isServiceError, messageOf } from '../../../service/errors';
import { accountOf } from './credentials';
import { egressFilterOfTest, guardOf } from './egress';
import { inOneText } from './errors';

/** A person waits for the answer of a credential test. */
const TEST_TIMEOUT_MS = 15_000;

/**
 * The test behind the credential's "Test" button: a real login and one real read. Not n8n's own request helper, which
 * cannot tell a certificate that is not trusted from an address where nothing answers.
 */
export async function testApiCredential(
	context: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const data = credential.data ?? {};
	const { testAccount } = await import('../../../service/api/accountTest');
	try {
		await testAccount(accountOf(data), {
			logger: context.logger,
			timeoutMs: TEST_TIMEOUT_MS,
			...guardOf(egressFilterOfTest(context), data),
		});
		return { status: 'OK', message: 'The login works, and the service answers.' };
	} catch (error) {
		const description = isServiceError(error) ? error.remedy : undefined;
		return {
			status: 'Error',
			message: inOneText({ message: messageOf(error), description }),
		};
	}
}
