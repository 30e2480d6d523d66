import type { FastifyInstance } from 'fastify';
import type { Mail } from '../mail';
import { headersFor } from './contents';
import type { EventLog } from './events';
import { openFile } from './folder';
import type { Live } from './live';
import { refuse } from './refuse';
import { mailLineOf } from './views';

interface ResultPath {
	Params: { id: string; place: string; '*': string };
}

/** What came of the events: the events themselves, mails and their files, the files of the output folder. */
export function addResultRoutes(
	app: FastifyInstance,
	parts: { mail: Mail; events: EventLog; live: Live; outputFolder: string },
): void {
	const { mail, events, live, outputFolder } = parts;
	const messageOf = (id: string) =>
		mail.messages().find((one) => one.id === id) ?? refuse(404, 'The message is no longer here');

	app.get('/api/changes', (_request, reply) => {
		reply.hijack();
		if (!live.add(reply.raw)) reply.raw.writeHead(503).end();
	});

	app.post<ResultPath>('/api/events/:id/again', async ({ params }) => {
		const entry = events.sent.find((one) => one.id === params.id);
		if (!entry) return refuse(404, 'The event is no longer here');
		const sent = await events.send(entry.event);
		void live.refresh();
		return { sent };
	});

	app.get<ResultPath>('/api/mails/:id', ({ params }) => {
		const message = messageOf(params.id);
		return { ...mailLineOf(message), text: message.text, hasHtml: message.html !== '' };
	});

	app.get<ResultPath>('/api/mails/:id/html', ({ params }, reply) => {
		const { html } = messageOf(params.id);
		// Somebody's HTML: shown without scripts, without the network, as a page of no origin.
		const policy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:";
		reply.header('content-security-policy', policy).type('text/html; charset=utf-8');
		return html;
	});

	app.get<ResultPath>('/api/mails/:id/attachments/:place', ({ params }, reply) => {
		const attachment = messageOf(params.id).attachments[Number(params.place)];
		if (!attachment) return refuse(404, 'There is no such file in the message');
		reply.headers(headersFor(attachment.name));
		return reply.send(attachment.bytes);
	});

	app.get<ResultPath>('/api/files/*', async ({ params }, reply) => {
		const name = params['*'];
		const file = await openFile(outputFolder, name);
		if (!file) return refuse(404, 'There is no such file in the output folder');
		reply.headers(headersFor(name));
		return reply.send(file.createReadStream());
	});
}
