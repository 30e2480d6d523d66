import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What a model is told of a tool it may use. */
interface OfferedTool {
	name: string;
	description: string;
	parameters: { properties: Record<string, { type?: string; description?: string }>; required?: string[] };
}

/** One turn of the model: a tool with its arguments, or the last words. */
type Turn = { tool: string; arguments: Record<string, unknown> } | { say: string };

/** Decides a turn by what the tools have answered so far, oldest first. */
export type Script = (answers: string[]) => Turn;

/** A language model as OpenAI serves one (chat completions), whose words a test decides. */
export interface ScriptedModel {
	/** For n8n's OpenAI account. */
	readonly baseUrl: string;
	/** The tools it was offered with the last call. */
	readonly tools: OfferedTool[];
	/** What its tools answered, in the last conversation. */
	readonly answers: string[];
	follow(script: Script): void;
	close(): Promise<void>;
}

interface Call {
	messages: { role: string; content: unknown }[];
	tools?: { function: OfferedTool }[];
}

export async function startScriptedModel(): Promise<ScriptedModel> {
	let script: Script = () => ({ say: 'There is no script.' });
	let tools: OfferedTool[] = [];
	let answers: string[] = [];
	const answer = async (request: IncomingMessage) => {
		const call = JSON.parse(await text(request)) as Call;
		tools = (call.tools ?? []).map((tool) => tool.function);
		answers = call.messages.filter(({ role }) => role === 'tool').map(({ content }) => textOf(content));
		return completion(script(answers), answers.length);
	};
	const server = createServer((request, response) => {
		answer(request).then(
			(body) => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
			(error: unknown) => response.writeHead(500).end(String(error)),
		);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${port}/v1`,
		get tools() {
			return tools;
		},
		get answers() {
			return answers;
		},
		follow: (next) => (script = next),
		close: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

/** A text, or a list of parts of one. */
function textOf(content: unknown): string {
	return typeof content === 'string' ? content : JSON.stringify(content);
}

function completion(turn: Turn, number: number) {
	const message =
		'say' in turn
			? { role: 'assistant', content: turn.say }
			: {
					role: 'assistant',
					content: null,
					tool_calls: [
						{
							id: `call_${number}`,
							type: 'function',
							function: { name: turn.tool, arguments: JSON.stringify(turn.arguments) },
						},
					],
				};
	return {
		id: `chatcmpl-${number}`,
		object: 'chat.completion',
		created: 0,
		model: 'scripted',
		choices: [{ index: 0, message, finish_reason: 'say' in turn ? 'stop' : 'tool_calls' }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}
