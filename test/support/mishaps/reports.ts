import { setTimeout as sleep } from 'node:timers/promises';
import { inviteColleague } from '../../host/support/colleague';
import { eventBody } from '../events';
import type { Mishaps, ReportMishap } from '../mishap';

/** A credential that is deleted while a workflow uses it. */
const LOST = 'Lost credential';

/** What the trigger of a published workflow reports. */
export const REPORTS: Mishaps<ReportMishap> = {
	'a message that is no event': {
		happens: ({ send }, queue) => send(queue, { parcelReference: 'PRC-1' }),
		says: 'A message on the queue is not a status event: it has no newStatus, or newStatus is not a text',
		remedy: 'It was rejected and will not come again.…The message as received:…"parcelReference":"PRC-1"',
	},
	'a workflow that fails': {
		options: { attempts: 1 },
		next: async () => ({
			...{ name: 'Next', type: 'n8n-nodes-base.stopAndError' },
			parameters: { errorMessage: 'The printer is out of paper' },
		}),
		happens: ({ send }, queue) => send(queue, eventBody(1)),
		says: 'The workflow failed once for the event ISSUED of PRC-1, which is not tried again',
		remedy:
			'The last time: The printer is out of paper (in node “Next”). Mend the cause, then run the workflow with the event again. The event as received:…"parcelReference": "PRC-1"',
	},
	// n8n looks at the accounts of a workflow before its run, unless they are its owner's.
	'a run that n8n cannot start': {
		options: { removeWhen: 'finished' },
		by: ({ n8n }) => inviteColleague(n8n),
		next: async (n8n) => {
			const { id, name, type } = await n8n.credentials.create(LOST, 'httpHeaderAuth', {
				name: 'x',
				value: 'y',
			});
			return {
				...{ name: 'Next', type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2 },
				credentials: { [type]: { id, name } },
				parameters: {
					url: 'http://127.0.0.1:1',
					...{ authentication: 'genericCredentialType', genericAuthType: type },
				},
			};
		},
		happens: async ({ send }, queue, n8n) => {
			const lost = (await n8n.credentials.list()).filter(({ name }) => name === LOST);
			for (const { id } of lost) await n8n.credentials.delete(id);
			await send(queue, eventBody(2));
		},
		says: 'n8n could not start a run for the event ISSUED of PRC-2',
		remedy: 'The event was removed from the queue, as Remove From Queue says.',
	},
	'a queue that disappears': {
		happens: async ({ broker, vhost }, queue) => {
			await sleep(500);
			await broker.deleteQueue(queue, vhost);
		},
		says: 'The trigger cannot listen to the queue: The queue “…” was not found',
		remedy:
			'Check the queue name and the virtual host. The trigger goes on trying and listens again by itself as soon as it can.',
	},
};
