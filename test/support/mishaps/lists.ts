import { reply } from '../fakeService';
import type { ListMishap, Mishaps } from '../mishap';

const EMPTY = { __rl: true, mode: 'list', value: '' };
const MANY = 5_001;

/** What can be wrong when a list is opened in the panel. */
export const LISTS: Mishaps<ListMishap> = {
	'documents of no set': {
		parameters: () => ({
			...{ resource: 'document', operation: 'getPdf', documentId: EMPTY },
			setId: { __rl: true, mode: 'id', value: '={{ $json.setId }}' },
		}),
		parameter: 'documentId',
		says: 'No set is chosen yet',
		remedy: 'Choose the set From List first.',
	},
	'a set that is not among the first': {
		instead: () => ({
			calls: ({ path, body }) => {
				const offset = Number(new URL(path, 'http://service').searchParams.get('offset'));
				// By its whole reference there is none either.
				const total = 'shipmentRef' in (JSON.parse(body) as object) ? 0 : MANY;
				const results = Array.from({ length: Math.min(100, Math.max(0, total - offset)) }, (_, index) => ({
					...{ setId: `set-${offset + index}`, parcelRef: `PRC-${offset + index}` },
				}));
				return reply(200, { data: { offset, limit: 100, total, results } });
			},
		}),
		parameters: () => ({ resource: 'set', operation: 'get', setId: EMPTY }),
		parameter: 'setId',
		typed: 'no such set',
		says: 'None of the first 5,000 sets matches',
		remedy: 'Type the whole shipment reference, or choose By ID and type the ID.',
	},
	'an account that is refused': {
		account: { password: 'wrong' },
		parameters: () => ({ resource: 'set', operation: 'get', setId: EMPTY }),
		parameter: 'setId',
		says: 'The service refused the user name or the password (HTTP 401).…',
		remedy: 'Check both in the credential.',
	},
};
