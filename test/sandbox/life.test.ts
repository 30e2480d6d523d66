import { draftSet, isStepName, makeData, move, nextStep, resultOf, steps } from '../../sandbox/service';
import type { ParcelSet, ServiceData, Step } from '../../sandbox/service';

const at = Date.UTC(2026, 10, 20, 9, 48, 18);
let data: ServiceData;
let set: ParcelSet;
beforeEach(() => {
	data = makeData({ sets: 30 });
	set = data.sets.find((one) => one.status === 'drafted' && one.signatures === 2) as ParcelSet;
});

test.each<[Step['name'], string, string, string, string[]]>([
	['draft', 'DRAFTED', 'APPROVE_COLLAB', 'drafted', ['user']],
	['sign', 'Signed', 'Sign', 'signed', ['actor', 'actorCompany']],
	['issue', 'ISSUED', 'ISSUE', 'issued', ['actor', 'actorCompany']],
	['holdTitle', 'TITLE_HELD', 'ISSUE', 'title_held', ['actor', 'actorCompany']],
	['draftTransfer', 'TRANSFER_DRAFTED', 'DRAFT_TRANSFER', 'transfer_drafted', ['user']],
])('the step %s is told as %s with %s', (name, newStatus, action, status, actorFields) => {
	const event = move(data, set.setId, name, at);
	expect(event).toEqual({
		instance: expect.stringMatching(/^(hub|exchange)$/i),
		newStatus,
		parcelReference: set.parcelRef,
		customerId: set.customerId,
		action,
		setId: set.setId,
		updatedDate: 'Fri Nov 20 09:48:18 UTC 2026',
		message: 'The status of the set has been updated',
		transactionId: resultOf(set).transactionId,
		...Object.fromEntries(actorFields.map((field) => [field, expect.stringMatching(/./)])),
	});
	expect(resultOf(set)).toMatchObject({ status, modifiedDate: '20 November 2026 09:48' });
	expect(data.sets[0]).toBe(set);
	expect(data.sets).toHaveLength(30);
});

test('title and transfer carry another transaction than the first three, the same set and parcel', () => {
	const events = steps.map((step) => move(data, set.setId, step.name, at));
	const [drafted, signed, issued, held, transfer] = events.map((event) => event.transactionId);
	expect([signed, issued]).toEqual([drafted, drafted]);
	expect(held).toBe(transfer);
	expect(held).not.toBe(drafted);
	expect(new Set(events.map((event) => event.setId + event.parcelReference)).size).toBe(1);
	expect(new Set(events.map((event) => event.message)).size).toBe(1);
});

test('the next step leads through the whole life, a signature at a time, and then ends', () => {
	const taken: string[] = [];
	for (let step = nextStep(set); step && taken.length < 10; step = nextStep(set)) {
		move(data, set.setId, step.name, at);
		taken.push(`${step.name} ${resultOf(set).signature}`);
	}
	expect(taken).toEqual([
		'sign 1 of 2',
		'sign 2 of 2',
		'issue 2 of 2',
		'holdTitle 2 of 2',
		'draftTransfer 2 of 2',
	]);
});

test('a set can go back to a draft', () => {
	move(data, set.setId, 'holdTitle', at);
	move(data, set.setId, 'draft', at);
	expect(resultOf(set)).toMatchObject({ status: 'drafted', signature: `0 of 2`, fromParty: null });
	expect(nextStep(set)?.name).toBe('sign');
});

test('the instance is spelled in more than one way over a few events', () => {
	const spellings = new Set(steps.map((step) => move(data, set.setId, step.name, at).instance));
	expect(spellings.size).toBe(3);
});

test('a new set is drafted for the first customer and stands first in the list', () => {
	const { set: drafted, event } = draftSet(data, at);
	expect(data.sets[0]).toBe(drafted);
	expect(data.sets).toHaveLength(31);
	expect(data.find(drafted.setId)).toBe(drafted);
	expect(event).toMatchObject({
		newStatus: 'DRAFTED',
		setId: drafted.setId,
		customerId: data.customers[0]?.customerId,
	});
});

test('a set that is not there is said', () => {
	expect(() => move(data, '11111111-1111-4111-8111-111111111111', 'sign', at)).toThrow('There is no set');
});

test.each([
	['sign', true],
	['Sign', false],
	['constructor', false],
	[null, false],
])('%j is a step: %s', (name, expected) => {
	expect(isStepName(name)).toBe(expected);
});
