import { errorOf, startBench } from '../../support/apiAccount';
import { reply } from '../../support/fakeService';

const data = { offset: 0, limit: 100, total: 1, count: 1, results: [{ setId: 'a' }] };

async function searched(envelope: object, inside: object = {}) {
	const answer = { ...envelope, data: { ...data, ...inside }, links: [] };
	const bench = await startBench({ calls: () => reply(200, answer) });
	const found: unknown[] = [];
	for await (const page of bench.client.searchSets({}, { style: 'auto', pageSize: 100 })) found.push(...page);
	return found;
}

it.each([
	[{ code: 200, status: 'OK' }],
	[{ code: '200', status: 'ok' }],
	[{ code: 200 }],
	[{ status: 'OK' }],
	[{ code: null, status: null }],
	[{}],
	[{ code: 200, errorMessage: '', error: null, errors: [], success: true }],
	[{ code: 200, errorMessage: 'Success', error: false, errors: {} }],
	[{ code: 200, errorMessage: 'No error.', error: 0, errors: null, message: 'Sets were found' }],
	[{ code: 200, errorMessage: 'no errors found', error: '-', errors: [''], success: 'Y' }],
	[{ error: { code: 0, message: null }, errors: [null] }],
	[{ error: { code: null, message: 'No error' }, errors: { count: 0, list: [] } }],
	[{ errors: [{ code: '0', details: [{ text: '' }] }] }],
	[{ code: 200, status: 'Success' }],
])('an envelope of %j is an answer', async (envelope) => {
	expect(await searched(envelope)).toEqual([{ setId: 'a' }]);
});

it('that is no success is told in the words of the service', async () => {
	const said = { code: 200, status: 'ERROR', errorMessage: 'Index is being built' };
	expect((await errorOf(searched(said))).message).toBe(
		'The service answered with an error that came as a success. It said: "Index is being built"',
	);
});

it.each<[object, string]>([
	[{ code: 500, status: 'INTERNAL_SERVER_ERROR', errorMessage: 'index not available' }, 'unavailable'],
	[{ code: '503', status: 'UNAVAILABLE' }, 'unavailable'],
	[{ code: 401, status: 'UNAUTHORIZED' }, 'unauthorized'],
	[{ code: 404 }, 'notFound'],
	[{ code: 206, status: 'PARTIAL_CONTENT' }, 'unexpectedResponse'],
	[{ code: 302 }, 'rejected'],
	[{ code: 0 }, 'unexpectedResponse'],
	[{ code: 'E17', message: 'no index' }, 'unexpectedResponse'],
	[{ code: 200, status: 'ERROR', errorMessage: 'boom' }, 'unexpectedResponse'],
	[{ status: 'FAILED' }, 'unexpectedResponse'],
	[{ code: true }, 'unexpectedResponse'],
	[{ code: [200] }, 'unexpectedResponse'],
	[{ code: 200, status: 'OK', errorMessage: 'Search index not available' }, 'unexpectedResponse'],
	[{ code: 200, status: 'OK', error: 'shard 2 is gone' }, 'unexpectedResponse'],
	[{ code: 200, status: 'OK', errors: [{ message: 'timed out' }] }, 'unexpectedResponse'],
	[{ code: 200, status: 'OK', error: true }, 'unexpectedResponse'],
	[{ success: false }, 'unexpectedResponse'],
	[{ success: 'False' }, 'unexpectedResponse'],
	[{ success: 'N' }, 'unexpectedResponse'],
	[{ success: 0 }, 'unexpectedResponse'],
	[{ error: { code: 17 } }, 'unexpectedResponse'],
	[{ errors: { count: 1, list: [] } }, 'unexpectedResponse'],
	[{ errors: [{ code: '0', details: [{ text: 'shard 2 is gone' }] }] }, 'unexpectedResponse'],
	[{ status: 'Success, but for shard 2' }, 'unexpectedResponse'],
])('an envelope of %j is an error, whatever data it has', async (envelope, code) => {
	const error = await errorOf(searched(envelope));
	expect(error).toMatchObject({ code, remedy: expect.any(String) });
	for (const said of Object.values(envelope).filter((value) => /[a-z] [a-z]/.test(String(value)))) {
		expect(error.message).toContain(said);
	}
});

