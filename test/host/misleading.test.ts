import { chain } from '../../sandbox/n8n/workflows';
import { useWorld, ACTION, START, using } from '../support/host/world';
import { held, MISLEADING, startMisleading } from '../support/misleadingServices';

const world = useWorld();

/** What n8n keeps of a step beside its items, and shows in its panel. */
interface Told {
	resultData: { runData: Record<string, { hints?: { message: string }[] }[] | undefined> };
}

it.each(MISLEADING)('a service where %s comes to "%s" in n8n', async (label, outcome, searched) => {
	const { n8n } = world();
	const service = await startMisleading(searched);
	try {
		const credential = await n8n.credentials.create(label.slice(0, 100), 'parcelDocumentExchangeApi', {
			...{ baseUrl: service.baseUrl, loginStyle: 'basic', username: 'clerk', password: 'Quay 7' },
			...{ ignoreSslIssues: false, caCertificate: '' },
		});
		const search = { resource: 'set', operation: 'search', returnAll: true, filters: {}, options: {} };
		const { id } = await n8n.workflows.create(
			chain('Search', [
				START,
				{ name: 'Search', type: ACTION, parameters: search, credentials: using(credential) },
			]),
		);
		const execution = await n8n.executions.finished(await n8n.workflows.run(id, 'Start'), 60_000);
		const { error, data } = execution;
		if (outcome !== 'all or error') expect(error !== undefined).toBe(outcome === 'error');
		const given = execution.items('Search').map(({ json }) => String(json.setId));
		expect(given.sort()).toEqual(error ? [] : held.map(({ setId }) => setId));
		const hints = (data as Told).resultData.runData['Search']?.flatMap(({ hints = [] }) => hints) ?? [];
		const said = hints.map(({ message }) => message);
		const told = outcome === 'hint' ? [expect.stringMatching(/\d+.* 300 different/)] : [];
		expect(said).toEqual(error ? [] : told);
	} finally {
		await service.close();
	}
});
