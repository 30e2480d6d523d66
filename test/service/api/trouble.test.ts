import { cutIn, isTrouble, troubleIn } from '../../../service/api/trouble';

const PART = [
	...[
		'partial',
		'isPartial',
		'is_partial',
		'PARTIAL',
		'partialResult',
		'partial_results',
		'is_partial_results',
	],
	...['timedOut', 'timed_out', 'timedout', 'isTimedOut', 'timed_out_results'],
	...['incomplete', 'isIncomplete', 'incompleteResults', 'incomplete_result'],
	...['terminatedEarly', 'terminated_early', 'hasErrors', 'has_errors', 'hasError'],
];
const CUT = [
	...['truncated', 'isTruncated', 'is_truncated', 'resultTruncated', 'results_truncated', 'result_truncated'],
	...['truncatedResults', 'truncated_result', 'exceededTransferLimit', 'exceeded_transfer_limit'],
	'exceeded_transferLimit',
];
const END = ['complete', 'isComplete', 'is_complete', 'completeResults', 'complete_result', 'COMPLETE'];

it.each(PART)('an answer is a part where it says yes to "%s"', (name) => {
	for (const yes of [true, 'true', ' yes '])
		expect(troubleIn({ [name]: yes })).toBe(`${name}: ${String(yes).trim()}`);
	for (const no of [false, 'no', 0, null, 'half', [true]]) expect(troubleIn({ [name]: no })).toBeUndefined();
	expect(cutIn({ [name]: true })).toBeUndefined();
});

it.each(CUT)('an answer is cut where it says yes to "%s"', (name) => {
	for (const yes of [true, 'true', 1]) expect(cutIn({ [name]: yes })).toBe(`${name}: ${yes}`);
	for (const no of [false, 'no', 0, null, 'half']) expect(cutIn({ [name]: no })).toBeUndefined();
	expect(troubleIn({ [name]: true })).toBeUndefined();
});

it.each(END)('an answer is cut where it says no to "%s"', (name) => {
	for (const no of [false, 'false', ' no '])
		expect(cutIn({ [name]: no })).toBe(`${name}: ${String(no).trim()}`);
	for (const yes of [true, 'yes', null, 'half']) expect(cutIn({ [name]: yes })).toBeUndefined();
	expect(troubleIn({ [name]: false })).toBeUndefined();
});

it('how many sets are complete, or not yet, is a number, and no word on the list', () => {
	for (const count of [0, 1]) {
		expect(cutIn({ complete: count, Complete: count })).toBeUndefined();
		expect(troubleIn({ incomplete: count, Incomplete: count })).toBeUndefined();
	}
	expect(cutIn({ isComplete: 0 })).toBe('isComplete: 0');
	expect(troubleIn({ isIncomplete: 1 })).toBe('isIncomplete: 1');
});

it.each([
	...[
		'impartial',
		'partially',
		'isPartialPayment',
		'partial__results',
		'hasErrorsLog',
		'errorsHas',
		'is__partial',
	],
	...['timedOutAt', 'untimedout', 'terminatedEarlyBy', 'pre_terminated_early', 'incompleteness'],
	...[
		'truncatedAt',
		'untruncated',
		'exceededTransferLimits',
		'my_exceeded_transfer_limit',
		'truncated__results',
	],
	...['completed', 'autocomplete', 'isCompleted', 'complete__results', 'notComplete'],
])('a field that only holds such a word says nothing of the list: "%s"', (name) => {
	for (const value of [true, false, 1, 0]) {
		expect(troubleIn({ [name]: value })).toBeUndefined();
		expect(cutIn({ [name]: value })).toBeUndefined();
	}
});

it.each([
	...['', '  ', '0', '000000', '200', 'false', 'None', 'no', 'NULL', 'n/a', '-', 'ok', 'OK.', ' ok!! '],
	...['success', 'successful', 'successfully', 'no error', 'no_errors', 'No-Error', 'noerror'],
	...['no errors found', 'No error found. ', 'no errors! '],
	'ok'.padEnd(50),
])('words for no trouble: %j', (told) => {
	expect(isTrouble(told)).toBe(false);
	expect(troubleIn({ error: told, errors: [told], errorMessage: told, exception: { told } })).toBeUndefined();
});

it.each([
	...[
		'0000000',
		'2000',
		'falsely',
		'nonesuch',
		'not ok',
		'okay',
		'x ok',
		'successor',
		'unsuccessful',
		'ok, but',
	],
	...['no errors at all', 'no error  found', 'errors', 'no__error', '--', 'n/a/'],
	'ok'.padEnd(51),
])('words for trouble: %j', (told) => {
	expect(isTrouble(told)).toBe(true);
	for (const place of ['error', 'errors', 'errorMessage', 'exception'])
		expect(troubleIn({ [place]: told })).toBe('');
});

it.each<[unknown, boolean]>([
	[true, true],
	[false, false],
	[0, false],
	[200, false],
	[1, true],
	[404, true],
	[null, false],
	[undefined, false],
	[[], false],
	[{}, false],
	[[null, { a: [''] }], false],
	[[null, { a: ['boom'] }], true],
])('what stands in a place for errors is trouble, or not: %j: %s', (told, expected) => {
	expect(isTrouble(told)).toBe(expected);
});

it.each<[unknown, string | undefined]>([
	[{ success: false }, ''],
	[{ success: 'no' }, ''],
	[{ success: true }, undefined],
	[{ success: null }, undefined],
	[{ failures: [{ shard: 2 }] }, ''],
	[{ failures: [] }, undefined],
	[{ failures: 'boom' }, undefined],
	[{ _shards: { failed: 2 } }, '_shards.failed: 2'],
	[{ _shards: { failed: 0 } }, undefined],
	[{ _shards: { failed: '2' } }, undefined],
	[{ _shards: null }, undefined],
	[{ _shards: [2] }, undefined],
	[['boom'], undefined],
	['boom', undefined],
	[null, undefined],
	[undefined, undefined],
])('what %j tells of trouble is %j', (value, told) => {
	expect(troubleIn(value)).toBe(told);
});
