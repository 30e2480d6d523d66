import { createHash } from 'node:crypto';
import {
	makeData,
	renderPdf,
	startService,
	type ParcelDocument,
	type ParcelSet,
} from '../../sandbox/service';
import type { DocumentAddress, StandInAnswer, StandInOptions, StandInQuestion } from './standIn';

/** Files from this size on are kept: making one of 300 MB again for each download would be measured as well. */
const KEPT_FROM = 10 * 1024 * 1024;

/** The stand-in of the service in a process of its own; ends with the one that started it. */
async function main(options: StandInOptions): Promise<void> {
	const { sets, documentsPerSet, oldestFirst = false, pdfBytes, xmlCharacters = 0, ...more } = options;
	const data = makeData({ sets, ...(documentsPerSet !== undefined && { documentsPerSet }) });
	if (oldestFirst) data.sets.reverse();
	if (xmlCharacters > 0) {
		const xmlContent = '<Bill>Cocoa beans</Bill>'.repeat(Math.ceil(xmlCharacters / 24));
		for (const { documents } of data.sets) Object.assign(documents[0] ?? {}, { xmlContent });
	}
	const service = await startService({ ...more, data, makePdf: await pdfMaker(data.sets[0], pdfBytes) });
	const answers: Record<StandInQuestion['ask'], (question: StandInQuestion) => unknown> = {
		counters: () => service.counters,
		documents: ({ count = 1 }) => documentsOf(data.sets, count),
		events: ({ count = 1 }) => eventsOf(data.sets, count),
		setIds: () => data.sets.map(({ setId }) => setId),
		sha256: async ({ setId = '', documentId = '' }) => {
			const set = data.find(setId);
			const document = set?.documents.find((one) => one.documentId === documentId);
			if (!set || !document) throw new Error(`There is no document ${documentId}`);
			return createHash('sha256')
				.update(await service.pdf(set, document))
				.digest('hex');
		},
	};
	process.on('message', (question: StandInQuestion) => {
		void Promise.resolve(answers[question.ask](question)).then((value) => tell({ id: question.id, value }));
	});
	tell({ id: 0, value: service.baseUrl });
}

/** One drawn file, with a document's own id written into the part that no reader looks at: no two files are alike. */
async function pdfMaker(set: ParcelSet | undefined, pdfBytes: number) {
	const drawn = set?.documents[0];
	if (!set || !drawn) throw new Error('The stand-in holds no document');
	const template = await renderPdf(set, drawn, pdfBytes);
	const place = template.indexOf('filler filler filler filler filler filler ');
	const kept = new Map<string, Buffer>();
	return async (_set: ParcelSet, { documentId }: ParcelDocument): Promise<Buffer> => {
		const known = kept.get(documentId);
		if (known) return known;
		const file = Buffer.from(template);
		if (place > 0) file.write(documentId, place, 'latin1');
		if (file.length >= KEPT_FROM && kept.size < 8) kept.set(documentId, file);
		return file;
	};
}

function documentsOf(sets: readonly ParcelSet[], count: number): DocumentAddress[] {
	const all: DocumentAddress[] = [];
	for (const { setId, documents } of sets) {
		for (const { documentId } of documents) {
			all.push({ setId, documentId });
			if (all.length === count) return all;
		}
	}
	throw new Error(`The stand-in holds ${all.length} documents only`);
}

/** Events of sets from all over the list, as the queue would name them, and how many pages hold their customers' sets. */
function eventsOf(sets: readonly ParcelSet[], count: number) {
	const step = Math.floor(sets.length / count);
	const concerned = Array.from({ length: count }, (_, index) => sets[index * step]).filter(
		(set) => set !== undefined,
	);
	const customers = new Set(concerned.map(({ customerId }) => customerId));
	const isOf = (set: ParcelSet, id: string) =>
		[set.customerId, set.consignor.customerId, set.consignee.customerId].includes(id);
	const pages = [...customers].map((id) => Math.ceil(sets.filter((set) => isOf(set, id)).length / 100));
	return {
		events: concerned.map(({ setId, customerId }) => ({ setId, customerId })),
		pages: pages.reduce((sum, one) => sum + one, 0),
		pdfs: concerned.reduce((sum, { documents }) => sum + documents.length, 0),
	};
}

function tell(answer: StandInAnswer): void {
	process.send?.(answer);
}

process.once('disconnect', () => process.exit());
main(JSON.parse(process.argv[2] ?? '') as StandInOptions).catch((error: unknown) => {
	console.error(error);
	process.exit(1);
});
