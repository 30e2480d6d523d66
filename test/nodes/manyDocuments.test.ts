import { runAction } from '../support/actionNode';
import { opening } from '../support/closing';
import { reply, startFakeService } from '../support/fakeService';
import { quietMsOf } from '../support/work';
import { id } from '../support/ids';

/** A set with so many documents, of which the service has no PDF. */
async function start(count: number) {
	const documents = Array.from({ length: count }, (_, index) => ({ documentId: id('d', index) }));
	const data = { offset: 0, total: 1, results: [{ setId: id('a', 0), shipmentRef: 'S', documents }] };
	const answer = reply(200, JSON.stringify({ code: 200, status: 'OK', data }));
	return await opening(
		startFakeService({ calls: ({ path }) => (path.includes('get-single-pdf') ? 'missing' : answer) }),
	);
}

it.each([10_000, 10_001, 200_000])('%i documents that cannot be had do not hold n8n up', async (count) => {
	const { baseUrl, calls } = await start(count);
	const fetchAll = () =>
		runAction(baseUrl, {
			...{ resource: 'document', operation: 'getAllPdfs', setId: id('a', 0), lookup: {} },
			options: { waitSeconds: 0 },
		});
	let error: Error | undefined;
	const ms = await quietMsOf(async () => ({ error } = await fetchAll()));
	expect(ms).toBeLessThan(8_000);
	expect(error?.message).toContain(
		count > 10_000
			? `The search shows more than 10,000 documents of set ${id('a', 0)}`
			: 'The service does not know what was asked for',
	);
	expect(calls.length).toBeLessThan(100);
});
