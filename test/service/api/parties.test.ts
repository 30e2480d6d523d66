import { errorOf, startBench } from '../../support/apiAccount';
import { reply, type Headers } from '../../support/fakeService';

const ONE = { customerId: 'a', customerName: 'Acme' };

const serviceOf = (body: unknown, headers: Headers = {}) =>
	startBench({ calls: () => reply(200, typeof body === 'string' ? body : JSON.stringify(body), headers) });

const LISTS = ['counterparties', 'customers'] as const;

describe.each(LISTS)('the list of %s', (list) => {
	it('is asked for at its place, and comes as it was sent, odd entries too', async () => {
		const { client, service } = await serviceOf([{ customerName: 'no id' }, ONE, 'Borealis', null]);
		expect(await client[list]()).toEqual([
			...[{ customerName: 'no id' }, ONE, { customerName: 'Borealis' }, { customerName: null }],
		]);
		expect(service.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
			list === 'customers' ? 'GET /v3/exchange/customers' : 'GET /v3/common/counterparties',
		]);
	});

	it.each<[Headers, string]>([
		[{ 'x-total-count': '3' }, '1 of 3'],
		[{ link: '</2>; rel="next"' }, 'the first 1'],
		[{ 'x-total-count': '1', link: '</2>; rel="next"' }, 'the first 1'],
	])('that says it is a part is an error, but for who can do with a part: %j', async (headers, part) => {
		const { client } = await serviceOf([ONE], headers);
		const error = await errorOf(client[list]());
		expect(error).toMatchObject({
			code: 'unexpectedResponse',
			message: `The service gives ${part} companies, and says that there are more.`,
			remedy: expect.stringContaining('Tell the service: this list is to come whole.'),
			call: list === 'customers' ? 'GET /v3/exchange/customers' : 'GET /v3/common/counterparties',
		});
		expect(await client[list]({ partIsFine: true })).toEqual([ONE]);
	});

	it('that is as long as it says is whole', async () => {
		const { client } = await serviceOf([ONE, ONE], { 'x-total-count': '2' });
		expect(await client[list]()).toEqual([ONE, ONE]);
		const { client: more } = await serviceOf([ONE, ONE], { 'x-total-count': '1' });
		expect(await more[list]({})).toEqual([ONE, ONE]);
		const { client: none } = await serviceOf([]);
		expect(await none[list]()).toEqual([]);
	});

	it.each<[unknown, string]>([
		['null', 'the answer is "null" ('],
		['"Acme"', 'the answer is "Acme" ('],
		[{ parties: [] }, 'the answer is an object ('],
		[[{ customerName: 'Acme' }], '[0].customerId is missing ('],
		[[{ customerId: 7 }, 'Acme'], '[0].customerId is "7" ('],
		[['Acme'], '[0] is "Acme" ('],
	])('is an error where nothing in it is a party: %j', async (body, wrong) => {
		const { client } = await serviceOf(body);
		expect((await errorOf(client[list]())).message).toContain(
			`The service answered something else: ${wrong}`,
		);
	});
});
