import { randomUUID } from 'node:crypto';

/** n8n's internal REST interface, as its editor uses it: signed in by a cookie, answers unwrapped from `{ data }`. */
export interface N8nRest {
	readonly url: string;
	get<T = unknown>(path: string, query?: Record<string, string>): Promise<T>;
	send<T = unknown>(method: 'POST' | 'PATCH' | 'DELETE', path: string, body?: unknown): Promise<T>;
	/** The cookie of this session, for a browser. */
	readonly cookie: string;
}

/** n8n's answer with a status of 400 or more. */
export class N8nRefusal extends Error {
	constructor(
		readonly status: number,
		readonly path: string,
		readonly answer: string,
	) {
		super(`n8n answered ${status} to ${path}: ${messageOf(answer).slice(0, 500)}`);
	}
}

function messageOf(answer: string): string {
	try {
		return (JSON.parse(answer) as { message?: string }).message ?? answer;
	} catch {
		return answer;
	}
}

const DEADLINE_MS = 60_000;

/**
 * A connection for each request. n8n closes an idle one after five seconds; who was too busy to hear of it (a test that
 * loads its modules) sends the next request into it, and is told "other side closed".
 */
export const OF_ITS_OWN = { connection: 'close' } as const;

/** Who signs in. */
export interface Person {
	email: string;
	password: string;
}

/** Signs in; where n8n has no owner yet, this person becomes its owner. `headers` go with each request. */
export async function signIn(
	url: string,
	{ email, password }: Person,
	headers: Record<string, string> = {},
): Promise<N8nRest> {
	// n8n ties the cookie to this id (n8n: dist/auth/auth.service.js).
	const browserId = randomUUID();
	let cookie = '';

	const send = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
		const response = await fetch(`${url}/rest/${path}`, {
			method,
			headers: {
				...{ ...OF_ITS_OWN, ...headers },
				'content-type': 'application/json',
				'browser-id': browserId,
				...(cookie && { cookie }),
			},
			...(body !== undefined && { body: JSON.stringify(body) }),
			signal: AbortSignal.timeout(DEADLINE_MS),
		});
		const fresh = response.headers.getSetCookie().find((line) => line.startsWith('n8n-auth='));
		if (fresh !== undefined) cookie = fresh.split(';', 1)[0] ?? '';
		const answer = await response.text();
		if (!response.ok) throw new N8nRefusal(response.status, `${method} /rest/${path}`, answer);
		const parsed: unknown = answer === '' ? {} : JSON.parse(answer);
		return (parsed as { data?: unknown }).data as T;
	};

	const settings = await send<{ userManagement: { showSetupOnFirstLoad: boolean } }>('GET', 'settings');
	const names = { firstName: 'Sandbox', lastName: 'Owner' };
	if (settings.userManagement.showSetupOnFirstLoad) {
		await send('POST', 'owner/setup', { email, password, ...names });
	} else await send('POST', 'login', { emailOrLdapLoginId: email, password });

	return {
		url,
		get: (path, query) => send('GET', query ? `${path}?${new URLSearchParams(query).toString()}` : path),
		send,
		get cookie() {
			return cookie;
		},
	};
}
