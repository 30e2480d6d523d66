import { startService } from '../../sandbox/service';
import { runAction } from '../support/actionNode';
import { forAll } from '../support/forAll';

const service = forAll(startService);

const get = (resource: string, name: unknown) =>
	runAction(service.baseUrl, { resource, operation: 'get', name: name as string });

describe.each([
	['customer', 'customers'],
	['counterparty', 'counterparties'],
] as const)('%s', (resource, list) => {
	it('is found by its whole name, in capitals or not', async () => {
		const [party] = service.data[list];
		for (const name of [party!.customerName, ` ${party!.customerName.toUpperCase()} `]) {
			const { items } = await get(resource, name);
			expect(items.map(({ json }) => json.customerId)).toEqual([party!.customerId]);
		}
	});

	it('is one or an error that helps on', async () => {
		const [party, other] = service.data[list];
		const part = party!.customerName.slice(0, 6).trim();
		const near = await get(resource, part);
		expect(near.error?.message).toBe(`No ${resource} is called ${JSON.stringify(part)}`);
		expect(near.error?.description).toContain(party!.customerName);
		const { customerName: unnamed } = party!;
		party!.customerName = '';
		for (const nothing of [' ', '\u200b', '\u00ad ', '={{ String($json.missing) }}'])
			expect((await get(resource, nothing)).error?.message).toBe('"Name" is empty');
		party!.customerName = unnamed;
		const { customerName } = other!;
		other!.customerName = party!.customerName;
		const two = await get(resource, party!.customerName);
		other!.customerName = customerName;
		expect(two.items).toEqual([]);
		expect(two.error?.message).toContain(`${party!.customerId}, ${other!.customerId}`);
	});
});
