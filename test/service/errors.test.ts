import fc from 'fast-check';
import { isServiceError, messageOf, ServiceError } from '../../service/errors';

describe('the text of anything thrown', () => {
	it.each<[string, unknown, string]>([
		['an error', new Error('no'), 'no'],
		['an error without a message', new TypeError(), 'TypeError'],
		['a text', 'no', 'no'],
		['nothing', undefined, 'undefined'],
		['an object without a prototype', Object.create(null), 'unknown error'],
		[
			'an error whose message is none',
			Object.assign(new Error(), { message: Object.create(null) }),
			'unknown error',
		],
	])('%s', (_, thrown, text) => {
		expect(messageOf(thrown)).toBe(text);
	});

	it('is a text, whatever was thrown', () => {
		fc.assert(
			fc.property(
				fc.anything({ withNullPrototype: true }),
				(thrown) => typeof messageOf(thrown) === 'string',
			),
		);
	});
});

it('an error of a second copy of this package is known as one of ours', () => {
	const copy = Object.assign(new Error('x'), { name: 'ServiceError', code: 'network' });
	expect(isServiceError(copy)).toBe(true);
	expect(isServiceError(new ServiceError('network', 'x'))).toBe(true);
	expect(isServiceError(new Error('x'))).toBe(false);
});
