import { createHash } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { makeData, move, type ParcelSet } from '../../sandbox/service';
import { startCaller, type Caller } from './caller';

let caller: Caller;
let set: ParcelSet;
beforeAll(async () => {
	caller = await startCaller({ data: makeData({ sets: 20, documentsPerSet: 3 }) });
	set = caller.service.data.sets[4] as ParcelSet;
});
afterAll(() => caller.close());

const pathOf = (setId: string, documentId = '') => `/v3/common/sets/${setId}/get-single-pdf/${documentId}`;
const fetchPdf = async (by: Caller, of: ParcelSet, place = 0) =>
	Buffer.from(await (await by.ask(pathOf(of.setId, of.documents[place]?.documentId))).arrayBuffer());

/** The words on the page: pdfkit writes them as hexadecimal runs, split where letters are kerned. */
function wordsOf(pdf: Buffer): string {
	const start = pdf.indexOf('stream\n') + 7;
	const page = inflateSync(pdf.subarray(start)).toString('latin1');
	const lines = page.match(/\[.*\] TJ/g) ?? [];
	const runs = lines.map((line) => [...line.matchAll(/<([0-9a-f]+)>/g)].map((run) => run[1]).join(''));
	const text = runs.map((hex) => Buffer.from(hex, 'hex').toString('latin1')).join('\n');
	// The en dash of a PDF's built-in fonts; Latin-1 has none.
	return text.replaceAll('\x96', '–');
}

test('a PDF is plain PDF bytes from head to end, and says what it is', async () => {
	const response = await caller.ask(pathOf(set.setId, set.documents[0]?.documentId));
	expect(response.headers.get('content-type')).toBe('application/pdf');
	const pdf = Buffer.from(await response.arrayBuffer());
	expect(Number(response.headers.get('content-length'))).toBe(pdf.length);
	expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
	expect(pdf.toString('latin1').trimEnd().endsWith('%%EOF')).toBe(true);
	const words = wordsOf(pdf);
	expect(words).toContain('COPY FOR READING – NOT THE ORIGINAL');
	for (const expected of [
		set.documents[0]?.name,
		set.documents[0]?.documentId,
		set.setId,
		set.parcelRef,
		set.shipmentRef,
		set.vesselName,
		set.loadPort,
		`${set.destinationName}, ${set.destinationCountry}`,
		'Bill of lading',
		'Title held, signatures',
	]) {
		expect(words).toContain(expected);
	}
});

test('the same document has the same bytes in every service, and no two documents are alike', async () => {
	const other = await startCaller({ data: makeData({ sets: 20, documentsPerSet: 3 }) });
	try {
		const digest = (pdf: Buffer) => createHash('sha256').update(pdf).digest('hex');
		const seen = new Set<string>();
		for (const one of caller.service.data.sets) {
			for (const place of [0, 1, 2]) {
				const pdf = await fetchPdf(caller, one, place);
				expect(digest(await fetchPdf(other, one, place))).toBe(digest(pdf));
				seen.add(digest(pdf));
			}
		}
		expect(seen.size).toBe(60);
	} finally {
		await other.close();
	}
});

test('a PDF follows the status of its set', async () => {
	const own = await startCaller({ data: makeData({ sets: 1 }) });
	try {
		const drafted = own.service.data.sets[0] as ParcelSet;
		expect(wordsOf(await fetchPdf(own, drafted))).toContain('Drafted, signatures 0');
		move(own.service.data, drafted.setId, 'issue', Date.UTC(2026, 10, 21, 8, 30));
		const words = wordsOf(await fetchPdf(own, drafted));
		expect(words).toContain('Issued, signatures');
		expect(words).toContain('21 November 2026 08:30 UTC');
	} finally {
		await own.close();
	}
});

const nobody = '11111111-1111-4111-8111-111111111111';
test.each<[string, () => string, number]>([
	['an unknown set', () => pathOf(nobody, set.documents[0]?.documentId), 404],
	['an unknown document', () => pathOf(set.setId, nobody), 404],
	[
		'a document of another set',
		() => pathOf(set.setId, caller.service.data.sets[5]?.documents[0]?.documentId),
		404,
	],
	['a bad set id', () => pathOf('12', nobody), 400],
	['a bad document id', () => pathOf(set.setId, 'latest'), 400],
	['no document id', () => pathOf(set.setId), 400],
	['a way out of the path', () => pathOf('..%2F..', nobody), 400],
])('%s is refused with a message', async (_label, path, status) => {
	const response = await caller.ask(path());
	expect(response.status).toBe(status);
	expect(await response.json()).toEqual({ errorMessage: expect.any(String) });
});

test('ids are taken in capitals too', async () => {
	const path = pathOf(set.setId.toUpperCase(), set.documents[0]?.documentId.toUpperCase());
	expect((await caller.ask(path)).status).toBe(200);
});

test('a PDF can be late after a change of its set', async () => {
	let now = Date.UTC(2026, 10, 21);
	const late = await startCaller({ pdfReadyAfterMs: 5000, clock: () => now });
	try {
		const moved = late.service.data.sets[0] as ParcelSet;
		move(late.service.data, moved.setId, 'sign', now);
		const path = pathOf(moved.setId, moved.documents[0]?.documentId);
		expect((await late.ask(path)).status).toBe(404);
		now += 5000;
		expect((await late.ask(path)).status).toBe(200);
	} finally {
		await late.close();
	}
});

test('a PDF can be made large, and still ends as a PDF', async () => {
	const heavy = await startCaller({ pdfBytes: 100_000, data: makeData({ sets: 1 }) });
	try {
		const pdf = await fetchPdf(heavy, heavy.service.data.sets[0] as ParcelSet);
		expect(pdf.length).toBeGreaterThan(100_000);
		expect(pdf.toString('latin1').trimEnd().endsWith('%%EOF')).toBe(true);
	} finally {
		await heavy.close();
	}
});
