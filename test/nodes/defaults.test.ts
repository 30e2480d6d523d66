import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { ParcelDocumentExchangeApi } from '../../credentials/ParcelDocumentExchangeApi.credentials';
import { ParcelDocumentExchangeQueueApi } from '../../credentials/ParcelDocumentExchangeQueueApi.credentials';
import { ParcelDocumentExchange } from '../../nodes/ParcelDocumentExchange/ParcelDocumentExchange.node';
import { accountOf } from '../../nodes/ParcelDocumentExchange/adapters/credentials';
import { queueAddressOf } from '../../nodes/ParcelDocumentExchange/adapters/queueAddress';
import {
	FILE_NAME_OF_ONE,
	FILE_NAME_OF_SET,
	LIMIT,
	PARALLEL_DOWNLOADS,
} from '../../nodes/ParcelDocumentExchange/descriptions/defaults';
import { CONNECTIONS, MOST_CONNECTIONS } from '../../service/api/pool';
import { runAction } from '../support/actionNode';

/** The panel says what the code does: each bound and each default, said once. */

const { properties } = new ParcelDocumentExchange().description;
const NUMBERS = properties
	.filter(({ name }) => name === 'options')
	.flatMap(({ displayOptions: { show = {} } = {}, options = [] }) =>
		(options as INodeProperties[])
			.filter(({ type }) => type === 'number')
			.flatMap((option) =>
				(show.operation ?? []).map((operation) => {
					const { resource: [resource] = [] } = show;
					return [
						`${resource} ${operation} ${option.name}`,
						{ resource, operation } as IDataObject,
						option,
					] as const;
				}),
			),
	);

it.each(NUMBERS)('%s is refused beyond the bounds of the panel, and only there', async (_, named, option) => {
	const { minValue = 0, maxValue = 0 } = option.typeOptions ?? {};
	const id = '11111111-1111-4111-8111-111111111111';
	const errorOf = async (value: number) => {
		const options = { waitSeconds: 0, [option.name]: value };
		// Nobody can be asked: what is read is good when the address is what is wrong.
		const { error } = await runAction('no address', {
			...named,
			name: 'N',
			setId: id,
			documentId: id,
			options,
		});
		return error?.message;
	};
	const label = option.displayName.replace(/ \(Seconds\)$/, '');
	for (const good of [minValue, maxValue, option.default as number]) {
		expect(await errorOf(good)).toMatch(/base URL/);
	}
	for (const bad of [minValue - 1, maxValue + 1])
		expect(await errorOf(bad)).toBe(`"${label}" cannot be ${bad}`);
});

it('what n8n wants written out is what the code goes by', () => {
	const limits = properties.filter(({ name }) => name === 'limit').map((limit) => limit.default);
	const limit = `Limit in descriptions/showing.ts is ${LIMIT.missing}, as in descriptions/defaults.ts`;
	expect({ [limit]: [...new Set(limits)] }).toEqual({ [limit]: [LIMIT.missing] });
	// CONNECTIONS and MOST_CONNECTIONS of service/api/pool.ts are Parallel Downloads of descriptions/defaults.ts.
	expect([PARALLEL_DOWNLOADS.missing, PARALLEL_DOWNLOADS.most]).toEqual([CONNECTIONS, MOST_CONNECTIONS]);
	const names = properties
		.flatMap(({ options = [] }) => options as INodeProperties[])
		.filter(({ name }) => name === 'fileName')
		.map((name) => name.default);
	expect(names.sort()).toEqual([FILE_NAME_OF_SET, FILE_NAME_OF_ONE].sort());
});

it('what a credential does not hold is what its panel shows', () => {
	const shown = (fields: INodeProperties[]) =>
		Object.fromEntries(fields.map(({ name, default: byDefault }) => [name, byDefault])) as never;
	const queue = new ParcelDocumentExchangeQueueApi().properties;
	expect(accountOf({})).toEqual(accountOf(shown(new ParcelDocumentExchangeApi().properties)));
	expect(queueAddressOf({})).toEqual(queueAddressOf(shown(queue)));
	const [plain, encrypted] = [false, true].map((tls) => queueAddressOf({ tls }).port);
	const words = queue.find(({ name }) => name === 'port')?.description;
	expect(words).toBe(`Usually ${plain}, or ${encrypted} with TLS`);
});
