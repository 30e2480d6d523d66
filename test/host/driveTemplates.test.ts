import type { WorkflowNode } from '../../sandbox/n8n/workflows';
import { withValue } from '../../sandbox/exampleWorkflow';
import { waitUntil } from '../../sandbox/process/waitUntil';
import { move, type ParcelSet } from '../../sandbox/service';
import { startS3, type Storage } from '../support/host/s3';
import { addressed, importTemplate, standIn } from '../support/host/template';
import { useWorld, using, type World } from '../support/host/world';

/** Issues a set whose names are hard on a drive. @returns it and its folder, as it should be */
async function issueOne({ service, publisher }: World): Promise<{ set: ParcelSet; folders: string[] }> {
	const set = service.data.sets.find(({ status }) => status === 'signed');
	if (!set) throw new Error('The sandbox has no signed set');
	Object.assign(set, { vesselName: "L'AURORE: II", parcelRef: 'SEGOT-1/1' });
	await publisher.publish(move(service.data, set.setId, 'issue', Date.now()));
	return { set, folders: [set.billOfLadingDate.slice(0, 4), "L'AURORE- II", 'SEGOT-1-1'] };
}

describe('the template "issued to S3 folders"', () => {
	const world = useWorld();
	let storage: Storage;
	beforeAll(async () => (storage = await startS3()));
	afterAll(() => storage.close());

	it('puts each PDF of an issued set into the folder of its year, vessel and reference', async () => {
		const { n8n, service, publish, publisher } = world();
		const credentials = using(await n8n.credentials.create('Storage', 's3', storage.account));
		const upload = (node: WorkflowNode) => ({
			...node,
			parameters: { ...node.parameters, bucketName: storage.bucket },
			credentials,
		});
		const { id } = await publish(
			importTemplate(world(), 'issued-to-s3-folders', { 'n8n-nodes-base.s3': upload }),
		);
		const { set, folders } = await issueOne(world());
		const [run] = await n8n.executions.finishedOf(id, 1);
		expect(run?.error).toBeUndefined();
		const stored = await storage.objects();
		for (const key of stored.keys()) expect(key.split('/').slice(0, -1)).toEqual(folders);
		const pdfs = await Promise.all(set.documents.map((document) => service.pdf(set, document)));
		expect([...stored.values()].sort(Buffer.compare)).toEqual(pdfs.sort(Buffer.compare));

		// Filed twice, it is the same files.
		await publisher.publish(move(service.data, set.setId, 'issue', Date.now() + 60_000));
		const [, again] = await n8n.executions.finishedOf(id, 2);
		expect(again?.error).toBeUndefined();
		expect([...(await storage.objects()).keys()].sort()).toEqual([...stored.keys()].sort());
	});
});

describe('the template "issued to SharePoint folders"', () => {
	const world = useWorld();

	it('names the file with its folders, each safe in an address', async () => {
		const { n8n, publish } = world();
		const type = 'n8n-nodes-base.microsoftSharePoint';
		const template = importTemplate(world(), 'issued-to-sharepoint-folders', {
			[type]: (node) => standIn(node),
		});
		const { id } = await publish(template);
		const { set, folders } = await issueOne(world());
		const [run] = await n8n.executions.finishedOf(id, 1);
		expect(run?.error).toBeUndefined();
		const pdfs = run?.items('Get all PDFs of the parcel') ?? [];
		expect(pdfs).toHaveLength(set.documents.length);
		expect(run?.items('Put into the folder').map(({ json }) => json)).toEqual(
			pdfs.map(({ json, binary }) => ({
				...{ resource: 'file', operation: 'upload', site: '', folder: '' },
				fileName: [...folders, String(json['fileName'])].map(encodeURIComponent).join('/'),
				fileContents: Object.keys(binary ?? {}).join(),
			})),
		);
	});
});

describe('the template "issued to Google Drive folders"', () => {
	const world = useWorld();

	it('makes the folders that are missing, each in the one above, and puts the PDFs into the last', async () => {
		const { n8n, publish } = world();
		/** The year is there; vessel and reference are not. */
		const answers: Record<string, Record<string, string>> = {
			'Look for the year': { id: 'year-id' },
			'Make the vessel': { id: 'vessel-id' },
			'Make the reference': { id: 'reference-id' },
		};
		const type = 'n8n-nodes-base.googleDrive';
		const template = importTemplate(world(), 'issued-to-google-drive-folders', {
			[type]: (node) => standIn(node, answers[node.name]),
			'n8n-nodes-base.set': (node) =>
				node.name === 'Fill in the folder' ? withValue(node, 'top', 'top-id') : node,
		});
		const { id } = await publish(template);
		const { set, folders } = await issueOne(world());
		const [run] = await n8n.executions.finishedOf(id, 1);
		expect(run?.error).toBeUndefined();

		const asked = (node: string) => run?.items(node)[0]?.json;
		const lookedFor = (name: string, parent: string) =>
			`name = '${name}' and '${parent}' in parents and mimeType = 'application/vnd.google-apps.folder' and trashed = false`;
		const [year = '', , reference = ''] = folders;
		expect(asked('Look for the year')).toMatchObject({ queryString: lookedFor(year, 'top-id') });
		expect(asked('Look for the vessel')).toMatchObject({
			queryString: lookedFor("L\\'AURORE- II", 'year-id'),
		});
		expect(asked('Look for the reference')).toMatchObject({
			queryString: lookedFor(reference, 'vessel-id'),
		});
		expect(run?.nodes).not.toContain('Make the year');
		expect(asked('Make the vessel')).toMatchObject({ name: "L'AURORE- II", folderId: 'year-id' });
		expect(asked('Make the reference')).toMatchObject({ name: 'SEGOT-1-1', folderId: 'vessel-id' });
		const pdfs = run?.items('Get all PDFs of the parcel') ?? [];
		expect(pdfs).toHaveLength(set.documents.length);
		expect(run?.items('Put into the folder').map(({ json }) => json)).toEqual(
			pdfs.map(({ json, binary }) => ({
				...{ resource: 'file', operation: 'upload', driveId: 'My Drive', folderId: 'reference-id' },
				...{ name: json['fileName'], inputDataFieldName: Object.keys(binary ?? {}).join() },
			})),
		);
	});
});

describe.each(['papers-to-folder-and-mail', 'issued-to-google-drive-folders'])(
	'the template "%s", without its folder',
	(file) => {
		const world = useWorld();

		it('says in its first step what is missing, and fetches and sends nothing', async () => {
			const { n8n, publish } = world();
			const smtp = await n8n.credentials.create('Mail', 'smtp', { host: '127.0.0.1', port: 1 });
			const template = importTemplate(world(), file, {
				'n8n-nodes-base.googleDrive': (node) => standIn(node),
				'n8n-nodes-base.emailSend': addressed(using(smtp)),
			});
			const { id } = await publish(template);
			await issueOne(world());
			const failed = async () => (await n8n.executions.list({ workflowId: id, status: ['error'] }))[0];
			const { id: execution } = await waitUntil('the run has failed', failed, { deadlineMs: 30_000 });
			const { error, nodes } = await n8n.executions.get(execution);
			expect(error?.message).toMatch(/^Open the step "Fill in the folder" and type the /);
			expect(nodes.at(-1)).toBe('Say what is missing');
			expect(nodes.filter((name) => /PDF|e-mail|Write|Look|Put/.test(name))).toEqual([]);
		});
	},
);
