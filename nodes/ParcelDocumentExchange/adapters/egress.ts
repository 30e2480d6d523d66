import dns from 'node:dns';
import { isIPv6, type LookupFunction } from 'node:net';
import type {
	ICredentialDataDecryptedObject,
	ICredentialTestFunctions,
	IExecuteFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
	ITriggerFunctions,
} from 'n8n-workflow';
import type { Surroundings } from '../../../service/api/client';
import { messageOf } from '../../../service/errors';

type Guard = Pick<Surroundings, 'refuseUrl' | 'lookup'>;

/** What n8n hands to nodes with connections of their own, as far as we use it: its protection of its network. */
export interface EgressFilter {
	validateUrl(url: string): Promise<{ ok: true } | { ok: false; error: Error }>;
	createSecureLookup(): LookupFunction;
}

type Context = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions | ITriggerFunctions;

/** n8n has this helper since 2.30, and until 2.37 only where the protection is on. */
export function egressFilterOf({ helpers }: Context): EgressFilter | undefined {
	return helpers.getSecureEgressFilter?.() as EgressFilter | undefined;
}

/**
 * The same for a credential test, which n8n hands no filter: what its request helper refuses to call, since the
 * protection stands in front of that.
 */
export function egressFilterOfTest({ helpers }: ICredentialTestFunctions): EgressFilter | undefined {
	const given = 'getSecureEgressFilter' in helpers ? egressFilterOf({ helpers } as never) : undefined;
	if (given || !/^(1|true)$/i.test((process.env.N8N_SSRF_PROTECTION_ENABLED ?? '').trim())) return given;
	const validateUrl = async (url: string) => await askedByRequest(helpers, url);
	return { validateUrl, createSecureLookup: () => lookupBehind(validateUrl) };
}

/** What keeps the client from addresses that n8n or the credential forbid. */
export function guardOf(filter: EgressFilter | undefined, credential: ICredentialDataDecryptedObject): Guard {
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
 * Why the credential's "Allowed HTTP Request Domains" forbid an address, or undefined when they allow it. n8n adds these
 * two fields to every credential that can log in and leaves a node with its own connections to obey them. `none` closes
 * the credential to n8n's HTTP Request node and says nothing about this one (n8n: a credential's own surface).
 */
export function refusalByDomains(
	{ allowedHttpRequestDomains, allowedDomains }: ICredentialDataDecryptedObject,
	url: string,
): string | undefined {
	if (allowedHttpRequestDomains !== 'domains') return undefined;
	const host = withoutDot(new URL(url).hostname);
	if (isAmong(host, allowedDomains)) return undefined;
	return `${host} is not among the allowed domains of the credential.`;
}

/** Whether names between commas cover a host: `*.example.com` stands for what is below example.com, not for itself, as in n8n. */
function isAmong(host: string, names: unknown): boolean {
	return String(names ?? '')
		.split(',')
		.map((name) => withoutDot(name.trim()))
		.some((name) =>
			name.startsWith('*.') ? name.length > 2 && host.endsWith(name.slice(1)) : name !== '' && host === name,
		);
}

function withoutDot(name: string): string {
	return name.toLowerCase().replace(/\.$/, '');
}

/** How long n8n may take to say whether a credential test may reach an address. */
const ASK_TIMEOUT_MS = 5_000;

/** No host is called so (RFC 2606). */
const NO_HOST = 'nowhere.invalid';

/**
 * Whether n8n's request helper would call an address. It looks at its protection first and at the allowed domains of a
 * request next: a request that allows no domain tells what the protection says, and calls nobody.
 */
async function askedByRequest(
	helpers: ICredentialTestFunctions['helpers'],
	url: string,
): ReturnType<EgressFilter['validateUrl']> {
	// n8n obeyed no allowed domains before 2.20: what then goes out is as little as can be.
	const little = { method: 'HEAD', followRedirect: false, rejectUnauthorized: false, json: false } as const;
	try {
		await helpers.request({ uri: url, allowedDomains: NO_HOST, timeout: ASK_TIMEOUT_MS, ...little });
	} catch (error) {
		const refusal = refusalIn(error);
		if (refusal) return { ok: false, error: refusal };
	}
	// Whatever else is wrong with the address, the test itself will say.
	return { ok: true };
}

/** What n8n's protection says, when that is why a request failed. */
function refusalIn(error: unknown): Error | undefined {
	for (let inner = error, depth = 0; inner instanceof Error && depth < 5; inner = inner.cause, depth++) {
		if (/^SsrfBlocked/.test(inner.name)) return new Error(messageOf(inner));
	}
	return undefined;
}

/**
 * A lookup that gives allowed addresses only. A name that was asked about may stand for another address a moment later:
 * each address is asked about by itself, unless the administrator allows the name.
 */
function lookupBehind(validateUrl: EgressFilter['validateUrl']): LookupFunction {
	return (hostname, options, callback) => {
		dns.lookup(hostname, { ...options, all: true }, (error, addresses) => {
			if (error) return callback(error, '', 0);
			const asked = isAmong(withoutDot(hostname.trim()), process.env.N8N_SSRF_ALLOWED_HOSTNAMES)
				? Promise.resolve([])
				: Promise.all(
						addresses.map(
							async ({ address }) =>
								await validateUrl(`http://${isIPv6(address) ? `[${address}]` : address}/`),
						),
					);
			asked.then(
				(answers) => {
					const refused = answers.find(({ ok }) => !ok);
					if (refused && !refused.ok) callback(refused.error, '', 0);
					else if (options.all) callback(null, addresses);
					else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
				},
				(failure: Error) => callback(failure, '', 0),
			);
		});
	};
}
