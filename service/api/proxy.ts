import { ServiceError } from '../errors';

type Environment = Record<string, string | undefined>;

/** The proxy settings of the process for one kind of address. */
interface ProxySettings {
	/** The proxy's address, or an empty text for none. */
	proxy: string;
	/** The hosts that are reached directly, as NO_PROXY has them. */
	noProxy: string;
}

/** Characters of an address; a login stands in it as well. */
const LONGEST_ADDRESS = 2_000;

/**
 * The proxy's host and port, for a message; undefined where there is none.
 *
 * @throws ServiceError `invalidInput` for what is no address. It is not repeated: it may hold a password.
 */
export function proxyHost({ proxy }: ProxySettings): string | undefined {
	if (proxy === '') return undefined;
	try {
		// As that of a web address: other schemes allow signs in it that no host has.
		if (proxy.length <= LONGEST_ADDRESS) {
			const { host, username, password } = new URL(proxy);
			// As undici reads them: a percent sign of a password must be written as %25.
			for (const part of [username, password]) decodeURIComponent(part);
			return new URL(`http://${host}`).host;
		}
	} catch {
		// What undici would say of it is for nobody.
	}
	throw new ServiceError(
		'invalidInput',
		'The proxy that n8n was told to use has no address that can be used.',
		{ remedy: 'Ask the administrator of n8n to mend HTTPS_PROXY, HTTP_PROXY or ALL_PROXY.' },
	);
}

/**
 * Reads HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY, in lower case first, the way n8n's own requests do:
 * HTTP_PROXY counts for http:// only, ALL_PROXY for both.
 */
export function proxySettings(protocol: string, environment: Environment = process.env): ProxySettings {
	const read = (name: string) => environment[name.toLowerCase()] || environment[name] || '';
	const own = protocol === 'https:' ? read('HTTPS_PROXY') : read('HTTP_PROXY');
	const proxy = own || read('ALL_PROXY');
	return {
		proxy: /^[a-z][a-z\d+.-]*:\/\//i.test(proxy) || proxy === '' ? proxy : `http://${proxy}`,
		noProxy: read('NO_PROXY'),
	};
}