it.each([
	{ error: null, errors: [], errorMessage: '' },
	{ partial: false, truncated: 'no', timedOut: null, exception: null },
	{ code: 200, success: true },
	{ complete: true, partialResults: 0 },
	{ complete: 'Y', isTruncated: 'N', timed_out: null, incomplete: { count: 1 } },
	{ complete: 0, incomplete: 1 },
	{ _shards: { total: 5, successful: 5, failed: 0 } },
	{ error: { code: 200, message: 'OK' }, errors: 'NO_ERROR', exception: '0000' },
	{
		hasErrors: false,
		failures: [],
		terminated_early: false,
		resultsTruncated: 'no',
		exceededTransferLimit: null,
	},
	{ failures: 3 },
	{ partial: { toString: null }, complete: { toString: null } },
])('data with %j are an answer', async (inside) => {
	expect(await searched({ code: 200, status: 'OK' }, inside)).toEqual([{ setId: 'a' }]);
});

it.each<[object, string]>([
	[{ error: 'shard 2 is gone' }, 'unexpectedResponse'],
	[{ errors: [{ message: 'timed out' }] }, 'unexpectedResponse'],
	[{ errorMessage: 'the index is not there' }, 'unexpectedResponse'],
	[{ exception: 'java.lang.NullPointerException' }, 'unexpectedResponse'],
	[{ success: false }, 'unexpectedResponse'],
	[{ code: 503 }, 'unavailable'],
	[{ code: '401' }, 'unauthorized'],
	[{ partial: true }, 'unexpectedResponse'],
	[{ isTruncated: true }, 'unexpectedResponse'],
	[{ timed_out: true }, 'unexpectedResponse'],
	[{ timed_out: 1 }, 'unexpectedResponse'],
	[{ partial: 'true' }, 'unexpectedResponse'],
	[{ partialResults: 'Yes' }, 'unexpectedResponse'],
	[{ complete: false }, 'unexpectedResponse'],
	[{ isComplete: 'false' }, 'unexpectedResponse'],
	[{ incomplete_results: true }, 'unexpectedResponse'],
	[{ is_complete: 0 }, 'unexpectedResponse'],
	[{ _shards: { total: 5, successful: 4, failed: 1 } }, 'unexpectedResponse'],
	[{ hasErrors: true }, 'unexpectedResponse'],
	[{ failures: [{ shard: 2, reason: 'gone' }] }, 'unexpectedResponse'],
	[{ terminated_early: true }, 'unexpectedResponse'],
	[{ resultsTruncated: true }, 'unexpectedResponse'],
	[{ exceededTransferLimit: true }, 'unexpectedResponse'],
	[{ error: '500' }, 'unexpectedResponse'],
])('trouble that is told among the data, or beside them, is an error: %j', async (told, code) => {
	expect(await errorOf(searched({ code: 200, status: 'OK' }, told))).toMatchObject({ code });
	expect(await errorOf(searched({ status: 'OK', ...told }))).toMatchObject({ code });
});

it.each<[object, string]>([
	[{ timed_out: true }, 'timed_out: true'],
	[{ isComplete: ' no ' }, 'isComplete: no'],
	[{ _shards: { failed: 2 } }, '_shards.failed: 2'],
])('the field that calls the list a part is named: %j', async (told, said) => {
	expect((await errorOf(searched({ code: 200, status: 'OK' }, told))).message).toBe(
		`The service answered with an error that came as a success. It said: "${said}"`,
	);
});

it('trouble among the data is told in the words of the service', async () => {
	const error = await errorOf(searched({ code: 200, status: 'OK' }, { error: 'shard 2 is gone' }));
	expect(error.message).toContain('"shard 2 is gone"');
});

it.each<[object, object, string]>([
	[{ code: 500, status: 'DOWN' }, {}, '{"code":500,"status":"DOWN"}'],
	[{ status: 'DOWN' }, {}, '{"status":"DOWN"}'],
	[{ status: 'DOWN' }, { message: 'Index is being built' }, 'Index is being built'],
	[{ status: 'DOWN', message: 'No' }, { message: 'Index is being built' }, 'No'],
])('what %j with %j in the data says is told without the data', async (envelope, inside, said) => {
	const { message } = await errorOf(searched(envelope, inside));
	expect(message.slice(message.indexOf('It said'))).toBe(`It said: "${said}"`);
});
