import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';

export interface User {
	username: string;
	password: string;
}

interface TokenOptions {
	users: User[];
	lifetimeSeconds: number;
	/** Tokens that say nothing of themselves, instead of signed ones that carry their `exp`. */
	opaque: boolean;
	/** Milliseconds since 1970. */
	clock: () => number;
}

/** Gives tokens to the users it knows, and knows its tokens again. */
export interface TokenDesk {
	/** The user of a login by Basic or by the `Username` and `Password` headers; null when it is refused. */
	userOf(headers: IncomingHttpHeaders): User | null;
	issue(user: User): string;
	/** Whether the call carries a token of ours that is still good. */
	isGood(headers: IncomingHttpHeaders): boolean;
	/** From now on every token given so far is refused, as after a restart of the service. */
	forget(): void;
}

/** Opaque tokens remembered at most; the oldest goes first. */
const mostTokens = 10_000;

export function createTokenDesk({ users, lifetimeSeconds, opaque, clock }: TokenOptions): TokenDesk {
	let secret = randomBytes(32);
	const expiries = new Map<string, number>();
	const sign = (text: string) => createHmac('sha256', secret).update(text).digest('base64url');

	const issueSigned = (user: User) => {
		const issued = Math.floor(clock() / 1000);
		const claims = { sub: user.username, iat: issued, exp: issued + lifetimeSeconds };
		const text = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`;
		return `${text}.${sign(text)}`;
	};
	const issueOpaque = () => {
		const token = randomBytes(24).toString('hex');
		if (expiries.size >= mostTokens) expiries.delete(expiries.keys().next().value ?? '');
		expiries.set(token, clock() + lifetimeSeconds * 1000);
		return token;
	};
	const expiryOf = (token: string): number => {
		if (opaque) return expiries.get(token) ?? 0;
		const [header, claims, signature] = token.split('.');
		if (!header || !claims || !signature || !isSame(signature, sign(`${header}.${claims}`))) return 0;
		return (JSON.parse(Buffer.from(claims, 'base64url').toString()) as { exp: number }).exp * 1000;
	};

	return {
		userOf(headers) {
			const login = loginOf(headers);
			if (!login) return null;
			const knows = ({ username, password }: User) =>
				isSame(username, login.username) && isSame(password, login.password);
			return users.find(knows) ?? null;
		},
		issue: (user) => (opaque ? issueOpaque() : issueSigned(user)),
		isGood(headers) {
			const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1];
			return token !== undefined && expiryOf(token) > clock();
		},
		forget() {
			secret = randomBytes(32);
			expiries.clear();
		},
	};
}

/** The two ways of the service's interface, section 5. The user name of Basic ends at the first colon. */
function loginOf(headers: IncomingHttpHeaders): User | null {
	const basic = /^Basic ([A-Za-z0-9+/]+={0,2})$/.exec(headers.authorization ?? '')?.[1];
	if (basic) {
		const text = asUtf8(Buffer.from(basic, 'base64'));
		const colon = text?.indexOf(':') ?? -1;
		return text === null || colon < 0
			? null
			: { username: text.slice(0, colon), password: text.slice(colon + 1) };
	}
	const username = headerText(headers.username);
	const password = headerText(headers.password);
	return username === null || password === null ? null : { username, password };
}

/** Node gives the bytes of a header as Latin-1 characters; the senders mean UTF-8. */
function headerText(value: string | string[] | undefined): string | null {
	return typeof value === 'string' ? asUtf8(Buffer.from(value, 'latin1')) : null;
}

function asUtf8(bytes: Buffer): string | null {
	try {
		return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
	} catch {
		return null;
	}
}

function encoded(value: object): string {
	return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Equal or not, in a time that does not tell how much of it was equal. */
function isSame(one: string, other: string): boolean {
	const digest = (text: string) => createHmac('sha256', 'comparison').update(text).digest();
	return timingSafeEqual(digest(one), digest(other));
}
