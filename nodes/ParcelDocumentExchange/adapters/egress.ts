import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	IExecuteFunctions,
	ILoadOptionsFunctions,
} from 'n8n-workflow';
import type { Surroundings } from '../../../service/api/client';
import { messageOf } from '../../../service/errors';
import { refusalByDomains } from './allowedDomains';

type Guard = Pick<Surroundings, 'refuseUrl' | 'lookup'>;

/** How long n8n may take to say whether a credential test may reach an address. */
const ASK_TIMEOUT_MS = 5_000;

/** What keeps the client from addresses that n8n or the credential forbid. */
export function guardOf(
	context: IExecuteFunctions | ILoadOptionsFunctions,
	credential: ICredentialDataDecryptedObject,
): Guard {
	// n8n has this helper since 2.30, and until 2.37 only where the protection is on.
	const filter = context.helpers.getSecureEgressFilter?.();
	return {
		refuseUrl: async (url) => {
			const refusal = refusalByDomains(credential, url);
			if (refusal !== undefined) return refusal;
			const allowed = await filter?.validateUrl(url);
			if (!allowed || allowed.ok) return undefined;
			// A host that cannot be looked up is not a forbidden one.
			if ('code' in allowed.error) throw allowed.error;
			return messageOf(allowed.error);
		},
		lookup: filter?.createSecureLookup(),
	};
}

/**
 * The same for a credential test, which n8n hands no filter: its request helper, behind which the filter stands, calls
 * the address first, without a login.
 */
export function guardOfTest(
	{ helpers }: ICredentialTestFunctions,
	credential: ICredentialDataDecryptedObject,
): Guard {
	return {
		refuseUrl: async (url) => {
			const refusal = refusalByDomains(credential, url);
			if (refusal !== undefined || !/^(1|true)$/i.test(process.env.N8N_SSRF_PROTECTION_ENABLED ?? '')) {
				return refusal;
			}
			const options = {
				method: 'HEAD',
				followRedirect: false,
				rejectUnauthorized: false,
				json: false,
			} as const;
			return await helpers.request({ uri: url, timeout: ASK_TIMEOUT_MS, ...options }).then(
				() => undefined,
				// Whatever else is wrong with the address, the test itself will say.
				(error: unknown) => blockedBy(error),
			);
		},
	};
}

/** What n8n's protection says, when that is why a request failed. */
function blockedBy(error: unknown): string | undefined {
	for (let inner = error, depth = 0; inner instanceof Error && depth < 5; inner = inner.cause, depth++) {
		if (/^SsrfBlocked/.test(inner.name)) return messageOf(inner);
	}
	return undefined;
}
