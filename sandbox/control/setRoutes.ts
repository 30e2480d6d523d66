import type { FastifyInstance } from 'fastify';
import { draftSet, isStepName, move, type Service } from '../service';
import { headersFor } from './contents';
import type { EventLog } from './events';
import type { Live } from './live';
import { refuse } from './refuse';
import { detailOf, findSets } from './views';

interface SetPath {
	Params: { setId: string; documentId: string };
}

const mostShown = 500;

/** Finding a set, looking at it, moving it, opening its documents. */
export function addSetRoutes(
	app: FastifyInstance,
	{ service, events, live }: { service: Service; events: EventLog; live: Live },
): void {
	const { data } = service;
	const setOf = (setId: string) => data.find(setId) ?? refuse(404, 'There is no such set');

	app.get<{ Querystring: Record<string, unknown> }>(
		'/api/sets',
		({ query: { search = '', show = '50' } }) => {
			if (typeof search !== 'string' || search.length > 100) refuse(400, 'The search text is too long');
			const most = Number(show);
			if (!Number.isInteger(most) || most < 1 || most > mostShown) refuse(400, `Show 1 to ${mostShown} sets`);
			return findSets(data, search as string, most);
		},
	);

	app.post('/api/sets', async () => {
		const { set, event } = draftSet(data, Date.now());
		const sent = await events.send(event);
		void live.refresh();
		return { set: detailOf(set), sent };
	});

	app.get<SetPath>('/api/sets/:setId', ({ params }) => detailOf(setOf(params.setId)));

	app.post<SetPath & { Body: unknown }>('/api/sets/:setId/steps', async ({ params, body }) => {
		const set = setOf(params.setId);
		const name = (body as { step?: unknown } | null)?.step;
		if (!isStepName(name)) return refuse(400, 'There is no such step');
		const sent = await events.send(move(data, set.setId, name, Date.now()));
		void live.refresh();
		return { set: detailOf(set), sent };
	});

	app.get<SetPath>('/api/sets/:setId/documents/:documentId', async ({ params }, reply) => {
		const set = setOf(params.setId);
		const document = set.documents.find((one) => one.documentId === params.documentId);
		if (!document) return refuse(404, 'There is no such document');
		reply.headers(headersFor(`${document.name} ${set.parcelRef}.pdf`.replaceAll('/', '-')));
		return service.pdf(set, document);
	});
}
