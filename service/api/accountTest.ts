import { changed, isServiceError, mayNotRead } from '../errors';
import { systemClock } from '../surroundings';
import type { Account } from './account';
import { openClient, type Surroundings } from './client';
import { loginKey } from './login';
import { tokensOf } from './tokens';

/**
 * Tries an account for real: a login, whatever is remembered of earlier ones, and one read. Each call is made once,
 * since a person waits for the answer.
 *
 * @throws ServiceError whose message and remedy tell a wrong password, a wrong address, a certificate that is not
 * trusted and a service that is not this one apart
 */
export async function testAccount(account: Account, surroundings: Surroundings): Promise<void> {
	const tokens = tokensOf(surroundings.clock ?? systemClock);
	const key = loginKey(account);
	tokens.forget(key);
	const client = openClient(account, { ...surroundings, tries: 1 });
	try {
		await client.counterparties({ partIsFine: true });
	} catch (error) {
		if (!mayNotRead(error) || !tokens.holds(key)) throw withRemedy(error, account);
		await client.customers({ partIsFine: true });
	}
}

/** Every path of the service begins with its version, and people copy it into the base URL with the rest. */
function withRemedy(error: unknown, { baseUrl }: Account): unknown {
	if (!isServiceError(error) || !/\/v\d+\/?\s*$/.test(baseUrl) || error.httpStatus === undefined)
		return error;
	const remedy = 'The base URL ends with a version such as /v3: leave that out.';
	return changed(error, { remedy: `${remedy} ${error.remedy ?? ''}`.trim() });
}
