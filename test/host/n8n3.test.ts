import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { N8N_3_DEFAULTS } from '../../sandbox/n8n/n8n3';
import { knowsVersion3 } from '../support/hostVersion';
import { SHARED_HOST, type SharedHost } from '../support/host/start';
import { importTemplate } from '../support/host/template';
import { useWorld } from '../support/host/world';

/** What n8n itself finds that its version 3 will break. */
interface Report {
	report: {
		targetVersion: string;
		workflowResults: { ruleId: string }[];
		instanceResults: { ruleId: string }[];
	};
}
interface RuleReport {
	affectedWorkflows: { id: string }[];
}

const TEMPLATES = readdirSync(join(__dirname, '..', '..', 'workflows')).map((file) =>
	file.replace('.workflow.json', ''),
);
const { n8nVersion = '' } = JSON.parse(process.env[SHARED_HOST] ?? '{}') as Partial<SharedHost>;
const world = useWorld();

const fresh = () => world().n8n.rest.send<Report>('POST', 'breaking-changes/report/refresh?version=v3', {});
/** The rules that name one of these workflows. */
async function rulesThatName(ids: Set<string>): Promise<string[]> {
	const { report } = await fresh();
	const named = report.workflowResults.map(async ({ ruleId }) => {
		const rule = await world().n8n.rest.get<RuleReport>(`breaking-changes/report/${ruleId}`);
		return rule.affectedWorkflows.some(({ id }) => ids.has(id)) ? [ruleId] : [];
	});
	return (await Promise.all(named)).flat();
}

if (knowsVersion3(n8nVersion)) {
	it("n8n's own report on its version 3 finds nothing in any template", async () => {
		const { n8n } = world();
		const stored = TEMPLATES.map((name) => n8n.workflows.create(importTemplate(world(), name)));
		const ids = (await Promise.all(stored)).map(({ id }) => id);
		expect(ids.length).toBeGreaterThan(8);
		expect(await rulesThatName(new Set(ids))).toEqual([]);
	});

	it("n8n's own report on its version 3 sees what does change, so that its silence means something", async () => {
		const { n8n } = world();
		const node = { id: '1', name: 'Old', position: [0, 0] as [number, number], parameters: {} };
		const removed = { ...node, type: 'n8n-nodes-base.aiTransform', typeVersion: 1 };
		const { id } = await n8n.workflows.create({ name: 'Old', nodes: [removed], connections: {} });
		expect(await rulesThatName(new Set([id]))).toEqual(['ai-transform-deprecated']);
		await n8n.workflows.delete(id);
	});

	if (process.env['PARCEL_N8N_3_DEFAULTS'] === 'yes') {
		it('with the defaults of n8n 3, its report names only what 2.41 has no setting for', async () => {
			const found = (await fresh()).report.instanceResults.map(({ ruleId }) => ruleId);
			expect(Object.keys(N8N_3_DEFAULTS).length).toBeGreaterThan(4);
			// Unverified packages and Docker alone are prepared, not tested; a machine of tests may be a container or not.
			const told = found.filter((ruleId) => ruleId !== 'docker-only-deployment-v3').sort();
			expect(told).toEqual(['unverified-packages-v3', 'workflow-import-url-removed-v3']);
		});
	}
} else {
	it('an older n8n has no report on its version 3 yet', async () => {
		const target = await fresh().then(
			({ report }) => report.targetVersion,
			(error: Error) => error.message,
		);
		expect(target).toMatch(/^v2$|answered 40[04] /);
	});
}
