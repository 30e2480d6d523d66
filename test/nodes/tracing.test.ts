import type { IDataObject, IRun } from 'n8n-workflow';
import { openTracing } from '../../nodes/ParcelDocumentExchange/actions/tracing';
import { defaultUser, startService, type Service } from '../../sandbox/service';
import { runAction } from '../support/actionNode';
import { opening } from '../support/closing';
import { startFakeService } from '../support/fakeService';

let service: Service;
beforeEach(async () => void (service = await startService()));
afterEach(() => service.close());

const tracingOf = ({ data }: IRun) =>
	data.resultData.runData['Node']?.map(({ metadata }) => metadata?.tracing);

/** What the service counted itself. */
const asked = () => {
	const { byRoute, requests } = service.counters;
	return { searches: byRoute['search'] ?? 0, tries: requests };
};

describe('what a run tells of itself, in its data and on its span', () => {
	it.each<[string, (service: Service) => IDataObject, (service: Service) => IDataObject]>([
		[
			'all PDFs of a set',
			({ data }) => ({ resource: 'document', operation: 'getAllPdfs', setId: data.sets[3]!.setId }),
			({ data }) => ({ sets: 1, set: data.sets[3]!.setId }),
		],
		[
			'all PDFs of a set in one item',
			({ data }) => ({
				...{ resource: 'document', operation: 'getAllPdfs', onePerSet: true },
				setId: data.sets[3]!.setId,
			}),
			({ data }) => ({ sets: 1, set: data.sets[3]!.setId }),
		],
		[
			'a search over several pages',
			() => ({ resource: 'set', operation: 'search', returnAll: true, options: { pageSize: 10 } }),
			({ data }) => ({ sets: data.sets.length }),
		],
		['a list of customers', () => ({ resource: 'customer', operation: 'getAll' }), () => ({ sets: 0 })],
	])('%s: the sets, the bytes, the searches, the tries', async (_, parameters, told) => {
		const { run, items, error } = await runAction(service.baseUrl, parameters(service));
		expect(error).toBeUndefined();
		const files = items.flatMap(({ json }) => (json.files ?? [json]) as { bytes?: number }[]);
		const bytes = files.reduce((sum, file) => sum + (file.bytes ?? 0), 0);
		expect(tracingOf(run)).toEqual([{ ...told(service), bytes, ...asked() }]);
		expect(asked().tries).toBeGreaterThan(asked().searches);
	});

	it('a call that was tried again, and what failed', async () => {
		const fake = await opening(startFakeService({ calls: ['rateLimited', 'rateLimited', 'missing'] }));
		const { run, error } = await runAction(fake.baseUrl, { resource: 'customer', operation: 'getAll' });
		expect(error).toBeDefined();
		expect(tracingOf(run)).toEqual([{ sets: 0, bytes: 0, searches: 0, tries: 4 }]);
	});

	it('nothing secret, and nothing that somebody could have written into a field', async () => {
		const { password } = defaultUser;
		const fake = await opening(
			startFakeService({
				ok: { code: 200, status: 'OK', data: { total: 1, results: [{ setId: password, documents: [] }] } },
			}),
		);
		const { run, items, error } = await runAction(fake.baseUrl, { resource: 'set', operation: 'search' });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		const [told] = tracingOf(run)!;
		expect(told).toEqual({ sets: 0, bytes: 0, searches: expect.any(Number), tries: expect.any(Number) });
	});

	it('nothing where n8n has no place for it, or would say it of the node above', () => {
		const told: unknown[] = [];
		const setMetadata = (metadata: unknown) => told.push(metadata);
		openTracing({} as never).trace([]);
		openTracing({ setMetadata, getNextRunIndex: () => 0 } as never).trace([]);
		expect(told).toEqual([]);
		openTracing({ setMetadata } as never).trace([]);
		expect(told).toHaveLength(1);
	});
});
