import { X509Certificate } from 'node:crypto';
import * as tls from 'node:tls';
import { ServiceError } from '../errors';
import { pemBlocks, repairPem } from './pem';

/**
 * The certificate authorities to trust when a person adds their own: the usual ones and theirs, so that a certificate
 * pasted for nothing breaks nothing. `undefined` for an empty text: Node's own choice.
 *
 * @throws ServiceError `invalidInput` when the text holds no readable certificate
 */
export function trustedAuthorities(pasted: string): string[] | undefined {
	if (pasted.trim() === '') return undefined;
	const own = pemBlocks(repairPem(pasted))
		.filter(({ label }) => label === 'CERTIFICATE')
		.map(({ whole }) => whole);
	if (own.length === 0 || !own.every(isReadable)) {
		throw new ServiceError('invalidInput', 'The CA certificate in the credential cannot be read.', {
			remedy: 'Paste the whole text from -----BEGIN CERTIFICATE----- to -----END CERTIFICATE-----.',
		});
	}
	return [...usualAuthorities(), ...own];
}

/** `tls.getCACertificates` (Node 22.15) also knows NODE_EXTRA_CA_CERTS; `rootCertificates` is what older ones have. */
function usualAuthorities(): readonly string[] {
	const { getCACertificates } = tls as { getCACertificates?: (kind: string) => string[] };
	return getCACertificates?.('default') ?? tls.rootCertificates;
}

function isReadable(certificate: string): boolean {
	try {
		new X509Certificate(certificate);
		return true;
	} catch {
		return false;
	}
}
