import { isRefusal, pageOrFailure } from '../../../service/api/question';
import { ServiceError, type ServiceErrorCode } from '../../../service/errors';

const failure = (code: ServiceErrorCode, more: object = {}) =>
	new ServiceError(code, 'No.', { remedy: 'Ask.', ...more });

it.each<[ServiceErrorCode, boolean]>([
	['rejected', true],
	['notFound', true],
	['unexpectedResponse', true],
	['unauthorized', true],
	['network', false],
	['timeout', false],
	['unavailable', false],
	['rateLimited', false],
	['certificate', false],
	['invalidInput', false],
])('a failure that is %s is the answer to what was asked: %s', (code, isAnswer) => {
	expect(isRefusal(failure(code))).toBe(isAnswer);
	// A login was not asked for that.
	expect(isRefusal(failure(code, { login: true }))).toBe(false);
});

it('why a page cannot be had is an answer, but for a run that is stopped and a fault of ours', async () => {
	const page = { total: 1 } as never;
	expect(await pageOrFailure(Promise.resolve(page))).toBe(page);
	const refused = failure('rejected');
	expect(await pageOrFailure(Promise.reject(refused))).toBe(refused);
	const stopped = failure('cancelled');
	await expect(pageOrFailure(Promise.reject(stopped))).rejects.toBe(stopped);
	const fault = new TypeError('x is not a function');
	await expect(pageOrFailure(Promise.reject(fault))).rejects.toBe(fault);
});
