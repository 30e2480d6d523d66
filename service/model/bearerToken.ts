/**
 * The token in the answer of the token endpoint (the service's interface, section 2.1), or undefined when there is
 * none that can be sent in a header. Plain code and no schema: the credential's file carries it.
 */
export function bearerTokenIn(body: unknown): string | undefined {
	if (typeof body !== 'object' || body === null) return undefined;
	const { token } = body as { token?: unknown };
	// Some services send it with the name of the scheme in front, as it stands in the header.
	const bare = typeof token === 'string' ? token.trim().replace(/^bearer\s+/i, '') : '';
	return /^[\x21-\x7e]+$/.test(bare) ? bare : undefined;
}

/**
 * Milliseconds for which a token just received is good, or undefined when it does not say: the service promises a
 * signed token (section 2.1) and no lifetime (5.4). Where the token names its issue, only the difference counts:
 * the service's clock may differ from ours.
 */
export function bearerTokenLifetimeMs(token: string, nowMs: number): number | undefined {
	const claims = claimsOf(token);
	if (claims?.exp === undefined) return undefined;
	const lifetimeMs = (claims.exp - (claims.iat ?? nowMs / 1000)) * 1000;
	// A token that is past its end when it comes tells us about clocks, not about itself.
	return lifetimeMs > 0 ? lifetimeMs : undefined;
}

function claimsOf(token: string): { exp?: number; iat?: number } | undefined {
	const parts = token.split('.');
	if (parts.length !== 3) return undefined;
	try {
		const claims: unknown = JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString('utf8'));
		if (typeof claims !== 'object' || claims === null) return undefined;
		const { exp, iat } = claims as { exp?: unknown; iat?: unknown };
		return { exp: secondsOf(exp), iat: secondsOf(iat) };
	} catch {
		return undefined;
	}
}

/** Seconds after this, in the year 5138, are milliseconds: some services count so. */
const LATEST_SECONDS = 100_000_000_000;

function secondsOf(value: unknown): number | undefined {
	if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return undefined;
	return value > LATEST_SECONDS ? value / 1000 : value;
}
