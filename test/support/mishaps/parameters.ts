import { reply, type FakeServiceOptions } from '../fakeService';
import type { Mishaps } from '../mishap';

const ID = '00000000-0000-4000-8000-00000000abcd';
const PDF = { resource: 'document', operation: 'getPdf', setId: ID, documentId: ID };
const byReference = (value: string) => ({ __rl: true, mode: 'reference', value });
const OTHER = ID.replace('abcd', 'abce');
const SET = { setId: ID, parcelRef: 'PRC-1', documents: [{ documentId: ID, name: 'Bill', docType: 'BILL' }] };
const oneSet: FakeServiceOptions = { calls: () => reply(200, { data: { total: 1, results: [SET] } }) };
const SEARCH = { resource: 'set', operation: 'search' };

/** What can be wrong with what was typed into the panel, or came into it by an expression. */
export const PARAMETERS: Mishaps = {
	'a reference in place of an ID': {
		parameters: () => ({ resource: 'set', operation: 'get', setId: 'SEGOT-1' }),
		says: '"Set" is not an ID: "SEGOT-1"',
		remedy: 'An ID looks like 123e4567-e89b-42d3-a456-426614174000.',
	},
	'the set of a sample event': {
		parameters: () => ({
			...{ resource: 'document', operation: 'getAllPdfs' },
			setId: '00000000-0000-4000-8000-000000000002',
		}),
		says: 'The set of a sample event does not exist',
		remedy: 'press Fixed above Set, put it on From List and choose a set.',
	},
	'a reference that is empty': {
		parameters: () => ({ resource: 'set', operation: 'get', setId: byReference('={{ "" }}') }),
		says: '"Set" is empty',
		remedy: 'Type the whole shipment or parcel reference.',
	},
	'a company without a name': {
		parameters: () => ({ resource: 'customer', operation: 'get', name: '={{ "" }}' }),
		says: '"Name" is empty',
		remedy: 'Type the whole name of the company.',
	},
	'a reference that no set has': {
		parameters: () => ({ resource: 'set', operation: 'get', setId: byReference('NONE'), lookup: {} }),
		says: 'No set has the reference "NONE"',
		remedy: 'Type the whole shipment or parcel reference.',
	},
	'a reference that several sets have': {
		before: async ({ service }) => {
			for (const set of service.data.sets.slice(0, 2)) set.shipmentRef = 'TWICE';
		},
		parameters: () => ({ resource: 'set', operation: 'get', setId: byReference('TWICE'), lookup: {} }),
		says: '2 sets have the reference "TWICE": …',
		remedy: 'Use the parcel reference of one of them, or its ID.',
	},
	'a company that nobody is called': {
		parameters: () => ({ resource: 'customer', operation: 'get', name: 'Nobody' }),
		says: 'No customer is called "Nobody"',
		remedy: 'Type the whole name as the service has it; Get Many shows the names.',
	},
	'a name that two companies have': {
		before: async ({ service }) => {
			for (const party of service.data.counterparties.slice(0, 2)) party.customerName = 'Twins';
		},
		parameters: () => ({ resource: 'counterparty', operation: 'get', name: 'Twins' }),
		says: '2 counterparties are called "Twins": …',
		remedy: 'Use the ID of the one you mean, wherever the name was to lead to it.',
	},
	'two ends of one time': {
		parameters: () => ({ ...SEARCH, filters: { modifiedBefore: '2026-11-20', olderThanDays: 3 } }),
		says: '"Older Than (Days)" cannot stand beside "Modified Before"',
		remedy: 'Both say until when a set was modified: take one of them away.',
	},
	'a set that was picked, behind the event of another': {
		parameters: () => ({ resource: 'document', operation: 'getAllPdfs', setId: ID }),
		input: { eventId: '0123456789abcdef0123456789abcdef', setId: ID.replace('abcd', 'abce') },
		says: `The event is about set ${ID.replace('abcd', 'abce')}, but Set is fixed to ${ID}`,
		remedy: 'Put Set on By ID, press Expression, and drag the field setId of the event into it',
	},
	'a set that was typed into a step behind the event of another': {
		parameters: () => ({ resource: 'document', operation: 'getAllPdfs', setId: '={{ $json.setId }}' }),
		input: [
			{ eventId: '0123456789abcdef0123456789abcdef', setId: ID.replace('abcd', 'abce') },
			{ setId: ID },
		],
		says: `The event is about set ${ID.replace('abcd', 'abce')}, but set ${ID} is what was typed into the step "Input 2 of a set that was typed into a step behind the event of another"`,
		remedy: 'Take what was typed out of that step',
	},
	'a set that is written into the expression for when the event has none': {
		parameters: () => ({
			resource: 'document',
			operation: 'getAllPdfs',
			setId: `={{ $json.set || "${ID}" }}`,
		}),
		input: { eventId: '0123456789abcdef0123456789abcdef', setId: ID.replace('abcd', 'abce') },
		says: `The event is about set ${ID.replace('abcd', 'abce')}, but Set gives ${ID}, which is written there for when a field is empty`,
		remedy: 'Take the set that is written there out of the expression',
	},
	'a set of one of several events in one item': {
		parameters: () => ({
			resource: 'document',
			operation: 'getAllPdfs',
			setId: '={{ $json.events[0].setId }}',
		}),
		input: {
			events: [ID, ID.replace('abcd', 'abce')].map((setId, index) => ({
				eventId: `${index}`.repeat(32),
				setId,
			})),
		},
		says: 'The input item holds the events of 2 sets, and Set gives one: the others would get no papers',
		remedy: 'or put Split Out between',
	},
	'a set that the event calls another parcel': {
		instead: () => oneSet,
		parameters: () => ({ resource: 'set', operation: 'get', setId: '={{ $json.setId }}', lookup: {} }),
		input: { eventId: '0123456789abcdef0123456789abcdef', setId: ID, parcelReference: 'PRC-2' },
		says: `The event is about parcel PRC-2, but its set ${ID} is parcel PRC-1`,
		remedy: 'Look the set up in the service, and tell whoever runs it.',
	},
	'a document that was picked, behind sets that come with each item': {
		instead: () => oneSet,
		parameters: () => ({ ...PDF, setId: '={{ $json.setId }}', documentId: OTHER }),
		input: { setId: ID },
		says: `Document is fixed to ${OTHER}, which is none of the documents of set ${ID}`,
		remedy: 'put Document on By ID with an expression as well',
	},
	'a document that is none of the set that the event is about': {
		instead: () => oneSet,
		parameters: () => ({ ...PDF, setId: '={{ $json.setId }}', documentId: `={{ "${OTHER}" }}` }),
		input: { eventId: '0123456789abcdef0123456789abcdef', setId: ID, parcelReference: 'PRC-1' },
		says: `Document ${OTHER} is none of the documents of set ${ID}, which the event is about`,
		remedy: 'take the set and the document from the same item',
	},
	'a set that stands in the list as two parcels': {
		instead: () => ({
			calls: () => reply(200, { data: { total: 2, results: [SET, { ...SET, parcelRef: 'PRC-9' }] } }),
		}),
		parameters: () => ({ resource: 'set', operation: 'get', setId: ID, lookup: {} }),
		says: `The service lists set ${ID} as parcel PRC-1 and as parcel PRC-9`,
		remedy: 'nobody can tell which papers belong together',
	},
	'a reference in a list that is shorter than it says': {
		instead: () => ({
			calls: ({ path }) => {
				const offset = Number(new URL(path, 'http://service').searchParams.get('offset'));
				return reply(200, { data: { offset, total: 2, results: [SET].slice(offset) } });
			},
		}),
		parameters: () => ({ resource: 'set', operation: 'get', setId: byReference('PRC-1'), lookup: {} }),
		says: 'Which set has the reference "PRC-1" is not certain. The service says that 2 sets match, and gives 1 different ones however it is asked: these are all that it gives.',
		remedy: 'use the ID of the set in place of its reference.',
	},
	'a name of a customer in place of its ID': {
		parameters: () => ({ ...SEARCH, filters: { customerIds: '={{ ["Northlight"] }}' } }),
		says: '"Customer or Counterparty Names or IDs" is not an ID: "Northlight"',
		remedy: 'Choose from the list',
	},
	'a field name with a dot': {
		parameters: () => ({ ...PDF, binaryPropertyName: 'file.pdf' }),
		says: '"Put Output File in Field" cannot be "file.pdf"',
		remedy: 'Use one word without dots, brackets, commas and spaces, for example data.',
	},
	'a limit of nothing': {
		parameters: () => ({ ...SEARCH, limit: 0 }),
		says: '"Limit" cannot be 0',
		remedy: 'Use a whole number from 1 up.',
	},
	'a wait that is no number': {
		parameters: () => ({ ...PDF, options: { waitSeconds: '={{ "long" }}' } }),
		says: '"Wait Up To" cannot be "long"',
		remedy: 'Use a whole number from 0 to 3600.',
	},
	'a way of paging that is none': {
		parameters: () => ({ ...SEARCH, options: { paging: '={{ "pages" }}' } }),
		says: '"Paging" cannot be "pages"',
		remedy: 'Choose from the list, or use auto, query or body in an expression.',
	},
	'filters that are no JSON object': {
		parameters: () => ({ ...SEARCH, filters: { otherFilters: 'vesselName: Aurora' } }),
		says: '"Other Filters (JSON)" is not a JSON object',
		remedy: 'Write field names and values between braces, for example { "vesselName": "Aurora" }.',
	},
	'a list in place of a text': {
		parameters: () => ({ ...SEARCH, filters: { shipmentRef: '={{ ["SHIP-1", "SHIP-2"] }}' } }),
		says: '"Shipment Reference" cannot be ["SHIP-1","SHIP-2"]',
		remedy:
			'Use a text. An expression can take it out of a list or an object, for example {{ $json.refs[0] }}.',
	},
	'a filter with nothing in it': {
		parameters: () => ({ ...SEARCH, filters: { shipmentRef: '={{ $json.reference }}' } }),
		says: '"Shipment Reference" was chosen and is empty',
		remedy: 'More would come than was asked for.',
	},
	'a date that n8n did not store': {
		parameters: () => ({ ...SEARCH, filters: { modifiedAfter: '' } }),
		says: '"Modified After" was chosen and is empty',
		remedy: 'A date is picked, or typed as 2026-11-20 09:30:00',
	},
	'filters with more in each other than a search can have': {
		parameters: () => ({
			...SEARCH,
			filters: {
				otherFilters: '={{ Array.from({ length: 60 }).reduce((inside) => ({ inside }), { a: 1 }) }}',
			},
		}),
		says: '"Other Filters (JSON)" has more than 50 levels',
		remedy: 'Give the fields of the search alone.',
	},
	'a whole message in place of a reference': {
		parameters: () => ({ ...SEARCH, filters: { shipmentRef: '={{ "x".repeat(2000) }}' } }),
		says: '"Shipment Reference" has more than 1000 characters',
		remedy: 'Give the reference or the name alone.',
	},
	'a list of sets in place of one': {
		parameters: () => ({ resource: 'set', operation: 'get', setId: `={{ ["${ID}", "${ID}"] }}` }),
		says: '"Set" is a list of 2',
		remedy: 'Give one ID for each input item',
	},
	'a date that is none': {
		parameters: () => ({ ...SEARCH, filters: { modifiedAfter: '={{ "yesterday" }}' } }),
		says: '"Modified After" is not a date: "yesterday"',
		remedy: 'Use a date such as 2026-11-20 or 2026-11-20T09:30',
	},
	'a file name with a field that does not exist': {
		parameters: () => ({ ...PDF, options: { fileName: '{shipment}.pdf' } }),
		says: 'The file name uses {shipment}, which does not exist',
		remedy: 'Use these: {setId} {documentId}, or the beginning of one',
	},
	'a custom API call': {
		parameters: () => ({ resource: 'set', operation: '__CUSTOM_API_CALL__' }),
		says: 'A custom API call is made by the HTTP Request node, not by this one',
		remedy: 'Add an HTTP Request node in place of this one.',
	},
	'an operation that does not exist': {
		parameters: () => ({ resource: 'set', operation: 'print' }),
		says: 'There is no operation "print" for "set"',
		remedy: 'Choose the resource and the operation again.',
	},
	'an event that is cut beside a whole one': {
		parameters: () => ({
			resource: 'event',
			operation: 'parse',
			event: '{ "newStatus": "SIGNED" } { "newStatus": "ISSUED", "set',
		}),
		says: 'There is a status event in "Event" that cannot be read',
		remedy:
			'An event is a JSON object with a text in the field newStatus, and Parse gives all events or none.',
	},
	'an event among a hundred thousand other things': {
		parameters: () => ({
			resource: 'event',
			operation: 'parse',
			event: '={{ [{ newStatus: "SIGNED" }, ...Array.from({ length: 100_001 }, () => ({ x: 1 }))] }}',
		}),
		says: 'There is too much in "Event" to find every status event',
		remedy: 'Give the events alone, for example {{ $json.events }}',
	},
};
