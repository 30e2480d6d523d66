type Environment = Record<string, string | undefined>;

/** The proxy settings of the process for one kind of address. */
export interface ProxySettings {
	/** The proxy's address, or an empty text for none. */
	proxy: string;
	/** The hosts that are reached directly, as NO_PROXY has them. */
	noProxy: string;
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
