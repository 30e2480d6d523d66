import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

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
	const domains = String(allowedDomains ?? '')
		.split(',')
		.map((domain) => withoutDot(domain.trim()));
	if (domains.some((domain) => covers(domain, host))) return undefined;
	return `${host} is not among the allowed domains of the credential.`;
}

/** `*.example.com` stands for what is below example.com, not for itself, as in n8n. */
function covers(domain: string, host: string): boolean {
	if (domain === '') return false;
	if (domain.startsWith('*.')) return domain.length > 2 && host.endsWith(domain.slice(1));
	return host === domain;
}

function withoutDot(name: string): string {
	return name.toLowerCase().replace(/\.$/, '');
}
