import { named } from '../../../service/api/callName';
import { ServiceError } from '../../../service/errors';

const failing = (error: unknown, path: string) =>
	named({ method: 'GET', path }, () => Promise.reject(error as Error)).catch((thrown: unknown) => thrown);

it.each([
	['/v3/sets', 'GET /v3/sets'],
	['/v3/sets?limit=1&offset=0', 'GET /v3/sets'],
	['/v3/sets?a=\n?b', 'GET /v3/sets'],
])('an error says which call it was, without the query: %j', async (path, call) => {
	const error = new ServiceError('network', 'It is away.');
	expect(await failing(error, path)).toBe(error);
	expect(error.call).toBe(call);
});

it('the innermost call is named, and what is no error of ours stays as it is', async () => {
	const error = new ServiceError('network', 'It is away.', { call: 'GET /login' });
	expect(await failing(error, '/v3/sets')).toMatchObject({ call: 'GET /login' });
	const other = new TypeError('x is not a function');
	expect(await failing(other, '/v3/sets')).toBe(other);
	expect(other).not.toHaveProperty('call');
	expect(await named({ method: 'GET', path: '/' }, () => Promise.resolve(7))).toBe(7);
});
