import { defaultUser, startService, type Service, type ServiceOptions } from '../../sandbox/service';

/** A started stand-in with a login: asks over a real socket, as any client would. */
export interface Caller {
	service: Service;
	token: string;
	ask(path: string, init?: RequestInit): Promise<Response>;
	search(body: unknown, parameters?: string): Promise<Response>;
	close(): Promise<void>;
}

export async function startCaller(options: ServiceOptions = {}): Promise<Caller> {
	const service = await startService(options);
	const { username, password } = options.users?.[0] ?? defaultUser;
	const login = await logIn(service, { authorization: basic(username, password) });
	const { token } = (await login.json()) as { token: string };
	const ask = (path: string, init: RequestInit = {}) =>
		fetch(service.baseUrl + path, {
			...init,
			headers: { authorization: `Bearer ${token}`, ...(init.headers as Record<string, string>) },
		});
	return {
		service,
		token,
		ask,
		search: (body, parameters = '') =>
			ask(`/v3/common/sets/search${parameters}`, {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify(body),
			}),
		close: () => service.close(),
	};
}

export function logIn(service: Service, headers: Record<string, string>): Promise<Response> {
	return fetch(`${service.baseUrl}/v3/common/oauth2/token`, { headers });
}

export function basic(username: string, password: string): string {
	return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`;
}

/** UTF-8 bytes in a header, as the headers style sends them. */
export function bytes(text: string): string {
	return Buffer.from(text, 'utf8').toString('latin1');
}
