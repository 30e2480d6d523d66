import { OF_ITS_OWN } from '../../../sandbox/n8n/rest';

/** A tool as an MCP server offers it. */
interface McpTool {
	name: string;
	description: string;
	inputSchema: { properties?: Record<string, { type?: string; description?: string }>; required?: string[] };
}

/** What a tool answered, as a model gets it. */
interface McpAnswer {
	text: string;
	isError: boolean;
}

/** A client of the Model Context Protocol over streamable HTTP, as far as tools go. */
export interface McpClient {
	tools(): Promise<McpTool[]>;
	call(name: string, args: Record<string, unknown>): Promise<McpAnswer>;
	close(): Promise<void>;
}

interface Reply {
	id?: number;
	result?: Record<string, unknown>;
	error?: { message: string };
}

const DEADLINE_MS = 60_000;

/** Opens a session. Throws when the server does not answer as one of the protocol does. */
export async function connectMcp(url: string): Promise<McpClient> {
	let session: string | undefined;
	let count = 0;

	const post = async (message: object): Promise<Response> => {
		const response = await fetch(url, {
			method: 'POST',
			headers: {
				...OF_ITS_OWN,
				'content-type': 'application/json',
				accept: 'application/json, text/event-stream',
				...(session !== undefined && { 'mcp-session-id': session }),
			},
			body: JSON.stringify({ jsonrpc: '2.0', ...message }),
			signal: AbortSignal.timeout(DEADLINE_MS),
		});
		if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
		session ??= response.headers.get('mcp-session-id') ?? undefined;
		return response;
	};
	const ask = async <T>(method: string, params: object = {}): Promise<T> => {
		const id = ++count;
		const response = await post({ id, method, params });
		const { result, error } = await replyIn(response, id);
		if (error) throw new Error(`${method}: ${error.message}`);
		return result as T;
	};

	const clientInfo = { name: 'scripted', version: '1' };
	await ask('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo });
	await post({ method: 'notifications/initialized' });
	return {
		tools: async () => (await ask<{ tools: McpTool[] }>('tools/list')).tools,
		call: async (name, args) => {
			type Result = { content: { type: string; text: string }[]; isError?: boolean };
			const { content, isError = false } = await ask<Result>('tools/call', { name, arguments: args });
			return { text: content.map(({ text }) => text).join('\n'), isError };
		},
		close: async () => {
			const headers = { ...OF_ITS_OWN, 'mcp-session-id': session ?? '' };
			await fetch(url, { method: 'DELETE', headers, signal: AbortSignal.timeout(DEADLINE_MS) });
		},
	};
}

/** The reply to one request: alone, or among the events of a stream, which the server ends after it. */
async function replyIn(response: Response, id: number): Promise<Reply> {
	if (!(response.headers.get('content-type') ?? '').includes('event-stream')) {
		return (await response.json()) as Reply;
	}
	let text = '';
	for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
		text += chunk;
		for (const [, data = ''] of text.matchAll(/^data: (.*)\r?\n\r?\n/gm)) {
			const reply = JSON.parse(data) as Reply;
			if (reply.id === id) return reply;
		}
	}
	throw new Error(`The server ended its answer without a reply: ${text}`);
}
