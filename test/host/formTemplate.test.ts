import { readFile } from 'node:fs/promises';
import { waitUntil } from '../../sandbox/process/waitUntil';
import type { ParcelSet } from '../../sandbox/service';
import { openEditor, type Editor } from '../support/host/editor';
import { importTemplate } from '../support/host/template';
import { useWorld } from '../support/host/world';
import { unzip } from '../support/host/zip';

// Whether a part of a reference finds a shipment, the interface does not say (2.4).
const world = useWorld({ references: 'part' });
let editor: Editor;
beforeAll(async () => {
	const { n8n, n8nUrl } = world();
	const { id } = await n8n.workflows.create(importTemplate(world(), 'shipment-look-up-form'));
	await n8n.workflows.publish(id);
	editor = await openEditor(n8nUrl, world().owner);
}, 60_000);
afterAll(() => editor?.close());

/** Fills in the form and sends it. */
async function lookUp(shipmentRef: string): Promise<void> {
	const { page } = editor;
	// Published in the background: the address answers "not found" for a moment.
	for (;;) {
		const answer = await page.goto(`${world().n8nUrl}/form/parcel-look-up`);
		if (answer?.ok()) break;
		await page.waitForTimeout(200);
	}
	await page.getByPlaceholder('e.g. SHIP-2026-0147').fill(shipmentRef);
	await page.getByRole('button', { name: 'Get the PDFs' }).click();
}

/** The same, up to the file that comes. */
async function downloadOf(shipmentRef: string): Promise<{ name: string; bytes: Buffer }> {
	const download = editor.page.waitForEvent('download');
	await lookUp(shipmentRef);
	const file = await download;
	return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) };
}

/** Takes sets of the sandbox for a shipment of their own. */
function shipment(shipmentRef: string, documents: number[]): ParcelSet[] {
	const sets = world().service.data.sets.filter((set) => set.documents.length > 1 && !taken.has(set));
	return documents.map((count, index) => {
		const set = sets[index] as ParcelSet;
		taken.add(set);
		return Object.assign(set, { shipmentRef, documents: set.documents.slice(0, count) });
	});
}
const taken = new Set<ParcelSet>();

const pdfsOf = (sets: ParcelSet[]) =>
	Promise.all(sets.flatMap((set) => set.documents.map((document) => world().service.pdf(set, document))));
const sorted = (files: Iterable<Buffer>) => [...files].sort(Buffer.compare);

it('hands over all PDFs of a shipment as one zip file, and says which parcel has none', async () => {
	const sets = shipment('SHIP/1', [2, 2, 0]);
	const { name, bytes } = await downloadOf(' SHIP/1 ');
	expect(name).toBe('SHIP-1.zip');
	expect(sorted(unzip(bytes).values())).toEqual(sorted(await pdfsOf(sets)));
	await editor.page.getByText('4 PDFs').waitFor();
	await editor.page.getByText(`No PDF could be had of ${sets[2]?.parcelRef}.`).waitFor();
	await editor.screenshot('form with a file');
});

it('hands over a single PDF as it is', async () => {
	const sets = shipment('SHIP/2', [1]);
	const { name, bytes } = await downloadOf('SHIP/2');
	expect(name).toMatch(/\.pdf$/);
	expect([bytes]).toEqual(await pdfsOf(sets));
});

it('hands over nothing of another shipment, of whose reference a part was typed', async () => {
	const sets = shipment('SHIP/5', [1]);
	shipment('SHIP/50', [2]);
	const { bytes } = await downloadOf('SHIP/5');
	expect([bytes]).toEqual(await pdfsOf(sets));
	await lookUp('HIP/');
	await editor.page.getByText('There is no parcel with the shipment reference HIP/.').waitFor();
});

it.each([
	['no parcel', 'SHIP/3', [], () => 'There is no parcel with the shipment reference SHIP/3.'],
	['no PDF', 'SHIP/4', [0], ([set]: ParcelSet[]) => `No PDF could be had of ${set?.parcelRef}.`],
])('says so when there is %s', async (_, shipmentRef, documents, textFor) => {
	const sets = shipment(shipmentRef, documents);
	await lookUp(shipmentRef);
	await editor.page.getByText(textFor(sets)).waitFor();
	await editor.screenshot(`form without a file ${documents.length}`);
});

it.each([[' '], [undefined]])(
	'asks nobody when nothing was typed, which only the browser hinders: %j',
	async (typed) => {
		const { service, n8nUrl } = world();
		const { page } = editor;
		const before = service.counters.byRoute.search ?? 0;
		const sent = await page.request.post(`${n8nUrl}/form/parcel-look-up`, {
			multipart: typed === undefined ? { other: 'x' } : { 'field-0': typed },
		});
		const { formWaitingUrl } = (await sent.json()) as { formWaitingUrl: string };
		// As the form's own page does: the last page is there once the run has come to it.
		const status = formWaitingUrl.replace(/(\?|$)/, '/n8n-execution-status$1');
		await waitUntil('the last page is there', async () => {
			const answer = await page.request.get(status);
			return (await answer.text()).includes('form-waiting');
		});
		await page.goto(formWaitingUrl);
		await page.getByText('Type a shipment reference.').waitFor();
		expect(service.counters.byRoute.search ?? 0).toBe(before);
	},
);
