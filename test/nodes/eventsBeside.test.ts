import type { IDataObject } from 'n8n-workflow';
import { runAction } from '../support/actionNode';

/** Every event or an error: beside a good one, whatever was meant to be another and cannot be read. */

const good = { newStatus: 'Signed', setId: 'a' };
const misspelled: [string, unknown][] = [
	['a capital', { NewStatus: 'Issued', setId: 'b' }],
	['small letters', { newstatus: 'Issued' }],
	['a line', { new_status: 'Issued' }],
	[
		'a letter left out',
		{ newStaus: 'Issued', action: 'ISSUE', setId: 'b', parcelReference: 'P', customerId: 'c' },
	],
	['a number', { newStatus: 5 }],
	['a list', { newStatus: ['Issued'] }],
	['a text that is cut', '{"newStatus":"Issued","setId":"b"'],
	['single quotes', "{'newStatus':'Issued'}"],
	['Base64 that is cut', Buffer.from('{"newStatus":"Issued","setId":"b"').toString('base64')],
	['Base64 of another spelling', Buffer.from('{"NEWSTATUS":"Issued","setId":"b"}').toString('base64')],
];
const parse = (event: unknown) =>
	runAction('http://127.0.0.1:9', { resource: 'event', operation: 'parse', event } as IDataObject);

it.each(misspelled)('gives no part of the events: %s', async (_label, broken) => {
	for (const given of [[good, broken], [broken, good], { a: good, b: { c: broken } }]) {
		const { items, error } = await parse(given);
		expect(items).toEqual([]);
		expect(error?.message).toBe('There is a status event in "Event" that cannot be read');
	}
});

it('takes what is no event for nothing', async () => {
	const others = [
		{ setId: 'b', parcelRef: 'P' },
		'Issued',
		'SGVsbG8gd29ybGQsIGhlbGxvIHdvcmxk',
		{ status: 'new' },
	];
	expect((await parse([good, ...others])).items).toHaveLength(1);
});
