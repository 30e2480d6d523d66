import { startService } from '../../sandbox/service';
import { runAction } from '../support/actionNode';
import { forAll } from '../support/forAll';

const service = forAll(startService);

const getAll = (resource: string, parameters: object = {}) =>
	runAction(service.baseUrl, { resource, operation: 'getAll', ...parameters });

it('gives one item per customer, as the service sent it', async () => {
	const { items, hints } = await getAll('customer');
	expect(items.map(({ json }) => json)).toEqual(service.data.customers);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(service.data.customers.map(() => ({ item: 0 })));
	expect(hints).toEqual([]);
});

it('gives one item per counterparty', async () => {
	const { items } = await getAll('counterparty');
	expect(items.map(({ json }) => json)).toEqual(service.data.counterparties);
});

it('gives no more than the limit, and says so where the editor does not', async () => {
	const one = await getAll('counterparty', { limit: 2 });
	expect(one.items.map(({ json }) => json)).toEqual(service.data.counterparties.slice(0, 2));
	expect(one.hints).toEqual([]);
	const two = await runAction(
		service.baseUrl,
		{ resource: 'counterparty', operation: 'getAll', limit: 2 },
		{ items: [{ json: {} }, { json: {} }] },
	);
	expect(two.hints).toEqual([
		{
			message: `The limit of 2 is reached; ${service.data.counterparties.length} counterparties match. Raise Limit or use Return All. (2 items)`,
		},
	]);
});

it('gives all with Return All, whatever the limit', async () => {
	const { items, hints } = await getAll('counterparty', { returnAll: true, limit: 2 });
	expect(items).toHaveLength(service.data.counterparties.length);
	expect(hints).toEqual([]);
});

it('keeps those whose name contains the text, in capitals or not', async () => {
	const [first] = service.data.counterparties;
	const part = first!.customerName.slice(2, 9).toUpperCase();
	const { items } = await getAll('counterparty', { filters: { name: ` ${part} ` } });
	expect(items.map(({ json }) => json)).toEqual(
		service.data.counterparties.filter(({ customerName }) => customerName.toUpperCase().includes(part)),
	);
});

it('gives nothing and a hint when no name matches', async () => {
	const { items, hints, error } = await getAll('customer', { filters: { name: 'zzz' } });
	expect({ items, error }).toEqual({ items: [], error: undefined });
	expect(hints).toEqual([
		{ message: 'None of 3 customers has a name with "zzz". Type less of it, or nothing for all.' },
	]);
});

it('gives nothing and a hint when the account sees no company', async () => {
	const customers = service.data.customers.splice(0);
	const { items, hints } = await getAll('customer');
	service.data.customers.push(...customers);
	expect(items).toEqual([]);
	expect(hints).toEqual([{ message: 'Your account sees no customers. Ask the service for access to them.' }]);
});

it.each([
	['zero', 0],
	['less than zero', -1],
	['half', 1.5],
	['words', 'many'],
])('refuses a limit of %s', async (_, limit) => {
	const { error } = await getAll('customer', { limit });
	expect(error).toMatchObject({
		name: 'NodeOperationError',
		message: expect.stringContaining('"Limit"'),
		description: 'Use a whole number from 1 up.',
		context: { itemIndex: 0 },
	});
});

it('refuses a name that is none: it would let all through', async () => {
	const { error } = await getAll('customer', { filters: { name: '={{ ["Northlight"] }}' } });
	expect(error).toMatchObject({ message: '"Name" cannot be ["Northlight"]', context: { itemIndex: 0 } });
});

it('takes a limit that an expression gave as text', async () => {
	expect((await getAll('customer', { limit: '={{ "2" }}' })).items).toHaveLength(2);
});
