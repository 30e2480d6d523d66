import PDFDocument from 'pdfkit';
import { modifiedDate } from './dates';
import type { ParcelDocument, ParcelSet } from './parcel';

const ink = '#16242f';
const faint = '#5b6b78';
const rule = '#c9d3da';
const left = 56;
const width = 483;

/**
 * One document of a set as a PDF, A4. The same document in the same state gives the same bytes: the file's
 * creation date, from which its id is made, is the set's last change.
 * @param leastBytes fills the file with unread bytes up to about this size, for measuring
 */
export async function renderPdf(set: ParcelSet, document: ParcelDocument, leastBytes = 0): Promise<Buffer> {
	const changed = new Date(set.modifiedAt);
	const pdf = new PDFDocument({
		size: 'A4',
		margin: left,
		lang: 'en',
		displayTitle: true,
		info: {
			Title: `${document.name} ${set.parcelRef}`,
			Subject: 'Copy for reading – not the original',
			Creator: 'Parcel Document Exchange sandbox',
			Producer: 'Parcel Document Exchange sandbox',
			CreationDate: changed,
			ModDate: changed,
		},
	});
	const chunks: Buffer[] = [];
	pdf.on('data', (chunk: Buffer) => chunks.push(chunk));
	const done = new Promise<Buffer>((resolve, reject) => {
		pdf.on('end', () => resolve(Buffer.concat(chunks)));
		pdf.on('error', reject);
	});
	drawHead(pdf, document, set);
	drawFields(pdf, fieldsOf(set, document));
	drawFoot(pdf);
	if (leastBytes > 0) fill(pdf, leastBytes);
	pdf.end();
	return done;
}

function drawHead(pdf: PDFKit.PDFDocument, document: ParcelDocument, set: ParcelSet): void {
	pdf.rect(0, 0, 595.28, 10).fill('#0f4c5c');
	pdf.fillColor('#9a3412').font('Helvetica-Bold').fontSize(10);
	pdf.text('COPY FOR READING – NOT THE ORIGINAL', left, 44, { characterSpacing: 0.8 });
	pdf.fillColor(ink).fontSize(26).text(document.name, left, 68, { width });
	pdf
		.fillColor(faint)
		.font('Helvetica')
		.fontSize(11)
		.text(`Parcel ${set.parcelRef}`, left, pdf.y + 4);
	pdf
		.moveTo(left, pdf.y + 14)
		.lineTo(left + width, pdf.y + 14)
		.lineWidth(0.8)
		.stroke(rule);
	pdf.y += 32;
}

function fieldsOf(set: ParcelSet, document: ParcelDocument): Array<[string, string]> {
	return [
		['Kind of document', document.docType === 'BILL_OF_LADING' ? 'Bill of lading' : 'Uploaded document'],
		['Status', `${sentence(set.status)}, signatures ${set.signed} of ${set.signatures}`],
		['Last change', `${modifiedDate(set.modifiedAt)} UTC`],
		['Shipment', set.shipmentRef],
		['Bill of lading date', set.billOfLadingDate],
		['Vessel', set.vesselName ?? 'Not named yet'],
		['Port of loading', set.loadPort],
		['Destination', `${set.destinationName}, ${set.destinationCountry}`],
		['Cargo', set.cargoName],
		['Quantity', set.quantity === 'null null' ? 'Not stated' : set.quantity],
		['Consignor', set.consignor.customerName],
		['Consignee', set.consignee.customerName],
		['Set', set.setId],
		['Document', document.documentId],
	];
}

function drawFields(pdf: PDFKit.PDFDocument, fields: Array<[string, string]>): void {
	for (const [label, value] of fields) {
		const top = pdf.y;
		pdf.fillColor(faint).fontSize(10).text(label, left, top, { width: 140 });
		pdf
			.fillColor(ink)
			.fontSize(11)
			.text(value, left + 150, top - 0.5, { width: width - 150 });
		pdf.y = Math.max(pdf.y, top + 14) + 9;
	}
}

function drawFoot(pdf: PDFKit.PDFDocument): void {
	const words =
		'This file is a copy for reading, made by the sandbox of Parcel Document Exchange for n8n. ' +
		'It gives no title to goods and belongs to no real shipment.';
	pdf
		.moveTo(left, 752)
		.lineTo(left + width, 752)
		.lineWidth(0.8)
		.stroke(rule);
	pdf.fillColor(faint).fontSize(9).text(words, left, 762, { width, height: 30 });
}

/** A stream object that nothing refers to: readers pass over it. */
function fill(pdf: PDFKit.PDFDocument, bytes: number): void {
	const filler = pdf.ref({});
	filler.compress = false;
	filler.end(Buffer.alloc(bytes, 'filler '));
}

function sentence(words: string): string {
	const text = words.replaceAll('_', ' ');
	return text.charAt(0).toUpperCase() + text.slice(1);
}
