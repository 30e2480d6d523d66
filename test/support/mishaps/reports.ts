import { setTimeout as sleep } from 'node:timers/promises';
import { eventBody } from '../events';
import type { Mishaps, ReportMishap } from '../mishap';

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
	'a queue that disappears': {
		happens: async ({ broker, vhost }, queue) => {
			await sleep(500);
			await broker.deleteQueue(queue, vhost);
		},
		says: 'The trigger cannot listen to the queue: The queue “…” was not found',
		remedy:
			'Check the queue name and the virtual host. The trigger goes on trying and listens again by itself as soon as it can. If the queue was deleted, what waited on it is gone with it: ask the service for those events.',
	},
};
